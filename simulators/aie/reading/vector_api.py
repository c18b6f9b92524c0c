"""Calls of the vendor's vector API, which the preprocessor has made functions, to instructions.

What an intrinsic would do becomes what that intrinsic becomes: products of lanes and sliding
products are multiplications with the selections that a person would write.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie import intrinsics
from s2s.simulators.aie.instructions import (
    Concatenate,
    Convert,
    Extract,
    Fill,
    Multiply,
    Rearrange,
    Selection,
    Shape,
    Update,
)
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import (
    Address,
    ArrayOf,
    Place,
    PointerTo,
    Result,
    Void,
    Window,
)
from s2s.simulators.aie.reading.lanes import lane_by_lane
from s2s.simulators.aie.values import (
    AccumulatorType,
    Constant,
    ScalarType,
    Value,
    VectorType,
)

Node = Any
Arguments = Sequence[Any]
_IN_ORDER = {8: 0x76543210, 4: 0x3210}
_PAIRS = sum(p << 8 * p for p in range(8))  # the words of 16 lanes of 16 bits, pair by pair
_NARROW = {(48, 8): "bsrs", (48, 16): "srs", (48, 32): "lsrs", (80, 32): "srs", (80, 64): "lsrs"}


def vector_call(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result | None:
    """The result of ``__aie_...``. Raises UserError for operands that it does not take."""
    word = name.removeprefix("__aie_")
    if word.startswith("to"):
        return _narrowed(self, node, word, arguments)
    if word.startswith("broadcast_"):
        return _broadcast(self, node, word, arguments)
    handler = _CALLS.get(word)
    if handler is None:
        raise self.fail(node, f"'aie::{word}' is not simulated")
    return handler(self, node, word, arguments)


# ------------------------------------------------------------------------------------- memory


def _pointed(self: IntrinsicCalls, node: Node, lanes: int) -> tuple[Address, VectorType]:
    """Where a pointer, a window or a pointer to vectors points, as vectors of so many lanes."""
    pointer = self.rvalue(node)
    kind = pointer.kind
    element: Any = None
    if isinstance(kind, Window):
        element = kind.element
    elif isinstance(kind, PointerTo):
        element = kind.target
    elif isinstance(kind, ArrayOf):
        element = kind.element
    if isinstance(element, VectorType):
        element = element.element
    found = intrinsics.named_type(f"v{lanes}{element}") if element is not None else None
    content = pointer.content
    if isinstance(content, Value):
        content = Address(content)
    if not isinstance(found, VectorType) or not isinstance(content, Address):
        raise self.fail(node, f"no vector of {lanes} elements is behind this")
    return content, found


def _load(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    self.count(node, f"aie::{word}_v", arguments, 2)
    address, kind = _pointed(self, arguments[1], self.constant(arguments[0]))
    return self.loaded(Place(address, kind))


def _begin(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    self.count(node, "aie::begin_vector", arguments, 2)
    address, kind = _pointed(self, arguments[1], self.constant(arguments[0]))
    return Result(PointerTo(kind, restrict=address.alone), address)


def _store(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    self.count(node, "aie::store_v", arguments, 2)
    vector = self.operand(arguments[1])
    if not isinstance(vector, Value) or not isinstance(vector.type, VectorType):
        raise self.fail(node, f"'aie::store_v' of a '{vector.type}'")
    address, kind = _pointed(self, arguments[0], vector.type.lanes)
    self.store(node, Place(address, kind), Result(vector.type, vector))
    return Result(Void())


# ---------------------------------------------------------------------------------- registers


def _broadcast(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    kind = intrinsics.named_type(word.removeprefix("broadcast_"))
    self.count(node, "aie::broadcast", arguments, 1)
    if not isinstance(kind, VectorType):
        raise self.fail(node, f"'aie::{word}' is not simulated")
    scalar = self.operand(arguments[0])
    return self.made(kind, lambda value: Fill(value, scalar=scalar))


def _insert(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    self.count(node, "insert", arguments, 3)
    whole, part = self.vector(arguments[0]), self.vector(arguments[2])
    index, kind = self.constant(arguments[1]), whole.type
    if not isinstance(kind, VectorType) or not isinstance(part.type, VectorType):
        raise self.fail(node, f"'insert' into a '{kind}'")
    if part.type.element != kind.element or not 0 <= index < kind.lanes // part.type.lanes:
        raise self.fail(node, f"no part {index} of a '{kind}' is a '{part.type}'")
    return self.made(kind, lambda value: Update(value, whole, index, part))


def _extract(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    self.count(node, "extract", arguments, 3)
    whole, lanes, index = self.vector(arguments[0]), *map(self.constant, arguments[1:])
    kind = whole.type
    part = (
        intrinsics.named_type(f"v{lanes}{kind.element}") if isinstance(kind, VectorType) else None
    )
    if not isinstance(part, VectorType) or not 0 <= index < whole.type.lanes // lanes:  # type: ignore[union-attr]
        raise self.fail(node, f"a '{kind}' has no part {index} of {lanes} lanes")
    return self.made(part, lambda value: Extract(value, whole, index))


def _element(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result | None:
    name, order = {"get": ("ext_elem", (0, 1)), "set": ("upd_elem", (0, 2, 1))}.get(
        word, ("shft_elem", (0, 1))
    )
    self.count(node, word, arguments, len(order))
    return self.intrinsic(node, name, [arguments[place] for place in order])  # type: ignore[attr-defined, no-any-return]


def _concat(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result | None:
    return self.intrinsic(node, "concat", arguments)  # type: ignore[attr-defined, no-any-return]


# ------------------------------------------------------------------------------------- sums


def _narrowed(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``to_vector<T>(shift)``: the conversion that makes elements of this type."""
    self.count(node, "to_vector", arguments, 1, 2)
    source = self.vector(arguments[0])
    shift = self.operand(arguments[1]) if len(arguments) == 2 else Constant(0)
    kind = source.type
    if not isinstance(kind, AccumulatorType):
        raise self.fail(node, f"'to_vector' of a '{kind}'")
    element = intrinsics.named_type(word.removeprefix("to_"))
    if word == "to":
        element = ScalarType(16 if kind.bits == 48 else 32)
    bits = element.bits if isinstance(element, ScalarType) else 0
    signed = isinstance(element, ScalarType) and element.signed
    name = _NARROW.get((kind.bits, bits))
    name = "ubsrs" if name == "bsrs" and not signed else name
    found = intrinsics.narrowed(name, kind) if name else None
    if name is None or found is None:
        raise self.fail(node, f"'to_vector' of a '{kind}' to these elements is not simulated")
    modes = (self.rounding, self.saturation)
    return self.made(found, lambda value: Convert(value, name, source, shift, *modes))


