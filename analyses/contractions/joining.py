"""Loops over tiles and in tiles, as one loop.

``for yy by 4: for y from yy to yy + 4`` counts as ``for y``: where one loop moves all elements by
as much as all iterations of another one do, both are the digits of one.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import permutations

from s2s.analyses.contractions.linear import Affine
from s2s.analyses.contractions.statements import Range
from s2s.analyses.contractions.uses import Use
from s2s.analyses.contractions.values import Element, Value


def join_tiles(
    value: Value, written: Sequence[Affine], uses: Sequence[Use]
) -> tuple[Value, tuple[Affine, ...]]:
    """A value and the subscripts of what is written, with loops over and in tiles joined.

    Joined is what moves in one dimension of an array (``uses``): rows that lie next to each other
    in memory are rows nevertheless.
    """
    target = tuple(written)
    together = {
        pair
        for use in uses
        for subscript in use.subscripts
        for pair in permutations(subscript.terms, 2)
    }
    while (pair := _pair(value, target, together)) is not None:
        outer, inner = pair
        whole = replace(inner, extent=outer.extent * inner.extent)
        value = _without(value, outer, whole)
        target = tuple(_dropped(s, outer.name) for s in target)
    return value, target


def _pair(
    value: Value, target: Sequence[Affine], together: Container[tuple[str, ...]]
) -> tuple[Range, Range] | None:
    elements = [e for product in value.products for e in product] + list(value.loads)
    elements += [] if value.factor is None else [value.factor]
    subscripts = [*target, *(s for element in elements for s in element.subscripts)]
    subscripts += [guard.value for element in elements for guard in element.guards]
    for loops in (value.loops, value.reductions):
        for outer, inner in permutations(loops, 2):
            if value.accumulator.is_float and not _is_next(outer, inner, value.reductions):
                continue
            if (outer.name, inner.name) in together and _are_digits(outer, inner, subscripts):
                return outer, inner
    return None


def _is_next(outer: Range, inner: Range, order: Sequence[Range]) -> bool:
    """Whether joining two loops leaves the terms of a sum in their order."""
    if outer not in order:
        return True
    return list(order).index(outer) + 1 == list(order).index(inner)


def _are_digits(outer: Range, inner: Range, subscripts: Sequence[Affine]) -> bool:
    if outer.minimum or inner.minimum or outer.extent < 2 or inner.extent < 2:
        return False
    steps = [(s.coefficient(outer.name), s.coefficient(inner.name)) for s in subscripts]
    fits = all(large == inner.extent * small for large, small in steps)
    return fits and any(small for _, small in steps)


def _without(value: Value, outer: Range, whole: Range) -> Value:
    def loops(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
        kept = [r for r in ranges if r.name != outer.name]
        return tuple(whole if r.name == whole.name else r for r in kept)

    def element(one: Element) -> Element:
        guards = tuple(replace(g, value=_dropped(g.value, outer.name)) for g in one.guards)
        subscripts = tuple(_dropped(s, outer.name) for s in one.subscripts)
        return replace(one, subscripts=subscripts, guards=guards)

    return replace(
        value,
        loops=loops(value.loops),
        reductions=loops(value.reductions),
        products=tuple((element(a), element(b)) for a, b in value.products),
        loads=tuple(map(element, value.loads)),
        factor=None if value.factor is None else element(value.factor),
    )


def _dropped(subscript: Affine, name: str) -> Affine:
    return subscript.part(lambda other: other != name, subscript.constant)
