"""A kernel as typed instructions: what the text says, for values and for cycles alike.

Here are loops, branches and the whole; ``instructions.py`` has the instructions, ``values.py``
their operands and types. ``reading/read.py`` makes it of C text, ``execute.py`` runs it, the
scheduler places it. The whole grammar:

    Program  = name, Parameter*, Array*, Block, result?
    Block    = (Instruction | Loop | Branch)*
    Loop     = Carried*, test: Block, condition, body: Block
    Branch   = condition, then: Block, otherwise: Block, Merged*

    Instruction = Scalar | Offset | Load | Store                            pointers and scalars
                | Fill | Update | Extract | Concatenate | Rearrange         registers
                | Multiply | Accumulate | Convert                           arithmetic of vectors

It is in static single assignment form: a Value is the result of one instruction, a parameter, an
array's address, or made by a Loop (``Carried.inside``, ``Carried.after``) or a Branch
(``Merged.value``). A variable of the text that a loop changes is a Carried: its value inside is
``initial`` in the first iteration and the ``next`` of the iteration before in the others, so a
dependence carried by a loop is exactly one use of ``inside``. Helper functions are inlined, loops
that the text wants unrolled are unrolled, and operations on constants are folded. Nothing is
scheduled, hoisted or removed: that is the compiler's work, which the scheduler stands in for.

The address of a load or store is a pointer and a constant number of bytes. A pointer is an array's
address or a parameter, moved by Offset instructions; ``Program.addresses`` follows those.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cached_property

from s2s.simulators.aie.instructions import Instruction, Load, Offset, Store
from s2s.simulators.aie.values import (
    AccumulatorType,
    Constant,
    Operand,
    ScalarType,
    Value,
    VectorType,
)
from s2s.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Carried:
    """A variable that the iterations of a loop pass on.

    ``inside`` holds in the test and the body, ``after`` after the loop (it equals ``inside`` of
    the test that failed).
    """

    inside: Value
    initial: Operand
    next: Operand
    after: Value


@dataclass(frozen=True)
class Loop:
    """``while (test) body``, or ``do body while (test)`` with ``at_bottom``.

    ``trips`` is the number of iterations where the text alone fixes it. ``pipelined`` and
    ``bounds`` (least and greatest number of iterations, None for unknown) are the pragmas
    ``chess_prepare_for_pipelining`` and ``chess_loop_range``. ``number`` is unique in the program.
    """

    number: int
    carried: tuple[Carried, ...]
    test: Block
    condition: Operand
    body: Block
    at_bottom: bool = False
    trips: int | None = None
    pipelined: bool = False
    bounds: tuple[int | None, int | None] = (None, None)
    line: int = 0

    @property
    def is_innermost(self) -> bool:
        return not any(isinstance(item, Loop) for item in items(self.body))


@dataclass(frozen=True, slots=True)
class Merged:
    """A variable that a branch changes."""

    value: Value
    then: Operand
    otherwise: Operand


@dataclass(frozen=True)
class Branch:
    """``if (condition) then else otherwise``."""

    condition: Operand
    then: Block
    otherwise: Block
    merged: tuple[Merged, ...]
    line: int = 0


Item = Instruction | Loop | Branch
Block = tuple[Item, ...]


CASCADE = "cascade"
"""The ``window`` of arrays that stand for a cascade."""


class Direction(Enum):
    """What a kernel does with an array: only reads it, only writes it, or both."""

    IN = "in"
    OUT = "out"
    BOTH = "inout"


@dataclass(frozen=True)
class Array:
    """Memory under one name: a pointer parameter's, or a static or local array's.

    ``address`` is the value that stands for it. ``extents`` are those of the declaration, outermost
    first; empty for a pointer parameter about whose memory the text says nothing. ``initial`` are
    the elements that the text gives. ``window`` is the type of a parameter that is a window.
    ``place``: its bytes' address in memory, where a comment has it.
    ``restrict``: nothing else reaches it, as the text says. ``is_static`` arrays are the file's:
    others can name them.
    """

    address: Value
    name: str
    element: ScalarType | VectorType | AccumulatorType
    extents: tuple[int, ...]
    is_parameter: bool = False
    direction: Direction = Direction.BOTH
    alignment: int = 1
    initial: tuple[int, ...] | None = None
    window: str = ""
    restrict: bool = False
    place: int | None = None
    is_static: bool = False

    @property
    def is_stream(self) -> bool:
        """Whether it is no memory, but what comes over a stream or leaves by one."""
        return self.window.split("_")[1:2] == ["stream"]


@dataclass(frozen=True)
class Parameter:
    """A parameter that is no pointer: its value has to be given."""

    value: Value
    name: str


@dataclass(frozen=True)
class Program:
    """One kernel function with all that it calls.

    The first ``constructed`` items of its body run when the kernel is made, not with each call.
    """

    name: str
    parameters: tuple[Parameter | Array, ...]
    arrays: tuple[Array, ...]
    body: Block
    result: Operand | None = None
    line: int = 0
    constructed: int = 0

    @cached_property
    def addresses(self) -> Addresses:
        return Addresses(self)


def items(block: Block) -> Iterator[Item]:
    """Everything in a block, in the order of the text, from outside to inside."""
    for item in block:
        yield item
        if isinstance(item, Loop):
            yield from items(item.test)
            yield from items(item.body)
        elif isinstance(item, Branch):
            yield from items(item.then)
            yield from items(item.otherwise)


def instructions(block: Block) -> Iterator[Instruction]:
    return (item for item in items(block) if isinstance(item, Instruction))


def loops(block: Block) -> Iterator[Loop]:
    return (item for item in items(block) if isinstance(item, Loop))


class Addresses:
    """Where pointers come from."""

    def __init__(self, program: Program) -> None:
        self._arrays = {array.address: array for array in program.arrays}
        self._arrays |= {p.address: p for p in program.parameters if isinstance(p, Array)}
        self._sources: dict[Value, tuple[Operand, ...]] = {}
        for item in items(program.body):
            self._enter(item)

    def _enter(self, item: Item) -> None:
        if isinstance(item, Loop):
            for one in item.carried:
                self._sources[one.inside] = (one.initial, one.next)
                self._sources[one.after] = (one.inside, one.next)
        elif isinstance(item, Branch):
            for merged in item.merged:
                self._sources[merged.value] = (merged.then, merged.otherwise)
        elif isinstance(item, Offset):
            self._sources[item.value] = (item.pointer,)

    def bases(self, pointer: Operand) -> frozenset[Array]:
        """The arrays that a pointer may point into; empty where the text does not say."""
        found, seen, todo = set(), set(), [pointer]
        while todo:
            one = todo.pop()
            if isinstance(one, Constant) or one in seen:
                continue
            seen.add(one)
            if one in self._arrays:
                found.add(self._arrays[one])
            todo.extend(self._sources.get(one, ()))
        return frozenset(found)

    def alone(self, by: Load | Store) -> bool:
        """Whether an access is to memory that no pointer to another array reaches.

        Memory of the kernel's own is, and what a ``restrict`` pointer, its own or that of the
        array's parameter, says so of.
        """
        bases = self.bases(by.pointer)
        return by.alone or all(one.restrict or not one.is_parameter for one in bases)
