"""Walks over the tree of a SCoP that give another tree, or the ways through it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2s.scop.nodes import Branch, Construct, Leaf, Loop, Sequence, Tree


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
