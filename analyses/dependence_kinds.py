"""Dependences taken apart by what they are about: arrays, kinds, distances along loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import islpy as isl

from s2s.analyses.dependences import by_statements
from s2s.scop.nodes import Scop, Statement
from s2s.source.records import dataclass

Kind = Literal["flow", "anti", "output", "order"]

_IN, _OUT = isl.dim_type.in_, isl.dim_type.out


@dataclass(frozen=True)
class Part:
    """Those of the dependences between two statements that are of one kind and on one array.

    Dependences of kind ``order`` are those that no two accesses of one array explain: arrays and
    rows that may be the same memory. ``arrays`` are all that both sides touch then.
    """

    source: str
    target: str
    kind: Kind
    arrays: tuple[str, ...]
    relation: isl.Map


def parts(scop: Scop, relation: isl.UnionMap) -> Iterator[Part]:
    """The parts of a relation between instances of a SCoP's statements, in their order."""
    known = {s.name: s for s in scop.statements}
    for (source, target), pairs in sorted(by_statements(relation).items()):
        if source in known and target in known and not pairs.is_empty():
            yield from _parts_of(scop, known[source], known[target], pairs)


def _parts_of(
    scop: Scop, source: Statement, target: Statement, pairs: isl.Map
) -> Iterator[Part]:  # fmt: skip
    left = pairs
    writes, reads = _touched(source, write=True), _touched(source, write=False)
    ways: tuple[tuple[Kind, dict[str, isl.Map], bool], ...] = (
        ("flow", writes, False),
        ("anti", reads, True),
        ("output", writes, True),
    )
    for kind, first, write in ways:
        second = _touched(target, write=write)
        for array in sorted(first.keys() & second.keys()):
            common = first[array].apply_range(second[array].reverse()).intersect(pairs)
            if not common.is_empty():
                left = left.subtract(common)
                name = scop.arrays[array].spelling
                yield Part(source.name, target.name, kind, (name,), common.coalesce())
    if not left.is_empty():
        names = {scop.arrays[a.array].spelling for s in (source, target) for a in s.accesses}
        found = tuple(sorted(names))
        yield Part(source.name, target.name, "order", found, left.coalesce())


def _touched(statement: Statement, *, write: bool) -> dict[str, isl.Map]:
    """What a statement writes or reads, by arrays."""
    found: dict[str, isl.Map] = {}
    for access in statement.accesses:
        if access.write == write:
            known = found.get(access.array)
            found[access.array] = access.relation if known is None else known.union(access.relation)
    return found


def distances(
    relation: isl.Map, steps: Sequence[int]
) -> tuple[tuple[int | None, ...], tuple[str, ...]]:
    """Distance and sign along each of the outermost loops that both sides share.

    ``steps`` are what iterations of these loops add to their variables. A distance is None where it
    is not one number of iterations.
    """
    count = len(steps)
    for side in (_IN, _OUT):
        relation = relation.project_out(side, count, relation.dim(side) - count)
        relation = relation.reset_tuple_id(side)
    deltas = relation.deltas()
    ends = [
        (_end(deltas.dim_min_val(i), step), _end(deltas.dim_max_val(i), step))
        for i, step in enumerate(steps)
    ]
    ordered = [(low, high) if step > 0 else (high, low) for (low, high), step in
               zip(ends, steps, strict=True)]  # fmt: skip
    far = tuple(int(low) if low == high else None for low, high in ordered)
    return far, tuple(_sign(low, high) for low, high in ordered)


def _end(value: isl.Val, step: int) -> float:
    """An end of a range, in iterations."""
    if value.is_infty() or value.is_neginfty():
        found = float("inf") if value.is_infty() else float("-inf")
    else:
        found = float(value.to_python())
    return found / step


def _sign(low: float, high: float) -> str:
    if low == high == 0:
        return "="
    if low > 0:
        return "<"
    if high < 0:
        return ">"
    if low == 0:
        return "<="
    return ">=" if high == 0 else "*"
