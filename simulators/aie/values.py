"""Types of a program, and what its instructions read and make: values and constants."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Any

from s2s.source.records import dataclass


class Numbers(Enum):
    """What the bits of an element are: an integer, a float, or two integers (``cint16``)."""

    INTEGER = "int"
    FLOAT = "float"
    COMPLEX = "cint"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """An integer of 8 to 64 bits, a float of 32 or 64, a complex number of two integers."""

    bits: int
    signed: bool = True
    numbers: Numbers = Numbers.INTEGER

    @property
    def is_float(self) -> bool:
        return self.numbers is Numbers.FLOAT

    @property
    def is_complex(self) -> bool:
        return self.numbers is Numbers.COMPLEX

    @property
    def part(self) -> ScalarType:
        """The integers of a complex number."""
        return ScalarType(self.bits // 2) if self.is_complex else self

    def __str__(self) -> str:
        if self.is_float:
            return "float" if self.bits == 32 else "double"
        if self.is_complex:
            return f"cint{self.bits // 2}"
        return f"{'' if self.signed else 'u'}int{self.bits}"


@dataclass(frozen=True, slots=True)
class VectorType:
    """``lanes`` numbers of 8, 16, 32 (or 64) bits; 128 to 1024 bits together."""

    lanes: int
    bits: int
    signed: bool = True
    numbers: Numbers = Numbers.INTEGER

    @property
    def width(self) -> int:
        """Bits of the whole register."""
        return self.lanes * self.bits

    @property
    def element(self) -> ScalarType:
        return ScalarType(self.bits, self.signed, self.numbers)

    def of(self, lanes: int) -> VectorType:
        """A vector of so many of these numbers."""
        return replace(self, lanes=lanes)

    def __str__(self) -> str:
        return f"v{self.lanes}{self.element}"


@dataclass(frozen=True, slots=True)
class AccumulatorType:
    """``lanes`` sums of 48 or 80 bits, or of two of these; 384 or 768 bits together."""

    lanes: int
    bits: int
    is_complex: bool = False

    @property
    def width(self) -> int:
        """Bits of the whole register: a lane of 80 bits takes two of 48."""
        return self.lanes * (48 if self.bits == 48 else 96) * (1 + self.is_complex)

    def __str__(self) -> str:
        return f"v{self.lanes}{'c' * self.is_complex}acc{self.bits}"


@dataclass(frozen=True, slots=True)
class PointerType:
    """An address; what it points to has ``size`` bytes."""

    target: Type

    def __str__(self) -> str:
        return f"{self.target} *"


Type = ScalarType | VectorType | AccumulatorType | PointerType


def size_of(kind: Type) -> int:
    """Bytes of an object of this type in memory."""
    if isinstance(kind, PointerType):
        return 4
    if isinstance(kind, ScalarType):
        return kind.bits // 8
    return kind.width // 8


@dataclass(frozen=True, slots=True)
class Value:
    """What one definition makes; ``number`` is unique in the program, ``name`` is for people."""

    number: int
    type: Type
    name: str = ""

    def __hash__(self) -> int:
        return self.number

    def __str__(self) -> str:
        return f"{self.name or '%'}.{self.number}"


@dataclass(frozen=True, slots=True)
class Constant:
    """A number known from the text; ``value`` is a float where its type is one."""

    value: Any
    type: ScalarType = ScalarType(32)

    def __str__(self) -> str:
        return str(self.value)


Operand = Value | Constant


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant + sum(factor * value)``; terms in the order of the values' numbers."""

    terms: tuple[tuple[Value, int], ...] = ()
    constant: int = 0

    def plus(self, other: Affine) -> Affine:
        sums = dict(self.terms)
        for value, factor in other.terms:
            sums[value] = sums.get(value, 0) + factor
        kept = sorted(
            ((value, factor) for value, factor in sums.items() if factor),
            key=lambda term: term[0].number,
        )
        return Affine(tuple(kept), self.constant + other.constant)

    def times(self, factor: int) -> Affine:
        if factor == 0:
            return Affine()
        return Affine(tuple((v, f * factor) for v, f in self.terms), self.constant * factor)

    @property
    def values(self) -> tuple[Value, ...]:
        return tuple(value for value, _ in self.terms)


FLOAT = ScalarType(32, True, Numbers.FLOAT)
DOUBLE = ScalarType(64, True, Numbers.FLOAT)
CINT16 = ScalarType(32, True, Numbers.COMPLEX)
CINT32 = ScalarType(64, True, Numbers.COMPLEX)
