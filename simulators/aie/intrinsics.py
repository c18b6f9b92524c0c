"""The types and intrinsics that kernels may use: their names, arguments and shapes.

What an intrinsic computes is in ``selection.py`` and ``arithmetic.py``; here is how the text names
it. ``docs/aie-simulator.md`` lists what there is.
"""

from __future__ import annotations

import re
from functools import cache

from s2s.simulators.aie.instructions import Shape
from s2s.simulators.aie.values import (
    CINT16,
    CINT32,
    DOUBLE,
    FLOAT,
    AccumulatorType,
    Numbers,
    ScalarType,
    Type,
    VectorType,
)
from s2s.source.records import dataclass

SCALARS: dict[str, ScalarType] = {
    **{f"{u}int{n}{t}": ScalarType(n, not u) for u in ("", "u") for n in (8, 16, 32, 64)
       for t in ("", "_t")},
    "size_t": ScalarType(32, False),
    "ptrdiff_t": ScalarType(32),
    "bool": ScalarType(8, False),
    "cint": ScalarType(32),
    "float": FLOAT, "double": DOUBLE, "float_t": FLOAT, "double_t": DOUBLE,
    "cint16": CINT16, "cint16_t": CINT16, "cint32": CINT32, "cint32_t": CINT32,
}  # fmt: skip

_REGISTER = re.compile(r"v(\d+)(u?)(int|cint|acc|cacc)(\d+)$")
_FLOATS = re.compile(r"v(\d+)float$")
VECTOR_WIDTHS = (128, 256, 512, 1024)
PARTS = {"v": 128, "w": 256, "x": 512, "y": 1024}
PORTS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float", "cint16", "cint32")
WINDOW = re.compile(rf"(input|output)_(window|stream)_({'|'.join(PORTS)})$")


@cache
def named_type(name: str) -> Type | None:
    """The type of a name: ``int16_t``, ``v32int16``, ``v8acc80``; None for any other."""
    if name in SCALARS:
        return SCALARS[name]
    match = _REGISTER.match(name)
    if not match:
        floats = _FLOATS.match(name)
        known = floats is not None and int(floats[1]) * 32 in VECTOR_WIDTHS
        return VectorType(int(floats[1]), 32, True, Numbers.FLOAT) if floats and known else None
    lanes, unsigned, kind, bits = int(match[1]), bool(match[2]), match[3], int(match[4])
    if kind.endswith("acc"):
        found = AccumulatorType(lanes, bits, kind == "cacc")
        known = (bits, found.width) in ((48, 384), (48, 768), (80, 384), (80, 768), (80, 1536))
        return found if known and not unsigned else None
    numbers = Numbers.COMPLEX if kind == "cint" else Numbers.INTEGER
    bits *= 1 + (kind == "cint")
    known = bits in ((32, 64) if kind == "cint" else (8, 16, 32, 64))
    known = known and lanes * bits in VECTOR_WIDTHS and not (unsigned and kind == "cint")
    return VectorType(lanes, bits, not unsigned, numbers) if known else None


def type_names() -> list[str]:
    """All names that a parser has to take for types."""
    vectors = [
        f"v{width // bits}{unsigned}int{bits}"
        for width in VECTOR_WIDTHS
        for bits in (8, 16, 32, 64)
        for unsigned in ("", "u")
    ]
    vectors += [f"v{width // 32}float" for width in VECTOR_WIDTHS]
    vectors += [f"v{width // bits}cint{bits // 2}" for width in VECTOR_WIDTHS for bits in (32, 64)]
    sums = ["v8acc48", "v16acc48", "v4acc80", "v8acc80", "v16acc80"]
    sums += ["v4cacc48", "v8cacc48", "v2cacc80", "v4cacc80"]
    windows = [
        f"{way}_{what}_{kind}"
        for way in ("input", "output")
        for what in ("window", "stream")
        for kind in PORTS
    ]
    named = [name for name in SCALARS if name not in ("float", "double")]
    return [*named, *vectors, *sums, *windows]


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
    complex_x: bool = False
    complex_z: bool = False

    @property
    def accumulator(self) -> AccumulatorType:
        is_complex = self.complex_x or self.complex_z
        return AccumulatorType(self.shape.lanes, 80 if self.letter else 48, is_complex)


