"""The fastest design that a search finds within limits, or the nearest one and what it lacks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from s2s.bench.accelerators.lines import count_lines
from s2s.bench.accelerators.metrics import Row
from s2s.tuning.clockwork.limits import array_limits
from s2s.tuning.clockwork.measured import Measured
from s2s.tuning.clockwork.search import Plan, Search
from s2s.tuning.clockwork.space import Places, Program
from s2s.tuning.clockwork.spaces import search_space

if TYPE_CHECKING:
    from s2s.bench.accelerators.description import Design
    from s2s.tuning.clockwork.store import Store


def tuned(case: Design, size: str, store: Store, seconds: float) -> Row:
    """What is found for a design's parameters in so many seconds of processor time, its limits and
    its effort.
    """
    program = Program(
        str(case.path), case.path.read_bytes(),
        tuple(case.parameters(size).items()), memory=case.memory,
    )  # fmt: skip
    given = dict(case.search)
    effort = given.pop("effort")
    plan = Plan(array_limits(given), effort=effort, seconds=seconds, clock=processor_seconds)
    search = search_space(program, plan, store)
    lines = count_lines(case.path)
    for best in search.good()[:1]:
        assert best.measured is not None
        return Row(case, best.measured, lines, _chosen(search, best.places))
    return Row(case, Measured(failure=_nearest(search)), lines)


def processor_seconds() -> float:
    """Of this process and those that it waited for: a compiler, a simulation of many cycles."""
    return sum(os.times()[:4])


def _nearest(search: Search) -> str:
    """Why there is no design: the figures of the one that is the least too large."""
    places = search.nearest()
    one = search.known.likely(places)
    found = f"nothing found within {search.limits.pes} PEs and {search.limits.memories} MEMs"
    if one.failure:
        return f"{found}: {one.failure}"
    how = "mapped" if places in search.mapped else "as its schedule promises"
    figures = f"{one.total} cycles, {one.pes} PEs, {one.memories} MEMs"
    return f"{found}; nearest {figures} ({how}): {_chosen(search, places)}"


def _chosen(search: Search, places: Places) -> str:
    first = search.space.values(search.space.base)
    values = search.space.values(places).items()
    chosen = ", ".join(f"{name}={value}" for name, value in values if first[name] != value)
    return chosen or "the source's own"
