"""What C++ expressions evaluate to: numbers of C++'s types, references, enumerators.

``int``, ``bool`` and ``double`` are Python's int, bool and float, strings are str; other
arithmetic types are ``Number``. An expression may give a ``Ref``: a place with ``get`` and
``set``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate.types import SCALARS
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Type
from s2s.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A value of an arithmetic type that is not int, bool or double."""

    value: int | float
    type: str


@dataclass(frozen=True, slots=True)
class Enumerator:
    """``MemoryType::Heap``: the name, its value, the enumeration."""

    name: str
    value: int
    type: str


class Void:
    """What a function without a result gives; also the null pointer and what is not known."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


VOID = Void("void")
NULL = Void("nullptr")
UNDEFINED = Void("an undefined Expr")
STREAM = Void("a stream")


class Ref:
    """A place."""

    __slots__ = ()

    def get(self) -> Any:
        raise NotImplementedError

    def set(self, value: Any) -> None:
        raise NotImplementedError


class Cell(Ref):
    """A variable."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def get(self) -> Any:
        return self.value

    def set(self, value: Any) -> None:
        self.value = value


class Slot(Ref):
    """An element of a list or a value of a dictionary."""

    __slots__ = ("items", "key", "to")

    def __init__(self, items: Any, key: Any, to: Callable[[Any], Any] | None = None) -> None:
        self.items, self.key, self.to = items, key, to

    def get(self) -> Any:
        return self.items[self.key]

    def set(self, value: Any) -> None:
        self.items[self.key] = value if self.to is None else self.to(value)


class Pointer:
    """A pointer to a place, or into a list at an index (an iterator)."""

    __slots__ = ("index", "items", "target")

    def __init__(self, target: Ref | None, items: Any = None, index: int = 0) -> None:
        self.target, self.items, self.index = target, items, index

    def ref(self) -> Ref:
        if self.target is not None:
            return self.target
        if not 0 <= self.index < len(self.items):
            raise Illegal("a pointer or iterator past the end of its container is followed")
        return Slot(self.items, self.index)

    def moved(self, by: int) -> Pointer:
        if self.target is not None:
            raise Illegal("arithmetic on a pointer to a single object is not supported")
        return Pointer(None, self.items, self.index + by)


def deref(value: Any) -> Any:
    return value.get() if isinstance(value, Ref) else value


def unwrap_parameter(value: Any) -> Any:
    """The value of a generator parameter; other values stay."""
    found = getattr(value, "scalar_value", None)
    return value if found is None else found


def number(value: Any) -> int | float | None:
    """The plain value of anything arithmetic, None for others."""
    if isinstance(value, int | float):
        return value
    if isinstance(value, Number | Enumerator):
        return value.value
    return None


def type_name(value: Any) -> str:
    """The arithmetic type of a value."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "double"
    if isinstance(value, Enumerator):
        return "int"
    return str(value.type)


def of_type(value: int | float, name: str) -> Any:
    """A plain value converted to an arithmetic type."""
    signed, bits = SCALARS[name]
    if name == "bool":
        return value != 0
    if signed is None:
        real = float(value) if abs(value) < 10**308 else math.copysign(math.inf, value)
        return real if bits == 64 else Number(typing.rounded(Type("float", 32), real), name)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Illegal(f"conversion of {value} to {name} is undefined")
        value = int(value)
    wrapped = Type("int" if signed else "uint", bits).wrap(value)
    return wrapped if name == "int" else Number(wrapped, name)


def scalar_type(name: str) -> Type:
    """Halide's type for a C++ arithmetic type."""
    if name == "bool":
        return Type("uint", 1)
    signed, bits = SCALARS[name]
    return Type("float" if signed is None else "int" if signed else "uint", bits)


def promoted(name: str) -> str:
    signed, bits = SCALARS[name]
    return "int" if signed is not None and bits < 32 else name


def usual(left: str, right: str) -> str:
    """The type of an arithmetic operation on two types."""
    left, right = promoted(left), promoted(right)
    if left == right:
        return left
    order = ["int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long"]
    order += ["float", "double", "long double"]
    return max(left, right, key=order.index)


def arithmetic(op: str, left: Any, right: Any) -> Any:
    """A built-in binary operator on two arithmetic values."""
    a, b = number(left), number(right)
    assert a is not None and b is not None
    compared = _COMPARE.get(op)
    if type(left) is int and type(right) is int:
        type_ = "int"
    elif op in ("<<", ">>"):
        type_ = promoted(type_name(left))
    else:
        type_ = usual(type_name(left), type_name(right))
        a, b = number(of_type(a, type_)), number(of_type(b, type_))
        assert a is not None and b is not None
    if compared is not None:
        return compared(a, b)
    return of_type(_computed(op, a, b, type_), type_)


def _computed(op: str, a: Any, b: Any, type_: str) -> int | float:
    floating = SCALARS[type_][0] is None
    match op:
        case "+":
            return a + b  # type: ignore[no-any-return]
        case "-":
            return a - b  # type: ignore[no-any-return]
        case "*":
            return a * b  # type: ignore[no-any-return]
        case "/" | "%":
            return _divided(op, a, b, floating)
    if floating:
        raise Illegal(f"operator {op} on floating-point values")
    if op in ("<<", ">>"):
        if not 0 <= b < SCALARS[type_][1]:
            raise Illegal(f"shift by {b} is undefined")
        return a << b if op == "<<" else a >> b  # type: ignore[no-any-return]
    return {"&": a & b, "|": a | b, "^": a ^ b}[op]  # type: ignore[no-any-return]


def _divided(op: str, a: Any, b: Any, floating: bool) -> int | float:
    if floating:
        if b == 0:
            return (
                math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
            )
        return a / b if op == "/" else math.fmod(a, b)
    if b == 0:
        raise Illegal("division by zero")
    quotient = abs(a) // abs(b)
    quotient = quotient if (a < 0) == (b < 0) else -quotient
    return quotient if op == "/" else a - quotient * b  # type: ignore[no-any-return]


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: bool(a < b),
    ">": lambda a, b: bool(a > b),
    "<=": lambda a, b: bool(a <= b),
    ">=": lambda a, b: bool(a >= b),
    "==": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
}


def truth(value: Any) -> bool:
    """A value as a condition."""
    plain = number(value)
    if plain is not None:
        return plain != 0
    if value is NULL:
        return False
    if isinstance(value, Pointer):
        return True
    raise Illegal(f"{describe(value)} is no condition that is known when the pipeline is built")


def describe(value: Any) -> str:
    """A few words for messages."""
    if isinstance(value, Void):
        return value.text
    return str(getattr(type(value), "words", None) or f"a value of type {type(value).__name__}")
