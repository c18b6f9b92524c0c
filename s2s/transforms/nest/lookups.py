"""Lanes that look up elements at computed places do so one after the other.

A gather instruction takes longer than as many loads on many machines, and elements of 8 or 16 bits
have none, so that compilers give up vectors for all that is computed around a lookup::

    simd for (v < 8) f(v) = g(v, t[place(v)]);
      ->  simd for (v < 8) p[v] = place(v);
          unroll for (v < 8) e[v] = t[p[v]];
          simd for (v < 8) f(v) = g(v, e[v]);
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from s2s.scop.build import add
from s2s.scop.expressions import (
    INT32,
    Binary,
    Call,
    Expr,
    Load,
    Select,
    Type,
    Variable,
)
from s2s.scop.expressions import walk as nodes
from s2s.scop.linear import expression
from s2s.scop.nest import Allocate, Block, Dimension, For, Node, Store, Tensor
from s2s.scop.normal_form import integer, linear, normalized, with_parts, with_values
from s2s.scop.rewrite import block, with_children
from s2s.transforms.nest.lanes import from_zero

_WIDTHS = (16, 8)
"""Lanes of one iteration; the first that divides the loop."""

_LOADS = 256
"""The most loads that one iteration writes out."""

_LEAST_WORK = 6
"""So many operations more than lookups must be worth vectors."""

_ROUNDS = 3
"""Places may be looked up themselves."""


def split_lookups(node: Node) -> Node:
    """The tree with lookups in vectorized loops apart from what is computed around them."""
    if isinstance(node, For) and node.kind == "vectorized":
        return _apart(node, _ROUNDS)
    return with_children(node, split_lookups)


def _apart(loop: For, rounds: int) -> Node:
    stores = _stores(loop.body)
    lookups = list(_lookups(stores, loop.name))
    if not rounds or not lookups or not _is_worth(stores, lookups, loop.name):
        return loop
    written = {store.tensor for store in stores}
    if any(load.tensor in written for load in lookups):
        return loop
    width = _width(loop, len(lookups))
    if width is None:
        return loop
    if loop.extent is integer(width):
        return _split(from_zero(loop), width, rounds)
    return _strips(loop, width, rounds)


def _stores(body: Node) -> list[Store]:
    """What a body consists of if it is nothing but plain stores, else nothing."""
    parts = body.children if isinstance(body, Block) else (body,)
    stores = [part for part in parts if isinstance(part, Store)]
    plain = all(
        store.predicate is None
        and not store.atomic
        and not any(place.reads for place in store.subscripts)
        for store in stores
    )
    return stores if plain and len(stores) == len(parts) else []


def _lookups(stores: Sequence[Store], lane: str) -> Iterator[Load]:
    """Reads at places that were read themselves and differ by lane, no others in them."""
    found: dict[Load, bool] = {}
    for store in stores:
        for value in store.values:
            for node in nodes(normalized(value)):
                if isinstance(node, Load) and node not in found:
                    inner = (n for s in node.subscripts for n in nodes(s) if isinstance(n, Load))
                    deep = any(found.get(n, False) for n in inner)
                    found[node] = bool(list(_places(node, lane)))
                    if found[node] and not deep:
                        yield node


def _places(load: Load, lane: str) -> Iterator[Expr]:
    """The parts of a read's subscripts that were read, and differ by lane."""
    for subscript in load.subscripts:
        for atom in linear(subscript).terms:
            if atom.reads and lane in atom.variables:
                yield atom


def _is_worth(stores: Sequence[Store], lookups: Sequence[Load], lane: str) -> bool:
    inside = {id(n) for load in lookups for s in load.subscripts for n in nodes(s)}
    places = [place for load in lookups for place in _places(load, lane)]
    work = {id(n) for place in places for n in nodes(place) if _is_work(n)}
    for store in stores:
        for value in store.values:
            work |= {id(n) for n in nodes(normalized(value)) if _is_work(n) and id(n) not in inside}
    return len(work) >= _LEAST_WORK + len(lookups)


def _is_work(node: Expr) -> bool:
    return isinstance(node, Binary | Select | Call)


def _width(loop: For, lookups: int) -> int | None:
    extent = linear(normalized(loop.extent))
    numbers = [extent.constant, *extent.terms.values()]
    if not extent.terms and 4 <= extent.constant <= _WIDTHS[0]:
        return extent.constant if extent.constant * lookups <= _LOADS else None
    for width in _WIDTHS:
        if width * lookups <= _LOADS and all(number % width == 0 for number in numbers):
            return width
    return None


def _strips(loop: For, width: int, rounds: int) -> For:
    """A long loop as one over strips of lanes."""
    extent = linear(normalized(loop.extent))
    count = extent.divided(width)
    assert count is not None
    lane, strip = f"{loop.name}.lane", f"{loop.name}.strip"
    first = Binary(INT32, "mul", Variable(INT32, strip), integer(width))
    place = add(add(loop.minimum, first), Variable(INT32, lane))
    body = with_values(loop.body, {loop.name: place})
    lanes = replace(loop, name=lane, var="", minimum=integer(0), extent=integer(width), body=body)
    return replace(
        loop,
        name=strip,
        kind="serial",
        minimum=integer(0),
        extent=expression(count),
        body=_split(lanes, width, rounds),
    )


def _split(loop: For, width: int, rounds: int) -> Node:
    """Lanes from 0 in three loops: places, lookups, and what is computed from them."""
    stores = [replace(s, values=tuple(map(normalized, s.values))) for s in _stores(loop.body)]
    lookups = list(_lookups(stores, loop.name))
    atoms = dict.fromkeys(p for load in lookups for p in _places(load, loop.name))
    lane = Variable(INT32, loop.name)
    memory: list[Tensor] = []

    shape = (Dimension(integer(0), integer(width)),)

    def element(name: str, type: Type) -> Load:
        memory.append(Tensor(f"{name}${loop.name}.{rounds}", (type,), shape))
        return Load(type, memory[-1].name, (lane,))

    places: dict[Expr, Expr] = {a: element(f"place_{k}", INT32) for k, a in enumerate(atoms)}
    found: dict[Expr, Expr] = {
        load: element(f"found_{k}", load.type) for k, load in enumerate(lookups)
    }
    picks = [_assigned(found[x], with_parts(x, places)) for x in lookups]
    known = {**places, **found}
    rest = [replace(s, values=tuple(with_parts(v, known) for v in s.values)) for s in stores]
    parts: list[Node] = [
        replace(loop, body=block([_assigned(p, a) for a, p in places.items()])),
        replace(loop, kind="unrolled", body=block(picks)),
        _apart(replace(loop, body=block(rest)), rounds - 1),
    ]
    made: Node = block(parts)
    for tensor in reversed(memory):
        made = Allocate(tensor, made)
    return made


def _assigned(target: Expr, value: Expr) -> Store:
    assert isinstance(target, Load)
    return Store(target.tensor, target.subscripts, (value,))
