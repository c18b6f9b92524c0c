"""Mapping styles of other accelerators and optimizers beside the free search (Figures 5.8 to 5.10).

As in the chapter all are searched by MAESTRO's model with tiles that divide; a style fixes what is
parallel and the order of loops on chip (``s2s/tuning/spatial/styles.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from s2s.bench.mappings.cases import Styled, StyleGroup
from s2s.bench.mappings.rows import CYCLES, OVER, Row
from s2s.bench.records import geometric_mean
from s2s.bench.tables import table

if TYPE_CHECKING:
    from s2s.tuning.spatial.networks import Result

SLOWER, ENERGY = "cycles, times those of the free search", "energy, times that of the free search"
_ENERGY_EFFORT = 200
"""Mappings that are evaluated for a layer where energy is least: no bound ends that search."""


def measure(case: Styled) -> Iterator[Row]:
    """A network under a style: cycles over the roofline, and both times what no style gives."""
    from s2s.simulators.spatial.machine import load
    from s2s.tuning.spatial.bound import roofline

    machine = load(case.machine)
    styled, free = (_results(case, style, "runtime") for style in (case.group.style, ""))
    if len(styled) < len(free):
        yield Row(case, case.group.style, CYCLES, None, "cycles", note="a layer does not fit")
        return
    peaks = [roofline(one.problem.layer, machine) for one in styled]
    ours = [float(one.figures.cycles) for one in styled]
    yield Row(case, case.group.style, CYCLES, _sum(styled, ours), "cycles")
    yield Row(case, case.group.style, OVER, _ratio(case, styled, ours, peaks), "times")
    theirs = [float(one.figures.cycles) for one in free]
    yield Row(case, case.group.style, SLOWER, _ratio(case, styled, ours, theirs), "times")
    if case.group.with_energy:
        styled, free = (_results(case, style, "energy") for style in (case.group.style, ""))
        ours = [one.figures.energy(machine) for one in styled]
        theirs = [one.figures.energy(machine) for one in free]
        note = machine.multipliers
        yield Row(
            case, case.group.style, ENERGY, _ratio(case, styled, ours, theirs), "times", note=note
        )


def _results(case: Styled, style: str, objective: str) -> list[Result]:
    from s2s.simulators.spatial.machine import load
    from s2s.tuning.settings import default_cache
    from s2s.tuning.spatial.networks import Wanted, search_all
    from s2s.tuning.spatial.search import EFFORT
    from s2s.tuning.spatial.store import Store

    effort = EFFORT if objective == "runtime" else _ENERGY_EFFORT
    wanted = Wanted(load(case.machine), objective, effort, True, model="maestro", style=style)
    return list(search_all(case.layers, wanted, Store(default_cache())))


def _sum(results: Sequence[Result], values: Sequence[float]) -> float:
    return sum(one.count * value for one, value in zip(results, values, strict=True))


def _ratio(
    case: Styled, results: Sequence[Result], values: Sequence[float], others: Sequence[float]
) -> float | None:
    """Of whole networks, or the geometric mean of each layer's."""
    if case.group.mean == "network":
        return _sum(results, values) / _sum(results, others)
    pairs = zip(results, values, others, strict=True)
    return geometric_mean(a / b for one, a, b in pairs for _ in range(one.count))


def text(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each style, network and machine, then the means that are published."""
    found = [(row.case, row) for row in rows if isinstance(row.case, Styled)]
    if not found:
        return
    words = []
    for case, members in groupby(found, lambda one: one[0]):
        numbers = {row.metric: row.value for _, row in members}
        shown = [numbers.get(metric) for metric in (OVER, SLOWER, ENERGY)]
        words.append((case.group.style, case.network, case.machine, *map(_number, shown)))
    head = ("style", "network", "machine", "over roofline", "times free", "energy, times free")
    title = "Styles, MAESTRO's model, dividing tiles (Figures 5.8 to 5.10)"
    yield table(head, words, title=title, left=(0, 1, 2))
    for group in dict.fromkeys(case.group for case, _ in found):
        yield from _means(group, [row for case, row in found if case.group == group])


def _means(group: StyleGroup, rows: Sequence[Row]) -> Iterator[str]:
    """The geometric means over networks and machines, or over those of one machine."""
    for metric, published in ((OVER, group.over), (SLOWER, group.slower), (ENERGY, group.energy)):
        for where, number in published.items():
            own = [row for row in rows if row.metric == metric and _is_at(row, where)]
            values = [row.value for row in own if isinstance(row.value, int | float)]
            mean = geometric_mean(values) if len(values) == len(own) else None
            of = f"on {where}" if where != "all" else "on all machines"
            yield (
                f"{group.style}, {', '.join(group.networks)} {of} ({group.source}): {metric} "
                f"{_number(mean)}, published {_number(number)}"
            )


def _is_at(row: Row, where: str) -> bool:
    return isinstance(row.case, Styled) and where in ("all", row.case.machine)


def _number(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, int | float) else "-"
