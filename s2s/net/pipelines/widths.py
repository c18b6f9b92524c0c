"""Which extents of outputs take every way through loops: around the widths of tiles and strips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from s2s.scop.expressions import Const
from s2s.scop.nest import Nest
from s2s.scop.pipeline import Func, Pipeline, SplitKind, StageSchedule

Extents = tuple[int, ...]

_UNSPLIT = 4
"""Taken for the width where nothing is split; what prints the loops may do several at once."""

_MANY = 1500
"""Elements of one output, for what few of them show."""


def has_fixed_outputs(pipeline: Pipeline, nest: Nest) -> bool:
    """Whether the sizes of all outputs are constants of the function."""
    free = {a.name.rsplit(".", 2)[0] for a in nest.arguments if a.tensor is None}
    return free.isdisjoint(pipeline.outputs)


def vectors(pipeline: Pipeline, name: str) -> Iterator[Extents]:
    """Extents of an output, the most telling first."""
    func = pipeline.funcs[name]
    widths = _widths(pipeline, func)
    fixed = _bounds(func)
    whole = [max(w, default=_UNSPLIT) for w in widths]
    inner = [min(w, default=_UNSPLIT) for w in widths]

    def shaped(extents: Sequence[int]) -> Extents:
        return tuple(fixed.get(d, max(e, 0)) for d, e in enumerate(extents))

    yield shaped([2 * w + 3 for w in whole])
    yield shaped([w + 3 for w in whole])
    yield shaped(whole)
    yield shaped([w + (1, -1)[d % 2] for d, w in enumerate(whole)])
    side = round(_MANY ** (1 / max(len(whole), 1)))
    yield shaped([max(2 * w + 3, side) for w in whole])
    yield shaped([1] * len(whole))
    yield shaped([w + (-1, 1)[d % 2] for d, w in enumerate(whole)])
    yield shaped([0, *([2] * (len(whole) - 1))][: len(whole)])
    yield shaped([w + n + 1 for w, n in zip(whole, inner, strict=True)])
    yield shaped([n + 1 for n in inner])
    for d in range(len(whole)):
        yield shaped([1 if k == d else 2 * w + 3 for k, w in enumerate(whole)])


def others(pipeline: Pipeline, name: str) -> Iterator[Extents]:
    """Extents to try where an output can have none of the telling ones."""
    func = pipeline.funcs[name]
    fixed = _bounds(func)
    whole = [max(w, default=1) for w in _widths(pipeline, func)]
    chosen = [[several * w for w in whole] for several in (2, 4, 8)]
    for extents in (*chosen, *([n] * len(whole) for n in (16, 64, 3, 4, 256))):
        yield tuple(fixed.get(d, e) for d, e in enumerate(extents))


def _widths(pipeline: Pipeline, func: Func) -> list[set[int]]:
    """For each dimension the widths of what it is split into, in this Func and those before."""
    found: list[set[int]] = [set() for _ in func.vars]
    for each in pipeline.funcs.values():
        for stage in each.stages:
            for widths, name in zip_longest(found, each.vars):
                if widths is not None and name is not None:
                    widths |= set(_split(stage.schedule, name))
    return found


def _split(schedule: StageSchedule, name: str) -> Iterator[int]:
    """The widths of a variable's parts, in its own steps."""
    for split in schedule.splits:
        if split.kind is SplitKind.SPLIT and split.old == name and isinstance(split.factor, Const):
            factor = int(split.factor.value)
            if factor > 1:
                yield factor
            for outer in _split(schedule, split.outer):
                yield factor * outer
            yield from _split(schedule, split.inner)
        elif split.kind is SplitKind.RENAME and split.old == name:
            yield from _split(schedule, split.outer)


def _bounds(func: Func) -> dict[int, int]:
    """Extents that the program promises."""
    return {
        func.vars.index(bound.var): int(bound.extent.value)
        for bound in func.schedule.bounds
        if isinstance(bound.extent, Const) and bound.var in func.vars
    }
