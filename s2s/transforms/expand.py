"""Expansion of a private scalar to an array over the iterations of a strip.

::

    parallel for j: {                       parallel for strip: {
      sum = 0;                                double sums[64];
      for k: sum += a[k][j] * x[k];   ->      for j in strip: sums[j - strip] = 0;
      y[j] = sum;                             for k: for j in strip: sums[...] += a[k][j] * x[k];
    }                                         for j in strip: y[j] = sums[j - strip]; }

One subscript is enough where the strip's loop is the only one that the lifetimes of the scalar are
taken apart by; that every other pair of lifetimes keeps its order is part of the legality proof.
(Feautrier, "Array expansion", 1988; here with the least number of dimensions.)

Where loops are unrolled and jammed, each iteration of a tile has an element, and tiles use the
elements again, in the order of the source.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from math import prod

import islpy as isl

from s2s.analyses.dependences import SerialOrder
from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Dimension, Role
from s2s.scop.texts import PREFIX, Carried, Storage, still_declares
from s2s.source import Edit
from s2s.transforms.errors import NotApplicable


def expand_in_strips(scop: Scop, iterator: int, lines: Set[int] = frozenset()) -> Scop:
    """Give each carried scalar an array over the strips of an iterator (see ``strip_mine``).

    ``lines`` are iterators of loops around the strips, each of whose iterations has arrays of its
    own. Raises NotApplicable where a strip does not hold whole lifetimes.
    """
    assert scop.target is not None
    strips = [d for d in scop.target.dimensions if d.role is Role.TILE]
    if len(strips) != 1 + len(lines):
        raise NotApplicable(scop.span, "no strips to expand a scalar in")
    for carried in tuple(scop.carried.values()):
        scop = _expanded(scop, carried, iterator, strips[-1], lines)
    return scop


def _expanded(
    scop: Scop, carried: Carried, iterator: int, strip: Dimension, lines: Set[int]
) -> Scop:
    if len(carried.iterators) <= iterator or "(" in carried.type:
        raise NotApplicable(scop.span, f"'{carried.spelling}' cannot be expanded")
    variable = carried.iterators[iterator]
    if variable.spelling in carried.hidden:
        raise NotApplicable(scop.span, f"'{variable.spelling}' has two meanings")
    first = f"{PREFIX}{strip.name}" if strip.elastic else f"{strip.size} * {PREFIX}{strip.name}"
    rank = len(carried.iterators)
    cell = [f"c{i}" for i in (iterator, *sorted(lines))]
    between = _reuse(scop, carried, isl.Map(f"{{ [{_names(rank)}] -> [{', '.join(cell)}] }}"))
    return _kept(scop, carried, f"[{variable.spelling} - {first}]", {iterator}, strip.size, between)


def expand_in_tiles(
    scop: Scop, factors: Mapping[int, int], tiles: Mapping[int, str], outermost: int
) -> Scop:
    """Give each carried scalar an element for each iteration of a tile of unrolled loops.

    ``factors`` are sizes of tiles by iterator, ``tiles`` names of the loops over them, and
    ``outermost`` is the iterator of the outermost loop: lifetimes in different iterations of it, or
    tiles, do not run at the same time, or each thread has elements of its own. The loops around
    have to hold whole lifetimes. Raises NotApplicable where a scalar cannot have elements.
    """
    for carried in tuple(scop.carried.values()):
        own = {i: f for i, f in factors.items() if i < len(carried.iterators)}
        names = {i: carried.iterators[i].spelling for i in own}
        if not own or "(" in carried.type or carried.hidden & set(names.values()):
            raise NotApplicable(scop.span, f"'{carried.spelling}' cannot be expanded")
        steps = {i: prod(f for j, f in own.items() if j > i) for i in own}
        text = " + ".join(
            f"{f'{step} * ' if step > 1 else ''}{names[i]} - {step * own[i]} * {PREFIX}{tiles[i]}"
            for i, step in sorted(steps.items())
        )
        cells = [f"c{i} mod {factor}" for i, factor in own.items()]
        if outermost < len(carried.iterators):
            cells.append(f"floor(c{outermost}/{own.get(outermost, 1)})")
        cell = ", ".join(cells)
        rank = len(carried.iterators)
        between = _reuse(scop, carried, isl.Map(f"{{ [{_names(rank)}] -> [{cell}] }}"))
        scop = _kept(scop, carried, f"[{text}]", set(own), prod(own.values()), between)
    return scop


def _names(count: int) -> str:
    return ", ".join(f"c{i}" for i in range(count))


def _kept(
    scop: Scop, carried: Carried, subscript: str, iterators: Set[int], size: int,
    between: isl.UnionMap,
) -> Scop:  # fmt: skip
    """The scalar as an element of new storage; ``between`` are the pairs that may share one."""
    name = f"{carried.array}_values"
    text = f"{PREFIX}{name}{subscript}"
    uses = frozenset(carried.iterators[i].spelling for i in iterators)
    return replace(
        scop, statements=tuple(_edited(s, carried, text, uses) for s in scop.statements),
        carried={n: c for n, c in scop.carried.items() if n != carried.array},
        storage=(*scop.storage, Storage(name, _plain(carried.type), size)),
        reuse=between if scop.reuse is None else scop.reuse.union(between),
    )  # fmt: skip


def _edited(statement: Statement, carried: Carried, text: str, uses: frozenset[str]) -> Statement:
    places = carried.places.get(statement.name, ())
    if not places:
        return statement
    edits = (
        *statement.edits,
        *(Edit(p.start, p.end, text.encode("utf-8", "surrogateescape")) for p in places),
    )
    return replace(
        statement, edits=edits, uses=statement.uses | uses,
        declares=still_declares(statement, carried),
    )  # fmt: skip


def _reuse(scop: Scop, carried: Carried, cell: isl.Map) -> isl.UnionMap:
    """Pairs of instances that use the scalar in lifetimes with the same ``cell``.

    Two instances that read one and the same value may change places: they are no pair. Else a
    loop all of whose iterations read the scalar could not become one of vectors.
    """
    uses: isl.UnionMap | None = None
    writers = isl.UnionSet.empty(scop.context.get_space())
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == carried.array:
                lifetimes = access.relation.reset_tuple_id(isl.dim_type.out)
                item = isl.UnionMap.from_map(lifetimes)
                uses = item if uses is None else uses.union(item)
                if access.write:
                    writers = writers.union(item.domain())
    assert uses is not None
    cells = uses.apply_range(isl.UnionMap.from_map(cell))
    readers = uses.subtract_domain(writers)
    same_value = readers.apply_range(readers.reverse())
    pairs = cells.apply_range(cells.reverse()).subtract(same_value)
    return SerialOrder(scop).restrict_all(pairs)


def _plain(type_: str) -> str:
    return " ".join(w for w in type_.split() if w not in ("const", "register", "static"))
