"""Expressions of definitions over numpy's arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache
from typing import Protocol

import numpy as np

from s2s.net.pipelines.arithmetic import binary, call, cast
from s2s.net.pipelines.arrays import Values, dtype, rounded, widen_held
from s2s.net.pipelines.boxes import Box, Outside, Realization, covers
from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Type,
    Unary,
    Variable,
    walk,
)
from s2s.scop.pipeline import Func, Image, Pipeline
from s2s.scop.rewrite import inline_lets
from s2s.source.records import dataclass

_PER_NODE, _PER_ELEMENT, _PER_EXACT = 3_000, 2, 600
"""What evaluating a node costs, about in nanoseconds: in any case, and for each element, by numpy
and by Python's integers."""
INT64 = Type("int", 64)
_OVERFLOWS = frozenset(("add", "sub", "mul"))


class Known(Protocol):
    """The pipeline that is evaluated, as far as it is known; all methods may raise TooMuch."""

    pipeline: Pipeline
    scalars: Mapping[str, int | float]
    undefined: bool
    """Whether something was computed that has no defined value."""

    def spend(self, work: float) -> None: ...
    def realize(self, func: Func, box: Box) -> Realization: ...
    def image_box(self, image: Image) -> Box: ...
    def image(self, image: Image, places: list[Values]) -> Values: ...


@dataclass
class Evaluation:
    """Expressions over values of variables; ``own`` is the state of the Func that is updated."""

    known: Known
    variables: dict[str, Values]
    own: Realization | None = None
    name: str = ""
    _done: dict[Expr, Values] = field(default_factory=dict)

    def value(self, expr: Expr) -> Values:
        closed = _closed(expr)
        for node in walk(closed):
            if node not in self._done:
                found = self._compute(node)
                if node.type.code == "bfloat" and not isinstance(node, Load | Variable):
                    found = rounded(found)
                self._done[node] = found
                self.known.spend(_PER_NODE + _PER_ELEMENT * found.size)
        return self._done[closed]

    def _compute(self, node: Expr) -> Values:
        match node:
            case Const(kind, value):
                return np.asarray(value, dtype(widen_held(kind)))
            case Variable():
                return self._variable(node)
            case Cast(kind, value):
                return self._cast(kind, value)
            case Binary(_, op, left, right):
                return self._binary(op, widen_held(left.type), self.value(left), self.value(right))
            case Unary(_, _, value):
                return np.asarray(~self.value(value))
            case Select(_, condition, then, otherwise):
                test = self.value(condition)
                return np.where(test, self.value(then), self.value(otherwise))
            case Call(kind, "undef"):
                return np.zeros((), dtype(widen_held(kind)))
            case Call(kind, name, arguments):
                values = [self.value(a) for a in arguments]
                size = np.broadcast_shapes(*(v.shape for v in values))
                self.known.spend(_PER_EXACT * int(np.prod(size, dtype=np.int64)))
                if name == "reinterpret" and "bfloat" in (kind.code, arguments[0].type.code):
                    raise NotImplementedError("bits of bfloat16")
                return call(name, widen_held(kind), [widen_held(a.type) for a in arguments], values)
            case Load():
                return self._load(node)
        raise NotImplementedError(type(node).__name__)

    def defined(self, value: Expr) -> Values:
        """Where a value is one; a select may leave elements as they are."""
        closed = _closed(value)
        if any(_is_undef(node) for node in walk(closed)):
            return self._gives(closed)
        return np.asarray(True)

    def _gives(self, expr: Expr) -> Values:
        if _is_undef(expr):
            return np.asarray(False)
        if isinstance(expr, Select):
            sides = self._gives(expr.then), self._gives(expr.otherwise)
            return np.where(self.value(expr.condition), *sides) & self._gives(expr.condition)
        found: Values = np.asarray(True)
        for operand in expr.operands:
            found = found & self._gives(operand)
        return found

    def _binary(self, op: str, kind: Type, left: Values, right: Values) -> Values:
        """Computed; overflow of int32 has no defined value."""
        found = binary(op, kind, left, right)
        if kind == INT32 and op in _OVERFLOWS and not self.known.undefined:
            exact = binary(op, INT64, left.astype(np.int64), right.astype(np.int64))
            self.known.undefined = bool((exact != found).any())
        return found

    def _cast(self, kind: Type, operand: Expr) -> Values:
        """Converted; a float that the integer type does not hold has no defined value."""
        value = self.value(operand)
        if operand.type.is_float and kind.is_integer and kind != BOOL:
            whole = np.trunc(value)
            if not ((whole >= kind.smallest) & (whole <= kind.largest)).all():
                self.known.undefined = True
        if kind.code == "bfloat":
            return value  # rounded by the caller
        return cast(kind, widen_held(operand.type), value)

    def _variable(self, node: Variable) -> Values:
        if node.name in self.variables:
            return self.variables[node.name]
        if node.name in self.known.scalars:
            return np.asarray(self.known.scalars[node.name], dtype(widen_held(node.type)))
        if node.name in self.known.pipeline.scalars:
            default = self.known.pipeline.scalars[node.name].default
            assert default is not None, node.name
            return np.asarray(default, dtype(widen_held(node.type)))
        return np.asarray(self._extent_of_image(node.name), np.int32)

    def _extent_of_image(self, name: str) -> int:
        """``input.min.0``, ``input.extent.1``, ``input.stride.2``."""
        tensor, what, dimension = name.rsplit(".", 2)
        box = self.known.image_box(self.known.pipeline.images[tensor])
        low, high = box[int(dimension)]
        if what == "min":
            return low
        if what == "extent":
            return high - low + 1
        sizes = [b - a + 1 for a, b in box[: int(dimension)]]
        return int(np.prod(sizes, dtype=np.int64))

    def box(self, load: Load) -> Box:
        places = [self.value(s) for s in load.subscripts]
        return tuple((int(p.min()), int(p.max())) for p in places)

    def _load(self, load: Load) -> Values:
        places = [self.value(s) for s in load.subscripts]
        funcs = self.known.pipeline.funcs
        own = load.tensor == self.name and self.own is not None
        if not own and load.tensor not in funcs:
            return self.known.image(self.known.pipeline.images[load.tensor], places)
        wanted = tuple((int(p.min()), int(p.max())) for p in places)
        if own:
            assert self.own is not None
            made = self.own
            if not covers(made.box, wanted):
                raise Outside(load.tensor, wanted)
        else:
            made = self.known.realize(funcs[load.tensor], wanted)
        values = made.components[load.component]
        if not places:
            return values
        index = tuple(p - low for p, (low, _) in zip(places, made.box, strict=True))
        if made.unset[load.component][index].any():
            self.known.undefined = True
        return np.asarray(values[index])


def _is_undef(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.name == "undef"


_closed = cache(inline_lets)