def _raised(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    self.count(node, "from_vector", arguments, 2, 3)
    sums = self.rvalue(arguments[0]).kind
    source = self.vector(arguments[1])
    shift = self.operand(arguments[2]) if len(arguments) == 3 else Constant(0)
    name = "lups" if isinstance(sums, AccumulatorType) and sums.bits == 80 else "ups"
    kind = intrinsics.widened(name, source.type) if isinstance(source.type, VectorType) else None
    if kind is None or kind != sums:
        raise self.fail(node, f"'from_vector' of a '{source.type}' is not simulated")
    return self.made(kind, lambda value: Convert(value, name, source, shift))


# -------------------------------------------------------------------------------- lane by lane


def _pair(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> list[Result]:
    """Two operands, a number beside a vector as a vector of it."""
    values = [self.rvalue(one) for one in arguments]
    kinds = [v.kind for v in values if isinstance(v.kind, VectorType | AccumulatorType)]
    if len(values) != 2 or not kinds:
        raise self.fail(node, f"'aie::{word}' of these operands is not simulated")
    for place, value in enumerate(values):
        if isinstance(value.kind, ScalarType) and isinstance(kinds[0], VectorType):
            scalar = self.solid(node, value)
            values[place] = self.made(kinds[0], lambda v, s=scalar: Fill(v, scalar=s))  # type: ignore[misc]
    return values


def _lanewise(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    left, right = _pair(self, node, word, arguments)
    if word in ("add", "sub"):
        return lane_by_lane(self, node, "+" if word == "add" else "-", left, right)
    if left.kind != right.kind or not isinstance(left.kind, VectorType):
        raise self.fail(node, f"'aie::{word}' of these operands is not simulated")
    both = tuple(self.solid(node, one) for one in (left, right))
    return self.made(left.kind, lambda value: Rearrange(value, word, both))


def _product(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``aie::mul(a, b)`` and ``aie::mac(acc, a, b)``: each lane by the same one."""
    sums = self.vector(arguments[0]) if word == "mac" and arguments else None
    left, right = _pair(self, node, word, arguments[word == "mac" :])
    kind = left.kind
    lanes = {16: 16, 32: 8}.get(kind.bits) if isinstance(kind, VectorType) else None
    if kind != right.kind or not isinstance(kind, VectorType) or kind.lanes != lanes:
        raise self.fail(node, f"'aie::{word}' of these operands is not simulated")
    x, z = (self.solid(node, one) for one in (left, right))
    assert isinstance(x, Value) and isinstance(z, Value)
    short = kind.bits == 16
    selection = Selection(_PAIRS, 0, 0x0100) if short else Selection(_IN_ORDER[8])
    beside = Selection(0xFEDCBA9876543210) if short else Selection(_IN_ORDER[8])
    shape = Shape(lanes, 1, kind.bits, kind.bits)
    return _multiplied(
        self, node, word, shape, sums, (_beside_nothing(self, x), 0, selection), (z, 0, beside)
    )


def _beside_nothing(self: IntrinsicCalls, x: Value) -> Value:
    """An operand of 256 bits as the low half of one of 512."""
    kind = x.type
    assert isinstance(kind, VectorType)
    nothing = self.made(kind, lambda value: Fill(value, defined=False)).content
    wide = VectorType(2 * kind.lanes, kind.bits, kind.signed)
    assert isinstance(nothing, Value)
    found = self.made(wide, lambda value: Concatenate(value, (x, nothing))).content
    assert isinstance(found, Value)
    return found


def product_of_lanes(
    self: IntrinsicCalls, node: Node, name: str, arguments: Arguments
) -> Result | None:
    """``mul(a, b)``, ``lmac(acc, a, b)``: whole vectors of 16 bits, with ``l`` of 32."""
    kinds = [self.rvalue(one).kind for one in arguments[-1:]]
    bits = 32 if name.startswith("l") else 16
    if not kinds or not isinstance(kinds[0], VectorType) or kinds[0].bits != bits:
        raise self.fail(node, f"'{name}' of these operands is not simulated")
    return _product(self, node, name.removeprefix("l"), arguments)


def _doubled(self: IntrinsicCalls, x: Value) -> Value:
    """An operand of 512 bits or more: one of 256 twice, so that indices go around as in it."""
    kind = x.type
    assert isinstance(kind, VectorType)
    while kind.width < 512:
        kind = VectorType(2 * kind.lanes, kind.bits, kind.signed)
        both = (x, x)
        x = self.made(kind, lambda value, b=both: Concatenate(value, b)).content  # type: ignore[misc, assignment]
    return x


def _multiplied(
    self: IntrinsicCalls,
    node: Node,
    word: str,
    shape: Shape,
    sums: Value | None,
    first: tuple[Value, int, Selection],
    second: tuple[Value, int, Selection],
) -> Result:
    kind = AccumulatorType(shape.lanes, 80 if shape.x_bits == 32 else 48)
    if sums is not None and sums.type != kind:
        raise self.fail(node, f"'aie::{word}' adds to a '{kind}', not '{sums.type}'")
    (x, xs, picks), (z, zs, others) = first, second
    return self.made(
        kind,
        lambda value: Multiply(
            value, f"aie::{word}", shape, sums, False,
            x, Constant(xs), picks, z, Constant(zs), others,
        ),
    )  # fmt: skip


# ------------------------------------------------------------------------------------- sliding


def _sliding(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``sum over points p of coeff[cs + p * step] * data[ds + p * along + lane * across]``."""
    adds = word.endswith("mac")
    self.count(node, f"aie::{word}", arguments, 9 + adds)
    lanes, points, step, along, across = (self.constant(one) for one in arguments[:5])
    rest = list(arguments[5:])
    sums = self.vector(rest.pop(0)) if adds else None
    coefficients, data = self.vector(rest[0]), self.vector(rest[2])
    first, start = self.constant(rest[1]), self.constant(rest[3])
    kind, other = data.type, coefficients.type
    shape = None
    if isinstance(kind, VectorType) and isinstance(other, VectorType) and kind.bits == other.bits:
        shape = _shape(lanes, points, kind.bits, along, across)
    if shape is None or not isinstance(other, VectorType) or other.width > 256:
        raise self.fail(node, f"'aie::{word}' of these lanes, points and types is not simulated")
    z, x = _window(self, coefficients), _doubled(self, data)
    for point in range(0, points, shape.columns):
        at, zs = start + point * along, first + point * step
        picks, at = _picks(shape, along, across, at)
        result = _multiplied(
            self, node, word, shape, sums, (x, at, picks), (z, zs, Selection(0, step))
        )
        assert isinstance(result.content, Value)
        sums = result.content
    return result


def _shape(lanes: int, points: int, bits: int, along: int, across: int) -> Shape | None:
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


def _window(self: IntrinsicCalls, coefficients: Value) -> Value:
    """Coefficients as 256 bits."""
    kind = coefficients.type
    assert isinstance(kind, VectorType)
    while kind.width < 256:
        kind = VectorType(2 * kind.lanes, kind.bits, kind.signed)
        both = (coefficients, coefficients)
        made = self.made(kind, lambda value, b=both: Concatenate(value, b)).content  # type: ignore[misc]
        assert isinstance(made, Value)
        coefficients = made
    return coefficients


def _tiles(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
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
        return _multiplied(
            self, node, word, Shape(16, 8, 8, 8), sums, (x, 0, picks), (a, 0, others)
        )
    picks, others = Selection(0x1110111011101110, 0, 0x3120), Selection(0xCCCC888844440000, 1)
    shape = Shape(16, 2, 16, 16)
    for term in (0, 2):
        result = _multiplied(self, node, word, shape, sums, (x, 4 * term, picks), (a, term, others))
        assert isinstance(result.content, Value)
        sums = result.content
    return result


_CALLS = {
    "load": _load, "begin": _begin, "store": _store, "insert": _insert, "extract": _extract,
    "get": _element, "set": _element, "push": _element, "concat": _concat,
    "from_vector": _raised, "add": _lanewise, "sub": _lanewise, "max": _lanewise,
    "min": _lanewise, "mul": _product, "mac": _product, "sliding_mul": _sliding,
    "sliding_mac": _sliding, "mmul_mul": _tiles, "mmul_mac": _tiles,
}  # fmt: skip
