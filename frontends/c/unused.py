"""Statements that only serve values which the analyses have followed already.

After forward substitution nothing reads ``int first = block * size;`` any more, and a declaration
``int i, j;`` of loop variables declares what new loops declare again. Such statements would tie
everything behind them together; they are left out of the SCoP.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import partial

from s2s.frontends.c.raw import Raw, RawConstruct, RawLeaf, RawLoop, RawSequence, leaves, rebuild
from s2s.frontends.c.syntax import Decl, Node


def drop_unused_leaves(tree: Raw, escaped: Set[Decl]) -> Raw:
    """The tree without leaves whose only effect is to declare or set variables nobody reads.

    ``tree`` has to be the whole scope of what it declares, as a loop's body is.
    """
    while True:
        parts = list(leaves(tree))
        declared = {d for leaf in parts for d in leaf.declares} - escaped
        needed = _needed(parts)
        unused = {id(leaf) for leaf in parts if _serves_nothing(leaf, declared, needed)}
        if not unused:
            return tree
        tree = rebuild(tree, partial(_without, gone=unused))


def _without(node: Raw, gone: Set[int]) -> Raw:
    if isinstance(node, RawSequence):
        return RawSequence([c for c in node.children if id(c) not in gone], node.span)
    if isinstance(node, RawLoop | RawConstruct) and id(node.body) in gone:
        node.body = RawSequence([], node.body.span)
    return node


def _needed(parts: Iterable[RawLeaf]) -> set[Decl]:
    """Variables that a leaf reads or that have to be declared around it."""
    found: set[Decl] = set()
    for leaf in parts:
        for touch in leaf.touches:
            if touch.root is not None and not (touch.write and touch.is_scalar):
                found.add(touch.root)
        iterators = set(leaf.context.decls)
        found |= {d for d in leaf.exposed if d not in iterators}
    return found


def _serves_nothing(leaf: RawLeaf, declared: Set[Decl], needed: Set[Decl]) -> bool:
    if leaf.condition is not None or leaf.pragmas:
        return False
    if not all(_is_plain(node) for node in leaf.nodes):
        return False
    if any(n.kind == "CALL_EXPR" for root in leaf.nodes for n in root.walk()):
        return False
    writes = [t for t in leaf.touches if t.write]
    if not all(t.is_scalar and t.root in declared for t in writes):
        return False
    set_here = {t.root for t in writes} | leaf.declares
    return not set_here & needed and all(d.type.scalar for d in leaf.declares)


def _is_plain(node: Node) -> bool:
    """Whether a statement is an assignment or declares variables (and no types)."""
    if node.kind == "DECL_STMT":
        return all(child.kind == "VAR_DECL" for child in node.children)
    return node.kind == "BINARY_OPERATOR"
