"""Numbers in a program as an array of weights: ``a[i] + 2 * a[i + 1] + a[i + 2]``, box filters.

The elements that are added are those of a window, in steps that are common to all; where the
program leaves some of the window out, the weight is zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, product
from math import gcd, prod

from s2s.analyses.contractions.linear import Affine
from s2s.analyses.contractions.statements import Range
from s2s.analyses.contractions.values import TABLE, Element, Table, Value
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import INT32, Const, Type
from s2s.scop.linear import Linear
from s2s.scop.nest import Dimension, Tensor
from s2s.source.records import dataclass

_MOST = 4096


@dataclass(frozen=True)
class _Side:
    """The places of a window along one subscript: ``count`` from ``low`` on in steps.

    ``place`` and ``stride`` say of which subscript, and of what in it: of rows in a flat one.
    """

    place: int
    stride: int
    low: int
    step: int
    count: int


def roll_table(value: Value) -> Value:
    """The value with one product, by an element of a table. Raises NotAContraction."""
    if any(b.literal is None for _, b in value.products):
        raise NotAContraction("products with elements and with numbers are added")
    first, *rest = (a for a, _ in value.products)
    if any(_without_constants(a) != _without_constants(first) for a in rest):
        raise NotAContraction("elements that do not lie in one window are added")
    if rest and first.guards:
        raise NotAContraction("products under conditions of their own are added")
    numbers: dict[tuple[int, ...], int | float] = {}
    for a, b in value.products:
        place = tuple(s.constant for s in a.subscripts)
        if value.accumulator.is_float and place in numbers:
            raise NotAContraction("an element is added twice to a sum of floats")
        numbers[place] = numbers.get(place, 0) + (b.literal or 0)
    every = enumerate(zip(first.subscripts, zip(*numbers, strict=True), strict=True))
    sides = [side for k, (s, constants) in every for side in _sides(k, s, constants)]
    if prod(side.count for side in sides) > _MOST:
        raise NotAContraction("elements that do not lie in one window are added")
    loops, places = [], []
    moved = [Linear(s.terms) for s in first.subscripts]
    for k, side in enumerate(sides):
        tap: Affine = Linear({f"tap.{k}": 1}) if side.count > 1 else Linear()
        start = tap.scaled(side.step).shifted(side.low)
        moved[side.place] = moved[side.place].plus(start, side.stride)
        places.append(tap)
        if side.count > 1:
            loops.append(Range(f"tap.{k}", f"tap{k}", 0, side.count))
    values, where = _values(numbers, sides, len(first.subscripts))
    taps = [where[place] for place in numbers] if value.accumulator.is_float else []
    weight = Element(TABLE, _type(first.type, values), tuple(places))
    return replace(
        value,
        products=((replace(first, subscripts=tuple(moved)), weight),),
        reductions=(*value.reductions, *reversed(loops)),
        table=Table(tuple(side.count for side in sides), values),
        taps=tuple(tuple((f"tap.{k}", at) for k, at in enumerate(tap)) for tap in taps),
    )


def _sides(place: int, subscript: Affine, constants: tuple[int, ...]) -> list[_Side]:
    """The window along a subscript; of a flat one in rows where that leaves less out."""
    plain = _side(place, 1, constants)
    stride = max((abs(c) for c in subscript.terms.values()), default=1)
    if stride < 2:
        return [plain]
    rows = [(c + stride // 2) // stride for c in constants]
    rest = [c - stride * row for c, row in zip(constants, rows, strict=True)]
    split = [_side(place, 1, rest), _side(place, stride, rows)]
    return split if split[0].count * split[1].count < plain.count else [plain]


def _side(place: int, stride: int, places: Sequence[int]) -> _Side:
    low = min(places)
    step = gcd(*(one - low for one in places)) or 1
    return _Side(place, stride, low, step, (max(places) - low) // step + 1)


def _values(
    numbers: dict[tuple[int, ...], int | float], sides: list[_Side], rank: int
) -> tuple[tuple[int | float, ...], dict[tuple[int, ...], tuple[int, ...]]]:
    """The numbers of the whole window in the order of memory, innermost dimension first.

    Beside them where in the window each place is, along each side.
    """
    where = {}
    every = product(*(range(side.count) for side in reversed(sides)))
    found = []
    for at in every:
        constants = [0] * rank
        for side, k in zip(sides, reversed(at), strict=True):
            constants[side.place] += side.stride * (side.low + side.step * k)
        found.append(numbers.get(tuple(constants), 0))
        where[tuple(constants)] = at[::-1]
    return tuple(found), where


def _without_constants(element: Element) -> Element:
    return replace(element, subscripts=tuple(replace(s, constant=0) for s in element.subscripts))


def _type(image: Type, values: tuple[int | float, ...]) -> Type:
    """As wide as the elements, or wider where a number needs it."""
    if image.is_float:
        return image
    for bits in (8, 16, 32):
        type_ = Type("int", bits)
        if bits >= image.bits and type_.smallest <= min(values) and max(values) <= type_.largest:
            return type_
    raise NotAContraction("an element is multiplied by a number of more than 32 bits")


def with_table(
    element: Element, table: Table, tensors: Mapping[str, Tensor]
) -> tuple[dict[str, Tensor], Element]:
    """The tensors with a table's, which gets a name of its own, and an element of that."""
    name = next(n for k in count() if (n := TABLE + "_" * k) not in tensors)
    zero = Const(INT32, 0)
    dimensions = tuple(Dimension(zero, Const(INT32, extent)) for extent in table.extents)
    tensor = Tensor(name, (element.type,), dimensions, data=table.values)
    return {**tensors, name: tensor}, replace(element, tensor=name, literal=None)
