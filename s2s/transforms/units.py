"""Scheduling units: which statements move together.

The innermost loop of a deep nest stays a row: its statements keep their order and share one
schedule, which keeps vector loops whole and the schedules small. In Figure 3.5 the two units are
the rows of S1 and of the compound statement S2.
"""

from __future__ import annotations

import islpy as isl

from s2s.scop.nodes import Branch, Construct, Leaf, Loop, Scop, Sequence, Statement, Tree
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Unit:
    """Statements that share a schedule over their first ``depth`` iterators."""

    name: str
    depth: int
    statements: tuple[str, ...]
    iterators: tuple[str, ...]


def find_units(scop: Scop, *, rows: bool = True) -> tuple[Unit, ...]:
    """Units in program order; without ``rows`` each innermost loop body is one.

    A loop below one other that is not as deep as others is a row by itself, such as those that
    update a boundary, where it walks along rows of what it writes.
    """
    units: list[Unit] = []

    def descend(tree: Tree, loops: tuple[Loop, ...]) -> None:
        if isinstance(tree, Leaf):
            _add(units, len(loops), [tree.statement], loops)
        elif isinstance(tree, Loop):
            inner = (*loops, tree)
            tall = _height(tree)
            if rows and tall == 1 and _is_short_row(scop, tree, len(inner)):
                for name in _statements(tree.body):  # they may be at both ends of an array
                    _add(units, len(loops), [name], loops)
            elif tall == 1 or (rows and tall == 2 and len(inner) >= 2):
                _add(units, len(inner), _statements(tree.body), inner)
            else:
                descend(tree.body, inner)
        else:
            for child in _children(tree):
                descend(child, loops)

    descend(scop.tree, ())
    return tuple(units)


def _is_short_row(scop: Scop, loop: Loop, depth: int) -> bool:
    """Whether an innermost loop at a depth, with deeper ones elsewhere, writes along rows."""
    if depth < 2 or depth >= max(s.depth for s in scop.statements):
        return False
    writes = [
        a.relation for name in _statements(loop.body) for a in scop.statement(name).accesses
        if a.write and scop.arrays[a.array].rank
    ]  # fmt: skip
    return bool(writes) and all(varies_in_last(w, depth - 1) for w in writes)


def varies_in_last(relation: isl.Map, iterator: int, *, always: bool = True) -> bool:
    """Whether an iterator decides on the last subscript (or not ``always``) and on no other."""
    relation = relation.gist_domain(relation.domain())
    last = relation.dim(isl.dim_type.out) - 1
    others = relation.project_out(isl.dim_type.out, last, 1).coalesce()
    along = relation.project_out(isl.dim_type.out, 0, last).coalesce()
    if others.involves_dims(isl.dim_type.in_, iterator, 1):
        return False
    return not always or bool(along.involves_dims(isl.dim_type.in_, iterator, 1))


def _add(units: list[Unit], depth: int, names: list[str], loops: tuple[Loop, ...]) -> None:
    if names:
        variables = tuple(loop.variable.spelling for loop in loops)
        units.append(Unit(f"U{len(units) + 1}", depth, tuple(names), variables))


def _children(tree: Tree) -> tuple[Tree, ...]:
    if isinstance(tree, Sequence):
        return tree.children
    if isinstance(tree, Loop | Construct):
        return (tree.body,)
    if isinstance(tree, Branch):
        return (tree.then,) if tree.otherwise is None else (tree.then, tree.otherwise)
    return ()


def _height(tree: Tree) -> int:
    inner = max((_height(c) for c in _children(tree)), default=0)
    return inner + 1 if isinstance(tree, Loop) else inner


def _statements(tree: Tree) -> list[str]:
    if isinstance(tree, Leaf):
        return [tree.statement]
    return [name for child in _children(tree) for name in _statements(child)]


def to_units(scop: Scop, units: tuple[Unit, ...]) -> isl.UnionMap:
    """From statement instances to the unit instances that they belong to."""
    result: isl.UnionMap | None = None
    for unit in units:
        for name in unit.statements:
            domain = scop.statement(name).domain
            depth = domain.dim(isl.dim_type.set)
            relation = isl.Map.identity(domain.get_space().map_from_set())
            relation = relation.project_out(isl.dim_type.out, unit.depth, depth - unit.depth)
            relation = relation.set_tuple_name(isl.dim_type.out, unit.name)
            item = isl.UnionMap.from_map(relation.intersect_domain(domain))
            result = item if result is None else result.union(item)
    assert result is not None
    return result


def unit_dependences(dependences: isl.UnionMap, mapping: isl.UnionMap) -> isl.UnionMap:
    """Dependences between different unit instances; those inside one keep their order anyway."""
    between = dependences.apply_domain(mapping).apply_range(mapping)
    same = isl.UnionSet.identity(mapping.range())
    return between.subtract(same).coalesce()


def direction(statement: Statement, position: int) -> str:
    """An iterator, negated where the source counts it down."""
    name = statement.iterators[position].name
    function = isl.PwMultiAff.from_map(statement.schedule)
    pieces: list[isl.MultiAff] = []
    function.foreach_piece(lambda _, piece: pieces.append(piece))
    for row in range(statement.schedule.dim(isl.dim_type.out)):
        value = pieces[0].get_at(row).get_coefficient_val(isl.dim_type.in_, position)
        if not value.is_zero():
            return name if value.is_pos() else f"-{name}"
    return name
