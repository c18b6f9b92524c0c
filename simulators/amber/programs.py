"""What a memory file says: loops around operations, each with the elements it loads and stores.

Elements of all buffers have one numbering: those of the input streams come first, then those of the
output streams, then the others; within a buffer in row-major order of its box, the smallest one
that has all elements which operations name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from s2s.simulators.amber.problems import line_of, problem

WIDTH = 32
"""Bits of a buffer of which the file does not say how many it has."""


@dataclass(frozen=True)
class Access:
    """An element: subscripts outermost dimension first, as expressions over loops' names."""

    buffer: str
    subscripts: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Operation:
    """``store = function(loads, indices)``."""

    name: str
    function: str
    loads: tuple[Access, ...]
    store: Access
    indices: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Loop:
    """A loop with constant bounds around loops and operations."""

    name: str
    minimum: int
    extent: int
    body: tuple[Loop | Operation, ...]


@dataclass(frozen=True)
class Box:
    """The elements of a buffer: minima and extents by dimension, the number of the first one."""

    minima: tuple[int, ...]
    extents: tuple[int, ...]
    first: int

    @property
    def size(self) -> int:
        return prod(self.extents)

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """How far apart neighbours of each dimension are."""
        return tuple(prod(self.extents[d + 1 :]) for d in range(len(self.extents)))

    def index(self, number: int) -> tuple[int, ...]:
        """The subscripts of an element by its number."""
        rest, found = number - self.first, []
        for minimum, step in zip(self.minima, self.steps, strict=True):
            found.append(minimum + rest // step)
            rest %= step
        return tuple(found)


@dataclass(frozen=True)
class Program:
    """A memory file at ``path``; ``widths`` are bits of buffers' words.

    ``streamed`` are ranges of subscripts of input streams that a design gives, loaded or not.
    """

    path: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    widths: Mapping[str, int]
    body: tuple[Loop | Operation, ...]
    streamed: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    @cached_property
    def operations(self) -> tuple[tuple[Operation, tuple[Loop, ...]], ...]:
        """All operations with their loops, outermost first, in program order."""
        return tuple(_operations(self.body, ()))

    def width(self, buffer: str) -> int:
        return self.widths.get(buffer, WIDTH)

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """The boxes of all buffers, streams first. Raises UserError."""
        ranges: dict[str, list[tuple[int, int]]] = {}
        for operation, loops in self.operations:
            for access in (*operation.loads, operation.store):
                found = self._ranges(access, operation, loops)
                before = ranges.setdefault(access.buffer, found)
                if len(before) != len(found):
                    text = f"'{access.buffer}' has {len(before)} subscripts elsewhere"
                    raise problem(text, line_of(self.path, access.line))
                ranges[access.buffer] = _union(before, found)
        for name, more in self.streamed.items():
            if len(ranges.get(name, ())) == len(more):
                ranges[name] = _union(ranges[name], more)
        return self._numbered(ranges)

    def _numbered(self, ranges: dict[str, list[tuple[int, int]]]) -> dict[str, Box]:
        boxes: dict[str, Box] = {}
        first = 0
        for name in sorted(ranges, key=self._rank):
            extents = tuple(high - low + 1 for low, high in ranges[name])
            boxes[name] = Box(tuple(low for low, _ in ranges[name]), extents, first)
            first += boxes[name].size
        if first >= 2**31:
            raise problem(f"{first} elements are more than can be numbered", line_of(self.path, 1))
        return boxes

    def _rank(self, name: str) -> tuple[int, int]:
        for rank, streams in enumerate((self.inputs, self.outputs)):
            if name in streams:
                return rank, streams.index(name)
        return 2, 0

    def _ranges(
        self, access: Access, operation: Operation, loops: tuple[Loop, ...]
    ) -> list[tuple[int, int]]:
        within = {loop.name: (loop.minimum, loop.minimum + loop.extent - 1) for loop in loops}
        try:
            return [range_of(text, within) for text in access.subscripts]
        except ValueError as error:
            raise problem(f"{operation.name}: {error}", line_of(self.path, access.line)) from None

    def count(self, buffers: tuple[str, ...]) -> int:
        """How many elements some streams have."""
        return sum(self.boxes[name].size for name in buffers if name in self.boxes)

    def element(self, number: int) -> str:
        """An element as it is shown: ``conv1[3, 4]``."""
        for name, box in self.boxes.items():
            if box.first <= number < box.first + box.size:
                return f"{name}[{', '.join(map(str, box.index(number)))}]"
        return f"element {number}"


Ranges = Sequence[tuple[int, int]]


def _union(a: Ranges, b: Ranges) -> list[tuple[int, int]]:
    return [(min(p, r), max(q, s)) for (p, q), (r, s) in zip(a, b, strict=True)]


def _operations(
    body: tuple[Loop | Operation, ...], loops: tuple[Loop, ...]
) -> Iterator[tuple[Operation, tuple[Loop, ...]]]:
    for node in body:
        if isinstance(node, Operation):
            yield node, loops
        else:
            yield from _operations(node.body, (*loops, node))


# ---- subscripts: integer expressions with + - * and floor(e/n), e % n of constants n


def parse(text: str) -> ast.expr:
    """A subscript's expression. Raises ValueError."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"'{text}' is no subscript") from None


def range_of(text: str, within: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """The least and the greatest value, each variable taken by itself. Raises ValueError."""
    return _range(parse(text), within, text)


def _range(node: ast.expr, within: Mapping[str, tuple[int, int]], text: str) -> tuple[int, int]:
    match node:
        case ast.Constant(value=int(value)):
            return value, value
        case ast.Name(id=name) if name in within:
            return within[name]
        case ast.Name(id=name):
            raise ValueError(f"no loop around has the variable '{name}' of '{text}'")
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            low, high = _range(inner, within, text)
            return -high, -low
        case ast.Call(func=ast.Name(id="floor"), args=[inner]):
            return _range(inner, within, text)
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(op, _range(left, within, text), _range(right, within, text), text)
    raise ValueError(f"'{ast.unparse(node)}' in '{text}' is no affine expression")


def _combined(
    op: ast.operator, a: tuple[int, int], b: tuple[int, int], text: str
) -> tuple[int, int]:
    match op:
        case ast.Add():
            return a[0] + b[0], a[1] + b[1]
        case ast.Sub():
            return a[0] - b[1], a[1] - b[0]
        case ast.Mult():
            products = [x * y for x in a for y in b]
            return min(products), max(products)
        case ast.Div() | ast.FloorDiv() if b[0] == b[1] > 0:
            return a[0] // b[0], a[1] // b[0]
        case ast.Mod() if b[0] == b[1] > 0:
            same = a[0] // b[0] == a[1] // b[0]
            return (a[0] % b[0], a[1] % b[0]) if same else (0, b[0] - 1)
    raise ValueError(f"'{text}' is no affine expression")


def linear(text: str) -> dict[str, int] | None:
    """Coefficients by variable, "" the constant's; None for an expression that is not affine."""
    return _linear(parse(text))


def _linear(node: ast.expr) -> dict[str, int] | None:
    match node:
        case ast.Constant(value=int(value)):
            return {"": value}
        case ast.Name(id=name):
            return {name: 1}
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _scaled(_linear(inner), -1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            a, b = _linear(left), _scaled(_linear(right), 1 if isinstance(op, ast.Add) else -1)
            if a is None or b is None:
                return None
            return {name: a.get(name, 0) + b.get(name, 0) for name in {**a, **b}}
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            factors = _linear(left), _linear(right)
            for one, other in (factors, factors[::-1]):
                if one is not None and set(one) <= {""}:
                    return _scaled(other, one.get("", 0))
    return None


def _scaled(form: dict[str, int] | None, by: int) -> dict[str, int] | None:
    return None if form is None else {name: by * value for name, value in form.items()}


def as_cpp(text: str, names: Mapping[str, str]) -> str:
    """A subscript in C++. Raises ValueError."""
    return _cpp(parse(text), names)


def _cpp(node: ast.expr, names: Mapping[str, str]) -> str:
    match node:
        case ast.Constant(value=value):
            return str(value)
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(operand=inner):
            return f"(-{_cpp(inner, names)})"
        case ast.Call(args=[inner]):
            return _cpp(inner, names)
        case ast.BinOp(left=left, op=ast.Div() | ast.FloorDiv(), right=right):
            return f"amber::quotient({_cpp(left, names)}, {_cpp(right, names)})"
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return f"int(amber::modulo({_cpp(left, names)}, {_cpp(right, names)}))"
        case ast.BinOp(left=left, op=op, right=right):
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}[type(op)]
            return f"({_cpp(left, names)} {sign} {_cpp(right, names)})"
    raise ValueError(f"'{ast.unparse(node)}' is no affine expression")
