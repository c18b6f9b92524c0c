"""``s2s tune FILE --target aie``: the auto-tuner on one convolution; options of all searches."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from s2s.cli.arguments import positive, positive_seconds
from s2s.cli.reporting import Reporter, Status
from s2s.source import SourceBuffer, output
from s2s.source.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from s2s.targets.request import Output
    from s2s.targets.source_options import SourceOptions
    from s2s.tuning.aie.search import Plan

_SHOWN = 5
EFFORT = 6000
SECONDS = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of a search."""
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a convolution in C or Halide; a Halide pipeline; layers in a .m file, nests in C",
    )
    parser.add_argument(
        "--target", choices=("aie", "clockwork", "spatial"), default="aie", help="default: aie"
    )
    parser.add_argument(
        "-o", dest="output", metavar="OUT", help="write the best kernel, source or mappings here"
    )
    add_search_arguments(parser)


def add_search_arguments(parser: Any) -> None:
    """Where the work is done, and for how long."""
    parser.add_argument(
        "--jobs",
        type=positive,
        default=_cores(),
        metavar="N",
        help="processes (default: all cores)",
    )
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="a dask cluster: tcp://host:8786"
    )
    parser.add_argument(
        "--effort",
        type=positive,
        metavar="N",
        help=f"work that the search of one kernel may do, in units of about a millisecond "
        f"(default: {EFFORT}, for clockwork more)",
    )
    parser.add_argument(
        "--seconds",
        type=positive_seconds,
        metavar="S",
        help=f"time after which it ends in any case (default: {SECONDS:g}, for clockwork more)",
    )


def search_defaults() -> dict[str, object]:
    """The options of a search with their defaults."""
    return {"--jobs": _cores(), "--scheduler": "", "--effort": None, "--seconds": None}


def plan_of(args: argparse.Namespace) -> Plan:
    """The search that the options ask for; progress is for a terminal only."""
    from s2s.tuning.aie.search import Plan

    progress = sys.stderr.isatty()
    seconds, effort = args.seconds or SECONDS, args.effort or EFFORT
    return Plan(args.jobs, args.scheduler, seconds, effort, progress=progress)


def main(args: argparse.Namespace, given: SourceOptions, flags: tuple[str, ...]) -> int:
    """Search, print the best mappings, write the best kernel. Raises UserError."""
    from s2s.driver.contractions import contraction_of
    from s2s.source.reading import read_source
    from s2s.tuning.aie.search import Search
    from s2s.tuning.aie.store import Store
    from s2s.tuning.settings import default_cache

    buffer = SourceBuffer(args.file, read_source(args.file))
    found = contraction_of(buffer, flags, given, args.target)
    path = default_cache() if args.tune_cache is None else args.tune_cache
    store = Store(path)
    search = Search(found.contraction, plan_of(args), store, found.wishes)
    good = search.run()
    Reporter().say(Diagnostic(Severity.WARNING, text, "tune") for text in store.warnings)
    if not good:
        reasons = {m.failure for _, m in search.found.values() if not m.is_passed_over}
        output.write_standard_output(("\n".join(["no mapping", *sorted(reasons)]) + "\n").encode())
        return Status.USER_ERROR
    macs = found.contraction.macs
    lines = [f"{found.contraction.name}: {len(search.found)} mappings, {len(good)} simulated"]
    lines += [
        f"{macs / m.cycles:7.2f} MACs/cycle {m.cycles:8} cycles  II {m.interval} ({m.limit}),"
        f" {m.spills} spills, {m.stalls} stalls, {m.code_bytes} bytes, packs {m.packed}  {mapping}"
        for mapping, m in good[:_SHOWN]
    ]
    output.write_standard_output(("\n".join(lines) + "\n").encode())
    if args.output:
        from s2s.targets.aie.target import print_mapped
        from s2s.targets.source_options import header_name

        kernel = print_mapped(found, good[0][0], header_name(args.output))
        _write(kernel, args.output, buffer)
    return Status.DONE


def _write(kernel: Output, path: str, buffer: SourceBuffer) -> None:
    """Write a kernel, compared with its source, and what lies beside it. Raises Mismatch."""
    reporter = Reporter()
    reporter.sources.add(buffer.path, buffer.data)
    reporter.say(kernel.check(True).said)
    output.write_file(path, kernel.text)
    for name, text in kernel.companions:
        output.write_file(os.path.join(os.path.dirname(path), name), text)


def _cores() -> int:
    return len(os.sched_getaffinity(0))
