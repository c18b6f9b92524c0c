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
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.analyses.dependences import SerialOrder
from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Dimension, Role
from s2s.scop.texts import PREFIX, Carried, Storage
from s2s.source import Edit
from s2s.transforms.errors import NotApplicable


def expand_in_strips(scop: Scop, iterator: int) -> Scop:
    """Give each carried scalar an array over the strips of an iterator (see ``strip_mine``).

    Raises NotApplicable where a strip does not hold whole lifetimes.
    """
    assert scop.target is not None
    strips = [d for d in scop.target.dimensions if d.role is Role.TILE]
    if len(strips) != 1:
        raise NotApplicable(scop.span, "no strips to expand a scalar in")
    for carried in tuple(scop.carried.values()):
        scop = _expanded(scop, carried, iterator, strips[0])
    return scop


def _expanded(scop: Scop, carried: Carried, iterator: int, strip: Dimension) -> Scop:
    if len(carried.iterators) <= iterator or "(" in carried.type:
        raise NotApplicable(scop.span, f"'{carried.spelling}' cannot be expanded")
    variable = carried.iterators[iterator]
    if variable.spelling in carried.hidden:
        raise NotApplicable(scop.span, f"'{variable.spelling}' has two meanings")
    name = f"{carried.array}_values"
    first = f"{PREFIX}{strip.name}" if strip.elastic else f"{strip.size} * {PREFIX}{strip.name}"
    text = f"{PREFIX}{name}[{variable.spelling} - {first}]"
    statements = tuple(_edited(s, carried, text, variable.spelling) for s in scop.statements)
    between = _reuse(scop, carried, iterator)
    return replace(
        scop, statements=statements,
        carried={n: c for n, c in scop.carried.items() if n != carried.array},
        storage=(*scop.storage, Storage(name, _plain(carried.type), strip.size)),
        reuse=between if scop.reuse is None else scop.reuse.union(between),
    )  # fmt: skip


def _edited(statement: Statement, carried: Carried, text: str, iterator: str) -> Statement:
    places = carried.places.get(statement.name, ())
    if not places:
        return statement
    edits = (
        *statement.edits,
        *(Edit(p.start, p.end, text.encode("utf-8", "surrogateescape")) for p in places),
    )
    return replace(statement, edits=edits, uses=statement.uses | {iterator})


def _reuse(scop: Scop, carried: Carried, iterator: int) -> isl.UnionMap:
    """Pairs of instances that use the scalar in iterations with the same value of an iterator."""
    cells: isl.UnionMap | None = None
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == carried.array:
                rank = access.relation.dim(isl.dim_type.out)
                cell = access.relation.project_out(
                    isl.dim_type.out, iterator + 1, rank - iterator - 1
                ).project_out(isl.dim_type.out, 0, iterator)
                item = isl.UnionMap.from_map(cell)
                cells = item if cells is None else cells.union(item)
    assert cells is not None
    return SerialOrder(scop).restrict_all(cells.apply_range(cells.reverse()))


def _plain(type_: str) -> str:
    return " ".join(w for w in type_.split() if w not in ("const", "register", "static"))
