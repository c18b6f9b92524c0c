"""Kernels as operations of processing elements: each takes a tile, constants are folded into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.expressions import (
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
)
from s2s.scop.fabric import Element, Operand, layer_of
from s2s.scop.nest import Tensor
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.processing import wide_product

WORD_PORTS = 3
"""Words that an element takes, at most; truth values are as many."""

_KEPT = frozenset({"likely", "likely_if_innermost"})
"""Calls that are wires."""


@dataclass(frozen=True)
class Value:
    """Where the value of an expression is: an element's (``part``), a kernel port's (``load``) or
    constant; then ``conversions``.
    """

    type: Type
    part: str = ""
    load: int | None = None
    value: int | float | None = None
    conversions: tuple[str, ...] = ()


@dataclass
class KernelElements:
    """The elements of a kernel by name, and where its value comes from.

    ``wires`` are inner links: (from part, to part, to port, layer). ``ports`` are for each load
    the parts and ports that take it.
    """

    elements: dict[str, Element] = field(default_factory=dict)
    wires: list[tuple[str, str, str, str]] = field(default_factory=list)
    ports: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    result: Value | None = None

    @property
    def root(self) -> str:
        """The part that gives the value; "" for a wire or a constant."""
        assert self.result is not None
        return self.result.part


def kernel_elements(accelerator: Accelerator, operation: Operation) -> KernelElements:
    """The elements of an operation's function. Raises MappingError for what none can compute."""
    builder = _Builder(accelerator, operation)
    result = builder.visit(operation.value)
    found = builder.found
    found.result = result
    if result.part:
        element = found.elements[result.part]
        found.elements[result.part] = replace(element, conversions=result.conversions)
    return found


class _Builder:
    def __init__(self, accelerator: Accelerator, operation: Operation) -> None:
        self.operation = operation
        streams = [load for load in operation.loads if load.tensor in accelerator.tensors]
        self.places = {load: place for place, load in enumerate(streams)}
        self.tables = {table.name: table for table in accelerator.nest.tables}
        self.found = KernelElements()
        self.known: dict[Expr, Value] = {}

    def visit(self, top: Expr) -> Value:
        """The value of an expression, its operands' first."""
        stack = [top]
        while stack:
            node = stack[-1]
            if node in self.known:
                stack.pop()
                continue
            missing = [each for each in self.below(node) if each not in self.known]
            if missing:
                stack += reversed(missing)
                continue
            self.known[node] = self.make(node)
            stack.pop()
        return self.known[top]

    def below(self, node: Expr) -> tuple[Expr, ...]:
        """What has to be there before a node: for a table's word its place."""
        if isinstance(node, Load):
            return () if node in self.places else (_place(self.table(node), node.subscripts),)
        product = wide_product(node)
        if product is not None:
            assert isinstance(node, Cast) and isinstance(node.value, Binary)
            return (*product.operands, node.value.right)
        return node.operands

    def table(self, load: Load) -> Tensor:
        if load.tensor not in self.tables:
            raise MappingError(f"{self.operation.name} loads from {load.tensor} by its values")
        return self.tables[load.tensor]

    def make(self, node: Expr) -> Value:
        product = wide_product(node)
        if product is not None:
            assert isinstance(node, Cast) and isinstance(node.value, Binary)
            parts = [self.known[o] for o in (*product.operands, node.value.right)]
            return _converted(self.add("mul_shr", product.type, parts), str(node.type))
        match node:
            case Const(type_, value):
                return Value(type_, value=value)
            case Load() if node in self.places:
                return Value(node.type, load=self.places[node])
            case Load():
                table = self.table(node)
                place = self.known[_place(table, node.subscripts)]
                return self.add("table", node.type, (place,), table=tuple(_flat(table.data)))
            case Variable(type_, name):
                return self.add("counter", type_, (), index=name)
            case Cast(type_, value):
                return _converted(self.known[value], str(type_))
            case Call(type_, "reinterpret", (value,)):
                return _converted(self.known[value], "reinterpret", str(type_))
            case Call(_, name, (value, *_)) if name in _KEPT:
                return self.known[value]
            case Binary() | Unary() | Select() | Call():
                operands = tuple(self.known[operand] for operand in node.operands)
                return self.add(_name(node), node.type, operands)
        raise MappingError(f"{self.operation.name}: no element computes {type(node).__name__}")

    def add(
        self,
        op: str,
        type_: Type,
        values: Sequence[Value],
        table: tuple[int | float, ...] = (),
        index: str = "",
    ) -> Value:
        """A new element."""
        name = f"{self.operation.function}/{op}_{len(self.found.elements)}"
        counts = {"word": 0, "bit": 0}
        operands = []
        for value in values:
            port = ""
            if value.value is None:
                layer = layer_of(value.type) if value.load is None else "word"
                port = f"{'data' if layer == 'word' else 'bit'}{counts[layer]}"
                counts[layer] += 1
                self.join(value, name, port, layer)
            operands.append(Operand(value.type, port, value.value, value.conversions, value.load))
        if max(counts.values()) > WORD_PORTS:
            text = f"{self.operation.name}: '{op}' takes {max(counts.values())} words"
            raise MappingError(f"{text}, an element {WORD_PORTS}")
        element = Element(op, type_, tuple(operands), table=table, index=index)
        self.found.elements[name] = element
        return Value(type_, part=name)

    def join(self, value: Value, name: str, port: str, layer: str) -> None:
        if value.load is not None:
            self.found.ports.setdefault(value.load, []).append((name, port))
        else:
            self.found.wires.append((value.part, name, port, layer))


def _name(node: Expr) -> str:
    match node:
        case Binary() | Unary():
            return node.op
        case Call():
            return node.name
    return "select"


def _converted(value: Value, *to: str) -> Value:
    last = value.conversions[-1] if value.conversions else str(value.type)
    if to == (last,):
        return value
    return replace(value, conversions=(*value.conversions, *to))


def _place(table: Tensor, subscripts: Sequence[Expr]) -> Expr:
    """The place of an element in its table, the first dimension innermost."""
    found: Expr | None = None
    step = 1
    for subscript, dimension in zip(subscripts, table.dimensions, strict=True):
        if not isinstance(dimension.extent, Const):
            raise MappingError(f"the table {table.name} has no constant size")
        term = subscript
        if step > 1:
            term = Binary(INT32, "mul", subscript, Const(INT32, step))
        found = term if found is None else Binary(INT32, "add", found, term)
        step *= int(dimension.extent.value)
    return Const(INT32, 0) if found is None else found


def _flat(data: object) -> Iterator[int | float]:
    if isinstance(data, tuple | list):
        for item in data:
            yield from _flat(item)
    elif isinstance(data, int | float):
        yield data
