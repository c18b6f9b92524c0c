"""Tests of pointers that may be null: ``if (bias != NULL) bias[o] += d;``.

Only for reading, as ``pointers``: what such a test guards is read as if it always ran. It stores to
what the pointer leads to and to nothing else, so that whoever makes new code of it leaves out the
operations on that memory where the pointer is null.
"""

from __future__ import annotations

from s2s.frontends.c.syntax import Decl, Node


def with_null_tests_taken(nest: Node) -> tuple[Node, frozenset[str]]:
    """A nest without such tests, and the names of the pointers."""
    found = {d for n in nest.walk() if (d := _tested(n)) is not None and d not in nest.assigned}
    optional = {d for d in found if _is_apart(nest, d)}
    if not optional:
        return nest, frozenset()
    return _rewritten(nest, optional), frozenset(d.name for d in optional)


def _tested(node: Node) -> Decl | None:
    """The pointer of which a statement asks whether it leads somewhere, to store there."""
    if node.kind != "IF_STMT" or len(node.children) != 2:
        return None
    test, body = node.children
    if test.op == "!=" and len(test.children) == 2:
        left, right = (child.uncast for child in test.children)
        pointer = right if left.value == 0 else left if right.value == 0 else None
    else:
        pointer = test.uncast
    if pointer is None or pointer.kind != "DECL_REF_EXPR" or pointer.decl is None:
        return None
    decl = pointer.decl
    if decl.type.kind != "pointer" or not decl.is_local or decl.is_static:
        return None
    plain = all(s.assigns and _leads(s.children[0], decl) for s in body.statements)
    return decl if plain and "CALL_EXPR" not in body.kinds else None


def _leads(target: Node, decl: Decl) -> bool:
    """Whether something is an element that a pointer leads to."""
    return target.kind == "ARRAY_SUBSCRIPT_EXPR" and target.children[0].decl is decl


def _is_apart(nest: Node, decl: Decl) -> bool:
    """Whether a pointer is named in such tests alone."""
    inside = {id(n) for test in nest.walk() if _tested(test) is decl for n in test.walk()}
    return all(id(n) in inside for n in nest.walk() if n.decl is decl)


def _rewritten(node: Node, optional: set[Decl]) -> Node:
    if _tested(node) in optional:
        return _rewritten(node.children[1], optional)
    below = [_rewritten(child, optional) for child in node.children]
    if all(a is b for a, b in zip(below, node.children, strict=True)):
        return node
    return node.with_children(below)
