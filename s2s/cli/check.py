"""``s2s check``: what is wrong with a program for a machine, at its lines."""

from __future__ import annotations

import argparse

from s2s.cli.arguments import positive, values_of
from s2s.cli.progress import Progress
from s2s.cli.reporting import Reporter
from s2s.simulators.machine import find_machine, machine_names
from s2s.source import output
from s2s.source.diagnostics import UsageError

DEFAULT = "ascend910-documented"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the machine that is chosen."""
    words = parser.get_default("words")
    name = (values_of("--machine", words) or [DEFAULT])[-1]
    parser.add_argument("file", metavar="FILE", help="the program, in the machine's C")
    parser.add_argument(
        "--machine", choices=machine_names(), default=DEFAULT, help="(default: %(default)s)"
    )
    parser.add_argument("--sarif", metavar="FILE", help="write what is found as SARIF 2.1.0, too")
    parser.add_argument("--buffers", action="store_true", help="list the buffers and their lines")
    parser.add_argument(
        "--time-limit",
        type=positive,
        default=600,
        metavar="SECONDS",
        help="processor time (default: %(default)s)",
    )
    if name in machine_names():
        find_machine(name).add_arguments(parser.add_argument_group(name))
    parser.set_defaults(arguments=[])


def main(args: argparse.Namespace) -> int:
    """Check the program; the exit status is 1 where something is found."""
    from s2s.cli.limited import limited

    machine = find_machine(args.machine)
    if machine.check is None:
        raise UsageError(f"programs for '{args.machine}' are not checked, only simulated")
    reporter = Reporter(sarif=args.sarif)
    reporter.begin(args.file)
    shown = Progress(f"checking {args.file}", at_most=args.time_limit)
    with limited(args.time_limit, args.file), shown:
        ran = machine.check(args)
    output.write_standard_output(ran.text.encode("utf-8", "surrogateescape"))
    for path, data in ran.sources.items():
        reporter.sources.add(path, data)
    reporter.say(ran.said)
    return max(ran.status, int(reporter.finish()))