def _form(
    letter: str, shape: tuple[int, int, int, int], words: str, is_complex: str = ""
) -> Multiplication:
    """``is_complex`` names the operands that are, ``xz`` for both."""
    both = "x" in is_complex, "z" in is_complex
    return Multiplication(letter, Shape(*shape), tuple(words.split()), *both)


FORMS = (
    _form("l", (8, 1, 32, 32), "x xs xo z zs zo"),
    _form("l", (4, 2, 32, 32), "x xs xo xt z zs zo zt"),
    _form("l", (8, 2, 32, 16), "x xs xo xt z zs zo zt"),
    _form("", (16, 2, 16, 16), "x xs xo xh xq z zs zo zh zt"),
    _form("", (8, 4, 16, 16), "x xs xo xt xq z zs zo zt"),
    _form("", (16, 4, 16, 8), "x xs xo xh xt xq z zs zo zh zt zq"),
    _form("", (16, 8, 8, 8), "x xs xo xt xq z zs zo zt zq"),
    _form("", (4, 2, 32, 32), "x xs xo xt z zs zo zt", "xz"),
    _form("", (8, 1, 32, 32), "x xs xo z zs zo", "xz"),
    _form("", (4, 4, 32, 16), "x xs xo xt z zs zo zt", "x"),
    _form("", (8, 2, 32, 16), "x xs xo xt z zs zo zt", "x"),
)
_MULTIPLY = re.compile(r"(l?)(mul|negmul|mac|msc)(4|8|16)(?:_(sym|antisym)(_ct)?)?$")


@dataclass(frozen=True)
class Call:
    """What the name of a multiplying intrinsic says."""

    letter: str
    adds: bool
    negated: bool
    lanes: int
    folds: int = 0
    """1 where elements of Y are added to those of X before, -1 where they are taken off."""
    has_middle: bool = False

    def form(self, x: Type, z: Type) -> Multiplication | None:
        """The form for operands of these types."""
        if not isinstance(x, VectorType) or not isinstance(z, VectorType):
            return None
        for form in FORMS:
            shape = form.shape
            if (form.letter, shape.lanes, shape.x_bits, shape.z_bits) == (
                self.letter, self.lanes, x.bits, z.bits,
            ) and (form.complex_x, form.complex_z) == _is_complex(x, z):  # fmt: skip
                return form
        return None


def _is_complex(*kinds: VectorType) -> tuple[bool, ...]:
    return tuple(kind.element.is_complex for kind in kinds)


@cache
def multiplication(name: str) -> Call | None:
    """The parts of a name such as ``lmac8``; None for another intrinsic."""
    match = _MULTIPLY.match(name)
    if not match:
        return None
    kind = match[2]
    folds = {"sym": 1, "antisym": -1}.get(match[4] or "", 0)
    adds, negated = kind in ("mac", "msc"), kind in ("negmul", "msc")
    return Call(match[1], adds, negated, int(match[3]), folds, bool(match[5]))


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
    if element is None or (source.is_complex and element.bits not in (16, 32)):
        return None
    bits = element.bits * (1 + source.is_complex)
    numbers = Numbers.COMPLEX if source.is_complex else Numbers.INTEGER
    found = VectorType(source.lanes, bits, element.signed, numbers)
    return found if found.width in VECTOR_WIDTHS else None


def widened(intrinsic: str, source: VectorType) -> AccumulatorType | None:
    """The type that ``ups`` and its kin make of a vector; None if there is none."""
    part = source.element.part.bits
    bits = WIDENING.get((intrinsic, part)) if source.width <= 256 else None
    letter = "c" * source.element.is_complex
    found = None if bits is None else named_type(f"v{source.lanes}{letter}acc{bits}")
    if source.element.is_float:
        return None
    return found if isinstance(found, AccumulatorType) else None


ROUNDINGS = (
    "rnd_floor", "rnd_ceil", "rnd_pos_inf", "rnd_neg_inf", "rnd_sym_inf", "rnd_sym_zero",
    "rnd_conv_even", "rnd_conv_odd",
)  # fmt: skip
