"""Table 4.4 of the PolySIMD chapter, counted again on a suite's own loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from s2s.bench.records import Record
from s2s.bench.single_loops.description import LoopSuite
from s2s.bench.single_loops.result import LoopResult, mean_ratio
from s2s.bench.tables import number, table
from s2s.source.records import dataclass

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
    from s2s.driver.cover_counts import counts

    counted = dict(counts(loops.source, (*flags, *loops.flags, *loops.source_flags), names))
    return [Row(name, published[name], *counted.get(name, ({}, None))) for name in names]


def lines(found: Sequence[Row], results: Sequence[LoopResult], loops: LoopSuite) -> Iterator[str]:
    """The table, ours before the published numbers where they differ, and what Figure 4.4 says."""
    if not found:
        return
    cells = (
        [row.loop, *(_cell(row, column) for column in COLUMNS), number(row.seconds, 3)]
        for row in found
    )
    yield ""
    yield table(["Table 4.4", *COLUMNS, "seconds"], cells, ruled=False)
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
    mine = [result for result in results if result.case in names]
    variants = dict.fromkeys(result.variant for result in mine)
    return {name: mean_ratio(r for r in mine if r.variant == name) for name in variants}


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
                value=row.ours.get(column), published=row.published[column],
                note="Table 4.4",
            )  # fmt: skip
        yield Record(
            suite=suite, case=row.loop, variant="polysimd", metric="solver time",
            value=row.seconds, unit="s", published=row.published["seconds"], note="Table 4.4",
        )  # fmt: skip
