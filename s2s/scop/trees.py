"""Walks over the tree of a SCoP that give another tree, or the ways through it."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace

from s2s.scop.nodes import Branch, Construct, Leaf, Loop, Scop, Sequence, Tree


def rebuild_tree(tree: Tree, edit: Callable[[Tree], Tree]) -> Tree:
    """The tree with ``edit`` applied to each node, children first."""
    if isinstance(tree, Sequence):
        tree = replace(tree, children=tuple(rebuild_tree(c, edit) for c in tree.children))
    elif isinstance(tree, Loop | Construct):
        tree = replace(tree, body=rebuild_tree(tree.body, edit))
    elif isinstance(tree, Branch):
        otherwise = None if tree.otherwise is None else rebuild_tree(tree.otherwise, edit)
        tree = replace(tree, then=rebuild_tree(tree.then, edit), otherwise=otherwise)
    return edit(tree)


def drop_statements(scop: Scop, names: Set[str]) -> Scop:
    """The SCoP without statements of these names; loops and constructs stay, empty perhaps."""

    def edit(tree: Tree) -> Tree:
        if isinstance(tree, Leaf) and tree.statement in names:
            return Sequence((), tree.span)
        if isinstance(tree, Sequence):
            kept = (c for c in tree.children if not isinstance(c, Sequence) or c.children)
            return replace(tree, children=tuple(kept))
        return tree

    statements = tuple(s for s in scop.statements if s.name not in names)
    return replace(scop, statements=statements, tree=rebuild_tree(scop.tree, edit))


def paths(tree: Tree) -> dict[str, tuple[Tree, ...]]:
    """For each statement the nodes from the root down to its leaf."""
    found: dict[str, tuple[Tree, ...]] = {}

    def descend(node: Tree, above: tuple[Tree, ...]) -> None:
        here = (*above, node)
        if isinstance(node, Leaf):
            found[node.statement] = here
        elif isinstance(node, Sequence):
            for child in node.children:
                descend(child, here)
        elif isinstance(node, Loop | Construct):
            if isinstance(node, Construct) and node.point:
                found[node.point] = here
            descend(node.body, here)
        else:
            descend(node.then, here)
            if node.otherwise is not None:
                descend(node.otherwise, here)

    descend(tree, ())
    return found
