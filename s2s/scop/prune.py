"""Trees without some of their statements."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from s2s.scop.nodes import Branch, Construct, Leaf, Loop, Scop, Sequence, Tree


def without_statements(scop: Scop, names: Set[str]) -> Scop:
    """The SCoP without statements of these names; loops and constructs stay, empty perhaps."""
    statements = tuple(s for s in scop.statements if s.name not in names)
    return replace(scop, statements=statements, tree=_without(scop.tree, names))


def _without(tree: Tree, names: Set[str]) -> Tree:
    if isinstance(tree, Leaf):
        return Sequence((), tree.span) if tree.statement in names else tree
    if isinstance(tree, Sequence):
        children = (_without(child, names) for child in tree.children)
        kept = tuple(c for c in children if not (isinstance(c, Sequence) and not c.children))
        return replace(tree, children=kept)
    if isinstance(tree, Loop | Construct):
        return replace(tree, body=_without(tree.body, names))
    assert isinstance(tree, Branch)
    otherwise = None if tree.otherwise is None else _without(tree.otherwise, names)
    return replace(tree, then=_without(tree.then, names), otherwise=otherwise)
