"""Products of the vendor's vector API that take many of a register's elements.

Sliding products and tiles of matrices become the multiplications that a person would write.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.instructions import Concatenate, Fold, Multiply, Selection, Shape
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import Result
from s2s.simulators.aie.values import (
    AccumulatorType,
    Constant,
    Numbers,
    ScalarType,
    Value,
    VectorType,
)

Node = Any
Arguments = Sequence[Any]


def _doubled(self: IntrinsicCalls, x: Value) -> Value:
    """An operand of 512 bits or more: one of 256 twice, so that indices go around as in it."""
    kind = x.type
    assert isinstance(kind, VectorType)
    while kind.width < 512:
        kind = kind.of(2 * kind.lanes)
        both = (x, x)
        x = self.made(kind, lambda value, b=both: Concatenate(value, b)).content  # type: ignore[misc, assignment]
    return x


def multiplied(
    self: IntrinsicCalls,
    node: Node,
    word: str,
    shape: Shape,
    sums: Value | None,
    first: tuple[Value, int, Selection],
    second: tuple[Value, int, Selection],
    fold: Fold | None = None,
) -> Result:
    is_complex = any(_element_of(one[0]).is_complex for one in (first, second))
    kind = AccumulatorType(
        shape.lanes, 80 if shape.x_bits == 32 and not is_complex else 48, is_complex
    )
    if sums is not None and sums.type != kind:
        raise self.fail(node, f"'aie::{word}' adds to a '{kind}', not '{sums.type}'")
    (x, xs, picks), (z, zs, others) = first, second
    return self.made(
        kind,
        lambda value: Multiply(
            value, f"aie::{word}", shape, sums, False,
            x, Constant(xs), picks, z, Constant(zs), others, fold,
        ),
    )  # fmt: skip


def _element_of(value: Value) -> ScalarType:
    assert isinstance(value.type, VectorType)
    return value.type.element


# ------------------------------------------------------------------------------------- sliding


def sliding(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``sum over points p of coeff[cs + p * step] * data[ds + p * along + lane * across]``.

    With ``_sym`` the points' second half has the coefficients of the first one, backwards.
    """
    folds = word.endswith("_sym")
    adds = word.removesuffix("_sym").endswith("mac")
    self.count(node, f"aie::{word}", arguments, 9 + adds)
    lanes, points, step, along, across = (self.constant(one) for one in arguments[:5])
    rest = list(arguments[5:])
    sums = self.vector(rest.pop(0)) if adds else None
    coefficients, data = self.vector(rest[0]), self.vector(rest[2])
    first, start = self.constant(rest[1]), self.constant(rest[3])
    kind, other = data.type, coefficients.type
    shape = None
    if isinstance(kind, VectorType) and isinstance(other, VectorType):
        points = points // 2 if folds and points % 2 == 0 else points
        shape = _shape(lanes, points, (kind.element, other.element), along, across)
    if shape is None or not isinstance(other, VectorType) or other.width > 256:
        raise self.fail(node, f"'aie::{word}' of these lanes, points and types is not simulated")
    z, x = _window(self, coefficients), _doubled(self, data)
    for point in range(0, points, shape.columns):
        at, zs = start + point * along, first + point * step
        picks, at = _picks(shape, along, across, at)
        last = start + (2 * points - 1 - point) * along
        fold = _mirrored(x, last, shape) if folds else None
        result = multiplied(
            self, node, word, shape, sums, (x, at, picks), (z, zs, Selection(0, step)), fold
        )
        assert isinstance(result.content, Value)
        sums = result.content
    return result


def _shape(
    lanes: int, points: int, kinds: tuple[ScalarType, ScalarType], along: int, across: int
) -> Shape | None:
    """The datapath for data and coefficients of these types."""
    bits, other = (kind.bits for kind in kinds)
    if kinds[0].is_complex and bits == 32:
        columns = {4: 2, 8: 1}.get(lanes, 0) * (2 - kinds[1].is_complex)
        fits = columns and points % columns == 0 and across * (lanes - 1) <= 15
        known = other == (32 if kinds[1].is_complex else 16)
        return Shape(lanes, columns, 32, other) if fits and known else None
    if bits != other or any(kind.numbers is not Numbers.INTEGER for kind in kinds):
        return None
    if bits == 32 and (lanes, points % 2) == (4, 0) and across * 3 <= 15:
        return Shape(4, 2, 32, 32)
    if bits == 32 and lanes == 8 and across * 7 <= 15:
        return Shape(8, 1, 32, 32)
    columns = {8: 4, 16: 2}.get(lanes, 0)
    if bits == 16 and columns and points % columns == 0 and along == across == 1:
        return Shape(lanes, columns, 16, 16)
    return None


def _picks(shape: Shape, along: int, across: int, at: int) -> tuple[Selection, int]:
    """The selection of the data, and where it starts: 16 bits at an even place."""
    if shape.x_bits == 32:
        offsets = sum(lane * across << 4 * lane for lane in range(shape.lanes))
        return Selection(offsets, along), at
    pairs = sum(p << 8 * p for p in range(shape.lanes // 2))
    return Selection(pairs, 2, 0x3221 if at % 2 else 0x2110), at - at % 2


def _mirrored(x: Value, last: int, shape: Shape) -> Fold:
    """Elements from ``last`` backwards: of 16 bits from an even place, with the square for that."""
    if shape.x_bits == 32:
        return Fold(x, Constant(last), 1)
    square = 0x1201 if last % 2 else 0x2312
    return Fold(x, Constant(last - (1 if last % 2 else 2)), 1, square=square)


def _window(self: IntrinsicCalls, coefficients: Value) -> Value:
    """Coefficients as 256 bits."""
    kind = coefficients.type
    assert isinstance(kind, VectorType)
    while kind.width < 256:
        kind = kind.of(2 * kind.lanes)
        both = (coefficients, coefficients)
        made = self.made(kind, lambda value, b=both: Concatenate(value, b)).content  # type: ignore[misc]
        assert isinstance(made, Value)
        coefficients = made
    return coefficients


def tiles(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``aie::mmul``: 4 rows of A by 4 columns of B, both row by row; A is Z, B is X.

    8 bits: 8 terms at once, lanes in fours (facts 1.2); 16 bits: 2 of 4 terms at once.
    """
    self.count(node, "aie::mmul", arguments, 6)
    rows, terms, columns = (self.constant(one) for one in arguments[:3])
    size = rows, terms, columns
    a, b = self.vector(arguments[4]), self.vector(arguments[5])
    sums = self.vector(arguments[3]) if word.endswith("mac") else None
    both = a.type, b.type
    bits = {(4, 8, 4): 8, (4, 4, 4): 16}.get(size)
    wanted = VectorType(256 // bits, bits, True) if bits else None
    if bits is None or both != (wanted, wanted):
        text = f"'aie::mmul' of {' x '.join(map(str, size))} of '{both[0]}' and '{both[1]}'"
        raise self.fail(node, f"{text} is not simulated")
    x = _doubled(self, b)
    if bits == 8:
        picks, others = Selection(0, 8, 0x3120), Selection(0xCC884400, 2, 0x1010)
        return multiplied(self, node, word, Shape(16, 8, 8, 8), sums, (x, 0, picks), (a, 0, others))
    picks, others = Selection(0x1110111011101110, 0, 0x3120), Selection(0xCCCC888844440000, 1)
    shape = Shape(16, 2, 16, 16)
    for term in (0, 2):
        result = multiplied(self, node, word, shape, sums, (x, 4 * term, picks), (a, term, others))
        assert isinstance(result.content, Value)
        sums = result.content
    return result
