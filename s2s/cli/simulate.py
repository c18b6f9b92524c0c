"""``s2s simulate``: run an emitted program on a simulated machine, chosen by its name."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from s2s.cli.arguments import positive, values_of
from s2s.cli.ineffective import check_groups
from s2s.cli.progress import Progress
from s2s.cli.reporting import Reporter, complain
from s2s.simulators.machine import OURS, Machine, find_machine, machine_names
from s2s.source import output
from s2s.source.diagnostics import UsageError
from s2s.source.pictures import Picture
from s2s.source.spelling import did_you_mean


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of all machines of ours, or of the one of another package that is chosen."""
    parser.add_argument("file", metavar="FILE", help="the program, in the machine's C")
    parser.add_argument(
        "arguments", nargs="*", metavar="ARG", help="arguments of the program itself"
    )
    words = parser.get_default("words")
    chosen = [name for name in values_of("--machine", words) if name not in OURS]
    names = machine_names() if chosen or {"-h", "--help"} & set(words) else list(OURS)
    guessed = None if values_of("--machine", words) else _guess_machine(words)
    words = ["--machine", guessed, *words] if guessed else words
    parser.add_argument(
        "--machine",
        choices=names,
        required=guessed is None,
        default=guessed,
        help="amber may be left out for memory files and designs",
    )
    parser.add_argument("--json", metavar="FILE", help="write all that was counted to FILE")
    parser.add_argument("--report", metavar="PAGE", help="write the run as a page to look at")
    parser.add_argument(
        "--trace", metavar="FILE", help="when what runs, for Chrome's or Perfetto's viewer"
    )
    parser.add_argument(
        "--time-limit",
        type=positive,
        default=600,
        metavar="SECONDS",
        help="processor time of the simulation (default: %(default)s)",
    )
    groups = []
    parser.conflict_handler = "resolve"
    for name in [name for name in chosen if name in names] or _ours(words):
        groups.append(parser.add_argument_group(name))
        find_machine(name).add_arguments(groups[-1])
    parser.set_defaults(groups=groups)


def _guess_machine(words: Sequence[str]) -> str | None:
    """The machine that alone takes such files."""
    folders = [Path(word) for word in words if not word.startswith("-") and Path(word).is_dir()]
    memory = any(word.endswith("_memory.cpp") for word in words)
    design = any(True for f in folders for _ in f.glob("*_design.json"))
    return "amber" if memory or design else None


def _ours(words: Sequence[str]) -> list[str]:
    """Our machines, the chosen one last: of options that several have, the last one's count."""
    return sorted(OURS, key=lambda name: name in values_of("--machine", words))


def read_options(
    machine: Machine, file: str, arguments: Sequence[str], options: Mapping[str, object]
) -> argparse.Namespace:
    """What a machine is run with, from values by the names of its options, with underscores.

    Raises UsageError.
    """
    parser = _Options(prog=f"--machine {machine.name}", allow_abbrev=False, add_help=False)
    machine.add_arguments(parser.add_argument_group(machine.name))
    parser.add_argument("--report")
    parser.add_argument("--trace")
    known = {a.dest: a for a in parser._actions if a.option_strings}
    words = []
    for name, value in options.items():
        if name not in known:
            raise UsageError(
                f"machine '{machine.name}' has no option '{name}'{did_you_mean(name, known)}"
            )
        option = known[name].option_strings[-1]
        if known[name].nargs == 0:
            words += [option] if value else []
        elif value is not None:
            words.append(f"{option}={value}")
    args = parser.parse_args(words)
    args.file, args.arguments, args.json = file, list(arguments), "record"
    args.machine, args.groups, args.command, args.cflags = machine.name, [], "simulate", []
    return args


class _Options(argparse.ArgumentParser):
    """Raises UsageError in place of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}")


def write_pictures(picture: Picture, args: argparse.Namespace) -> None:
    """The page and the trace that were asked for. Raises UserError."""
    from s2s.source.trace_events import trace_text

    if args.trace:
        output.write_file(args.trace, trace_text(picture.timelines))
    if args.report:
        from s2s.cli.reports.machine import machine_data
        from s2s.cli.reports.page import make_page

        output.write_file(args.report, make_page(machine_data(picture)))


def main(args: argparse.Namespace) -> int:
    """Run the program; the exit status is the machine's."""
    from s2s.cli.limited import limited

    check_groups(args, args.groups, args.machine, f"with '--machine {args.machine}'")
    reporter = Reporter()
    doing = f"simulating {args.file} on {args.machine}"
    with limited(args.time_limit, args.file), Progress(doing, at_most=args.time_limit):
        ran = find_machine(args.machine).run(args)
        if args.json and ran.record:
            output.write_file(args.json, ran.record)
        if ran.picture is not None:
            write_pictures(ran.picture, args)
    output.write_standard_output(ran.text.encode("utf-8", "surrogateescape"))
    complain(ran.errors)
    for path, data in ran.sources.items():
        reporter.sources.add(path, data)
    reporter.say(ran.said)
    return ran.status
