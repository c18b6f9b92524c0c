"""Scalars that carry values between statements: which code has to stay together for them.

A variable that a loop body sets before it reads it needs no memory of its own across iterations.
Where several statements share such a variable they are merged into one leaf, so that it can be
declared inside the leaf; everything else stays an access that orders the statements.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.raw import (
    Raw,
    RawBranch,
    RawConstruct,
    RawLeaf,
    RawLoop,
    RawSequence,
    leaves,
    merge,
    rebuild,
)
from s2s.frontends.c.syntax import Decl
from s2s.scop.nodes import Kind
from s2s.source import Span

_KEPT_WHOLE = frozenset({Kind.ATOMIC, Kind.CRITICAL, Kind.SIMD})


def _constructs(tree: Raw) -> bool:
    """Whether a tree holds a construct that cannot be kept inside a statement."""
    if isinstance(tree, RawConstruct):
        return tree.kind not in _KEPT_WHOLE or _constructs(tree.body)
    if isinstance(tree, RawSequence):
        return any(_constructs(c) for c in tree.children)
    if isinstance(tree, RawLoop):
        return _constructs(tree.body)
    if isinstance(tree, RawBranch):
        return _constructs(tree.then) or (
            tree.otherwise is not None and _constructs(tree.otherwise)
        )
    return False


def _merged(children: list[Raw], span: Span, outer: RawLeaf, reason: str) -> RawLeaf:
    if any(_constructs(c) for c in children):
        raise NotLiftable(span, reason)
    return merge(children, span, outer.context, reason)


def merge_declarations(tree: Raw, apart: Set[Decl] = frozenset()) -> Raw:
    """Merge a declaration with the statements after it that use the variable.

    Statements that share nothing but variables in ``apart`` stay apart.
    """

    def edit(node: Raw) -> Raw:
        if not isinstance(node, RawSequence):
            return node
        children: list[Raw] = []
        position = 0
        while position < len(node.children):
            child = node.children[position]
            last = position
            if isinstance(child, RawLeaf) and _declares_type(child):
                last = len(node.children) - 1
            elif isinstance(child, RawLeaf):
                last = _last_user(node.children, position, apart)
            if last > position and isinstance(child, RawLeaf):
                span = Span(child.span.start, node.children[last].span.end)
                reason = _shared(child, node.children[position + 1 : last + 1])
                child = _merged(node.children[position : last + 1], span, child, reason)
            children.append(child)
            position = last + 1
        return RawSequence(children, node.span)

    return rebuild(tree, edit)


def _declares_type(leaf: RawLeaf) -> bool:
    """Whether a leaf declares more than variables: the text after it may depend on that."""
    return any(
        child.kind != "VAR_DECL"
        for n in leaf.nodes
        if n.kind == "DECL_STMT"
        for child in n.children
    )


def _shared(leaf: RawLeaf, behind: list[Raw]) -> str:
    """Why a declaration and what follows stay together."""
    used = {d for tree in behind for other in leaves(tree) for d in other.references}
    names = sorted(d.name for d in leaf.declares & used) or ["a variable"]
    calls = {n.name for root in leaf.nodes for n in root.walk() if n.kind == "CALL_EXPR"}
    if "omp_get_thread_num" in calls:
        return f"what the statements do depends on the thread's number '{names[0]}'"
    return f"'{names[0]}', declared here, is shared by the statements behind it"


def _last_user(children: list[Raw], position: int, apart: Set[Decl]) -> int:
    """The last sibling that uses what the leaves up to it declare."""
    last = position
    current = position
    declared: set[Decl] = set()
    while current <= last:
        for leaf in leaves(children[current]):
            declared |= leaf.declares - apart
        for later in range(last + 1, len(children)) if declared else ():
            if any(leaf.references & declared for leaf in leaves(children[later])):
                last = later
        current += 1
    return last


def merge_private(tree: Raw, dead: Callable[[Decl], bool], apart: Set[Decl] = frozenset()) -> Raw:
    """Merge loop bodies until no statement reads a private scalar that another one has set.

    Variables in ``apart`` are left as they are.
    """
    for decl in sorted(scalars(tree) - apart, key=lambda d: d.offset):
        if dead(decl) or is_private(tree, decl):
            tree = merge_for(tree, decl)
    return tree


def scalars(tree: Raw) -> set[Decl]:
    """Local scalars that the tree sets."""
    return {
        t.root for leaf in leaves(tree) for t in leaf.touches
        if t.is_scalar and t.write and t.root is not None and t.root.is_local
    }  # fmt: skip


def merge_for(tree: Raw, decl: Decl) -> Raw:
    """Merge the innermost loop bodies around exposed reads that set ``decl`` first."""
    done = False

    def edit(node: Raw) -> Raw:
        nonlocal done
        if not isinstance(node, RawLoop) or done:
            return node
        inside = list(leaves(node.body))
        exposed = [leaf for leaf in inside if decl in leaf.exposed]
        if not exposed or _constructs(node.body):
            return node
        whole = merge([node.body], node.body.span, node.context, "statements share a scalar")
        if decl in whole.exposed:
            return node
        done = True
        return RawLoop(
            node.variable, node.decl, node.step, whole, node.span, node.header, node.context
        )

    changed = rebuild(tree, edit)
    while done:
        done = False
        changed = rebuild(changed, edit)
    return changed


def private_scalars(tree: Raw, dead: Callable[[Decl], bool]) -> set[Decl]:
    """Scalars that every statement sets before it reads them and that nobody reads afterwards."""
    exposed = {d for leaf in leaves(tree) for d in leaf.exposed}
    return {
        d for d in scalars(tree)
        if d not in exposed and (dead(d) or is_private(tree, d))
    }  # fmt: skip


def is_private(tree: Raw, decl: Decl, private: bool = False) -> bool:
    """Whether all uses of a variable are below constructs that make it private."""
    if isinstance(tree, RawConstruct):
        private = private or decl.name in tree.private
        return is_private(tree.body, decl, private)
    if isinstance(tree, RawLeaf):
        return private or decl not in tree.references | tree.declares | tree.written
    if isinstance(tree, RawSequence):
        return all(is_private(c, decl, private) for c in tree.children)
    if isinstance(tree, RawLoop):
        return is_private(tree.body, decl, private)
    branches = [tree.then, *([tree.otherwise] if tree.otherwise else [])]
    return all(is_private(b, decl, private) for b in branches)
