"""A kernel as typed instructions: what the text says, for values and for cycles alike.

``read.py`` makes it of C text, ``execute.py`` runs it, the scheduler places it. The whole grammar:

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
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

# ------------------------------------------------------------------------------------- types


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


# ---------------------------------------------------------------------------------- operands


@dataclass(frozen=True, slots=True)
class Value:
    """What one definition makes; ``number`` is unique in the program, ``name`` is for people."""

    number: int
    type: Type
    name: str = ""

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


# ------------------------------------------------------------------------------ instructions


@dataclass(frozen=True, kw_only=True)
class Instruction:
    """One operation; ``line`` is where the text has it."""

    line: int = 0

    @property
    def result(self) -> Value | None:
        """The value that it makes; None for a store."""
        raise NotImplementedError

    @property
    def operands(self) -> tuple[Operand, ...]:
        """What it reads, in the order of its fields."""
        raise NotImplementedError


@dataclass(frozen=True)
class Scalar(Instruction):
    """``value = operation(inputs)`` on integers (or pointers compared or subtracted).

    ``operation`` is C's: ``+ - * / % << >> & | ^ ~ ! < <= > >= == !=``, ``neg``, or ``cast`` (to
    the type of the value), ``select`` (condition, then, otherwise), ``min``, ``max``, ``abs``.
    """

    value: Value
    operation: str
    inputs: tuple[Operand, ...]

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.inputs


@dataclass(frozen=True)
class Offset(Instruction):
    """``value = pointer + count * scale`` in bytes; only the pointer's type may change."""

    value: Value
    pointer: Value
    count: Operand
    scale: int

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.pointer, self.count)


@dataclass(frozen=True)
class Load(Instruction):
    """``value`` is what lies ``displacement`` bytes behind ``pointer``.

    ``through`` names the pointer variable of the text: a compiler takes accesses through different
    ones for independent.
    """

    value: Value
    pointer: Value
    displacement: int = 0
    through: str = ""

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.pointer,)


@dataclass(frozen=True)
class Store(Instruction):
    """``stored`` goes to memory, ``displacement`` bytes behind ``pointer``; see ``Load``."""

    pointer: Value
    stored: Operand
    type: Type
    displacement: int = 0
    through: str = ""

    @property
    def result(self) -> None:
        return None

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.pointer, self.stored)


@dataclass(frozen=True)
class Fill(Instruction):
    """A whole register: undefined, zero, or one scalar in every lane (``scalar``)."""

    value: Value
    defined: bool = True
    scalar: Operand = Constant(0)

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.scalar,)


@dataclass(frozen=True)
class Update(Instruction):
    """``value`` is ``vector`` with its ``index``-th part, as wide as ``part``, replaced."""

    value: Value
    vector: Value
    index: int
    part: Value

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.vector, self.part)


@dataclass(frozen=True)
class Extract(Instruction):
    """``value`` is the ``index``-th part of ``vector`` that is as wide as ``value``."""

    value: Value
    vector: Value
    index: int

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.vector,)


@dataclass(frozen=True)
class Concatenate(Instruction):
    """``value`` is the parts side by side, the first lowest."""

    value: Value
    parts: tuple[Value, ...]

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.parts


@dataclass(frozen=True, slots=True)
class Selection:
    """How one operand of a multiplication is picked, apart from its start.

    ``offsets`` has a digit of 4 bits for each lane (lane 0 lowest; ``_hi`` of the intrinsics in
    bits 32 up), ``step`` is the distance of columns in elements, ``square`` has a digit for each
    place of a 2x2 square, or is None where the intrinsic has none.
    """

    offsets: int
    step: int = 0
    square: int | None = None


@dataclass(frozen=True)
class Rearrange(Instruction):
    """Any other intrinsic on registers, by its name.

    ``ext_elem`` (vector, lane), ``upd_elem`` (vector, lane, scalar); with a selection for x and y,
    ``add16``, ``sub16`` and ``gt16`` (x, its start, y, its start; the latter gives a bit for each
    lane) and ``select16`` (the same and those bits: set, y is taken).
    """

    value: Value
    intrinsic: str
    inputs: tuple[Operand, ...]
    selections: tuple[Selection, ...] = ()

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.inputs


@dataclass(frozen=True, slots=True)
class Shape:
    """Lanes and columns of the datapath, and the bits of both operands."""

    lanes: int
    columns: int
    x_bits: int
    z_bits: int

    @property
    def multiplications(self) -> int:
        return self.lanes * self.columns


@dataclass(frozen=True)
class Multiply(Instruction):
    """``value = accumulator +- sum over columns of x[...] * z[...]``, lane by lane.

    ``accumulator`` is None for the intrinsics that start a sum (``mul``, ``negmul``); ``negated``
    is for those that subtract (``negmul``, ``msc``).
    """

    value: Value
    intrinsic: str
    shape: Shape
    accumulator: Value | None
    negated: bool
    x: Value
    x_start: Operand
    x_selection: Selection
    z: Value
    z_start: Operand
    z_selection: Selection

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        sums = () if self.accumulator is None else (self.accumulator,)
        return (*sums, self.x, self.x_start, self.z, self.z_start)


@dataclass(frozen=True)
class Accumulate(Instruction):
    """Accumulators added or subtracted lane by lane: ``operation`` is ``+``, ``-`` or ``neg``."""

    value: Value
    operation: str
    inputs: tuple[Value, ...]

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.inputs


@dataclass(frozen=True)
class Convert(Instruction):
    """Accumulator to vector (``srs`` and its kin, shift right) or back (``ups``, shift left).

    ``rounding`` and ``saturates`` are the modes that are set where it stands.
    """

    value: Value
    intrinsic: str
    source: Value
    shift: Operand
    rounding: str = "rnd_floor"
    saturates: bool = False

    @property
    def result(self) -> Value:
        return self.value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.source, self.shift)


# ------------------------------------------------------------------------------------ control


@dataclass(frozen=True, slots=True)
class Carried:
    """A variable that the iterations of a loop pass on.

    ``inside`` holds in the test and the body, ``after`` behind the loop (it equals ``inside`` of
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
    ``is_static`` arrays are the file's: others can name them.
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
    is_static: bool = False


@dataclass(frozen=True)
class Parameter:
    """A parameter that is no pointer: its value has to be given."""

    value: Value
    name: str


@dataclass(frozen=True)
class Program:
    """One kernel function with all that it calls."""

    name: str
    parameters: tuple[Parameter | Array, ...]
    arrays: tuple[Array, ...]
    body: Block
    result: Operand | None = None
    line: int = 0

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
