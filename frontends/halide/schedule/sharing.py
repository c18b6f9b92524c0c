"""Directives on a whole stage: compute_with, specialize, prefetch, hardware primitives."""

from __future__ import annotations

from typing import Self

from s2s.frontends.halide.schedule.base import LoopVar, StageBase, int32
from s2s.scop.expressions import BOOL, Const, Expr, Variable, walk
from s2s.scop.pipeline import (
    Definition,
    FusedPair,
    HardwareArgument,
    HardwarePrimitive,
    Prefetch,
    Specialization,
    copied_definition,
)
from s2s.source import Span


class SharingDirectives(StageBase):
    """The part of ``Stage`` that concerns its loops as a whole."""

    def compute_with(
        self,
        other: StageBase,
        var: LoopVar,
        align: dict[str, str] | str = "Auto",
        *,
        at: Span | None = None,
    ) -> Self:
        """Share the loops of a stage of another Func, outermost down to ``var``.

        ``align``: LoopAlignStrategy's name, of ``var`` or by variable.
        """
        if other.func is self.func:
            self.refuse("compute_with a stage of the same Func", at)
        if self._unspecialized.specializations:
            self.refuse("compute_with a stage that has specializations", at)
        by_var = {var.name: align} if isinstance(align, str) else dict(align)
        schedule = self._unspecialized.schedule
        if schedule.compute_with is not None:
            self.program.warnings.append((f"{self.name}: compute_with is given again", at))
        schedule.touched = True
        schedule.compute_with = FusedPair(other.func.name, other.index, var.name, by_var, at)
        return self

    @property
    def _unspecialized(self) -> Definition:
        return self.func.stages[self.index]

    def specialize(self, condition: Expr, *, at: Span | None = None) -> Self:
        """A stage with a schedule of its own (it starts as this one's) where a condition holds.

        The condition that was given before gives the stage that was made before.
        """
        if condition.type != BOOL:
            self.refuse(f"specialize on a value of type {condition.type}; legal is bool", at)
        loops = {*self.func.vars, *(r.name for r in self.definition.rvars)}
        for node in walk(condition):
            if isinstance(node, Variable) and node.name in loops:
                self.refuse(f"the condition of specialize depends on the loop '{node.name}'", at)
        self.definition.schedule.touched = True
        for known in self.definition.specializations:
            if known.condition is condition and known.failure is None:
                return self._on(known.definition)
        self._check_not_failed("specialize after specialize_fail", at)
        return self._on(self._specialized(condition, None, at))

    def specialize_fail(self, message: str, *, at: Span | None = None) -> None:
        """End with a message where no condition of the specializations holds."""
        if not message:
            self.refuse("specialize_fail without a message", at)
        self._check_not_failed("specialize_fail twice", at)
        self.definition.schedule.touched = True
        self._specialized(Const(BOOL, 1), message, at)

    def _check_not_failed(self, text: str, at: Span | None) -> None:
        known = self.definition.specializations
        if known and known[-1].failure is not None:
            self.refuse(text, at)

    def _specialized(self, condition: Expr, failure: str | None, at: Span | None) -> Definition:
        """A new specialization's definition; those of this one are not part of it."""
        copied = copied_definition(self.definition)
        copied.specializations = []
        self.definition.specializations.append(Specialization(condition, copied, failure, at))
        return copied

    def _on(self, definition: Definition) -> Self:
        return type(self)(self.program, self.func, definition, self.index)

    def prefetch(
        self,
        tensor: str,
        loop: LoopVar,
        source: LoopVar,
        offset: Expr | int = 1,
        *,
        at: Span | None = None,
    ) -> Self:
        """A hint: in each iteration of ``loop``, what ``source`` needs ``offset`` later."""
        self.schedule.prefetches.append(Prefetch(tensor, loop.name, source.name, int32(offset), at))
        return self

    def hardware(self, name: str, *arguments: HardwareArgument, at: Span | None = None) -> Self:
        """A hardware primitive: kept, without effect on the CPU."""
        self.schedule.hardware.append(HardwarePrimitive(name, arguments, at))
        return self
