"""The instructions of a program; ``program.py`` has the grammar and what is around them."""

from __future__ import annotations

from s2s.simulators.aie.values import Constant, Operand, Type, Value
from s2s.source.records import dataclass

_ZERO = Constant(0)


@dataclass(frozen=True, kw_only=True)
class Instruction:
    """One operation; ``line`` is where the text has it."""

    line: int = 0

    @property
    def result(self) -> Value | None:
        """The value that it makes; None for a store."""
        return None

    @property
    def operands(self) -> tuple[Operand, ...]:
        """What it reads, in the order of its fields."""
        raise NotImplementedError


@dataclass(frozen=True)
class Making(Instruction):
    """An instruction that makes ``value``."""

    value: Value

    @property
    def result(self) -> Value:
        return self.value


@dataclass(frozen=True)
class Scalar(Making):
    """``value = operation(inputs)`` on integers (or pointers compared or subtracted).

    ``operation`` is C's: ``+ - * / % << >> & | ^ ~ ! < <= > >= == !=``, ``neg``, or ``cast`` (to
    the type of the value), ``select`` (condition, then, otherwise), ``min``, ``max``, ``abs``.
    """

    operation: str
    inputs: tuple[Operand, ...]

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.inputs


@dataclass(frozen=True)
class Offset(Making):
    """``value = pointer + count * scale`` in bytes; only the pointer's type may change."""

    pointer: Value
    count: Operand
    scale: int

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.pointer, self.count)


@dataclass(frozen=True)
class Load(Making):
    """``value`` is what lies ``displacement`` bytes after ``pointer``.

    ``through`` names the pointer variable of the text: a compiler takes accesses through different
    ones for independent. ``alone``: a ``restrict`` pointer says that nothing else reaches it.
    ``around``: a window's place, which goes on at its start where it ends. ``asked``: one word that
    ``readincr`` asks a stream for.
    """

    pointer: Value
    displacement: int = 0
    through: str = ""
    alone: bool = False
    around: bool = False
    asked: bool = False

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.pointer,)


@dataclass(frozen=True)
class Store(Instruction):
    """``stored`` goes to memory, ``displacement`` bytes after ``pointer``; see ``Load``."""

    pointer: Value
    stored: Operand
    type: Type
    displacement: int = 0
    through: str = ""
    alone: bool = False
    around: bool = False

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.pointer, self.stored)


@dataclass(frozen=True)
class Fill(Making):
    """A whole register: undefined, zero, or one scalar in every lane (``scalar``)."""

    defined: bool = True
    scalar: Operand = _ZERO

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.scalar,)


@dataclass(frozen=True)
class Update(Making):
    """``value`` is ``vector`` with its ``index``-th part, as wide as ``part``, replaced."""

    vector: Value
    index: int
    part: Value

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.vector, self.part)


@dataclass(frozen=True)
class Extract(Making):
    """``value`` is the ``index``-th part of ``vector`` that is as wide as ``value``."""

    vector: Value
    index: int

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.vector,)


@dataclass(frozen=True)
class Concatenate(Making):
    """``value`` is the parts side by side, the first lowest."""

    parts: tuple[Value, ...]

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
class Rearrange(Making):
    """Any other intrinsic on registers, by its name.

    ``ext_elem`` (vector, lane), ``upd_elem`` (vector, lane, scalar), ``shft_elem`` (vector,
    scalar), ``+``, ``-``, ``max``, ``min`` and ``abs`` lane by lane; with a selection for x and y,
    ``add16``, ``sub16``, ``max16``, ``min16`` and ``gt16`` (x, its start, y, its start; the latter
    gives a bit for each lane) and ``select16`` (the same and those bits: set, y is taken); with a
    square, ``max32``, ``min32``, ``select32`` and ``shuffle32`` (x alone). ``unpack``,
    ``pack``: bytes as 16 bits, and back.
    """

    intrinsic: str
    inputs: tuple[Operand, ...]
    selections: tuple[Selection, ...] = ()

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


@dataclass(frozen=True, slots=True)
class Fold:
    """The pre-adder: elements of Y that are added to those of X before they are multiplied.

    They are picked as those of X are, with the columns the other way round and, of 16 bits, with a
    square of their own; ``sign`` -1 takes them off. With ``middle`` the last column has one element
    of X alone, so far from where X starts.
    """

    y: Value
    start: Operand
    sign: int
    middle: int | None = None
    square: int | None = None

    def selection(self, of_x: Selection) -> Selection:
        """How elements of Y are picked."""
        return Selection(of_x.offsets, -of_x.step, self.square)


@dataclass(frozen=True)
class Multiply(Making):
    """``value = accumulator +- sum over columns of x[...] * z[...]``, lane by lane.

    ``accumulator`` is None for the intrinsics that start a sum (``mul``, ``negmul``); ``negated``
    is for those that subtract (``negmul``, ``msc``). The sums of floats are vectors.
    """

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
    fold: Fold | None = None

    @property
    def operands(self) -> tuple[Operand, ...]:
        sums = () if self.accumulator is None else (self.accumulator,)
        folded = () if self.fold is None else (self.fold.y, self.fold.start)
        return (*sums, self.x, self.x_start, self.z, self.z_start, *folded)


@dataclass(frozen=True)
class Accumulate(Making):
    """Accumulators added or subtracted lane by lane: ``operation`` is ``+``, ``-`` or ``neg``."""

    operation: str
    inputs: tuple[Value, ...]

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.inputs


@dataclass(frozen=True)
class Convert(Making):
    """Accumulator to vector (``srs`` and its kin, shift right) or back (``ups``, shift left).

    ``rounding`` and ``saturates`` are the modes that are set where it stands.
    """

    intrinsic: str
    source: Value
    shift: Operand
    rounding: str = "rnd_floor"
    saturates: bool = False

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.source, self.shift)
