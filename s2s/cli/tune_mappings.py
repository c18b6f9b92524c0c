"""``s2s tune FILE --target spatial``: mappings of a layer, a loop nest in C, or a whole network."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.cli.reporting import Reporter, Status
from s2s.source import output
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError
from s2s.source.spelling import did_you_mean

if TYPE_CHECKING:
    from s2s.bench.records import Record
    from s2s.source.spatial.layers import Network
    from s2s.targets.source_options import SourceOptions
    from s2s.tuning.spatial.networks import Result, Wanted

OBJECTIVES = ("runtime", "energy", "edp")
STYLES = ("dla", "dmazerunner", "eyeriss", "interstellar", "shidiannao")
MODELS = ("exact", "maestro", "maestro-refetching")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that this target has alone."""
    group = parser.add_argument_group("spatial")
    group.add_argument(
        "--machine",
        default="p1",
        metavar="NAME",
        help="p1, p2, or a TOML file like theirs (default: p1)",
    )
    group.add_argument(
        "--objective",
        choices=OBJECTIVES,
        default="runtime",
        help="what is least (default: runtime)",
    )
    group.add_argument(
        "--dividing", action="store_true", help="tiles without remainders alone, as published"
    )
    group.add_argument(
        "--model",
        choices=MODELS,
        default="exact",
        help="what says what a mapping costs (default: exact)",
    )
    group.add_argument(
        "--decoupled",
        action="store_true",
        help="DRAM first, then the array, as published: dividing tiles, for runtime",
    )
    group.add_argument(
        "--fix",
        dest="fixes",
        action="append",
        default=[],
        metavar="WHAT",
        help="a part of the mapping: units:K=8,C=4, tiles l1:K=2 (l2, l3), order:K,C,Y', "
        "parallel:K,C, innermost:C,R",
    )
    group.add_argument(
        "--style",
        choices=STYLES,
        default="",
        help="a part of the mapping: what is parallel, and loops' order, as on an accelerator",
    )
    group.add_argument(
        "--spatial-reassociate",
        action="store_true",
        help="C that is written may add up floating-point numbers in another order",
    )
    group.add_argument("--layer", metavar="NAME", help="one layer of the file")
    parser.set_defaults(groups=[*parser.get_default("groups"), group])


def main(args: argparse.Namespace, given: SourceOptions, flags: tuple[str, ...]) -> int:
    """Search, print mappings and tables, write what is asked for. Raises UserError."""
    from s2s.bench import plots
    from s2s.bench.tables import table
    from s2s.tuning.settings import default_cache
    from s2s.tuning.spatial import report
    from s2s.tuning.spatial.networks import search_all
    from s2s.tuning.spatial.store import Store

    for path in filter(None, (args.json, args.csv, args.plot, args.output)):
        output.check_writable(path)
    if args.plot:
        plots.check_plot(args.plot)
    wanted = wanted_of(
        args.machine, objective=args.objective, effort=args.effort, dividing=args.dividing,
        fixes=args.fixes, decoupled=args.decoupled, model=args.model, style=args.style,
    )  # fmt: skip
    network, left = choose_layers(args.file, args.layer, given, flags)
    Reporter().say(left)
    store = Store(default_cache() if args.tune_cache is None else args.tune_cache)
    with _bar(sys.stderr.isatty()) as said:
        results = list(search_all(network.layers, wanted, store, args.jobs, args.scheduler, said))
    Reporter().say(Diagnostic(Severity.WARNING, text, "tune") for text in store.warnings)
    if len(results) == 1:
        lines = report.layer(results[0], wanted)
    else:
        rows = report.rows(results, wanted)
        lines = [table(report.HEAD, rows, ruled=False), *report.sums(results, wanted)]
    output.write_standard_output(("\n".join(lines) + "\n").encode())
    _write(args, network, results, wanted)
    if args.output and results:
        _write_mappings(args, network, results, given, flags)
    missing = missing_layers(network, results)
    if missing:
        raise _error(f"nothing fits the buffers of {wanted.machine.name} for {', '.join(missing)}")
    return Status.DONE


def wanted_of(
    machine: str,
    *,
    objective: str = "runtime",
    effort: int | None = None,
    dividing: bool = False,
    fixes: Sequence[str] = (),
    decoupled: bool = False,
    model: str = "exact",
    style: str = "",
) -> Wanted:
    """How to search, checked. Raises UsageError, and UserError for a machine that is not there."""
    from s2s.simulators.spatial.machine import load
    from s2s.tuning.spatial.networks import Wanted
    from s2s.tuning.spatial.search import EFFORT

    for name, value, known in (
        ("objective", objective, OBJECTIVES),
        ("model", model, MODELS),
        ("style", style, ("", *STYLES)),
    ):
        if value not in known:
            raise UsageError(f"no {name} is named '{value}'{did_you_mean(value, known)}")
    if decoupled and (fixes or style or objective != "runtime" or effort or model != "exact"):
        raise UsageError("'--decoupled' searches for runtime, all of its space: no more to decide")
    found = load(machine)
    if decoupled and found.l3:
        raise UsageError(f"'--decoupled' knows no L3, which {found.name} has")
    return Wanted(
        found, objective, effort or EFFORT, dividing, tuple(fixes), decoupled, model, style
    )


