"""Which element an operation touches in which cycle, as arrays of numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from s2s.scop.accelerator import Accelerator, Operation, constant
from s2s.scop.cycles import Start
from s2s.scop.expressions import (
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Variable,
)
from s2s.scop.nest import Allocate, For, Node, children
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "and": operator.and_,
    "or": operator.or_,
}


@dataclass(frozen=True)
class Memory:
    """Elements of a buffer in one row of words: ``sizes`` outermost first.

    The first of them are values of the loops in which the buffer is allocated, ``outer``.
    """

    outer: tuple[str, ...]
    minima: tuple[int, ...]
    sizes: tuple[int, ...]

    def place(self, values: Sequence[Numbers | int]) -> Numbers | int:
        """The number of an element, dense, the last dimension innermost."""
        found: Numbers | int = 0
        for value, minimum, size in zip(values, self.minima, self.sizes, strict=True):
            found = found * size + (value - minimum)
        return found


@dataclass(frozen=True)
class Touched:
    """Elements (``cells``) and the cycles of their accesses, for one load or store."""

    cells: Numbers
    cycles: Numbers


@dataclass(frozen=True)
class Access:
    """A load (``number`` says which) or the store (-1) of an operation."""

    operation: Operation
    number: int
    start: Start
    memory: Memory

    @property
    def tensor(self) -> str:
        store = self.operation.store
        return store.tensor if self.number < 0 else self.operation.loads[self.number].tensor

    @cached_property
    def subscripts(self) -> tuple[Expr, ...]:
        """Outermost dimension first, without what depends on data."""
        return tuple(part for part, _ in self._parts)

    @cached_property
    def words(self) -> tuple[tuple[Load, int], ...]:
        """Loads whose values are part of the element's number, with the factor of each."""
        found, weight = [], 1
        for (_, loads), size in zip(self._parts[::-1], self.memory.sizes[::-1], strict=False):
            found += [(load, factor * weight) for load, factor in loads]
            weight *= size
        return tuple(found)

    @cached_property
    def _parts(self) -> tuple[tuple[Expr, list[tuple[Load, int]]], ...]:
        store, loads = self.operation.store, self.operation.loads
        access = store if self.number < 0 else loads[self.number]
        return tuple(map(split_address, access.subscripts[::-1]))

    @property
    def delay(self) -> int:
        """Cycles from the operation's start to the access."""
        return self.start.latency if self.number < 0 else 0

    @cached_property
    def relevant(self) -> tuple[int, ...]:
        """Places of the loops on which the element depends."""
        names = set(self.memory.outer).union(*(s.variables for s in self.subscripts))
        return tuple(k for k, loop in enumerate(self.operation.loops) if loop.name in names)

    def touched(self) -> Touched:
        """All elements, with the first cycle of a store and the last one of a load for each of
        the values of the loops on which the element depends.
        """
        import numpy as np

        grid = self.iterations(self.relevant)
        cycles = np.full((), self.start.offset + self.delay, np.int64)
        for place, (stride, extent) in enumerate(
            zip(self.start.strides, self.start.extents, strict=True)
        ):
            if place in grid:
                cycles = cycles + grid[place] * stride
            elif self.number >= 0:
                cycles = cycles + (extent - 1) * stride
        cells = np.broadcast_to(self.cells(grid), cycles.shape)
        if self.words:
            every = self._anywhere()
            cells, cycles = cells[..., None] + every, cycles[..., None] + 0 * every
        return Touched(cells.ravel(), cycles.ravel())

    def _anywhere(self) -> Numbers:
        """How much an element's number may grow by the subscripts that depend on data."""
        import numpy as np

        steps, weight = np.zeros(1, np.int64), 1
        for (part, loads), size in zip(self._parts[::-1], self.memory.sizes[::-1], strict=False):
            if loads:
                if not _is_zero(part):
                    text = f"{self.operation.name}: a place in {self.tensor} is a sum with data"
                    raise MappingError(f"{text}; legal: to compute it in an operation before")
                steps = (steps[:, None] + weight * np.arange(size)).ravel()
            weight *= size
        return steps

    def iterations(self, places: Sequence[int]) -> dict[int, Numbers]:
        """Counters of loops, from 0, along an axis each."""
        import numpy as np

        extents = [self.start.extents[k] for k in places]
        axes = np.meshgrid(*map(np.arange, extents), indexing="ij", sparse=True)
        return dict(zip(places, axes, strict=True))

    def cells(self, counters: Mapping[int, Numbers]) -> Numbers | int:
        """The element for counters of loops."""
        loops, minima = self.operation.loops, self.operation.minima
        values = {loops[k].name: grid + minima[k] for k, grid in counters.items()}
        outer = [values.get(name, 0) for name in self.memory.outer]
        return self.memory.place([*outer, *(evaluate(s, values) for s in self.subscripts)])


