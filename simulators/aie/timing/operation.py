"""What is scheduled: operations of the machine on virtual registers.

    Body      = Operation*, live in and live out registers, Edge* through memory
    Operation = slots, result: Register?, Operand*, Access?
    Operand   = (Part | nothing)*, role

A register is counted in parts: 128 bits of a vector, 384 bits of an accumulator. An operand names
each part that it reads, so a vector put together from two loads depends on both, and a part that
nobody has written is nothing. A part of ``distance`` d was written d iterations before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from enum import Enum
from typing import NamedTuple

from s2s.simulators.aie.values import Value
from s2s.source.records import dataclass


class File(Enum):
    """A file of registers."""

    VECTOR = "vector"
    ACCUMULATOR = "accumulator"
    SCALAR = "scalar"

    __hash__ = object.__hash__  # each is one object; that of the name takes long


class Role(Enum):
    """Where an operand goes, which is what decides the registers that can hold it."""

    X = "x"
    Z = "z"
    ANY = "any"
    SUM = "sum"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, eq=False)
class Register:
    """A virtual register: what one operation writes, or what is there when the body starts.

    Two registers are the same only if they are one object.
    """

    number: int
    file: File
    parts: int
    name: str = ""

    def __str__(self) -> str:
        return f"{self.name or '%'}.{self.number}"


@dataclass(frozen=True, slots=True)
class Part:
    """The ``index``-th part of a register, as it was ``distance`` iterations before."""

    register: Register
    index: int = 0
    distance: int = 0


Parts = tuple[Part | None, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """What an operation reads, ``stage`` cycles after its issue."""

    parts: Parts
    role: Role = Role.ANY
    stage: int = 0

    def reads(self) -> Iterator[Part]:
        return (part for part in self.parts if part is not None)


@dataclass(frozen=True, slots=True)
class Access:
    """Memory that an operation touches: ``size`` bytes at ``offset`` from what ``pointer`` names.

    Two accesses of one ``pointer`` are never in one cycle. ``arrays`` are the names of those that
    it may touch (none: any). ``root`` (values with their factors) and ``offset`` compare addresses:
    with equal roots the distance is that of the offsets, and both move ``step`` bytes per iteration
    (None: unknown). What is ``alone`` meets no access of other arrays; two that are not may
    be to the same memory under two names. ``transfer``: cycles for which the port of the stream
    ``pointer`` is taken (or what asks all streams for words), 0 for memory.
    """

    pointer: str
    arrays: frozenset[str]
    root: tuple[tuple[Value, int], ...] | str
    offset: int | None
    step: int | None
    size: int
    is_store: bool = False
    alone: bool = True
    transfer: int = 0


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: any of ``slots`` takes it, its result is there ``latency`` cycles later."""

    number: int
    mnemonic: str
    slots: tuple[str, ...]
    latency: int
    result: Register | None = None
    operands: tuple[Operand, ...] = ()
    access: Access | None = None
    line: int = 0
    _reads: tuple[tuple[Part, int], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found = [
            (part, operand.stage)
            for operand in self.operands
            for part in operand.parts
            if part is not None
        ]
        object.__setattr__(self, "_reads", tuple(found))

    def reads(self) -> tuple[tuple[Part, int], ...]:
        """The parts that it reads, each with the stage at which it does."""
        return self._reads

    def numbered(self, number: int) -> Operation:
        """The same operation with another number."""
        new = object.__new__(Operation)
        for name in Operation.__slots__:
            object.__setattr__(new, name, getattr(self, name))
        object.__setattr__(new, "number", number)
        return new

    def __str__(self) -> str:
        return f"{self.mnemonic}@{self.line}"


class Edge(NamedTuple):
    """``target`` issues ``latency`` or more after ``source`` of ``distance`` iterations before.

    ``source`` and ``target`` are numbers of operations.
    """

    source: int
    target: int
    latency: int
    distance: int = 0


@dataclass(frozen=True)
class Body:
    """Operations without control between them, in the order of the text.

    ``live_in`` registers are there when the body starts and when it ends; ``reloads`` gives, for
    those that are in memory all the while, the load that made them. ``live_out`` registers are read
    after the body, ``through`` ones only after it and not in it.
    """

    operations: tuple[Operation, ...]
    live_in: tuple[Register, ...] = ()
    live_out: tuple[Register, ...] = ()
    through: tuple[Register, ...] = ()
    reloads: tuple[tuple[Register, Operation], ...] = ()

    def __len__(self) -> int:
        return len(self.operations)


def called(cycles: int) -> Access | None:
    """What calls of the library have in common: they run one after the other, for these cycles."""
    if not cycles:
        return None
    return Access("library", frozenset({"library"}), "library", 0, 0, 0, transfer=cycles)


def transfers(operations: Iterable[Operation]) -> dict[str, int]:
    """Cycles for which operations take the ports of streams or the library, by their pointers."""
    found: dict[str, int] = {}
    for one in operations:
        if one.access is not None and one.access.transfer:
            pointer = one.access.pointer
            found[pointer] = found.get(pointer, 0) + one.access.transfer
    return found


def renumber_operations(body: Body) -> Body:
    """The body with its operations numbered in their order."""
    numbered = tuple(
        one if one.number == number else one.numbered(number)
        for number, one in enumerate(body.operations)
    )
    return replace(body, operations=numbered)
