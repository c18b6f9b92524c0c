"""Types of a program, and what its instructions read and make: values and constants."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScalarType:
    """An integer of 8 to 64 bits."""

    bits: int
    signed: bool = True

    def __str__(self) -> str:
        return f"{'' if self.signed else 'u'}int{self.bits}"


@dataclass(frozen=True, slots=True)
class VectorType:
    """``lanes`` integers of 8, 16, 32 (or 64) bits; 128 to 1024 bits together."""

    lanes: int
    bits: int
    signed: bool = True

    @property
    def width(self) -> int:
        """Bits of the whole register."""
        return self.lanes * self.bits

    @property
    def element(self) -> ScalarType:
        return ScalarType(self.bits, self.signed)

    def __str__(self) -> str:
        return f"v{self.lanes}{self.element}"


@dataclass(frozen=True, slots=True)
class AccumulatorType:
    """``lanes`` sums of 48 or 80 bits; 384 or 768 bits together."""

    lanes: int
    bits: int

    @property
    def width(self) -> int:
        """Bits of the whole register: a lane of 80 bits takes two of 48."""
        return self.lanes * (48 if self.bits == 48 else 96)

    def __str__(self) -> str:
        return f"v{self.lanes}acc{self.bits}"


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
    """A number known from the text."""

    value: int
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
