"""Programs in CCE C: loops around intrinsics, buffers at fixed addresses.

    Program   := name  Argument*  Buffer*  blocks  Statement*
    Statement := Loop(variable, extent, Statement*) | Call(name, operand*) | Note(text)
    operand   := Linear (a number) | Place(array, Linear) (the address of an element) | text

Numbers are affine in loops' variables, ``block_idx`` and names of ``Loop.first``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.scop.linear import Linear
from s2s.source.records import dataclass

Number = Linear[str]


@dataclass(frozen=True)
class Argument:
    """An array in global memory; extents outermost first."""

    name: str
    extents: tuple[int, ...]
    is_output: bool
    element: str = "half"


@dataclass(frozen=True)
class Buffer:
    """Bytes of a memory of the core: ``space`` is "ub" or "l1", ``size`` in bytes."""

    name: str
    space: str
    address: int
    size: int
    element: str = "half"


@dataclass(frozen=True)
class Place:
    """The address of an element of an argument or a buffer."""

    array: str
    offset: Number


Operand = Number | Place | str


@dataclass(frozen=True)
class Call:
    """An intrinsic with its operands."""

    name: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class Loop:
    """``variable`` from 0 (or ``first``) to ``extent`` (or the text ``limit``)."""

    variable: str
    extent: int
    body: tuple[Statement, ...]
    first: Number = Linear()
    step: int = 1
    limit: str = ""


@dataclass(frozen=True)
class Note:
    """A comment."""

    text: str


Statement = Call | Loop | Note


@dataclass(frozen=True)
class Program:
    """A kernel that runs in ``blocks`` blocks, one on a core."""

    name: str
    arguments: tuple[Argument, ...]
    buffers: tuple[Buffer, ...]
    blocks: int
    body: tuple[Statement, ...]
    about: tuple[str, ...] = ()


def calls(statements: Sequence[Statement], times: int = 1) -> Iterator[tuple[Call, int]]:
    """All calls, each with how often it runs in the largest block."""
    for statement in statements:
        match statement:
            case Call():
                yield statement, times
            case Loop():
                yield from calls(statement.body, times * -(-statement.extent // statement.step))
