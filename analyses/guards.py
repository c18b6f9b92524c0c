"""Conditions that depend on data, evaluated where the statements run that they guard.

::

    if (c) { spawn A; B; }        C: evaluates c        ->        if (c) A;   if (c) B;

The source evaluates ``c`` once, in the thread that gets there: a pseudo statement of the SCoP that
happens-before treats like any other one. The new code evaluates ``c`` anew before each guarded
statement, so whatever has to come before (or behind) the pseudo statement has to come before (or
behind) the statements that it guards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Access, Branch, Construct, Leaf, Loop, Scop, Sequence, Statement, Tree


def fold_guards(scop: Scop, dependences: isl.UnionMap) -> tuple[Scop, isl.UnionMap]:
    """The SCoP without its pseudo statements, and dependences between what is left."""
    if not scop.guards:
        return scop, dependences
    guarded = _guarded(scop)
    ahead = dependences.apply_range(guarded)
    behind = dependences.apply_domain(guarded)
    everything = dependences.union(ahead).union(behind).union(ahead.apply_domain(guarded))
    reduced = _without(scop)
    domain = reduced.domain()
    kept = everything.intersect_domain(domain).intersect_range(domain)
    same = isl.UnionSet.identity(domain)
    return reduced, kept.subtract(same).coalesce()


def _guarded(scop: Scop) -> isl.UnionMap:
    """From evaluations of conditions to the instances that run only if they hold."""
    result = isl.UnionMap.empty(scop.domain().get_space())
    for name, statements in scop.guards.items():
        for other in statements:
            relation = _instances(scop.statement(name), scop.statement(other))
            result = result.union(isl.UnionMap.from_map(relation))
    return result


def _instances(guard: Statement, statement: Statement) -> isl.Map:
    space = guard.domain.get_space().map_from_domain_and_range(statement.domain.get_space())
    relation = isl.Map.universe(space)
    for position in range(guard.depth):
        relation = relation.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
    return relation.intersect_domain(guard.domain).intersect_range(statement.domain)


def _without(scop: Scop) -> Scop:
    """Without pseudo statements; what they read is read by those that they guard."""
    reads: dict[str, list[Access]] = {}
    for name, statements in scop.guards.items():
        guard = scop.statement(name)
        for other in statements:
            there = _instances(guard, scop.statement(other)).reverse()
            for access in guard.accesses:
                relation = there.apply_range(access.relation)
                reads.setdefault(other, []).append(replace(access, relation=relation, exact=False))
    kept = tuple(
        replace(s, accesses=(*s.accesses, *reads.get(s.name, [])))
        for s in scop.statements
        if s.name not in scop.guards
    )
    return replace(
        scop, statements=kept, tree=_pruned(scop, scop.tree), guards={},
        tested=tuple(_in_front_of_loops(scop)),
    )  # fmt: skip


def _in_front_of_loops(scop: Scop) -> Iterator[Statement]:
    """Evaluations of conditions below no other condition, with loops between them and what they
    guard.
    """
    for name, statements in scop.guards.items():
        guard = scop.statement(name)
        inside = any(statements < others for others in scop.guards.values())
        if not inside and any(scop.statement(s).depth > guard.depth for s in statements):
            yield guard


def _pruned(scop: Scop, tree: Tree) -> Tree:
    if isinstance(tree, Sequence):
        kept = (
            c for c in tree.children if not (isinstance(c, Leaf) and c.statement in scop.guards)
        )
        return Sequence(tuple(_pruned(scop, c) for c in kept), tree.span)
    if isinstance(tree, Loop | Construct):
        return replace(tree, body=_pruned(scop, tree.body))
    if isinstance(tree, Branch):
        otherwise = None if tree.otherwise is None else _pruned(scop, tree.otherwise)
        return replace(tree, then=_pruned(scop, tree.then), otherwise=otherwise)
    return tree
