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
    Extract,
    Fill,
    Rearrange,
    Update,
)
from s2s.simulators.aie.reading import floats
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
from s2s.simulators.aie.reading.lane_products import multiply_lanes
from s2s.simulators.aie.reading.lanes import lane_by_lane, raised
from s2s.simulators.aie.reading.narrowing import narrowed
from s2s.simulators.aie.reading.reshaping import halve, reduce, shuffle
from s2s.simulators.aie.reading.shorts import pack
from s2s.simulators.aie.reading.sliding import sliding, tiles
from s2s.simulators.aie.values import (
    AccumulatorType,
    Affine,
    Constant,
    Numbers,
    Operand,
    ScalarType,
    Value,
    VectorType,
)

Node = Any
Arguments = Sequence[Any]


def vector_call(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result | None:
    """The result of ``__aie_...``. Raises UserError for operands that it does not take."""
    word = name.removeprefix("__aie_")
    if word.startswith("to"):
        return _narrowed(self, node, word, arguments)
    if word.startswith("pack_"):
        return pack(self, node, word.removeprefix("pack_"), arguments)
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


def _load_elements(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``aie::load_unaligned_v<N>(p)``: one element after the other, wherever they are."""
    self.count(node, f"aie::{word}_v", arguments, 2, 3)
    address, kind = _pointed(self, arguments[1], self.constant(arguments[0]))
    found = self.made(kind, lambda value: Fill(value, defined=False)).content
    for lane in range(kind.lanes):
        one = self.solid(node, self.loaded(_element_at(address, kind, lane)))
        inputs = (found, Constant(lane), one)
        found = self.made(kind, lambda value, i=inputs: Rearrange(value, "upd_elem", i)).content  # type: ignore[misc]
    return Result(kind, found)


def _store_elements(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``aie::store_unaligned_v(p, v)``."""
    self.count(node, f"aie::{word}_v", arguments, 2, 3)
    vector = self.vector(arguments[1])
    if not isinstance(vector.type, VectorType):
        raise self.fail(node, f"'aie::{word}_v' of a '{vector.type}'")
    address, kind = _pointed(self, arguments[0], vector.type.lanes)
    for lane in range(kind.lanes):
        inputs = (vector, Constant(lane))
        one = self.made(kind.element, lambda value, i=inputs: Rearrange(value, "ext_elem", i))  # type: ignore[misc]
        self.store(node, _element_at(address, kind, lane), one)
    return Result(Void())


def _element_at(address: Address, kind: VectorType, lane: int) -> Place:
    return Place(address.moved(Affine((), lane * kind.bits // 8)), kind.element)


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
    parts = tuple(self.vector(one) for one in arguments)
    kinds = [one.type for one in parts]
    if kinds == [AccumulatorType(8, 80)] * 2:  # two registers, which no intrinsic joins
        return self.made(AccumulatorType(16, 80), lambda value: Concatenate(value, parts))
    return self.intrinsic(node, "concat", arguments)  # type: ignore[attr-defined, no-any-return]


# ------------------------------------------------------------------------------------- sums


def _narrowed(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``to_vector<T>(shift)``: the conversion that makes elements of this type."""
    self.count(node, "to_vector", arguments, 1, 2)
    source = self.vector(arguments[0])
    shift = self.operand(arguments[1]) if len(arguments) == 2 else Constant(0)
    kind = source.type
    if isinstance(kind, VectorType) and kind.element.is_float:
        return Result(kind, source)
    if not isinstance(kind, AccumulatorType):
        raise self.fail(node, f"'to_vector' of a '{kind}'")
    element = intrinsics.named_type(word.removeprefix("to_"))
    if word == "to":
        element = ScalarType(16 if kind.bits == 48 else 32)
    elif isinstance(element, ScalarType):
        element = element.part if element.is_complex == kind.is_complex else None
    bits = element.bits if isinstance(element, ScalarType) else 0
    signed = isinstance(element, ScalarType) and element.signed
    found = narrowed(self, source, bits, signed, shift)
    if found is None:
        raise self.fail(node, f"'to_vector' of a '{kind}' to these elements is not simulated")
    return Result(found.type, found)  # type: ignore[arg-type]


def _raised(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    self.count(node, "from_vector", arguments, 2, 3)
    sums = self.rvalue(arguments[0]).kind
    source = self.vector(arguments[1])
    shift = self.operand(arguments[2]) if len(arguments) == 3 else Constant(0)
    if isinstance(sums, VectorType) and sums.element.is_float and source.type == sums:
        return Result(sums, source)
    if not isinstance(sums, AccumulatorType) or not isinstance(source.type, VectorType):
        raise self.fail(node, f"'from_vector' of a '{source.type}' is not simulated")
    found = raised(self, source, sums, shift)
    if found is None:
        raise self.fail(node, f"'from_vector' of a '{source.type}' is not simulated")
    return Result(sums, found)


# -------------------------------------------------------------------------------- lane by lane


def _pair(
    self: IntrinsicCalls, node: Node, word: str, arguments: Arguments, in_own_bits: bool = False
) -> list[Result]:
    """Two operands, a number beside a vector as a vector of it.

    Its elements are the vector's, or the number's where it has more or fewer bits and keeps them.
    """
    values = [self.rvalue(one) for one in arguments]
    kinds = [v.kind for v in values if isinstance(v.kind, VectorType | AccumulatorType)]
    if len(values) != 2 or not kinds:
        raise self.fail(node, f"'aie::{word}' of these operands is not simulated")
    for place, value in enumerate(values):
        if isinstance(value.kind, ScalarType) and isinstance(kinds[0], VectorType):
            scalar, kind = self.solid(node, value), kinds[0]
            if in_own_bits and not _fits(scalar, kind) and value.kind.numbers is Numbers.INTEGER:
                kind = VectorType(kind.lanes, max(16, value.kind.bits * (2 - value.kind.signed)))
            values[place] = self.made(kind, lambda v, s=scalar: Fill(v, scalar=s))  # type: ignore[misc]
    return values


def _fits(scalar: Operand, kind: VectorType) -> bool:
    """Whether a number is surely one of the elements, or these are no integers."""
    if kind.numbers is not Numbers.INTEGER:
        return True
    if isinstance(scalar, Constant):
        return bool(-(1 << kind.bits - 1) <= scalar.value < 1 << kind.bits - 1)
    return isinstance(scalar.type, ScalarType) and scalar.type == kind.element


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
    left, right = _pair(self, node, word, arguments[word == "mac" :], in_own_bits=True)
    kind = left.kind
    if kind == right.kind == floats.LANES:
        both = [self.solid(node, one) for one in (left, right)]
        return floats.product(self, f"aie::{word}", sums, *both)
    x, z = (self.solid(node, one) for one in (left, right))
    if not isinstance(kind, VectorType) or not isinstance(right.kind, VectorType):
        raise self.fail(node, f"'aie::{word}' of these operands is not simulated")
    assert isinstance(x, Value) and isinstance(z, Value)
    return multiply_lanes(self, node, word, sums, x, z)


def _square(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``aie::mul_square(v)``: each lane by itself."""
    self.count(node, f"aie::{word}", arguments, 1)
    return _product(self, node, "mul", [*arguments, *arguments])


def product_of_lanes(
    self: IntrinsicCalls, node: Node, name: str, arguments: Arguments
) -> Result | None:
    """``mul(a, b)``, ``lmac(acc, a, b)``: whole vectors of 16 bits, with ``l`` of 32."""
    kinds = [self.rvalue(one).kind for one in arguments[-1:]]
    bits = 32 if name.startswith("l") else 16
    if not kinds or not isinstance(kinds[0], VectorType) or kinds[0].bits != bits:
        raise self.fail(node, f"'{name}' of these operands is not simulated")
    return _product(self, node, name.removeprefix("l"), arguments)


_CALLS = {
    "load": _load, "load_unaligned": _load_elements, "store_unaligned": _store_elements,
    "begin": _begin, "store": _store, "insert": _insert, "extract": _extract,
    "get": _element, "set": _element, "push": _element, "concat": _concat,
    "from_vector": _raised, "add": _lanewise, "sub": _lanewise, "max": _lanewise,
    "min": _lanewise, "mul": _product, "mac": _product, 
    "mul_square": _square,
    **{f"reduce_{what}": reduce for what in ("add", "max", "min")},
    **{f"shuffle_{way}{end}": shuffle for way in ("up", "down")
       for end in ("", "_rotate", "_replicate", "_fill")},
    "filter_even": halve, "filter_odd": halve,
    "sliding_mul": sliding, "sliding_mac": sliding, "sliding_mul_sym": sliding,
    "sliding_mac_sym": sliding, "mmul_mul": tiles, "mmul_mac": tiles,
}  # fmt: skip
