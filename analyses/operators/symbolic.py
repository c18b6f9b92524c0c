"""Run a loop nest on symbols: what each element of its outputs is made of.

Integers are computed, so that subscripts, guards, counts and flags mean what they mean, however a
program writes them. What comes from arrays of the caller stays a symbol. Loops that only go from
one image or channel to the next may be left out but for a few iterations. Functions of C are run by
``s2s.frontends.c.traces`` instead, which leaves the same trace.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field

from s2s.scop.expressions import (
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Select,
    Type,
    Unary,
    Variable,
)
from s2s.scop.nest import (
    Allocate,
    Block,
    Define,
    For,
    If,
    Nest,
    Node,
    Produce,
    Store,
    Tensor,
    children,
    walk,
)
from s2s.scop.symbol_arithmetic import convert, divide
from s2s.scop.symbols import (
    Element,
    NotSymbolic,
    Product,
    Sum,
    Symbol,
    Test,
    Value,
    equal,
    largest,
    select,
)
from s2s.scop.trace import Trace
from s2s.source import Span
from s2s.source.records import dataclass

ITERATIONS = 60_000
"""Innermost iterations of a nest that all run."""
SOME = 7
"""Iterations of a loop of which only a few run."""
STEPS = 3_000_000
"""Operations after which a nest is given up."""


@dataclass
class Memory:
    """Arrays of the caller that are only read give symbols; ``stored`` has all others."""

    strides: Mapping[str, tuple[int, ...]]
    inputs: Collection[str]
    tables: Mapping[str, Tensor]
    types: Mapping[str, Type]
    stored: dict[Element, Value] = field(default_factory=dict)

    def flat(self, tensor: str, subscripts: tuple[int, ...]) -> Element:
        strides = self.strides[tensor]
        return tensor, sum(s * i for s, i in zip(strides, subscripts, strict=True))

    def load(self, place: Element, at: Span | None = None) -> Value:
        found = self.stored.get(place)
        if found is not None:
            return found
        if place[0] in self.inputs:
            return Sum.element(place)
        raise NotSymbolic(f"'{place[0]}' is read where nothing has been stored", at)


Run = Callable[[dict[str, int]], Value]


def trace_nest(nest: Nest) -> Trace:
    """Run a nest on symbols. Raises NotSymbolic."""
    tensors = tensors_of(nest)
    outputs = [a.name for a in nest.arguments if a.output]
    inputs = [a.name for a in nest.arguments if a.tensor is not None and not a.output]
    types = {n: t.types[0] for n, t in tensors.items()}
    strides = {n: strides_of(t) for n, t in tensors.items()}
    memory = Memory(strides, frozenset(inputs), {t.name: t for t in nest.tables}, types)
    interpreter = Interpreter(memory, outputs, _few(nest))
    try:
        interpreter.run(nest.body, {})
    except NotSymbolic as error:
        raise NotSymbolic(error.reason, error.at or interpreter.at) from None
    stored = {place: value for place, value in memory.stored.items() if place[0] in outputs}
    extents = {n.name: int(n.extent.value) for n in walk(nest.body)
               if isinstance(n, For) and isinstance(n.extent, Const)}  # fmt: skip
    known = {a.name: types[a.name] for a in nest.arguments if a.name in types}
    return Trace(nest.name, known, stored, interpreter.origins, extents)


def _few(nest: Nest) -> frozenset[str]:
    """Loops of which some iterations are enough, so that the nest does not run too long.

    Those of the largest extents first, outer ones before inner ones.
    """
    few: set[str] = set()
    while True:
        total, widest = _count(nest, few)
        if total <= ITERATIONS or widest is None:
            return frozenset(few)
        few.add(widest)


def _count(nest: Nest, few: set[str]) -> tuple[int, str | None]:
    """Innermost iterations, and the loop to leave iterations out of next."""
    most, widest = 0, None
    stack: list[tuple[object, int, tuple[For, ...]]] = [(nest.body, 1, ())]
    while stack:
        node, times, around = stack.pop()
        if isinstance(node, For) and isinstance(node.extent, Const):
            extent = int(node.extent.value)
            times *= min(extent, SOME) if node.name in few else extent
            around = (*around, node)
        below = children(node)  # type: ignore[arg-type]
        if not below and times > most:
            free = [f for f in around if f.name not in few and int(f.extent.value) > SOME]  # type: ignore[attr-defined]
            most = times
            widest = max(free, key=lambda f: int(f.extent.value)).name if free else None  # type: ignore[attr-defined]
        stack += [(child, times, around) for child in below]
    return most, widest


class Interpreter:
    """Runs a nest; ``few`` are loops of which only some iterations run.

    ``origins`` has for each product of elements that an output gets, and for each element of an
    output, the loops' variables when it was stored first.
    """

    def __init__(self, memory: Memory, outputs: Collection[str], few: Collection[str] = ()) -> None:
        self.memory, self.outputs, self.few = memory, outputs, few
        self.origins: dict[Product, dict[str, int]] = {}
        self.steps = 0
        self.at: Span | None = None
        self._compiled: dict[int, tuple[Expr, Run]] = {}

    # ---- nodes

    def run(self, node: Node, names: dict[str, int]) -> None:
        match node:
            case Block(children):
                for child in children:
                    self.run(child, names)
            case For():
                self._loop(node, names)
            case Allocate() | Produce():
                self.run(node.body, names)
            case Define(name, value, body):
                self.run(body, {**names, name: self.value(value, names)})
            case If(condition, then, otherwise):
                test = self.value(condition, names)
                if isinstance(test, Test):
                    self._choose(test, then, otherwise, names)
                elif test:
                    self.run(then, names)
                elif otherwise is not None:
                    self.run(otherwise, names)
            case Store():
                self._store(node, names)
            case _:
                raise NotSymbolic("such a statement is no part of an operator", self.at)

    def _choose(
        self, test: Test, then: Node, otherwise: Node | None, names: dict[str, int]
    ) -> None:
        """``if (a > m) m = a;`` of data: what is stored is one of two values."""
        while isinstance(then, Block) and len(then.children) == 1:
            then = then.children[0]
        if not isinstance(then, Store) or then.predicate is not None or otherwise is not None:
            raise NotSymbolic("what is computed depends on data", self.at)
        self.at = then.at
        place = self._place(then, names)
        value = select(test, self.value(then.values[0], names), self.memory.load(place))
        self._keep(then, place, value, names)

    def _place(self, node: Store, names: dict[str, int]) -> Element:
        subscripts = tuple(self.value(s, names) for s in node.subscripts)
        if any(isinstance(subscript, Symbol) for subscript in subscripts):
            raise NotSymbolic(f"which element of '{node.tensor}' it is depends on data", node.at)
        return self.memory.flat(node.tensor, subscripts)

    def _loop(self, node: For, names: dict[str, int]) -> None:
        low, extent = self.value(node.minimum, names), self.value(node.extent, names)
        wanted: Collection[int] = range(low, low + extent)
        if node.name in self.few and extent > SOME:
            middle = low + extent // 2
            wanted = (low, low + 1, low + 2, middle, middle + 1, low + extent - 2, low + extent - 1)
        for value in wanted:
            self.run(node.body, {**names, node.name: value})

    def _store(self, node: Store, names: dict[str, int]) -> None:
        self.at = node.at
        self.steps += 1
        if self.steps > STEPS:
            raise NotSymbolic("too many iterations to look at", node.at)
        if node.predicate is not None and not self.value(node.predicate, names):
            return
        place = self._place(node, names)
        self._keep(node, place, self.value(node.values[0], names), names)

    def _keep(self, node: Store, place: Element, value: Value, names: dict[str, int]) -> None:
        if node.tensor in self.outputs and isinstance(value, Symbol):
            self._keep_origin((place,), names)
            if isinstance(value, Sum):
                for product in value.added_to(self.memory.stored.get(place)):
                    self._keep_origin(product, names)
        self.memory.stored[place] = value

    def _keep_origin(self, product: Product, names: dict[str, int]) -> None:
        """The iterations in which something comes are those that all its stores have in common."""
        known = self.origins.get(product)
        if known is None:
            self.origins[product] = dict(names)
        elif known != names:
            for name in [n for n, k in known.items() if names.get(n) != k]:
                del known[name]

    # ---- expressions

    def value(self, expr: Expr, names: dict[str, int]) -> Value:
        found = self._compiled.get(id(expr))
        if found is None:
            found = self._compiled[id(expr)] = expr, self._compile(expr)
        return found[1](names)

    def _compile(self, expr: Expr) -> Run:
        match expr:
            case Const(value=number):
                return lambda names: number
            case Variable(name=name):
                return lambda names: self._known(name, names)
            case Cast(type=type_, value=inner):
                value, old = self._compile(inner), inner.type
                return lambda names: convert(value(names), type_, old, self.memory.types)
            case Unary(op=op, value=inner):
                value = self._compile(inner)
                if op == "not":
                    return lambda names: not value(names)
                return lambda names: ~_number(value(names), self.at)
            case Select():
                return self._compile_select(expr)
            case Let(name=name, value=inner, body=body):
                value, then = self._compile(inner), self._compile(body)
                return lambda names: then({**names, name: value(names)})
            case Load():
                return self._compile_load(expr)
            case Call(name="likely" | "likely_if_innermost", arguments=(inner,)):
                return self._compile(inner)
            case Binary(op=op, left=first, right=second):
                left, right = self._compile(first), self._compile(second)
                function, type_ = _OPERATIONS.get(op), expr.type
                if function is None:
                    raise NotSymbolic(f"the operation '{op}'", self.at)
                return lambda names: function(left(names), right(names), type_)
        name = expr.name if isinstance(expr, Call) else type(expr).__name__
        raise NotSymbolic(f"'{name}' is no part of an operator", self.at)

    def _known(self, name: str, names: dict[str, int]) -> int:
        try:
            return names[name]
        except KeyError:
            raise NotSymbolic(f"'{name}' is known only when it runs", self.at) from None

    def _compile_select(self, expr: Select) -> Run:
        test = self._compile(expr.condition)
        then, otherwise = self._compile(expr.then), self._compile(expr.otherwise)

        def run(names: dict[str, int]) -> Value:
            tested = test(names)
            if isinstance(tested, Test):
                return select(tested, then(names), otherwise(names))
            return then(names) if tested else otherwise(names)

        return run

    def _compile_load(self, expr: Load) -> Run:
        tensor, places = expr.tensor, [self._compile(s) for s in expr.subscripts]
        table = self.memory.tables.get(tensor)

        def run(names: dict[str, int]) -> Value:
            subscripts = tuple(p(names) for p in places)
            if any(isinstance(subscript, Symbol) for subscript in subscripts):
                raise NotSymbolic(f"which element of '{tensor}' it is depends on data")
            place = self.memory.flat(tensor, subscripts)
            if table is not None:
                return table.data[place[1]]  # type: ignore[index]
            return self.memory.load(place, self.at)

        return run


def _number(value: Value, at: Span | None) -> int:
    if isinstance(value, Symbol):
        raise NotSymbolic("what is computed depends on data", at)
    found: int = value
    return found


def _divide(left: Value, right: Value, type_: Type) -> Value:
    if not isinstance(left, Symbol) and type_.is_integer and right:
        return left // right  # as Halide rounds
    return divide(left, right, integers=type_.is_integer)


def _minimum(left: Value, right: Value) -> Value:
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        raise NotSymbolic("a minimum")
    return min(left, right)


def _whole(function: Callable[[int, int], Value]) -> Callable[[Value, Value, Type], Value]:
    return lambda left, right, type_: function(left, right)


_OPERATIONS: dict[str, Callable[[Value, Value, Type], Value]] = {
    "add": _whole(lambda a, b: a + b),
    "sub": _whole(lambda a, b: a - b),
    "mul": _whole(lambda a, b: a * b),
    "div": _divide,
    "max": _whole(largest),
    "min": _whole(_minimum),
    "mod": _whole(lambda a, b: a % abs(b) if b else 0),
    "eq": _whole(equal),
    "ne": _whole(lambda a, b: not equal(a, b)),
    "lt": _whole(lambda a, b: a < b),
    "le": _whole(lambda a, b: a <= b),
    "gt": _whole(lambda a, b: a > b),
    "ge": _whole(lambda a, b: a >= b),
    "and": _whole(lambda a, b: a and b),
    "or": _whole(lambda a, b: a or b),
    "band": _whole(lambda a, b: a & b),
    "bor": _whole(lambda a, b: a | b),
    "bxor": _whole(lambda a, b: a ^ b),
    "shl": _whole(lambda a, b: a << b),
    "shr": _whole(lambda a, b: a >> b),
}


def strides_of(tensor: Tensor) -> tuple[int, ...]:
    """Elements from one index of each dimension to the next. Raises NotSymbolic."""
    found, size = [], 1
    for dimension in tensor.dimensions:
        if dimension.stride is not None and isinstance(dimension.stride, Const):
            size = int(dimension.stride.value)
        found.append(size)
        if isinstance(dimension.extent, Const):
            size *= int(dimension.extent.value)
        elif dimension is not tensor.dimensions[-1]:
            raise NotSymbolic(f"the extents of '{tensor.name}' are no numbers")
    return tuple(found)


def tensors_of(nest: Nest) -> dict[str, Tensor]:
    """All memory that a nest names."""
    found = {a.name: a.tensor for a in nest.arguments if a.tensor is not None}
    found |= {
        node.tensor.name: node.tensor for node in walk(nest.body) if isinstance(node, Allocate)
    }
    return found | {table.name: table for table in nest.tables}
