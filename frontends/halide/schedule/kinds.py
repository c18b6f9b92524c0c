"""Directives that say how a loop runs: serial, parallel, vectorize, unroll; races."""

from __future__ import annotations

from typing import Self

from s2s.frontends.halide.schedule.base import LoopVar
from s2s.frontends.halide.schedule.loops import AUTO, LoopDirectives
from s2s.scop.associativity import keeps_meaning_in_any_order
from s2s.scop.expressions import Expr
from s2s.scop.pipeline import ForKind, TailStrategy, shown
from s2s.source import Span


class KindDirectives(LoopDirectives):
    """The part of ``Stage`` that says how loops run."""

    def serial(self, var: LoopVar, *, at: Span | None = None) -> Self:
        """One iteration after the other (the default)."""
        self.set_kind(var, ForKind.SERIAL, at)
        return self

    def parallel(
        self,
        var: LoopVar,
        task: Expr | int | None = None,
        tail: TailStrategy = AUTO,
        *,
        at: Span | None = None,
    ) -> Self:
        """Iterations on several threads, ``task`` of them at a time."""
        if task is not None:
            self.split(var, var, self._temporary(var), task, tail, at=at)
        self.set_kind(var, ForKind.PARALLEL, at)
        return self

    def vectorize(
        self,
        var: LoopVar,
        factor: Expr | int | None = None,
        tail: TailStrategy = AUTO,
        *,
        at: Span | None = None,
    ) -> Self:
        """Each iteration a lane; with a factor, that many iterations of ``var`` at a time."""
        self.set_kind(self._part(var, factor, tail, at), ForKind.VECTORIZED, at)
        return self

    def unroll(
        self,
        var: LoopVar,
        factor: Expr | int | None = None,
        tail: TailStrategy = AUTO,
        *,
        at: Span | None = None,
    ) -> Self:
        """The body once for each iteration; with a factor, that many of ``var`` at a time."""
        self.set_kind(self._part(var, factor, tail, at), ForKind.UNROLLED, at)
        return self

    def _part(
        self, var: LoopVar, factor: Expr | int | None, tail: TailStrategy, at: Span | None
    ) -> LoopVar:
        """``var``, or the inner loop of its split by a factor."""
        if factor is None:
            return var
        inner = self._temporary(var)
        self.split(var, var, inner, factor, tail, at=at)
        return inner

    def _temporary(self, var: LoopVar) -> LoopVar:
        return LoopVar(self.program.fresh("r" if var.reduction else "v"), var.reduction)

    def set_kind(self, var: LoopVar, kind: ForKind, at: Span | None) -> None:
        dim = self.dims[self.place(var, at, f"mark as {kind.value}")]
        dim.kind, dim.at = kind, at
        carries = not dim.pure and var.reduction
        if carries and kind in (ForKind.PARALLEL, ForKind.VECTORIZED):
            self._check_race(var, kind, at)
        if kind is ForKind.PARALLEL:
            self.check_blends(at)

    def _check_race(self, var: LoopVar, kind: ForKind, at: Span | None) -> None:
        schedule = self.schedule
        if schedule.allow_race_conditions:
            return
        if not schedule.atomic:
            self.refuse(
                f"RVar '{shown(var.name)}' as {kind.value} may be a race: iterations touch what "
                "others write",
                at,
                (
                    "legal: atomic() before this if the update is associative, rfactor(), or "
                    "allow_race_conditions() if the result does not depend on it",
                    None,
                ),
            )
        trusted = schedule.assume_associative
        if not trusted and not keeps_meaning_in_any_order(self.func.name, self.definition):
            self.refuse(
                f"atomic(): the update is not known to be associative and commutative, so RVar "
                f"'{shown(var.name)}' cannot be {kind.value}",
                at,
            )

    def allow_race_conditions(self, *, at: Span | None = None) -> Self:
        """The user answers for races of parallel and vectorized reduction variables."""
        self.schedule.allow_race_conditions = True
        return self

    def atomic(self, assume_associative: bool = False, *, at: Span | None = None) -> Self:
        """Updates of one element are indivisible, so reduction variables may run in parallel."""
        self.schedule.atomic = True
        self.schedule.assume_associative = assume_associative
        return self

    def unscheduled(self, *, at: Span | None = None) -> None:
        """Say that a stage has no schedule on purpose."""
        if self.definition.schedule.touched:
            self.refuse("unscheduled() on a stage that has a schedule", at)
        self.definition.schedule.touched = True
