"""The lines of a function's body, and the names in it: of memory, of where rows begin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace

from s2s.emitters.c.nests.expressions import Writer
from s2s.emitters.c.nests.kinds import c_type
from s2s.emitters.c.nests.memory import Memory
from s2s.emitters.c.nests.names import Scope
from s2s.emitters.c.nests.operators import UNARY
from s2s.emitters.c.nests.rows import Rows, accesses, unchanged
from s2s.scop import storage
from s2s.scop.errors import Inexpressible
from s2s.scop.expressions import INT32, Binary, Const, Expr, Load, Variable
from s2s.scop.linear import Sum, expression
from s2s.scop.nest import For, Tensor
from s2s.scop.normal_form import linear, normalized
from s2s.scop.stack import on_stack
from s2s.scop.storage import size, strides
from s2s.source.records import dataclass

INDENT = "    "

_SHORT = 24
"""Characters of a row's beginning that stand in each subscript, in place of a name."""


@dataclass
class Body:
    """Lines in blocks, and what is known by a name in them."""

    scope: Scope
    memories: dict[str, Memory]
    lines: list[str] = field(default_factory=list)
    allocates: bool = False
    _depth: int = 1
    _rows: Rows = field(default_factory=Rows)
    writer: Writer = field(init=False)

    def __post_init__(self) -> None:
        self.writer = Writer(self.scope.__getitem__, self._load)

    def _line(self, text: str) -> None:
        self.lines.append(f"{INDENT * self._depth}{text}" if text else "")

    def _pragma(self, text: str) -> None:
        self._line(f"#pragma omp {text}")

    @contextmanager
    def _indented(self) -> Iterator[None]:
        """The lines of a block, with the names that are declared in it."""
        rows, self._rows = self._rows, self._rows.copy()
        self._depth += 1
        with self.scope.entered():
            yield
        self._depth -= 1
        self._rows = rows

    @contextmanager
    def _inside(self, head: str, tail: str) -> Iterator[None]:
        self._line(head)
        with self._indented():
            yield
        self._line(tail)

    def _text(self, expr: Expr, least: int = 0) -> str:
        return self.writer.text(normalized(expr), least)

    # Memory

    def name_shape(self, memory: Memory) -> Memory:
        """The memory with names for where it begins and how far apart its elements are.

        Only for what is not a constant; index arithmetic stays short.
        """
        memory = self._with_strides(memory)
        dimensions = [
            replace(d, minimum=self._named(d.minimum, f"{memory.names[0]}_min_{k}"))
            for k, d in enumerate(memory.tensor.dimensions)
        ]
        return replace(memory, tensor=replace(memory.tensor, dimensions=tuple(dimensions)))

    def _with_strides(self, memory: Memory) -> Memory:
        tensor = memory.tensor
        names = [f"{memory.names[0]}_stride_{k}" for k in range(len(tensor.dimensions))]
        dimensions = [
            replace(dimension, stride=self._named(stride, name))
            for dimension, stride, name in zip(
                tensor.dimensions, strides(tensor), names, strict=True
            )
        ]
        return replace(memory, tensor=replace(tensor, dimensions=tuple(dimensions)))

    def _named(self, value: Expr, name: str) -> Expr:
        value = normalized(value)
        if isinstance(value, Const | Variable):
            return value
        key = f"{name} of an argument"
        text = self.writer.text(value)
        self._line(f"const int {self.scope.declare(key, name)} = {text};")
        return Variable(INT32, key)

    def _declared(self, tensor: Tensor) -> Memory:
        """Memory with C names that are free here."""
        name = self.scope.declare(tensor.name, tensor.name.split("$")[0], tensor.name)
        memory = Memory(tensor, self._component_names(name, len(tensor.types)))
        self.memories[tensor.name] = memory
        return memory

    def _component_names(self, name: str, count: int) -> tuple[str, ...]:
        if count == 1:
            return (name,)
        return tuple(self.scope.declare(f"{name}.{k}", f"{name}_{k}") for k in range(count))

    def _declare_scalars(self, memory: Memory) -> None:
        count = size(memory.tensor)
        assert isinstance(count, Const)
        for component, type in enumerate(memory.tensor.types):
            names = [memory.element(k, component) for k in range(int(count.value))]
            for place in range(0, len(names), 8):
                self._line(f"{c_type(type)} {', '.join(names[place : place + 8])};")

    def _declare_array(self, memory: Memory) -> None:
        count = size(memory.tensor)
        assert isinstance(count, Const)
        elements = max(int(count.value), 1)
        for type, name in memory.components():
            length = elements * max(type.bits // 8, 1)
            self._line(on_stack(f"{c_type(type)} {name}[{elements}]", length))

    def _get(self, memory: Memory) -> Memory:
        """The memory, with names for its strides."""
        self.allocates = True
        count = size(memory.tensor)
        memory = self.memories[memory.tensor.name] = self._with_strides(memory)
        if not isinstance(count, Const):  # not below 1 where the loops that use it do not run
            count = Binary(INT32, "max", _as_rows(memory.tensor), Const(INT32, 1))
        text = self._text(count, UNARY)
        for type, name in memory.components():
            kind = c_type(type)
            self._line(f"{kind} *restrict {name} = malloc(sizeof({kind}) * (size_t){text});")
        return memory

    def _give_back(self, memories: Sequence[Memory]) -> None:
        for memory in reversed(memories):
            for _, name in memory.components():
                self._line(f"free({name});")

    # Elements

    def _load(self, load: Load) -> str:
        return self._element(load.tensor, load.subscripts, load.component)

    def _element(self, tensor: str, subscripts: tuple[Expr, ...], component: int) -> str:
        memory = self.memories.get(tensor)
        if memory is None:
            raise Inexpressible(f"{tensor} is used where it does not exist")
        place = memory.address(subscripts)
        if memory.scalar:
            assert isinstance(place, Const)
            return memory.element(int(place.value), component)
        name = memory.names[component]
        form = self._rows.shortened(tensor, linear(place))
        if memory.tensor.memory == storage.SHIFTED and form.constant > 0 and form.terms:
            rest = expression(form.shifted(-form.constant))
            return f"({name} + {form.constant})[{self.writer.text(rest)}]"
        return f"{name}[{self.writer.text(expression(form))}]"

    # Rows

    def _name_rows(self, loop: For) -> None:
        """Names for where the rows begin that a loop goes along."""
        for tensor, subscripts in accesses(loop):
            memory = self.memories.get(tensor)
            if memory is None or memory.scalar:
                continue
            row = unchanged(linear(memory.address(subscripts)), self.scope.__contains__)
            text = self._row_text(tensor, row)
            if not text:
                continue
            kind = "row" if len(memory.tensor.dimensions) > 1 else "start"
            key = f"{kind} {len(self.lines)} of {tensor}"
            name = self.scope.declare(key, f"{memory.names[0]}_{kind}")
            self._rows.add(tensor, row, key)
            self._line(f"const int {name} = {text};")

    def _row_text(self, tensor: str, row: Sum) -> str:
        """How a row's beginning is computed; nothing for what is short enough to be repeated."""
        short = self._rows.shortened(tensor, row)
        text = self.writer.text(expression(short))
        if len(text) <= _SHORT:
            return ""
        beside = self._rows.beside(tensor, row)
        return text if beside is None else self.writer.text(beside)


def _as_rows(tensor: Tensor) -> Expr:
    """How many elements a tensor has whose strides are those of dense memory."""
    last = (tensor.order or range(len(tensor.dimensions)))[-1]
    dimension = tensor.dimensions[last]
    assert dimension.stride is not None
    count = dimension.extent if dimension.fold is None else dimension.fold
    return Binary(INT32, "mul", dimension.stride, count)


def without_unused(lines: Sequence[str]) -> list[str]:
    """Lines of blocks without the constants that nothing in their block uses."""
    texts: list[str] = []
    kept: list[tuple[int, set[str]]] = []
    for line in reversed(lines):
        found, depth = _CONSTANT.match(line), len(line) - len(line.lstrip())
        if found is None or _is_used(found[1], depth, reversed(kept)):
            kept.append((depth, set(re.findall(r"\w+", line))))
            texts.append(line)
    return texts[::-1]


def _is_used(name: str, depth: int, below: Iterable[tuple[int, set[str]]]) -> bool:
    """Whether a name stands in lines up to the first that is less indented."""
    for at, words in below:
        if at < depth:
            return False
        if name in words:
            return True
    return False


_CONSTANT = re.compile(r"\s*const \w+ (\w+) = .*;")
