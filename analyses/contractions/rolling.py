"""Products that a program writes out, as one product in more loops.

``a[i] * w[0] + a[i + 1] * w[1] + a[i + 2] * w[2]`` is a sum over a loop of three iterations if the
elements advance evenly; two such loops if they do so in rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.analyses.contractions.statements import Range
from s2s.analyses.contractions.tables import roll_table
from s2s.analyses.contractions.values import Element, Value
from s2s.scop.contraction import NotAContraction
from s2s.scop.linear import Linear

Product = tuple[Element, Element]
Step = tuple[int, ...]


def roll_products(value: Value) -> Value:
    """The value with one product. Raises NotAContraction where products do not advance evenly."""
    if any(b.literal is not None for _, b in value.products):
        return roll_table(value)
    if len(value.products) == 1:
        return value
    if not value.products:
        raise NotAContraction("there is no product")
    first, *_ = value.products
    if any(element.guards for product in value.products for element in product):
        raise NotAContraction("products under conditions of their own are added")
    products = [_as(first, product) for product in value.products]
    ordered = sorted(products, key=lambda p: _constants(p)[::-1])
    taps = _taps(value, products, ordered)
    steps = [_less(_constants(p), _constants(ordered[0])) for p in ordered]
    if len(set(steps)) != len(steps):
        raise NotAContraction("one product is added twice")
    inner = _run(steps)
    rows = steps[::inner]
    if len(steps) % inner or not _is_even(steps, inner, rows):
        raise NotAContraction(f"the {len(steps)} products of one sum do not advance evenly")
    widths, extents = [steps[1]], [inner]
    if len(rows) > 1:
        widths, extents = [steps[1], rows[1]], [inner, len(rows)]
    loops = [Range(f"tap.{k}", f"tap{k}", 0, extent) for k, extent in enumerate(extents)]
    product = _moving(ordered[0], loops, widths)
    found = tuple(((("tap.0", n % inner), ("tap.1", n // inner))[: len(loops)]) for n in taps)
    return replace(value, products=(product,), reductions=(*value.reductions, *loops), taps=found)


def _taps(value: Value, products: Sequence[Product], ordered: Sequence[Product]) -> list[int]:
    """Where products of floats are in memory, in the order in which they are added."""
    if not value.accumulator.is_float:
        return []
    return [ordered.index(product) for product in products]


def _as(first: Product, product: Product) -> Product:
    """A product with its factors in the order of the first one's, the same but for constants."""
    for pair in (product, product[::-1]):
        if all(_alike(a, b) for a, b in zip(first, pair, strict=True)):
            return pair
    raise NotAContraction("products of different elements are added")


def _alike(one: Element, other: Element) -> bool:
    same = (one.tensor, one.fill, one.less) == (other.tensor, other.fill, other.less)
    return same and all(
        a.terms == b.terms for a, b in zip(one.subscripts, other.subscripts, strict=True)
    )


def _constants(product: Product) -> Step:
    """The constants of all subscripts; outermost dimensions of the second factor come last."""
    return tuple(s.constant for element in product for s in element.subscripts)


def _less(one: Step, other: Step) -> Step:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def _run(steps: Sequence[Step]) -> int:
    """How many of the first steps are multiples of the first one."""
    count = 2
    while count < len(steps) and steps[count] == tuple(count * s for s in steps[1]):
        count += 1
    return count


def _is_even(steps: Sequence[Step], inner: int, rows: Sequence[Step]) -> bool:
    """Whether all steps are sums of a multiple of a row's step and of one inside a row."""
    down = rows[1] if len(rows) > 1 else steps[0]
    return all(
        step
        == tuple((k // inner) * d + (k % inner) * s for d, s in zip(down, steps[1], strict=True))
        for k, step in enumerate(steps)
    )


def _moving(product: Product, loops: Sequence[Range], widths: Sequence[Step]) -> Product:
    """The first product with the loops' steps in its subscripts."""
    place = 0
    elements = []
    for element in product:
        subscripts = []
        for subscript in element.subscripts:
            for loop, width in zip(loops, widths, strict=True):
                subscript = subscript.plus(Linear({loop.name: 1}), width[place])
            subscripts.append(subscript)
            place += 1
        elements.append(replace(element, subscripts=tuple(subscripts)))
    return elements[0], elements[1]