def choose_layers(
    path: str, name: str | None, given: SourceOptions, flags: tuple[str, ...]
) -> tuple[Network, tuple[Diagnostic, ...]]:
    """The layers of a file (``.m`` text, an ONNX model, the nests of C or of a pipeline), or one.

    Also what is left out of the file, with why. Raises UserError.
    """
    from s2s.driver.layers import read_layers
    from s2s.source.spatial.layers import Network

    network, left = read_layers(path, flags, given)
    layers = tuple(one for one in network.layers if name in (None, one.name))
    if not layers:
        names = ", ".join(one.name for one in network.layers)
        raise _error(f"the file has no layer '{name}' (it has: {names})")
    return Network(network.name, layers), left


def missing_layers(network: Network, results: Sequence[Result]) -> list[str]:
    """The layers that fit the buffers in no way, in the file's order."""
    found = {name for one in results for name in one.names}
    return [one.name for one in network.layers if one.name not in found]


def mapped_network(network: Network, results: Sequence[Result]) -> str:
    """All layers with their best mappings, as ``.m`` text."""
    from s2s.source.spatial.layers import Network
    from s2s.source.spatial.writing import write_network

    mapped = {name: one.best.mapped(one.problem) for one in results for name in one.names}
    layers = tuple(
        replace(mapped[layer.name], name=layer.name)
        for layer in network.layers
        if layer.name in mapped
    )
    return write_network(Network(network.name, layers))


@contextmanager
def _bar(wanted: bool) -> Iterator[Callable[[int, int, str], None]]:
    """A bar of all shapes on a terminal; nothing in a pipe."""
    if not wanted:
        yield lambda done, total, name: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("mappings", total=None)

        def said(done: int, total: int, name: str) -> None:
            progress.update(task, total=total, completed=done, description=name)

        yield said


def _write(
    args: argparse.Namespace, network: Network, results: Sequence[Result], wanted: Wanted
) -> None:
    from s2s.bench import plots
    from s2s.bench import report as numbers
    from s2s.tuning.spatial import report

    setting = {
        "date": numbers.now(),
        "machine": wanted.machine.name,
        "objective": wanted.objective,
        "effort": wanted.effort,
    }
    if args.json or args.csv:
        records = list(_records(results, wanted))
        if args.json:
            output.write_file(args.json, numbers.to_json(records, setting))
        if args.csv:
            output.write_file(args.csv, numbers.to_csv(records, setting))
    if args.plot:
        kind = args.plot[args.plot.rfind(".") :]
        output.write_file(args.plot, plots.to_plot(report.draw_front(results, wanted), kind))


def _write_mappings(
    args: argparse.Namespace,
    network: Network,
    results: Sequence[Result],
    given: SourceOptions,
    flags: tuple[str, ...],
) -> None:
    """All layers with their best mappings; as C where the file is to have another name than .m."""
    text = mapped_network(network, results).encode()
    if not args.output.endswith(".m"):
        text = _as_code(args, text, given, flags)
    output.write_file(args.output, text)


def _as_code(
    args: argparse.Namespace, mapping: bytes, given: SourceOptions, flags: tuple[str, ...]
) -> bytes:
    """The source with its nests as the mapping has them; a function for each of other layers."""
    from s2s.driver.options import Options
    from s2s.driver.transform import transform_file
    from s2s.targets.spatial.options import SpatialOptions

    with tempfile.TemporaryDirectory(prefix="s2s-mapping-") as folder:
        path = os.path.join(folder, "best.m")
        output.write_file(path, mapping)
        is_source = not args.file.endswith((".m", ".onnx"))
        own = SpatialOptions(
            mapping=path if is_source else "", reassociate=args.spatial_reassociate
        )
        options = Options(target="spatial", of_target=own, given=given)
        outcome = transform_file(args.file if is_source else path, flags, options)
    Reporter().say(one for one in outcome.diagnostics if one.severity is not Severity.REMARK)
    return outcome.text


def _records(results: Sequence[Result], wanted: Wanted) -> Iterator[Record]:
    from s2s.bench.records import Record
    from s2s.tuning.spatial.report import numbers

    variant = f"{wanted.machine.name}, {wanted.objective}"
    for one in results:
        for name in one.names:
            for metric, value, unit in numbers(one, wanted):
                yield Record(
                    suite="spatial", case=name, variant=variant, metric=metric,
                    value=float(value), unit=unit,
                )  # fmt: skip


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "tune"))
