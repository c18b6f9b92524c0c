"""A look at the syntax of a nest: could it gain from another order of its iterations.

Nests without directives gain where they use elements again, walk across rows or have recurrences;
what threads share may always be worth a look.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import ASSIGNMENTS, Decl, Node
from s2s.rewriters.expressions import same

# Words in the names of directives whose statements several threads share.
_DISTRIBUTES = frozenset({"task", "for", "sections", "section", "taskloop"})


def may_gain_from_order(attempt: Attempt) -> bool:
    """Whether a nest could gain from another order of its iterations, or threads share a loop."""
    node = attempt.statements[0]
    directives = attempt.directives
    if any(_DISTRIBUTES & set(d.name.split()) for d in directives):
        return any(n.kind == "FOR_STMT" for n in node.walk())
    looks = (_has_strided_nest, _has_reuse, _has_recurrence)
    return not directives and any(look(node, ()) for look in looks)


def _has_reuse(node: Node, around: tuple[Decl, ...]) -> bool:
    """Whether a nest has references that do not change with one of its loops."""
    if node.kind == "FOR_STMT" and len(node.children) == 4:
        init = node.children[0]
        first = init.children[0] if init.children else init
        if first.decl is None:
            return False
        return _has_reuse(node.children[3], (*around, first.decl))
    if any(n.kind == "FOR_STMT" for n in node.walk() if n is not node):
        return any(_has_reuse(child, around) for child in node.children)
    if len(around) < 2:
        return False
    return any(not set(around) <= {n.decl for n in r.walk()} for r in _references(node))


def _has_recurrence(node: Node, around: tuple[Decl, ...]) -> bool:
    """Whether an innermost loop of a nest reads another element of an array that it writes."""
    if node.kind == "FOR_STMT" and len(node.children) == 4:
        return _has_recurrence(node.children[3], (*around, *_counters(node)))
    if any(n.kind == "FOR_STMT" for n in node.walk() if n is not node):
        return any(_has_recurrence(child, around) for child in node.children)
    if len(around) < 2:
        return False
    written = [n.children[0] for n in node.walk() if n.op in ASSIGNMENTS and n.type.kind == "float"]
    found = list(_references(node))
    return any(
        reference is not target and _array(reference) is _array(target)
        and not same(reference, target)
        for target in written if target.kind == "ARRAY_SUBSCRIPT_EXPR" for reference in found
    )  # fmt: skip


def _counters(loop: Node) -> list[Decl]:
    """The variable that a loop sets first."""
    init = loop.children[0]
    first = init.children[0] if init.children else init
    return [first.decl] if first.decl is not None else []


def _array(reference: Node) -> Decl | None:
    """The variable that subscripts follow."""
    while reference.kind == "ARRAY_SUBSCRIPT_EXPR":
        reference = reference.children[0]
    while reference.children and reference.decl is None:
        reference = reference.children[0]
    return reference.decl


def _references(node: Node) -> Iterator[Node]:
    """The array references in a tree that are no part of another one."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR":
        yield node
        return
    for child in node.children:
        yield from _references(child)


def _has_strided_nest(node: Node, around: tuple[Decl, ...]) -> bool:
    """Whether an innermost loop of a nest walks across rows of an array or asks for boundaries."""
    if node.kind == "FOR_STMT" and len(node.children) == 4:
        init = node.children[0]
        first = init.children[0] if init.children else init
        decl = first.decl
        if decl is None:
            return False
        return _has_strided_nest(node.children[3], (*around, decl))
    if any(n.kind == "FOR_STMT" for n in node.walk() if n is not node):
        return any(_has_strided_nest(child, around) for child in node.children)
    if len(around) < 2:
        return False
    if any(n.kind in ("IF_STMT", "CONDITIONAL_OPERATOR") and _asks(n, around) for n in node.walk()):
        return True
    return any(
        (n.kind == "ARRAY_SUBSCRIPT_EXPR" and _crosses_rows(n, around[-1]))
        or (n.kind == "BINARY_OPERATOR" and n.op == "=" and _is_scaled(n, around[-1]))
        for n in node.walk()
    )


def _asks(choice: Node, around: tuple[Decl, ...]) -> bool:
    """Whether a condition compares a loop variable: a boundary, perhaps."""
    return any(n.decl in around for n in choice.children[0].walk() if n.decl is not None)


def _is_scaled(assignment: Node, decl: Decl) -> bool:
    """Whether an integer is set to a product with a loop variable: a flat subscript, perhaps."""
    return assignment.type.kind == "int" and any(
        n.kind == "BINARY_OPERATOR" and n.op == "*" and any(m.decl is decl for m in n.walk())
        for n in assignment.children[1].walk()
    )


def _crosses_rows(subscript: Node, decl: Decl) -> bool:
    """Whether a loop variable is in a subscript but the last, or multiplied in a flat one."""
    base, index = subscript.children
    if base.kind == "ARRAY_SUBSCRIPT_EXPR" and any(n.decl is decl for n in base.walk()):
        return True
    return any(n.op == "*" and any(m.decl is decl for m in n.walk()) for n in index.walk())
