"""Typed expression trees: the values that tensor statements compute.

The same trees come from C and from Halide-like C++. Every node has a ``type``; operands of one
operation have one type, conversions are explicit (``Cast``), and arithmetic means what Halide
documents: unsigned integers and signed ones below 32 bits wrap, overflow of int32 and int64 is
undefined, division and modulo of integers round so that the remainder is never negative (Euclid;
for positive divisors that is floor), and by zero give zero.

Nodes are interned: structurally equal ones are the same object, so that equality and hashing cost
nothing and a walk can remember what it has seen.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from weakref import ref

from s2s.source.records import dataclass


@dataclass(frozen=True, eq=False)
class Type:
    """A scalar type: ``code`` is int, uint, float, bfloat or handle; a truth value is uint 1.

    Equal ones are one object, as the nodes are whose keys they are part of.
    """

    code: str
    bits: int

    _made: ClassVar[dict[tuple[str, int], Type]] = {}

    def __new__(cls, code: str, bits: int) -> Type:
        known = cls._made.get((code, bits))
        return known or cls._made.setdefault((code, bits), object.__new__(cls))

    def __getnewargs__(self) -> tuple[str, int]:
        return self.code, self.bits

    def __str__(self) -> str:
        return "bool" if self == BOOL else f"{self.code}{self.bits}"

    @property
    def is_integer(self) -> bool:
        return self.code in ("int", "uint")

    @property
    def is_float(self) -> bool:
        return self.code in ("float", "bfloat")

    @property
    def smallest(self) -> int:
        """The least value of an integer type."""
        return -(1 << (self.bits - 1)) if self.code == "int" else 0

    @property
    def largest(self) -> int:
        """The greatest value of an integer type."""
        return (1 << (self.bits - 1)) - 1 if self.code == "int" else (1 << self.bits) - 1

    @property
    def wraps(self) -> bool:
        """Whether overflow is defined: modulo 2**bits."""
        return self.code == "uint" or (self.code == "int" and self.bits < 32)

    def wrap(self, value: int) -> int:
        """An integer converted to this integer type, as ``Cast`` does."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if value > self.largest else value


BOOL = Type("uint", 1)
INT32 = Type("int", 32)
FLOAT32 = Type("float", 32)

_T = TypeVar("_T")


class _Interned(type):
    """Calls with equal arguments give one object.

    What is remembered of nodes that are gone stays until it is much: a callback for each of them,
    as ``WeakValueDictionary`` has, takes longer than what the nodes are made for.
    """

    _known: ClassVar[dict[tuple[object, ...], ref[Any]]] = {}
    _most: ClassVar[int] = 1 << 14

    def __call__(cls: type[_T], *args: Any, **keywords: Any) -> _T:
        names = field_names(cls)
        if len(args) != len(names):
            made = type.__call__(cls, *args, **keywords)
            return cls(*(getattr(made, name) for name in names))
        # Only literals have values that are equal and not the same.
        key = (cls, *map(_key, args)) if cls is Const else (cls, *args)
        known = _Interned._known.get(key)
        found: _T | None = None if known is None else known()
        if found is None:
            found = object.__new__(cls)
            found.__dict__.update(zip(names, args, strict=True))
            if len(_Interned._known) >= _Interned._most:
                _forget_what_is_gone()
            _Interned._known[key] = ref(found)
        return found


def _forget_what_is_gone() -> None:
    """Free the memory of nodes that nobody has: the last to go are parts of those before."""
    known = _Interned._known
    gone: list[tuple[object, ...]] = [()]
    while gone:
        gone = [key for key, node in tuple(known.items()) if node() is None]
        for key in gone:
            del known[key]
    _Interned._most = max(1 << 14, 2 * len(known))


if TYPE_CHECKING:
    remembered = cached_property
else:

    class remembered(cached_property):
        """Without the lock of Python 3.11, which takes longer than most of what is computed."""

        def __get__(self, node, owner=None):
            value = node.__dict__[self.attrname] = self.func(node)
            return value


_names: dict[object, tuple[str, ...]] = {}


def field_names(cls: Any) -> tuple[str, ...]:
    """The names of a node's fields; remembered, as nodes are made all the time."""
    known = _names.get(cls)
    if known is None:
        known = _names[cls] = tuple(item.name for item in fields(cls))
    return known


