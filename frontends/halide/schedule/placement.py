"""Directives on a Func: where it is computed and stored, its bounds, its storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn, Self

from s2s.frontends.halide.schedule.base import LoopVar, Program, int32
from s2s.frontends.halide.schedule.stage import Stage
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Binary, Const, Expr
from s2s.scop.pipeline import (
    Bound,
    Func,
    FuncSchedule,
    HardwareArgument,
    HardwarePrimitive,
    LevelKind,
    LoopLevel,
)
from s2s.source import Span
from s2s.source.records import dataclass


def at_loop(func: Func | str, var: LoopVar, stage: int = -1, at: Span | None = None) -> LoopLevel:
    """``LoopLevel(func, var)``."""
    name = func if isinstance(func, str) else func.name
    return LoopLevel(LevelKind.LOOP, name, var.name, stage, at)


def root(at: Span | None = None) -> LoopLevel:
    """``LoopLevel::root()``: outside all loops."""
    return LoopLevel(LevelKind.ROOT, at=at)


def inlined(at: Span | None = None) -> LoopLevel:
    """``LoopLevel::inlined()``."""
    return LoopLevel(LevelKind.INLINE, at=at)


@dataclass
class FuncBase:
    """A Func under the directives."""

    program: Program
    func: Func

    @property
    def schedule(self) -> FuncSchedule:
        return self.func.schedule

    def refuse(self, text: str, at: Span | None) -> NoReturn:
        variables = f"variables of {self.func.name}: {', '.join(self.func.vars) or 'none'}"
        raise Illegal(f"schedule of {self.func.name}: {text}", at, ((variables, None),))

    def stage(self, index: int = 0, *, at: Span | None = None) -> Stage:
        """A stage: 0 is the pure definition, ``update(i)`` is i + 1."""
        if self.func.definition is None:
            self.refuse("a Func without a definition has no schedule", at)
        if index > len(self.func.updates):
            self.refuse(
                f"update({index - 1}) of a Func that has {len(self.func.updates)} updates", at
            )
        return Stage(self.program, self.func, self.func.stages[index], index)

    def dimension(self, var: str, purpose: str, at: Span | None) -> int:
        """The place of a pure variable that a directive names."""
        if var not in self.func.vars:
            self.refuse(f"no variable '{var}' to {purpose}", at)
        return self.func.vars.index(var)


class PlacementDirectives(FuncBase):
    """compute_at, store_at and their kin. Legality is known once the program is complete."""

    def compute_at(self, level: LoopLevel) -> Self:
        """Compute what each iteration of a loop needs, inside it."""
        self.schedule.compute_level = level
        return self

    def store_at(self, level: LoopLevel) -> Self:
        """Keep what is computed for the time of an iteration of a loop."""
        self.schedule.store_level = level
        return self

    def hoist_storage(self, level: LoopLevel) -> Self:
        """Get the memory outside a loop once; its use is that of ``store_at``."""
        self.schedule.hoist_level = level
        return self

    def compute_root(self, *, at: Span | None = None) -> Self:
        """Compute all of it before everything that uses it."""
        return self.compute_at(root(at))

    def store_root(self, *, at: Span | None = None) -> Self:
        """Keep it from its first to its last use."""
        return self.store_at(root(at))

    def hoist_storage_root(self, *, at: Span | None = None) -> Self:
        """Get its memory once."""
        return self.hoist_storage(root(at))

    def compute_inline(self, *, at: Span | None = None) -> Self:
        """Compute each value where it is used (the default)."""
        return self.compute_at(inlined(at))


class BoundDirectives(FuncBase):
    """Promises and demands on the region that is computed."""

    def bound(
        self,
        var: LoopVar,
        minimum: Expr | int | None,
        extent: Expr | int,
        *,
        at: Span | None = None,
    ) -> Self:
        """Compute exactly ``extent`` values from ``minimum``; what is needed must lie within."""
        place = self.dimension(var.name, "bound", at)
        low, size = None if minimum is None else int32(minimum), int32(extent)
        self.schedule.bounds.append(Bound(var.name, low, size, at=at))
        if isinstance(low, Const) and isinstance(size, Const):
            self._estimate(place, int(low.value), int(size.value))
        return self

    def bound_extent(self, var: LoopVar, extent: Expr | int, *, at: Span | None = None) -> Self:
        """Compute exactly ``extent`` values, from the first that is needed."""
        return self.bound(var, None, extent, at=at)

    def align_bounds(
        self,
        var: LoopVar,
        modulus: Expr | int,
        remainder: Expr | int = 0,
        *,
        at: Span | None = None,
    ) -> Self:
        """Start at ``remainder`` modulo ``modulus`` and compute a multiple of ``modulus``."""
        self.dimension(var.name, "align", at)
        multiple = int32(modulus)
        rest = _modulo(int32(remainder), multiple)
        self.schedule.bounds.append(Bound(var.name, None, None, multiple, rest, at))
        return self

    def align_extent(self, var: LoopVar, modulus: Expr | int, *, at: Span | None = None) -> Self:
        """Compute a multiple of ``modulus`` values."""
        self.dimension(var.name, "align", at)
        self.schedule.bounds.append(Bound(var.name, None, None, int32(modulus), None, at))
        return self

    def set_estimate(
        self, var: LoopVar, minimum: int, extent: int, *, at: Span | None = None
    ) -> Self:
        """What the user expects to be asked for."""
        self._estimate(self.dimension(var.name, "estimate", at), minimum, extent)
        return self

    def set_estimates(self, ranges: Sequence[tuple[int, int]], *, at: Span | None = None) -> Self:
        """Estimates of all dimensions: (minimum, extent)."""
        if len(ranges) != len(self.func.vars):
            self.refuse(f"{len(ranges)} estimates for {len(self.func.vars)} dimensions", at)
        for place, (minimum, extent) in enumerate(ranges):
            self._estimate(place, minimum, extent)
        return self

    def _estimate(self, place: int, minimum: int, extent: int) -> None:
        self.program.estimates.setdefault(self.func.name, {})[place] = (minimum, extent)


def _modulo(value: Expr, modulus: Expr) -> Expr:
    if isinstance(value, Const) and isinstance(modulus, Const) and modulus.value:
        return Const(value.type, value.value % abs(modulus.value))
    return Binary(value.type, "mod", value, modulus)


class StorageDirectives(FuncBase):
    """How the memory of a Func looks."""

    def reorder_storage(self, variables: Sequence[LoopVar], *, at: Span | None = None) -> Self:
        """The dimensions in memory, innermost first, among the places that they have."""
        names = [v.name for v in variables]
        if len(names) < 2:
            self.refuse("reorder_storage needs at least two dimensions", at)
        for name in names:
            self.dimension(name, "reorder in storage", at)
            if names.count(name) > 1:
                self.refuse(f"reorder_storage names '{name}' twice", at)
        order = self.schedule.storage_order or list(self.func.vars)
        places = sorted(order.index(name) for name in names)
        for place, name in zip(places, names, strict=True):
            order[place] = name
        self.schedule.storage_order = order
        return self

    def align_storage(self, var: LoopVar, alignment: Expr | int, *, at: Span | None = None) -> Self:
        """Allocate a multiple of ``alignment`` elements in a dimension."""
        self.dimension(var.name, "align in storage", at)
        self.schedule.storage_align[var.name] = int32(alignment)
        return self

    def bound_storage(self, var: LoopVar, bound: Expr | int, *, at: Span | None = None) -> Self:
        """Allocate no more than ``bound`` elements in a dimension."""
        self.dimension(var.name, "bound in storage", at)
        self.schedule.storage_bounds[var.name] = int32(bound)
        return self

    def fold_storage(
        self,
        var: LoopVar,
        extent: Expr | int,
        fold_forward: bool = True,
        *,
        at: Span | None = None,
    ) -> Self:
        """Keep ``extent`` elements of a dimension; older ones are overwritten."""
        self.dimension(var.name, "fold in storage", at)
        self.schedule.folds[var.name] = (int32(extent), fold_forward)
        return self

    def store_in(self, memory: str, *, at: Span | None = None) -> Self:
        """Where the memory lies: MemoryType's name."""
        self.schedule.memory = memory
        return self.hardware("store_in", memory, at=at) if memory in ("GLB", "ROM") else self

    def hardware(self, name: str, *arguments: HardwareArgument, at: Span | None = None) -> Self:
        """A hardware primitive on the Func: kept, without effect on the CPU."""
        self.schedule.hardware.append(HardwarePrimitive(name, arguments, at))
        return self
