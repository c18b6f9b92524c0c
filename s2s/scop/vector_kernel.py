"""Kernels for a vector processor with a two-dimensional datapath: loops around straight code.

A kernel is a sequence of loop nests. Pointers walk through packed arrays; the body loads parts of
registers, multiplies and accumulates with data selection, and stores accumulators shifted. It is
what the steps of ``s2s.transforms.aie`` end with and what ``s2s.emitters.aie`` prints.
"""

from __future__ import annotations

from s2s.scop.contraction import Array
from s2s.scop.expressions import Type
from s2s.scop.layouts import Layout
from s2s.source.records import dataclass


@dataclass(frozen=True)
class PackedArray:
    """An argument of the kernel: ``layout`` of a source array's elements, as ``type``.

    ``size`` elements are read or written; a layout that ``is_natural`` needs no packing.
    """

    name: str
    type: Type
    size: int
    source: Array
    layout: Layout
    is_output: bool = False
    is_natural: bool = False
    is_input: bool = True
    """Whether the kernel reads it; an output may be both."""
    place: int | None = None
    """Where it lies, in bytes of the data memory; None: anywhere."""
    half: int = 0
    """Elements of its first half, where what is loaded from both at once must not share a bank."""


@dataclass(frozen=True)
class ConstantVector:
    """A table of the kernel's own: ``lanes`` times one value."""

    name: str
    type: Type
    value: int | float
    lanes: int


@dataclass(frozen=True)
class Pointer:
    """``array + offset`` plus ``steps`` (loop, elements) for each iteration of the loops."""

    name: str
    array: str
    offset: int
    steps: tuple[tuple[str, int], ...]

    def step(self, loop: str) -> int:
        """Elements that it moves per iteration of a loop."""
        return dict(self.steps).get(loop, 0)


@dataclass(frozen=True)
class Register:
    """A vector variable of ``lanes`` elements."""

    name: str
    type: Type
    lanes: int


@dataclass(frozen=True)
class Declare:
    """An undefined register."""

    register: Register


@dataclass(frozen=True)
class LoadPart:
    """256 bits from ``pointer + offset`` into a part of a register (or into all of a small one)."""

    register: Register
    part: int
    pointer: str
    offset: int


@dataclass(frozen=True)
class Selection:
    """Which elements of a register lanes and columns take, apart from where it starts.

    ``offsets``: a digit of 4 bits per lane (or pair of lanes); ``step``: from column (pair) to
    column; ``square``: four digits, None where the datapath has none.
    """

    offsets: int
    step: int = 0
    square: int | None = None


@dataclass(frozen=True)
class Multiply:
    """``accumulator (+)= x * z`` on lanes and columns; ``is_first`` starts the sum."""

    accumulator: str
    is_first: bool
    x: Register
    x_start: int
    x_selection: Selection
    z: Register
    z_start: int
    z_selection: Selection


@dataclass(frozen=True)
class Start:
    """An accumulator from ``register`` shifted left (None: zero)."""

    accumulator: str
    register: Register | None
    shift: int = 0


@dataclass(frozen=True)
class Finish:
    """Lanes of an accumulator, shifted right, to ``pointer + offset``.

    ``factor``: by what they are multiplied before.
    """

    accumulator: str
    pointer: str
    offset: int
    factor: Register | None = None


@dataclass(frozen=True)
class AddVector:
    """``accumulator += register``, of floats."""

    accumulator: str
    register: Register


@dataclass(frozen=True)
class Receive:
    """An accumulator that starts with what comes over the cascade."""

    accumulator: str


@dataclass(frozen=True)
class Send:
    """All lanes of an accumulator go over the cascade."""

    accumulator: str


@dataclass(frozen=True)
class Widen:
    """A vector of 16 bits, ``name``, from a register of bytes."""

    name: str
    register: Register


@dataclass(frozen=True)
class Maximum:
    """``register = max(register, other)``, lane by lane."""

    register: str
    other: str


@dataclass(frozen=True)
class Put:
    """A register to ``pointer + offset``, as elements of the output."""

    register: str
    pointer: str
    offset: int


Operation = (
    Declare
    | LoadPart
    | Multiply
    | Start
    | AddVector
    | Finish
    | Receive
    | Send
    | Widen
    | Maximum
    | Put
)


@dataclass(frozen=True)
class KernelLoop:
    """``trips`` iterations; ``step`` of them in the source's loop are one here."""

    name: str
    trips: int
    step: int
    origin: int = 0


@dataclass(frozen=True)
class KernelNest:
    """Loops, outermost first, the last one software-pipelined.

    ``before`` and ``after`` stand around the innermost ``inner`` loops (sums that go on through
    them); ``hoisted`` runs before these, once.
    """

    loops: tuple[KernelLoop, ...]
    pointers: tuple[Pointer, ...]
    body: tuple[Operation, ...]
    hoisted: tuple[Operation, ...] = ()
    before: tuple[Operation, ...] = ()
    after: tuple[Operation, ...] = ()
    inner: int = 1


@dataclass(frozen=True)
class Datapath:
    """``lanes`` sums of ``columns`` products each; operands of ``x_bits`` and ``z_bits``."""

    lanes: int
    columns: int
    x_bits: int
    z_bits: int
    accumulator_bits: int
    is_float: bool = False

    @property
    def macs(self) -> int:
        """Multiplications per instruction."""
        return self.lanes * self.columns


@dataclass(frozen=True)
class Cascade:
    """Where a kernel stands in a chain of kernels that pass sums on.

    ``receives``: its sums go on from what the core before made; ``sends``: they go to the next
    core, and no output is stored.
    """

    receives: bool = False
    sends: bool = False


ALONE = Cascade()
"""A kernel in no chain."""


@dataclass(frozen=True)
class ScaledSum:
    """How sums, as 32-bit numbers, are multiplied before they are shifted.

    ``late``, shifted left by ``late_shift``, is added. ``is_negative``: products are taken off.
    """

    late: ConstantVector | None
    late_shift: int
    is_negative: bool


@dataclass(frozen=True)
class Kernel:
    """A whole kernel; ``arrays`` in the order of the arguments."""

    name: str
    datapath: Datapath
    arrays: tuple[PackedArray, ...]
    nests: tuple[KernelNest, ...]
    shift: int
    macs: int
    notes: tuple[str, ...] = ()
    constants: tuple[ConstantVector, ...] = ()
    saturates: bool = False
    rounds: bool = False
    """Whether results are rounded to the nearest, halves up, as they are shifted."""
    least: int | float | None = None
    most: int | float | None = None
    """What results are limited to before they become elements; None: they are not."""
    negative: bool = False
    """Whether products are taken off the sums."""
    scale: float | None = None
    """By what sums of floats are multiplied before they are limited."""
    product: ScaledSum | None = None
    """How sums of integers are multiplied before they are shifted; None: they are not."""
    compares: bool = False
    """Whether ``macs`` are comparisons, and there is no sum."""

    def array(self, name: str) -> PackedArray:
        """The argument with a name."""
        return next(a for a in self.arrays if a.name == name)

    @property
    def output(self) -> PackedArray:
        """The array that is written; a kernel that sends its sums has none."""
        return next(a for a in self.arrays if a.is_output)
