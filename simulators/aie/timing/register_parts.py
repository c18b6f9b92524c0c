"""Registers by their parts: the file of a type, how many parts it takes, how it is accessed."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.simulators.aie.timing.operation import File, Part, Parts, Register
from s2s.simulators.aie.values import AccumulatorType, PointerType, Type, VectorType, size_of

_PART = 128  # bits of a vector's part
_HALF = 384  # bits of an accumulator's part
_PORT = 32  # bytes of one access to memory


def part_at(parts: Parts, index: int) -> Part | None:
    return parts[index] if index < len(parts) else None


def whole_register(register: Register) -> Parts:
    return tuple(Part(register, index) for index in range(register.parts))


def file_of(kind: Type) -> File:
    if isinstance(kind, VectorType):
        return File.VECTOR
    return File.ACCUMULATOR if isinstance(kind, AccumulatorType) else File.SCALAR


def part_bits(kind: Type) -> int:
    return {File.VECTOR: _PART, File.ACCUMULATOR: _HALF, File.SCALAR: 32}[file_of(kind)]


def parts_of(kind: Type) -> int:
    """Parts of a register of this type."""
    if isinstance(kind, VectorType | AccumulatorType):
        return max(1, kind.width // part_bits(kind))
    return 1


def accesses_of(kind: Type) -> Iterator[tuple[int, int]]:
    """Offset and size in bytes of the accesses that a value of this type takes."""
    size = 4 if isinstance(kind, PointerType) else size_of(kind)
    if isinstance(kind, AccumulatorType):
        each = max(size // parts_of(kind), 1)
        yield from ((offset, each) for offset in range(0, size, each))
    else:
        yield from ((offset, min(_PORT, size)) for offset in range(0, max(size, 1), _PORT))