def split_address(expr: Expr) -> tuple[Expr, list[tuple[Load, int]]]:
    """A subscript as what depends on loops, and elements of buffers with their factors.

    Raises MappingError where these are not only added and multiplied by constants.
    """
    match expr:
        case _ if not expr.reads:
            return expr, []
        case Load():
            return Const(INT32, 0), [(expr, 1)]
        case Cast(type_, inner) if type_.is_integer and type_.bits >= 32:
            return split_address(inner)
        case Binary(_, "mul", inner, Const(_, int() as by)) | Binary(
            _, "mul", Const(_, int() as by), inner
        ):
            part, loads = split_address(inner)
            return Binary(INT32, "mul", part, Const(INT32, by)), [(x, by * n) for x, n in loads]
        case Binary(_, "add", left, right):
            (one, first), (other, second) = split_address(left), split_address(right)
            part = other if _is_zero(one) else one
            if not _is_zero(one) and not _is_zero(other):
                part = Binary(INT32, "add", one, other)
            return part, [*first, *second]
    from s2s.scop.notation import written

    raise MappingError(f"an address depends on data: {written(expr)}")


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 0


def affine(expr: Expr, loops: frozenset[str]) -> dict[str, int] | None:
    """By how much a subscript grows with each loop's variable; None where it is not affine."""
    match expr:
        case Const():
            return {}
        case Variable(_, name):
            return {name: 1} if name in loops else None
        case Cast(_, inner) | Call(_, "likely" | "likely_if_innermost", (inner,)):
            return affine(inner, loops)
        case Binary(_, "mul", inner, Const(_, int() as by)) | Binary(
            _, "mul", Const(_, int() as by), inner
        ):
            found = affine(inner, loops)
            return None if found is None else {name: by * step for name, step in found.items()}
        case Binary(_, "add" | "sub" as op, left, right):
            one, other = affine(left, loops), affine(right, loops)
            if one is None or other is None:
                return None
            sign = 1 if op == "add" else -1
            return {n: one.get(n, 0) + sign * other.get(n, 0) for n in (*one, *other)}
    return None


def evaluate(expr: Expr, values: Mapping[str, Numbers | int]) -> Numbers | int:
    """A subscript for values of the loops' variables. Raises MappingError on what depends on
    data.
    """
    import numpy as np

    match expr:
        case Const(_, int() as value):
            return value
        case Variable(_, name):
            return values[name]
        case Cast(_, inner) | Call(_, "likely" | "likely_if_innermost", (inner,)):
            return evaluate(inner, values)
        case Select(_, condition, then, otherwise):
            parts = [evaluate(e, values) for e in (condition, then, otherwise)]
            return np.where(parts[0], parts[1], parts[2])
        case Binary(_, "min" | "max" as op, left, right):
            pair = evaluate(left, values), evaluate(right, values)
            return np.minimum(*pair) if op == "min" else np.maximum(*pair)
        case Binary(_, op, left, right) if op in _OPERATIONS:
            found: Numbers | int = _OPERATIONS[op](evaluate(left, values), evaluate(right, values))
            return found
    from s2s.scop.notation import written

    why = "depends on data" if expr.reads else "is nothing that address generators count"
    raise MappingError(f"an address {why}: {written(expr)}")


def memories(accelerator: Accelerator) -> dict[str, Memory]:
    """Where the elements of each buffer lie, in the whole run."""
    loops = _homes(accelerator.nest.body, (), {})
    found = {}
    for name, tensor in accelerator.tensors.items():
        outer = loops.get(name, ())
        dimensions = tensor.dimensions[::-1]
        minima = [constant(loop.minimum) for loop in outer]
        sizes = [constant(loop.extent) for loop in outer]
        found[name] = Memory(
            tuple(loop.name for loop in outer),
            (*minima, *(constant(d.minimum) for d in dimensions)),
            (*sizes, *(constant(d.extent) for d in dimensions)),
        )
    return found


def _homes(
    node: Node, loops: tuple[For, ...], found: dict[str, tuple[For, ...]]
) -> dict[str, tuple[For, ...]]:
    """The loops around the allocation of each buffer."""
    if isinstance(node, Allocate):
        found[node.tensor.name] = loops
    around = (*loops, node) if isinstance(node, For) else loops
    for child in children(node):
        _homes(child, around, found)
    return found
