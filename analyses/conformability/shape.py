"""R1: one perfect loop nest without conditions."""

from __future__ import annotations

from s2s.analyses.conformability.verdicts import Verdict
from s2s.scop.nodes import Branch, Construct, Leaf, Loop, Scop, Sequence, Tree, walk
from s2s.source import Span


def judge_shape(scop: Scop) -> Verdict:
    """Whether the region is loops in loops, with assignments in the innermost one alone."""
    depth, tree = 0, scop.tree
    for statement in scop.statements:
        where = statement.control[0] if statement.control else statement.span
        if statement.control and statement.expression is None:
            said = "this is a condition on data, or a loop that depends on them"
            return Verdict("R1", False, said, where)
        if statement.opaque:
            return Verdict("R1", False, "this is no assignment to an element", where)
    while True:
        match tree:
            case Sequence(children=(child,)) | Construct(body=child):
                tree = child
            case Loop(body=body):
                depth, tree = depth + 1, body
            case Leaf():
                break
            case Sequence(children=children) if children and _only_leaves(children):
                break
            case Branch(span=span):
                reason = "this is a condition: not all iterations compute the same"
                return Verdict("R1", False, reason, _place(tree, span))
            case Sequence(children=children):
                return _imperfect(children, depth, scop.span)
    if depth == 0:
        return Verdict("R1", False, "there is no loop", scop.span)
    loops = "a loop" if depth == 1 else f"{depth} loops, each the only thing in the one around it"
    return Verdict("R1", True, loops, _place(scop.tree, scop.span))


def _only_leaves(children: tuple[Tree, ...]) -> bool:
    return all(isinstance(child, Leaf) for child in children)


def _imperfect(children: tuple[Tree, ...], depth: int, whole: Span) -> Verdict:
    """The verdict on several trees where there should be one loop."""
    beside = [child for child in children if isinstance(child, Leaf)]
    if beside:
        where = "the loops" if depth == 0 else f"the innermost {'loops' if depth > 1 else 'loop'}"
        said = f"this statement is not in {where} beside it: the nest is not perfect"
        return Verdict("R1", False, said, beside[0].span)
    if len(children) < 2:
        return Verdict("R1", False, "there is no statement", whole)
    said = "this is a second nest beside the first: there is more than one"
    return Verdict("R1", False, said, _place(children[1], children[1].span))


def _place(tree: Tree, span: Span) -> Span:
    """A tree's place; that of its first statement where the tree itself has no text."""
    if span.end > span.start:
        return span
    return next((node.span for node in walk(tree) if isinstance(node, Leaf)), span)
