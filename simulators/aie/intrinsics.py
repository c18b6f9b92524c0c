"""The types and intrinsics that kernels may use: their names, arguments and shapes.

What an intrinsic computes is in ``selection.py`` and ``arithmetic.py``; here is how the text names
it. ``docs/aie-simulator.md`` lists what there is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from s2s.simulators.aie.instructions import Shape
from s2s.simulators.aie.values import AccumulatorType, ScalarType, Type, VectorType

SCALARS: dict[str, ScalarType] = {
    **{f"{u}int{n}{t}": ScalarType(n, not u) for u in ("", "u") for n in (8, 16, 32, 64)
       for t in ("", "_t")},
    "size_t": ScalarType(32, False),
    "ptrdiff_t": ScalarType(32),
    "bool": ScalarType(8, False),
    "cint": ScalarType(32),
}  # fmt: skip

_REGISTER = re.compile(r"v(\d+)(u?)(int|acc)(\d+)$")
VECTOR_WIDTHS = (128, 256, 512, 1024)
PARTS = {"v": 128, "w": 256, "x": 512, "y": 1024}
WINDOW = re.compile(r"(input|output)_(window|stream)_(u?int(?:8|16|32))$")


@cache
def named_type(name: str) -> Type | None:
    """The type of a name: ``int16_t``, ``v32int16``, ``v8acc80``; None for any other."""
    if name in SCALARS:
        return SCALARS[name]
    match = _REGISTER.match(name)
    if not match:
        return None
    lanes, unsigned, kind, bits = int(match[1]), bool(match[2]), match[3], int(match[4])
    if kind == "acc":
        known = (lanes, bits) in ((8, 48), (16, 48), (4, 80), (8, 80)) and not unsigned
        return AccumulatorType(lanes, bits) if known else None
    known = bits in (8, 16, 32, 64) and lanes * bits in VECTOR_WIDTHS
    return VectorType(lanes, bits, not unsigned) if known else None


def type_names() -> list[str]:
    """All names that a parser has to take for types."""
    vectors = [
        f"v{width // bits}{unsigned}int{bits}"
        for width in VECTOR_WIDTHS
        for bits in (8, 16, 32, 64)
        for unsigned in ("", "u")
    ]
    sums = ["v8acc48", "v16acc48", "v4acc80", "v8acc80"]
    windows = [
        f"{way}_{what}_{kind}"
        for way in ("input", "output")
        for what in ("window", "stream")
        for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32")
    ]
    return [*SCALARS, *vectors, *sums, *windows]


@dataclass(frozen=True)
class Multiplication:
    """A form of the multiplying intrinsics: its shape and the words of its argument list.

    The words are the parameters after the accumulator: ``x z`` the registers, ``xs zs`` the
    starts, ``xo xh zo zh`` offsets and their high halves, ``xt zt`` the steps of columns, ``xq zq``
    the squares.
    """

    letter: str
    shape: Shape
    words: tuple[str, ...]

    @property
    def accumulator(self) -> AccumulatorType:
        return AccumulatorType(self.shape.lanes, 80 if self.letter else 48)


def _form(letter: str, shape: tuple[int, int, int, int], words: str) -> Multiplication:
    return Multiplication(letter, Shape(*shape), tuple(words.split()))


FORMS = (
    _form("l", (8, 1, 32, 32), "x xs xo z zs zo"),
    _form("l", (4, 2, 32, 32), "x xs xo xt z zs zo zt"),
    _form("l", (8, 2, 32, 16), "x xs xo xt z zs zo zt"),
    _form("", (16, 2, 16, 16), "x xs xo xh xq z zs zo zh zt"),
    _form("", (8, 4, 16, 16), "x xs xo xt xq z zs zo zt"),
    _form("", (16, 4, 16, 8), "x xs xo xh xt xq z zs zo zh zt zq"),
    _form("", (16, 8, 8, 8), "x xs xo xt xq z zs zo zt zq"),
)
_MULTIPLY = re.compile(r"(l?)(mul|negmul|mac|msc)(4|8|16)$")


@dataclass(frozen=True)
class Call:
    """What the name of a multiplying intrinsic says."""

    letter: str
    adds: bool
    negated: bool
    lanes: int

    def form(self, x: Type, z: Type) -> Multiplication | None:
        """The form for operands of these types."""
        if not isinstance(x, VectorType) or not isinstance(z, VectorType):
            return None
        for form in FORMS:
            shape = form.shape
            if (form.letter, shape.lanes, shape.x_bits, shape.z_bits) == (
                self.letter, self.lanes, x.bits, z.bits,
            ):  # fmt: skip
                return form
        return None


@cache
def multiplication(name: str) -> Call | None:
    """The parts of a name such as ``lmac8``; None for another intrinsic."""
    match = _MULTIPLY.match(name)
    if not match:
        return None
    kind = match[2]
    return Call(match[1], kind in ("mac", "msc"), kind in ("negmul", "msc"), int(match[3]))


NARROWING = {
    ("srs", 48): ScalarType(16),
    ("srs", 80): ScalarType(32),
    ("lsrs", 48): ScalarType(32),
    ("lsrs", 80): ScalarType(64),
    ("bsrs", 48): ScalarType(8),
    ("ubsrs", 48): ScalarType(8, False),
}
WIDENING = {("ups", 8): 48, ("ups", 16): 48, ("ups", 32): 48, ("lups", 32): 80, ("lups", 64): 80}
SHIFTS = range(-1, 63)


def narrowed(intrinsic: str, source: AccumulatorType) -> VectorType | None:
    """The type that ``srs`` and its kin make of an accumulator; None if there is none."""
    element = NARROWING.get((intrinsic, source.bits))
    if element is None or source.lanes * element.bits not in VECTOR_WIDTHS:
        return None
    return VectorType(source.lanes, element.bits, element.signed)


def widened(intrinsic: str, source: VectorType) -> AccumulatorType | None:
    """The type that ``ups`` and its kin make of a vector; None if there is none."""
    bits = WIDENING.get((intrinsic, source.bits)) if source.width <= 256 else None
    found = None if bits is None else named_type(f"v{source.lanes}acc{bits}")
    return found if isinstance(found, AccumulatorType) else None


ROUNDINGS = (
    "rnd_floor", "rnd_ceil", "rnd_pos_inf", "rnd_neg_inf", "rnd_sym_inf", "rnd_sym_zero",
    "rnd_conv_even", "rnd_conv_odd",
)  # fmt: skip
