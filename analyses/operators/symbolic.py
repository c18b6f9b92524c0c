"""Run a loop nest on symbols: what each element of its outputs is made of.

Integers are computed, so that subscripts, guards, counts and flags mean what they mean, however a
program writes them. What comes from arrays of the caller stays a symbol: a sum of products of
elements, or the largest of some. Loops that only go from one image or channel to the next may be
left out but for a few iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

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
from s2s.scop.nest import Allocate, Block, Define, For, If, Nest, Node, Produce, Store, Tensor
from s2s.source import Span

Element = tuple[str, int]
"""An array and the place in its memory, counted in elements."""
Product = tuple[Element, ...]
LOWEST = -65504.0
"""What counts as lower than all: the least number of half precision, or less."""
SOME = 7
"""Iterations of a loop of which only a few run."""
STEPS = 3_000_000
"""Operations after which a nest is given up."""


class NotSymbolic(Exception):
    """Values for which there is no symbol: why, and at which statement."""

    def __init__(self, reason: str, at: Span | None = None) -> None:
        super().__init__(reason)
        self.reason, self.at = reason, at


@dataclass(frozen=True)
class Sum:
    """Products of elements, each with a factor, and a number."""

    terms: Mapping[Product, float]
    constant: float = 0.0

    @property
    def single(self) -> Element | None:
        """The element that it is, None where it is more."""
        if self.constant or len(self.terms) != 1:
            return None
        ((product, factor),) = self.terms.items()
        return product[0] if len(product) == 1 and factor == 1 else None


@dataclass(frozen=True)
class Largest:
    """The largest of elements and a number."""

    elements: frozenset[Element]
    least: float


Symbol = Sum | Largest
Value = Any
"""A number, or a symbol."""


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
            return Sum({(place,): 1.0})
        raise NotSymbolic(f"'{place[0]}' is read where nothing has been stored", at)


Run = Callable[[dict[str, int]], Value]


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
            case If(condition, then, None) if self._store_larger(condition, then, names):
                pass
            case If(condition, then, otherwise):
                if self.value(condition, names):
                    self.run(then, names)
                elif otherwise is not None:
                    self.run(otherwise, names)
            case Store():
                self._store(node, names)
            case _:
                raise NotSymbolic("such a statement is no part of an operator", self.at)

    def _store_larger(self, condition: Expr, then: Node, names: dict[str, int]) -> bool:
        """``if (a > m) m = a;`` of data: whether it was that, and is done."""
        while isinstance(then, Block) and len(then.children) == 1:
            then = then.children[0]
        if not isinstance(condition, Binary) or condition.op not in ("lt", "le", "gt", "ge"):
            return False
        sides = [self.value(side, names) for side in (condition.left, condition.right)]
        if not any(isinstance(side, Sum | Largest) for side in sides):
            return False
        larger, other = sides if condition.op[0] == "g" else sides[::-1]
        if not isinstance(then, Store) or then.predicate is not None:
            raise NotSymbolic("what is computed depends on data", self.at)
        self.at = then.at
        subscripts = tuple(self.value(s, names) for s in then.subscripts)
        place = self.memory.flat(then.tensor, subscripts)
        if self.value(then.values[0], names) != larger or self.memory.load(place) != other:
            raise NotSymbolic("what is computed depends on data", self.at)
        self._keep(then, place, _largest(other, larger, then.values[0].type, self.at), names)
        return True

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
        place = self.memory.flat(node.tensor, tuple(self.value(s, names) for s in node.subscripts))
        self._keep(node, place, self.value(node.values[0], names), names)

    def _keep(self, node: Store, place: Element, value: Value, names: dict[str, int]) -> None:
        if node.tensor in self.outputs:
            self.origins.setdefault((place,), names)
            if isinstance(value, Sum):
                before = self.memory.stored.get(place)
                old = before.terms if isinstance(before, Sum) else {}
                for product in value.terms.keys() - old.keys():
                    self.origins.setdefault(product, names)
        self.memory.stored[place] = value

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
                return lambda names: names[name]
            case Cast(type=type_, value=inner):
                value, old = self._compile(inner), inner.type
                return lambda names: self._converted(value(names), type_, old)
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
                return lambda names: function(left(names), right(names), type_, self.at)
        name = expr.name if isinstance(expr, Call) else type(expr).__name__
        raise NotSymbolic(f"'{name}' is no part of an operator", self.at)

    def _converted(self, value: Value, new: Type, old: Type) -> Value:
        """A value in another type; elements keep theirs where that one has all of them."""
        if isinstance(value, Largest) and new.is_integer and value.least <= new.smallest:
            types = {self.memory.types[name] for name, _ in value.elements}
            if all(_holds(new, type_) for type_ in types):
                return value
        return _convert(value, new, old, self.at)

    def _compile_select(self, expr: Select) -> Run:
        test = self._compile(expr.condition)
        then, otherwise = self._compile(expr.then), self._compile(expr.otherwise)

        def run(names: dict[str, int]) -> Value:
            return then(names) if test(names) else otherwise(names)

        return run

    def _compile_load(self, expr: Load) -> Run:
        tensor, places = expr.tensor, [self._compile(s) for s in expr.subscripts]
        table = self.memory.tables.get(tensor)

        def run(names: dict[str, int]) -> Value:
            place = self.memory.flat(tensor, tuple(p(names) for p in places))
            if table is not None:
                return table.data[place[1]]  # type: ignore[index]
            return self.memory.load(place, self.at)

        return run


def _number(value: Value, at: Span | None) -> int:
    if isinstance(value, Sum | Largest):
        raise NotSymbolic("what is computed depends on data", at)
    found: int = value
    return found


def _holds(new: Type, old: Type) -> bool:
    """Whether an integer type has all values of another one."""
    return old.is_integer and new.smallest <= old.smallest and old.largest <= new.largest


def _convert(value: Value, new: Type, old: Type, at: Span | None) -> Value:
    if isinstance(value, Sum | Largest):
        if new.is_float or (old.is_integer and new.bits >= old.bits):
            return value
        raise NotSymbolic("data is converted to an integer type that may not hold it", at)
    if new.is_float:
        return float(value)
    return new.wrap(int(value))


def _add(left: Value, right: Value, type_: Type, at: Span | None, sign: int = 1) -> Value:
    if not isinstance(left, Sum | Largest) and not isinstance(right, Sum | Largest):
        return left + sign * right
    one, other = _sum(left, at), _sum(right, at)
    terms = dict(one.terms)
    for product, factor in other.terms.items():
        terms[product] = terms.get(product, 0.0) + sign * factor
    return Sum(terms, one.constant + sign * other.constant)


def _sum(value: Value, at: Span | None) -> Sum:
    if isinstance(value, Sum):
        return value
    if isinstance(value, Largest):
        raise NotSymbolic("something is added to a maximum", at)
    return Sum({}, float(value))


def _subtract(left: Value, right: Value, type_: Type, at: Span | None) -> Value:
    return _add(left, right, type_, at, -1)


def _multiply(left: Value, right: Value, type_: Type, at: Span | None) -> Value:
    symbols = [v for v in (left, right) if isinstance(v, Sum | Largest)]
    if not symbols:
        return left * right
    one, other = _sum(left, at), _sum(right, at)
    terms: dict[Product, float] = {}
    for first, factor in (*one.terms.items(), ((), one.constant)):
        for second, by in (*other.terms.items(), ((), other.constant)):
            if factor and by and (first or second):
                product = tuple(sorted((*first, *second)))
                terms[product] = terms.get(product, 0.0) + factor * by
    return Sum(terms, one.constant * other.constant)


def _divide(left: Value, right: Value, type_: Type, at: Span | None) -> Value:
    by = _number(right, at)
    if isinstance(left, Sum | Largest):
        if type_.is_integer:
            raise NotSymbolic("integers are divided, which rounds", at)
        if by == 0:
            raise NotSymbolic("a division by zero", at)
        one = _sum(left, at)
        return Sum({p: f / by for p, f in one.terms.items()}, one.constant / by)
    if by == 0:
        return 0
    return left / by if type_.is_float else left // by


def _largest(left: Value, right: Value, type_: Type, at: Span | None) -> Value:
    if not isinstance(left, Sum | Largest) and not isinstance(right, Sum | Largest):
        return max(left, right)
    one, other = _elements(left, at), _elements(right, at)
    return Largest(one.elements | other.elements, max(one.least, other.least))


def _elements(value: Value, at: Span | None) -> Largest:
    if isinstance(value, Largest):
        return value
    if isinstance(value, Sum):
        single = value.single
        if single is None:
            raise NotSymbolic("a maximum of computed values", at)
        return Largest(frozenset([single]), float("-inf"))
    return Largest(frozenset(), float(value))


def _plain(function: Callable[[Any, Any], Any]) -> Callable[[Value, Value, Type, Any], Value]:
    def run(left: Value, right: Value, type_: Type, at: Span | None) -> Value:
        return function(_number(left, at), _number(right, at))

    return run


_OPERATIONS: dict[str, Callable[[Value, Value, Type, Any], Value]] = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "div": _divide,
    "max": _largest,
    "mod": _plain(lambda a, b: a % abs(b) if b else 0),
    "min": _plain(min),
    "eq": _plain(lambda a, b: a == b),
    "ne": _plain(lambda a, b: a != b),
    "lt": _plain(lambda a, b: a < b),
    "le": _plain(lambda a, b: a <= b),
    "gt": _plain(lambda a, b: a > b),
    "ge": _plain(lambda a, b: a >= b),
    "and": _plain(lambda a, b: a and b),
    "or": _plain(lambda a, b: a or b),
    "band": _plain(lambda a, b: a & b),
    "bor": _plain(lambda a, b: a | b),
    "bxor": _plain(lambda a, b: a ^ b),
    "shl": _plain(lambda a, b: a << b),
    "shr": _plain(lambda a, b: a >> b),
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
    from s2s.scop.nest import walk

    found = {a.name: a.tensor for a in nest.arguments if a.tensor is not None}
    found |= {
        node.tensor.name: node.tensor for node in walk(nest.body) if isinstance(node, Allocate)
    }
    return found | {table.name: table for table in nest.tables}
