"""Directives that make loops from loops: split, tile, fuse, rename, reorder."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self

from s2s.frontends.halide.schedule.base import LoopVar, StageBase, int32
from s2s.frontends.halide.schedule.tails import (
    BLENDS,
    chosen_tail,
    descends_from_inner,
    racing_blend,
)
from s2s.scop.associativity import keeps_meaning_in_any_order
from s2s.scop.expressions import Const, Expr
from s2s.scop.pipeline import (
    OUTERMOST,
    Dim,
    ForKind,
    Split,
    SplitKind,
    TailStrategy,
    matches,
    shown,
)
from s2s.source import Span

AUTO = TailStrategy.AUTO


class LoopDirectives(StageBase):
    """The part of ``Stage`` that changes which loops there are and their order."""

    def split(
        self,
        old: LoopVar,
        outer: LoopVar,
        inner: LoopVar,
        factor: Expr | int,
        tail: TailStrategy = AUTO,
        *,
        at: Span | None = None,
    ) -> Self:
        """``old`` becomes ``outer * factor + inner``, inner inside outer."""
        by = int32(factor)
        for new in (outer, inner):
            if new.reduction != old.reduction:
                self.refuse(
                    f"{old.kind} '{shown(old.name)}' cannot be split into {new.kind} "
                    f"'{shown(new.name)}'",
                    at,
                )
        self._check_new_names(old, outer, inner, at)
        index = self.place(old, at, "split")
        found = self.dims[index].name
        tail = self._tail(found, by, tail, exact=old.reduction, at=at)
        if isinstance(by, Const) and by.value <= 0:
            self.refuse(f"'{shown(found)}' is split by {by.value}; factors are positive", at)
        inside, outside = copy(self.dims[index]), copy(self.dims[index])
        inside.name, outside.name = f"{found}.{inner.name}", f"{found}.{outer.name}"
        self.dims[index : index + 1] = [inside, outside]
        self.schedule.splits.append(
            Split(SplitKind.SPLIT, found, outside.name, inside.name, by, tail, old.reduction, at)
        )
        if tail in BLENDS:
            self.check_blends(at)
        return self

    def _check_new_names(
        self, old: LoopVar, outer: LoopVar, inner: LoopVar, at: Span | None
    ) -> None:
        if inner.name == outer.name:
            self.refuse(
                f"'{shown(old.name)}' cannot be split into two loops called '{shown(inner.name)}'",
                at,
            )
        for dim in self.dims:
            for new in (inner.name, outer.name):
                if new != old.name and matches(dim.name, new):
                    self.refuse(
                        f"splitting '{shown(old.name)}': there is a loop '{new}' already", at
                    )

    def _tail(
        self, old: str, factor: Expr, tail: TailStrategy, *, exact: bool, at: Span | None
    ) -> TailStrategy:
        """The strategy of a split, Auto resolved; refuses what could change the meaning."""
        pure = self.index == 0
        schedule = self.schedule
        nested = not exact and descends_from_inner(schedule, old)
        where = f"splitting '{shown(old)}' with TailStrategy::{tail.value}"
        if tail is TailStrategy.ROUND_UP and nested and not pure:
            self.refuse(
                f"{where}: it comes from the inner loop of a split of an update, so values would "
                "be computed twice; TailStrategy::GuardWithIf is legal here",
                at,
            )
        if tail is TailStrategy.PREDICATE_LOADS and nested:
            self.refuse(f"{where}: it comes from the inner loop of an earlier split", at)
        if tail is AUTO:
            return chosen_tail(schedule, old, factor, exact=exact, pure_definition=pure)
        if exact and tail not in (TailStrategy.GUARD_WITH_IF, TailStrategy.PREDICATE):
            self.refuse(
                f"{where}: a reduction variable must take each value once; legal are GuardWithIf, "
                "Predicate and Auto",
                at,
            )
        if tail is TailStrategy.SHIFT_INWARDS and not pure:
            self.refuse(
                f"{where}: an update would be run twice on some values; legal are RoundUp "
                "(outermost split), GuardWithIf, Predicate and Auto",
                at,
            )
        return tail

    def check_blends(self, at: Span | None) -> None:
        """Refuse splits that blend beside a parallel loop of the same variable."""
        split = racing_blend(self.schedule)
        if split is not None:
            self.refuse(
                f"the split of '{shown(split.old)}' blends (TailStrategy::{split.tail.value}) "
                "next to what a parallel loop of the same variable writes: a race",
                at,
            )

    def tile(
        self,
        old: Sequence[LoopVar],
        outer: Sequence[LoopVar],
        inner: Sequence[LoopVar],
        factors: Sequence[Expr | int],
        tail: TailStrategy | Sequence[TailStrategy] = AUTO,
        *,
        at: Span | None = None,
    ) -> Self:
        """Split each of ``old``, then all inner loops inside all outer ones, in the given order.

        ``tile(x, y, xi, yi, 8, 8)`` is ``tile([x, y], [x, y], [xi, yi], [8, 8])``.
        """
        tails = [tail] * len(old) if isinstance(tail, TailStrategy) else list(tail)
        if not len(old) == len(outer) == len(inner) == len(factors) == len(tails):
            self.refuse("tile: lists of different lengths", at)
        for index, var in enumerate(old):
            self.split(var, outer[index], inner[index], factors[index], tails[index], at=at)
        return self.reorder([*inner, *outer], at=at)

    def fuse(
        self, inner: LoopVar, outer: LoopVar, fused: LoopVar, *, at: Span | None = None
    ) -> Self:
        """One loop over all pairs, in the place of ``inner``."""
        for part in (inner, outer):
            if part.reduction and not fused.reduction:
                self.refuse(
                    f"Var '{shown(fused.name)}' cannot be fused from RVar '{shown(part.name)}'", at
                )
        outer_dim = self.dims.pop(self.place(outer, at, "fuse (outer)"))
        dim = self.dims[self.place(inner, at, "fuse (inner)")]
        inner_name, dim.name = dim.name, f"{dim.name}.{fused.name}"
        dim.reduction = dim.reduction or outer_dim.reduction
        dim.pure = dim.pure and outer_dim.pure
        self.set_kind(fused, dim.kind, at)
        self.schedule.splits.append(
            Split(
                SplitKind.FUSE,
                dim.name,
                outer_dim.name,
                inner_name,
                None,
                TailStrategy.ROUND_UP,
                True,
                at,
            )
        )
        return self

    def set_kind(self, var: LoopVar, kind: ForKind, at: Span | None) -> None:
        """Make a loop parallel, vectorized...; see ``KindDirectives``."""
        raise NotImplementedError

    def rename(self, old: LoopVar, new: LoopVar, *, at: Span | None = None) -> Self:
        """Another name for a loop."""
        if old.reduction != new.reduction:
            self.refuse(
                f"{old.kind} '{shown(old.name)}' cannot be renamed to {new.kind} "
                f"'{shown(new.name)}'",
                at,
            )
        dim = self.dims[self.place(old, at, "rename")]
        found, dim.name = dim.name, f"{dim.name}.{new.name}"
        for split in reversed(self.schedule.splits):
            made = {SplitKind.FUSE: ("old",)}.get(split.kind, ("inner", "outer"))
            for role in made:
                if getattr(split, role) == found:
                    setattr(split, role, dim.name)
                    return self
        self.schedule.splits.append(
            Split(
                SplitKind.RENAME,
                found,
                dim.name,
                "",
                None,
                TailStrategy.ROUND_UP,
                old.reduction,
                at,
            )
        )
        return self

    def reorder(self, variables: Sequence[LoopVar], *, at: Span | None = None) -> Self:
        """The named loops in the given order, innermost first, in the places that they have."""
        places: list[int] = []
        for var in variables:
            index = self.place(var, at, "reorder")
            if index in places:
                self.refuse(f"reorder names '{shown(var.name)}' twice", at)
            places.append(index)
        self._check_order(variables, places, at)
        moved = [self.dims[i] for i in places]
        for index, dim in zip(sorted(places), moved, strict=True):
            self.dims[index] = dim
        if self.dims[-1].name != OUTERMOST:
            self.refuse("Var::outermost() stays outside all loops", at)
        return self

    def _check_order(
        self, variables: Sequence[LoopVar], places: list[int], at: Span | None
    ) -> None:
        """Reduction loops that carry something may swap only where the order does not matter."""
        swapped = [
            (variables[i], variables[j])
            for i, first in enumerate(places)
            for j, second in enumerate(places[i + 1 :], i + 1)
            if first > second and _ordered(self.dims[first]) and _ordered(self.dims[second])
        ]
        if swapped and not keeps_meaning_in_any_order(self.func.name, self.definition):
            first, second = swapped[0]
            self.refuse(
                f"reorder puts RVar '{shown(first.name)}' inside '{shown(second.name)}', which may "
                "change the meaning: the update is not known to be associative and commutative",
                at,
                ("legal: the reduction variables in the order of their RDom", None),
            )


def _ordered(dim: Dim) -> bool:
    return not dim.pure
