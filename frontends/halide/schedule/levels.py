"""Declared levels of memory: ``iteration_order``, ``stream_to_accelerator``, ``create_memories``.

Section 3.6 of Setter's dissertation. Each is carried out as the directives that it stands for
(docs/clockwork.md writes them out), so that nothing later knows of levels.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import prod
from typing import Self

from s2s.frontends.halide.schedule.base import Hierarchy, LoopVar, StageBase
from s2s.frontends.halide.schedule.placement import (
    BoundDirectives,
    PlacementDirectives,
    StorageDirectives,
    at_loop,
)
from s2s.frontends.halide.schedule.stage import Stage
from s2s.frontends.halide.schedule.wrappers import WrapperDirectives
from s2s.scop.pipeline import (
    OUTERMOST,
    Func,
    LoopLevel,
    TailStrategy,
    last_name,
    shown,
)
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class VarExtent:
    """A loop over ``extent`` times what the loops of its variable further in cover."""

    var: LoopVar
    extent: int
    unrolled: bool = False


@dataclass(frozen=True)
class IterLevel:
    """The loops of a level of memory, innermost first."""

    name: str
    loops: tuple[VarExtent, ...]


class LevelDirectives(PlacementDirectives, BoundDirectives, StorageDirectives, WrapperDirectives):
    """The part of ``Func`` that concerns levels of memory."""

    @property
    def hierarchy(self) -> Hierarchy:
        """What the Func and its copies share."""
        return self.program.hierarchies.setdefault(self.func.name, Hierarchy())

    def output_rate(self, rate: int, *, at: Span | None = None) -> Self:
        """Elements per cycle of the levels and memories that are declared after this."""
        if rate <= 0:
            self.refuse(f"output_rate({rate}); rates are positive", at)
        self.hierarchy.rate = rate
        return self.hardware("output_rate", rate, at=at)

    def iteration_order(self, levels: Sequence[IterLevel], *, at: Span | None = None) -> Self:
        """A copy for each level but the first, and the loops of all; innermost level first."""
        copies = self._copies([level.name for level in levels], at)
        self.hardware("iteration_order", tuple(level.name for level in levels), at=at)
        outside: LoopLevel | None = None
        for index in reversed(range(len(levels))):
            copy = copies[index]
            if outside is None:
                copy.compute_root(at=at)
            else:
                copy.compute_at(outside)
            tiles = copy.tile_level(levels, index, at)
            inside = tiles and index < len(levels) - 1
            outside = at_loop(copy.func, tiles[0], at=at) if inside else None
        return self

    def _copies(self, names: Sequence[str], at: Span | None) -> list[Self]:
        """The Func and copies of copies, each with a name; all know of each other."""
        copies = [self]
        for name in names[1:]:
            made = copies[-1].in_(None, name=f"{self.func.name}_{name}", at=at)
            copies.append(type(self)(self.program, made))
        hierarchy = self.hierarchy
        for name, copy in zip(names, copies, strict=True):
            if name in hierarchy.levels:
                self.refuse(f"level '{name}' is declared twice", at)
            hierarchy.levels[name] = copy.func
            self.program.hierarchies[copy.func.name] = hierarchy
            if name.upper() == "GLB":
                copy.store_in("GLB", at=at)
        return copies

    def tile_level(
        self, levels: Sequence[IterLevel], index: int, at: Span | None
    ) -> Sequence[LoopVar]:
        """Give the last stage the loops of ``levels[index]``; gives the loops over such tiles."""
        inside = [loop for level in levels[:index] for loop in level.loops]
        outside = {loop.var for level in levels[index + 1 :] for loop in level.loops}
        own = levels[index].loops
        tiles = iterate(self.stage(len(self.func.updates), at=at), inside, own, outside, at=at)
        for var in dict.fromkeys(loop.var for loop in own):
            if var not in outside and var.name in self.func.vars:
                self.bound(var, 0, _size(var, [*inside, *own]), at=at)
        self.match(self.hierarchy.rate, None, at)
        return tiles

    def memory_level(self, name: str, *, at: Span | None = None) -> Func:
        """The copy at a level."""
        levels = self.hierarchy.levels
        if name not in levels:
            known = ", ".join(levels) or "none"
            self.refuse(f"no level of memory '{name}' (there are: {known})", at)
        return levels[name]

    def nth_loop(self, var: LoopVar, number: int, *, at: Span | None = None) -> LoopLevel:
        """The loop of the pure definition whose name begins as ``var``: 1 is the innermost."""
        dims = self.stage(0, at=at).dims
        found = [d for d in dims if last_name(d.name).startswith(var.name)]
        if not 1 <= number <= len(found):
            self.refuse(f"no loop number {number} of '{shown(var.name)}'", at)
        return at_loop(self.func, LoopVar(found[number - 1].name, var.reduction), at=at)

    def stream_to_accelerator(
        self, names: Sequence[str], places: Sequence[LoopLevel], *, at: Span | None = None
    ) -> Self:
        """A copy for each level but the last, each computed at its place; innermost first.

        The Func itself is the last level, where the accelerator's input comes from.
        """
        if len(names) != len(places):
            self.refuse(f"{len(names)} levels of memory at {len(places)} places", at)
        copies = self._copies(list(reversed(names)), at)
        for copy, place in zip(copies, reversed(places), strict=True):
            copy.compute_at(place)
        for copy in copies[1:]:
            copy.match(self.hierarchy.rate, None, at)
        self.hardware("stream_to_accelerator", tuple(names), tuple(places), at=at)
        return self.hardware("accelerator_input", at=at)

    def create_memories(
        self,
        funcs: Sequence[Func],
        place: LoopLevel | None,
        var: LoopVar | None = None,
        rate: int = 0,
        *,
        at: Span | None = None,
    ) -> Self:
        """Compute Funcs at a place, each with reductions unrolled and at this Func's rate.

        Without a place it is that of ``hw_accelerate``; without a rate nothing is unrolled.
        """
        rate = rate or self.hierarchy.rate
        self.hardware("create_memories", tuple(f.name for f in funcs), at=at)
        for func in funcs:
            made = type(self)(self.program, func)
            made.compute_at(place or self._accelerated(at))
            if rate:
                made.unroll_reductions(at)
                made.match(rate, var, at)
        return self

    def unroll_reductions(self, at: Span | None) -> None:
        for index, definition in enumerate(self.func.stages):
            for reduction in definition.rvars:
                self.stage(index, at=at).unroll(LoopVar(reduction.name, True), at=at)

    def match(self, rate: int, var: LoopVar | None, at: Span | None) -> None:
        """Unroll a loop (None: the innermost of a pure variable) of each stage by a rate."""
        for index, _ in enumerate(self.func.stages):
            stage = self.stage(index, at=at)
            loop = var or _innermost(stage)
            if rate > 1 and loop is not None:
                stage.unroll(loop, rate, TailStrategy.ROUND_UP, at=at)

    def _accelerated(self, at: Span | None) -> LoopLevel:
        for primitive in self.schedule.hardware:
            if primitive.name == "hw_accelerate":
                return at_loop(self.func, LoopVar(str(primitive.arguments[0])), at=at)
        self.refuse("create_memories needs a place, or hw_accelerate before it", at)


def iterate(
    stage: Stage,
    inside: Sequence[VarExtent],
    own: Sequence[VarExtent],
    outside: Set[LoopVar] = frozenset(),
    *,
    at: Span | None = None,
) -> Sequence[LoopVar]:
    """Split and reorder a stage into ``own`` loops, innermost first; gives the loops around them.

    A variable ``x`` becomes ``x0``, ``x1`` ... from the outermost. ``x0`` runs over tiles where x
    has loops in outer levels, too; ``inside`` are the loops of inner levels.
    """
    loops = {}
    for var in dict.fromkeys(loop.var for loop in own):
        places = [i for i, loop in enumerate(own, 1) if loop.var == var]
        sizes = [_size(var, [*inside, *own[:place]]) for place in places]
        loops[var] = _split(stage, var, sizes if var in outside else sizes[:-1], at)
    inner = [loops[loop.var].pop() for loop in own]
    outer = [rest[0] for rest in loops.values() if rest]
    stage.reorder([*inner, *outer], at=at)
    for loop, var in zip(own, inner, strict=True):
        if loop.unrolled:
            stage.unroll(var, at=at)
    return outer


def _split(stage: Stage, var: LoopVar, sizes: Sequence[int], at: Span | None) -> list[LoopVar]:
    """The loops of a variable, outermost first, of which each covers one of the sizes."""
    loops = [var]
    for index, size in enumerate(reversed(sizes)):
        outer, inner = (LoopVar(f"{var.name}{index + i}", var.reduction) for i in (0, 1))
        stage.split(loops.pop(), outer, inner, size, at=at)
        loops += [outer, inner]
    return loops


def _innermost(stage: StageBase) -> LoopVar | None:
    """The innermost loop over a pure variable."""
    found = (d.name for d in stage.dims if not d.reduction and d.name != OUTERMOST)
    first = next(found, None)
    return None if first is None else LoopVar(last_name(first))


def _size(var: LoopVar, loops: Sequence[VarExtent]) -> int:
    return prod(loop.extent for loop in loops if loop.var == var)
