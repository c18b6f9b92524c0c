"""Statements that do nothing but read, such as an assertion that always holds, are left out."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from s2s.frontends.c.raw import RawLeaf
from s2s.scop import nodes as scop
from s2s.scop.nodes import Kind, Statement


def drop_idle(
    statements: tuple[Statement, ...], tree: scop.Tree, idle: Set[str]
) -> tuple[tuple[Statement, ...], scop.Tree]:
    """Statements and tree without those of the names ``idle`` that write nothing."""
    pure = {
        s.name for s in statements
        if s.name in idle and not any(a.write for a in s.accesses)
    }  # fmt: skip

    def without(node: scop.Tree) -> scop.Tree:
        if isinstance(node, scop.Sequence):
            kept = tuple(
                without(c) for c in node.children
                if not (isinstance(c, scop.Leaf) and c.statement in pure)
            )  # fmt: skip
            return scop.Sequence(kept, node.span)
        if isinstance(node, scop.Loop | scop.Construct):
            return replace(node, body=without(node.body))
        if isinstance(node, scop.Branch):
            otherwise = None if node.otherwise is None else without(node.otherwise)
            return replace(node, then=without(node.then), otherwise=otherwise)
        return node

    if not pure:
        return statements, tree
    changed = without(tree)
    for node in scop.walk(changed):
        task = isinstance(node, scop.Construct) and node.kind is Kind.TASK
        if task and not any(isinstance(n, scop.Leaf) for n in scop.walk(node)):
            return statements, tree  # what the task orders would be lost
    left = {n.statement for n in scop.walk(changed) if isinstance(n, scop.Leaf)}
    return tuple(s for s in statements if s.name in left), changed


def only_reads(leaf: RawLeaf) -> bool:
    """Whether a leaf sets and declares nothing and surely ends; calls have accesses."""
    if leaf.condition is not None:
        return False
    ends = not any(n.is_loop for root in leaf.nodes for n in root.walk())
    return ends and not leaf.written and not leaf.declares