def _key(value: object) -> object:
    """What tells values apart: 0.0 and -0.0 differ, 1 and 1.0 and True differ, a NaN is itself."""
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, bool):
        return ("bool", value)
    return value


@dataclass(frozen=True, eq=False)
class Expr(metaclass=_Interned):
    """A node; the subclasses say which."""

    type: Type

    @remembered
    def operands(self) -> tuple[Expr, ...]:
        """The nodes directly below."""
        found: list[Expr] = []
        for name in field_names(type(self)):
            value = getattr(self, name)
            if isinstance(value, Expr):
                found.append(value)
            elif isinstance(value, tuple):
                found += [v for v in value if isinstance(v, Expr)]
        return tuple(found)

    @remembered
    def variables(self) -> frozenset[str]:
        """Names of variables anywhere below, those that a ``Let`` binds included."""
        own = frozenset((self.name,)) if isinstance(self, Variable) else frozenset()
        return own.union(*(operand.variables for operand in self.operands))

    @remembered
    def reads(self) -> bool:
        """Whether an element of a tensor is loaded anywhere below."""
        return isinstance(self, Load) or any(operand.reads for operand in self.operands)

    @remembered
    def has_lets(self) -> bool:
        """Whether there is a ``Let`` here or anywhere below."""
        return isinstance(self, Let) or any(operand.has_lets for operand in self.operands)


@dataclass(frozen=True, eq=False)
class Const(Expr):
    """A literal: an int within the type's range, or a float that the type represents exactly."""

    value: int | float


@dataclass(frozen=True, eq=False)
class Variable(Expr):
    """A loop's variable, a parameter of the pipeline, or what a ``Let`` names."""

    name: str


@dataclass(frozen=True, eq=False)
class Cast(Expr):
    """Conversion: integers wrap, floats to integers truncate toward zero."""

    value: Expr


@dataclass(frozen=True, eq=False)
class Binary(Expr):
    """``op`` is one of OPERATORS; comparisons and logic give BOOL, else the operands' type.

    Shifts may have a second operand of the other signedness (same bits).
    """

    op: str
    left: Expr
    right: Expr


OPERATORS = (
    *("add", "sub", "mul", "div", "mod", "min", "max"),
    *("eq", "ne", "lt", "le", "gt", "ge", "and", "or"),
    *("band", "bor", "bxor", "shl", "shr"),
)


@dataclass(frozen=True, eq=False)
class Unary(Expr):
    """``op`` is ``not`` (BOOL) or ``bnot`` (all bits)."""

    op: str
    value: Expr


@dataclass(frozen=True, eq=False)
class Select(Expr):
    """``condition`` ? ``then`` : ``otherwise``; both are evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, eq=False)
class Load(Expr):
    """An element of a tensor (a Func's realization, an input image); subscripts are INT32.

    ``component`` is the place in a tuple-valued Func. The first subscript is Halide's first
    argument: innermost in the default layout.
    """

    tensor: str
    subscripts: tuple[Expr, ...]
    component: int = 0


@dataclass(frozen=True, eq=False)
class Call(Expr):
    """A pure function or an intrinsic, by Halide's name.

    ``sqrt exp log pow sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh floor ceil
    round trunc`` (floats); ``abs absd lerp likely likely_if_innermost saturating_cast reinterpret
    count_leading_zeros count_trailing_zeros popcount mux is_nan is_inf fast_inverse
    fast_inverse_sqrt random undef``; the fixed-point ones of Halide's IROperator
    (``widening_add halving_add rounding_halving_add saturating_add mul_shift_right ...``).
    """

    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Let(Expr):
    """``body`` in which ``name`` stands for ``value``."""

    name: str
    value: Expr
    body: Expr


def walk(expr: Expr) -> Iterator[Expr]:
    """Every distinct node of a tree once, operands first."""
    seen: set[int] = set()
    stack: list[tuple[Expr, bool]] = [(expr, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            if not node.operands:
                yield node
                continue
            stack.append((node, True))
            for child in reversed(node.operands):
                if id(child) not in seen:
                    stack.append((child, False))
