"""Which element an operation touches in which cycle, as arrays of numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from s2s.scop.accelerator import Accelerator, Operation, constant
from s2s.scop.cycles import Start
from s2s.scop.expressions import Binary, Call, Cast, Const, Expr, Select, Variable
from s2s.scop.nest import Allocate, For, Node, children
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
        """Outermost dimension first."""
        if self.number < 0:
            return self.operation.store.subscripts[::-1]
        return self.operation.loads[self.number].subscripts[::-1]

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
        return Touched(cells.ravel(), cycles.ravel())

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

    raise MappingError(f"an address depends on data: {written(expr)}")


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
