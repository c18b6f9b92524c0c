"""A memory file and a compute file as an accelerator, as a Halide pipeline would give it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from s2s.frontends.clockwork.arithmetic import as_type
from s2s.frontends.clockwork.buffer_types import buffer_types
from s2s.frontends.clockwork.compute import Function, TableOf, Words, read_function
from s2s.scop.accelerator import Accelerator
from s2s.scop.build import both
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr, Load, Select, Variable
from s2s.scop.expressions import Type as Kind
from s2s.scop.nest import Allocate, Argument, Dimension, For, Nest, Node, Store, Tensor
from s2s.scop.rewrite import block, transform
from s2s.source import SourceBuffer, Span
from s2s.source.clockwork.indices import Binary as Combined
from s2s.source.clockwork.indices import Element, Index, Name, Number
from s2s.source.clockwork.problems import problem
from s2s.source.clockwork.programs import Access, Loop, Operation, Program
from s2s.source.clockwork.signatures import ComputeFile, check_agreement
from s2s.source.diagnostics import Location
from s2s.source.reading import read_source
from s2s.source.records import dataclass

_OPS = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "min": "min", "max": "max",
        "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "=": "eq", "!=": "ne",
        "and": "and", "or": "or"}  # fmt: skip


def accelerator_of(program: Program, compute: ComputeFile) -> Accelerator:
    """The accelerator of a program and the functions of its operations.

    Raises UserError where they do not fit, and for what an accelerator does not have: conditions
    of operations, functions that are no row of declarations.
    """
    check_agreement(program, compute)
    reader = _Reader(program, compute, SourceBuffer(program.path, read_source(program.path)))
    body = block(list(reader.nodes(program.body, {})))
    tensors = {name: reader.tensor(name) for name in program.boxes}
    streams = {*program.inputs, *program.outputs}
    for name in reversed([name for name in tensors if name not in streams]):
        body = Allocate(tensors[name], body)
    arguments = [
        Argument(name, tensors[name], tensors[name].types[0], output=name in program.outputs)
        for name in (*program.inputs, *program.outputs)
        if name in tensors
    ]
    nest = Nest(program.name, tuple(arguments), body, tuple(reader.tables.values()))
    operations = [operation for operation, _ in program.operations]
    return Accelerator(
        nest,
        frozenset(reader.coarse),
        _shared(operations),
        {o.name: o.latency for o in operations if o.latency},
        tuple(o.name for o in operations),
    )


def _shared(operations: list[Operation]) -> dict[str, str]:
    """Operations that use the function of an earlier one."""
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for operation in operations:
        if operation.function:
            owner = first.setdefault(operation.function, operation.name)
            if owner != operation.name:
                found[operation.name] = owner
    return found


@dataclass
class _Reader:
    program: Program
    compute: ComputeFile
    buffer: SourceBuffer
    types: Mapping[str, Kind] = field(default_factory=dict)
    tables: dict[str, Tensor] = field(default_factory=dict)
    coarse: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    stored: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.types = buffer_types(self.program, self.compute)

    def tensor(self, name: str) -> Tensor:
        """A buffer's tensor, innermost dimension first."""
        box = self.program.boxes[name]
        pairs = zip(reversed(box.minima), reversed(box.extents), strict=True)
        sides = tuple(Dimension(Const(INT32, low), Const(INT32, size)) for low, size in pairs)
        return Tensor(name, (self.types[name],), sides)

    def nodes(self, body: tuple[Loop | Operation, ...], names: Mapping[str, str]) -> Iterator[Node]:
        """``names`` are those that loops around have in the nest, where each is the only one."""
        for node in body:
            if isinstance(node, Operation):
                yield self.store(node, names)
                continue
            name = self.fresh(node.name)
            if node.coarse:
                self.coarse.add(name)
            inside = block(list(self.nodes(node.body, {**names, node.name: name})))
            low, extent = Const(INT32, node.minimum), Const(INT32, node.extent)
            yield For(name, low, extent, "serial", inside)

    def fresh(self, name: str) -> str:
        """A name that no loop and no buffer has."""
        new, number = name, 0
        while new in self.taken or new in self.types:
            number += 1
            new = f"{name}_{number}"
        self.taken.add(new)
        return new

    def store(self, operation: Operation, names: Mapping[str, str]) -> Store:
        if operation.conditions:
            text = f"{operation.name} runs under a condition, which operations of an accelerator"
            raise problem(f"{text} do not do", operation.at)
        subscripts = self.subscripts(operation.store, names)
        value = self.value(operation, names)
        to = operation.store.buffer
        stage = self.stored[to] = self.stored.get(to, -1) + 1
        value = as_type(self.types[to], value)
        at = self.span(operation.at)
        return Store(to, subscripts, (value,), to, stage, at=at)

    def span(self, at: Location) -> Span:
        start = self.buffer.line_offset(at.line) + at.column - 1
        return Span(start, self.buffer.line_offset(at.end_line) + at.end_column - 1)

    # ---- values

    def value(self, operation: Operation, names: Mapping[str, str]) -> Expr:
        loads: dict[str, list[Load]] = {buffer: [] for buffer in operation.buffers}
        for access in operation.loads:
            subscripts = self.subscripts(access, names)
            loads[access.buffer].append(Load(self.types[access.buffer], access.buffer, subscripts))
        if not operation.function:
            return next(iter(loads.values()))[0]
        signature = self.compute.functions.get(operation.function)
        if signature is None:
            text = f"{operation.name}: function '{operation.function}' stands in another file than"
            raise problem(f"{text} {self.compute.path}", operation.at)
        words = [Words(tuple(of_buffer)) for of_buffer in loads.values()]
        indices = [names[name] for name in operation.indices]
        function = read_function(self.compute, signature, words, indices)
        return self.with_tables(function, operation)

    def with_tables(self, function: Function, operation: Operation) -> Expr:
        """The value with tables under names that only they have."""
        if not function.tables:
            return function.value
        names = {name: self.table(name, found) for name, found in function.tables.items()}

        def change(node: Expr) -> Expr:
            if isinstance(node, Load) and node.tensor in names and len(node.subscripts) == 1:
                return Load(node.type, names[node.tensor], node.subscripts)
            return node

        return transform(function.value, change)

    def table(self, name: str, found: TableOf) -> str:
        """A read-only memory of these values, whichever operation has it."""
        if any(value is None for value in found.values):
            place = found.values.index(None)
            text = f"'{name}[{place}]' never gets a value"
            token = found.at
            at = Location(self.compute.path, token.line, token.column, token.line, token.column)
            raise problem(text, at)
        data = tuple(found.values)
        new, number = name, 0
        while new in self.types or (new in self.tables and self.tables[new].data != data):
            number += 1
            new = f"{name}_{number}"
        if new not in self.tables:
            side = Dimension(Const(INT32, 0), Const(INT32, len(data)))
            self.tables[new] = Tensor(new, (found.type,), (side,), data=data)
        return new

    # ---- subscripts

    def subscripts(self, access: Access, names: Mapping[str, str]) -> tuple[Expr, ...]:
        """Subscripts innermost first; of several pieces the first one whose condition holds."""
        pieces = [
            (piece.condition, [self.index(i, names) for i in piece.subscripts])
            for piece in access.pieces
        ]
        found = pieces[-1][1]
        for condition, subscripts in reversed(pieces[:-1]):
            if condition is not None:
                where = self.index(condition, names)
                found = [
                    a if a == b else Select(INT32, where, a, b)
                    for a, b in zip(subscripts, found, strict=True)
                ]
            else:
                found = subscripts
        return tuple(reversed(found))

    def index(self, index: Index, names: Mapping[str, str]) -> Expr:
        match index:
            case Number(value):
                return Const(INT32, value)
            case Name(name):
                return Variable(INT32, names[name])
            case Element(buffer, subscripts):
                inner = tuple(self.index(i, names) for i in reversed(subscripts))
                return as_type(INT32, Load(self.types[buffer], buffer, inner))
            case Combined("and", left, right):
                return both(self.index(left, names), self.index(right, names))
            case Combined(op, left, right):
                kind = BOOL if op in ("<", "<=", ">", ">=", "=", "!=", "or") else INT32
                return Binary(kind, _OPS[op], self.index(left, names), self.index(right, names))
