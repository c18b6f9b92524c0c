"""``s2s tune FILE --target clockwork``: the auto-scheduler on one source."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from s2s.cli.reporting import Reporter, Status
from s2s.source import output
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.clockwork.options import MEMORIES

if TYPE_CHECKING:
    from s2s.targets.source_options import SourceOptions
    from s2s.tuning.clockwork.limits import Limits
    from s2s.tuning.clockwork.search import Plan, Search
    from s2s.tuning.clockwork.space import Program

EFFORT = 120_000
SECONDS = 900.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that this target has alone."""
    group = parser.add_argument_group("clockwork")
    group.add_argument(
        "--limit",
        dest="limits",
        type=_limit,
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="what a design may take: pes, memories, streams, or words of a stream (default: the"
        " array's)",
    )
    group.add_argument(
        "--clockwork-memory",
        choices=MEMORIES,
        default="",
        help="what memory tiles are, as of s2s transform (default: wide-fetch)",
    )
    both = parser.add_argument_group("clockwork, spatial")
    for name, what in (("json", "as JSON"), ("csv", "as CSV")):
        both.add_argument(f"--{name}", metavar="FILE", help=f"write what was found {what}")
    both.add_argument("--plot", metavar="FILE", help="draw it (.pdf, .png or .svg)")
    parser.set_defaults(groups=[group, both])


def _limit(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    if not name or not value.isascii() or not value.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=NUMBER")
    return name, int(value)


def main(args: argparse.Namespace, given: SourceOptions, flags: tuple[str, ...]) -> int:
    """Search, print the front and the fastest schedule, write what is asked for.

    Raises UserError.
    """
    from s2s.bench import plots
    from s2s.bench.accelerators import front
    from s2s.source.reading import read_source
    from s2s.tuning.clockwork.rewritten import rewritten, schedule_text
    from s2s.tuning.clockwork.search import Plan
    from s2s.tuning.clockwork.space import Program

    for path in filter(None, (args.json, args.csv, args.plot, args.output)):
        output.check_writable(path)
    if args.plot:
        plots.check_plot(args.plot)
    program = Program(
        args.file, read_source(args.file), given.parameters, given.generator, given.sizes, flags,
        args.clockwork_memory,
    )  # fmt: skip
    plan = Plan(
        array_limits(dict(args.limits)), args.jobs, args.effort or EFFORT, args.seconds or SECONDS,
        sys.stderr.isatty(),
    )  # fmt: skip
    search = search_designs(program, plan, args.tune_cache)
    space, good = search.space, search.good()
    Reporter().say(Diagnostic(Severity.WARNING, text, "tune") for text in search.store.warnings)
    name = program.steps.pipeline.name
    text = front.render(name, search)
    if good:
        text += f"\n\n{schedule_text(space, good[0].places)}"
    output.write_standard_output(f"{text}\n".encode())
    _write_numbers(args, name, search)
    if not good:
        raise nothing_found(search)
    if args.output:
        output.write_file(args.output, rewritten(space, good[0].places).data)
    return Status.DONE


def search_designs(program: Program, plan: Plan, cache: str | None) -> Search:
    """A search that has run; what it simulates is remembered (``cache`` None: the usual place).

    Raises UserError.
    """
    from s2s.tuning.clockwork.spaces import search_space
    from s2s.tuning.clockwork.store import Store
    from s2s.tuning.settings import default_cache

    return search_space(program, plan, Store(default_cache() if cache is None else cache))


def array_limits(values: Mapping[str, int]) -> Limits:
    """What the array has, or the user's numbers. Raises UserError for an unknown name."""
    from s2s.tuning.clockwork import limits

    return limits.array_limits(values)


def _write_numbers(args: argparse.Namespace, name: str, search: Search) -> None:
    from s2s.bench import plots, report
    from s2s.bench.accelerators import front

    setting = {"date": report.now(), "machine": "amber", "effort": search.plan.effort}
    if args.json:
        output.write_file(args.json, report.to_json(front.records(name, search), setting))
    if args.csv:
        output.write_file(args.csv, report.to_csv(front.records(name, search), setting))
    if args.plot:
        kind = args.plot[args.plot.rfind(".") :]
        output.write_file(args.plot, plots.to_plot(front.draw(name, search), kind))


def nothing_found(search: Search) -> UserError:
    """Why there is no design: what the base lacks, or is too much of."""
    base = search.space.base
    one = search.mapped[base]
    reason = one.failure or f"it takes {search.limits.exceeded(one)}"
    text = f"no schedule was found that fits the array; of the first: {reason}"
    return UserError(Diagnostic(Severity.ERROR, text, "tune"))
