"""Statements cut into pieces: each has some of the instances, all of them together each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Leaf, Scop, Statement, Tree
from s2s.scop.nodes import Sequence as Block
from s2s.scop.texts import Carried
from s2s.scop.trees import rebuild_tree
from s2s.source import Span

Pieces = Mapping[str, Sequence[Statement]]


def cut_statements(scop: Scop, pieces: Pieces) -> tuple[Scop, isl.UnionMap]:
    """The SCoP with pieces in place of statements, and the relation from old to new instances."""

    def place(node: Tree) -> Tree:
        if isinstance(node, Leaf) and len(pieces[node.statement]) > 1:
            parts = tuple(Leaf(p.name, node.span) for p in pieces[node.statement])
            return Block(parts, node.span)
        return node

    statements = tuple(piece for s in scop.statements for piece in pieces[s.name])
    carried = {name: _in_pieces(item, pieces) for name, item in scop.carried.items()}
    changed = replace(
        scop, statements=statements, tree=rebuild_tree(scop.tree, place), carried=carried
    )
    return changed, _instances(scop, pieces)


def _in_pieces(carried: Carried, pieces: Pieces) -> Carried:
    """A carried scalar with the places where the texts of pieces name it."""
    places: dict[str, tuple[Span, ...]] = {}
    sets: set[str] = set()
    for statement, parts in pieces.items():
        named = carried.places.get(statement, ())
        for part in parts:
            kept = [p for p in named if not any(e.start <= p.start < e.end for e in part.edits)]
            if kept:
                places[part.name] = tuple(kept)
            if statement in carried.sets:
                sets.add(part.name)
    return replace(carried, places=places, sets=frozenset(sets))


def piece_of(statement: Statement, name: str, domain: isl.Set) -> Statement:
    """The statement under another name for a part of its instances."""
    accesses = []
    for access in statement.accesses:
        relation = access.relation.intersect_domain(domain)
        if not relation.is_empty():
            relation = relation.set_tuple_name(isl.dim_type.in_, name)
            accesses.append(replace(access, relation=relation))
    choices = tuple(
        replace(c, condition=c.condition.set_tuple_name(name)) for c in statement.choices
    )
    return replace(
        statement, name=name, domain=domain.set_tuple_name(name), accesses=tuple(accesses),
        schedule=statement.schedule.set_tuple_name(isl.dim_type.in_, name), choices=choices,
    )  # fmt: skip


def _instances(scop: Scop, pieces: Pieces) -> isl.UnionMap:
    result: isl.UnionMap | None = None
    for statement in scop.statements:
        for piece in pieces[statement.name]:
            same = isl.Map.identity(statement.domain.get_space().map_from_set())
            same = same.set_tuple_name(isl.dim_type.out, piece.name).intersect_range(piece.domain)
            item = isl.UnionMap.from_map(same)
            result = item if result is None else result.union(item)
    assert result is not None
    return result
