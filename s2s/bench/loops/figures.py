"""Table 4.4 of the PolySIMD chapter, counted again on a suite's own loops."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2s.bench.loops.result import LoopResult, geometric_mean
from s2s.bench.loops.suite import LoopSuite
from s2s.bench.result import Record

if TYPE_CHECKING:
    from s2s.scop.nodes import Scop

COLUMNS = ("statements", "dependences", "cycles", "sovr", "sivr")


@dataclass(frozen=True)
class Row:
    """Published numbers and our own of one loop, by column, and the seconds that ours took."""

    loop: str
    published: Mapping[str, float]
    ours: Mapping[str, int]
    seconds: float | None = None


def rows(loops: LoopSuite, flags: Sequence[str]) -> list[Row]:
    """The loops of the table that the suite has; without numbers of ours where none can be had."""
    published: Mapping[str, Mapping[str, float]] = loops.paper.get("kernels", {})
    names = [name for name in published if name in loops.loops]
    counted = dict(_counted(loops, (*flags, *loops.flags, *loops.source_flags), names))
    return [Row(name, published[name], *counted.get(name, ({}, None))) for name in names]


def _counted(
    loops: LoopSuite, flags: Sequence[str], names: Sequence[str]
) -> Iterator[tuple[str, tuple[dict[str, int], float]]]:
    """The numbers of each function with one innermost loop, and the seconds that they took."""
    from s2s.frontends.c.parse import parse
    from s2s.frontends.c.regions import functions
    from s2s.frontends.c.vector_look import innermost_loops
    from s2s.source import SourceBuffer
    from s2s.source.compiler import parser_flags

    buffer = SourceBuffer(str(loops.source), loops.source.read_bytes())
    unit = parse(buffer, tuple(flags), parser_flags(flags))
    for function in functions(unit, every=True) if not unit.errors else ():
        name = function.node.name
        nodes = list(innermost_loops(function.node)) if name in names else []
        if len(nodes) == 1:
            with suppress(_failures()):
                scop = function.attempt(nodes).again(guarding=True).scop(separate=True)
                yield name, _numbers(scop)


def _failures() -> type[Exception]:
    from s2s.frontends.c.lift import NotLiftable

    return NotLiftable


def _numbers(scop: Scop) -> tuple[dict[str, int], float]:
    from s2s.analyses.cover import cover
    from s2s.scop.nodes import Loop, walk

    loop = [n for n in walk(scop.tree) if isinstance(n, Loop)][-1]
    start = time.perf_counter()
    found = cover(scop, loop)
    seconds = time.perf_counter() - start
    numbers = {
        "statements": len(found.graph.statements),
        "dependences": found.graph.count(),
        "cycles": len(found.cycles),
        "sovr": sum(r.kind == "source" for r in found.chosen),
        "sivr": sum(r.kind == "sink" for r in found.chosen),
    }
    return numbers, seconds


def lines(found: Sequence[Row], results: Sequence[LoopResult], loops: LoopSuite) -> Iterator[str]:
    """The table, ours before the published numbers where they differ, and what Figure 4.4 says."""
    if not found:
        return
    yield ""
    yield f"{'Table 4.4':12}{''.join(f'{name:>14}' for name in COLUMNS)}       seconds"
    for row in found:
        cells = "".join(f"{_cell(row, column):>14}" for column in COLUMNS)
        seconds = "-" if row.seconds is None else f"{row.seconds:.3f}"
        yield f"{row.loop:12}{cells}{seconds:>14}"
    yield "(where two numbers stand, the second one is that of the dissertation)"
    figure = loops.paper.get("figure", {})
    if figure:
        yield (
            f"Figure 4.4: geometric mean {figure['geomean']} over ICC 17 on a Xeon Phi; "
            f"{_range(figure['sovr'])} with SoVR, {_range(figure['sivr'])} with SiVR; "
            f"running example {figure['running_example']}"
        )
    here = ", ".join(f"{v} {mean:.2f}" for v, mean in means(found, results).items())
    yield f"The same loops here, geometric means: {here}"


def means(found: Sequence[Row], results: Sequence[LoopResult]) -> dict[str, float]:
    """For each variant the geometric mean over the loops of the table that were measured."""
    names = {row.loop for row in found}
    ratios: dict[str, list[float]] = {}
    for result in results:
        if result.loop in names:
            ratios.setdefault(result.variant, []).append(result.ratio or 1.0)
    return {variant: geometric_mean(mine) for variant, mine in ratios.items()}


def _cell(row: Row, column: str) -> str:
    published, ours = row.published[column], row.ours.get(column)
    return f"{ours}" if ours == published else f"{'-' if ours is None else ours} ({published})"


def _range(ends: Sequence[float]) -> str:
    return f"{ends[0]} to {ends[1]}"


def records(
    loops: LoopSuite, found: Sequence[Row], results: Sequence[LoopResult]
) -> Iterator[Record]:
    """The table as records of the variant ``polysimd``, and the means over its loops."""
    suite = loops.name
    for variant, mean in means(found, results).items():
        yield Record(
            suite=suite, case="loops of Table 4.4", variant=variant, metric="geometric mean",
            value=mean, unit="x", published=loops.paper.get("figure", {}).get("geomean"),
            note="Figure 4.4",
        )  # fmt: skip
    for row in found:
        for column in COLUMNS:
            yield Record(
                suite=suite, case=row.loop, variant="polysimd", metric=column,
                value=row.ours.get(column), unit="", published=row.published[column],
                note="Table 4.4",
            )  # fmt: skip
        yield Record(
            suite=suite, case=row.loop, variant="polysimd", metric="solver time",
            value=row.seconds, unit="s", published=row.published["seconds"], note="Table 4.4",
        )  # fmt: skip
