"""Tests in one form: what a flag was set to, pointers against null, choices as values.

``int inside = y >= 0 && y < h; v = inside != 0 ? a[y] : low;`` is read as
``v = y >= 0 && y < h ? a[y] : low``, ``bias ? bias[o] : 0`` as ``bias != 0 ? ...``, and
``if (bias) v += bias[o];`` as ``v = bias != 0 ? v + bias[o] : v``. Only for reading: no text is
made of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from s2s.frontends.c.facts import Facts, initializer
from s2s.frontends.c.syntax import CASTS, INCREMENTS, Decl, Node
from s2s.frontends.c.typed.nodes import INT, assignment, copied, number, operation

_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_LOGICAL = _COMPARISONS | {"&&", "||", "!"}
_PLAIN = frozenset(
    {"BINARY_OPERATOR", "UNARY_OPERATOR", "DECL_REF_EXPR", "INTEGER_LITERAL", *CASTS}
)
_JUMPS = frozenset({"GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "SWITCH_STMT"})


def with_tests_in_one_form(nest: Node, facts: Facts) -> Node:
    """A nest with flags written out and tests of pointers as comparisons."""
    if nest.kinds & _JUMPS:
        return nest
    return _tested(nest, dict(_flags(nest, facts)))


def with_choices_as_values(nest: Node) -> Node:
    """A nest in which what a pointer's test guards is a value that is stored in either case.

    Only of one statement, whose target is read and written whether the test holds or not.
    """
    below = nest.with_children([with_choices_as_values(child) for child in nest.children])
    return _as_value(below) or below


# ---- flags


def _flags(nest: Node, facts: Facts) -> Iterator[tuple[Decl, Node]]:
    """Variables of the nest that only hold a test of what keeps its value as long as they live."""
    for node in nest.walk():
        decl = node.decl
        if node.kind != "VAR_DECL" or decl is None or decl.type.kind != "int" or decl.is_static:
            continue
        value = initializer(node)
        plain = nest.assigned.get(decl) == 1 and decl not in facts.escaped
        if value is None or not plain or decl.type.volatile:
            continue
        if _is_logical(value) and all(_is_steady(n, node, nest, facts) for n in value.walk()):
            yield decl, value


def _is_steady(node: Node, flag: Node, nest: Node, facts: Facts) -> bool:
    """Whether a part of a test is the same wherever the flag is visible."""
    if node.kind not in _PLAIN or node.op in INCREMENTS or node.assigns or node.op in ("&", "*"):
        return node.op == "*" and len(node.children) == 2
    if node.kind != "DECL_REF_EXPR":
        return True
    decl = node.decl
    if decl is None or not decl.is_local or decl in facts.escaped or decl.type.volatile:
        return False
    count = nest.assigned.get(decl, 0)
    return count == 0 or (count == 1 and _is_declared(nest, decl)) or _only_counts(nest, decl, flag)


def _is_declared(nest: Node, decl: Decl) -> bool:
    """Whether a variable gets its only value where it is declared in the nest."""
    return any(n.kind == "VAR_DECL" and n.decl is decl and initializer(n) for n in nest.walk())


def _only_counts(nest: Node, decl: Decl, flag: Node) -> bool:
    """Whether a variable only counts loops, one of them around a flag, whose bodies set it not."""
    heads = bodies = 0
    is_around = False
    for node in nest.walk():
        if node.kind == "FOR_STMT" and len(node.children) == 4:
            *head, body = node.children
            own = sum(part.assigned.get(decl, 0) for part in head)
            heads += own
            bodies += body.assigned.get(decl, 0) if own else 0
            is_around |= bool(own) and any(n is flag for n in body.walk())
    return is_around and not bodies and heads == nest.assigned.get(decl, 0)


def _is_logical(node: Node) -> bool:
    inner = node.uncast
    return inner.kind in ("BINARY_OPERATOR", "UNARY_OPERATOR") and inner.op in _LOGICAL


# ---- tests


def _tested(node: Node, flags: Mapping[Decl, Node]) -> Node:
    """Part of a nest with each test in its form."""
    children = [_tested(child, flags) for child in node.children]
    if node.kind in ("IF_STMT", "CONDITIONAL_OPERATOR") and children:
        children[0] = _test(children[0], flags)
    elif node.op in ("&&", "||", "!"):
        children = [_test(child, flags) for child in children]
    return node.with_children(children)


def _test(node: Node, flags: Mapping[Decl, Node]) -> Node:
    """A condition as comparisons joined by ``&&``, ``||`` and ``!``, as far as it is."""
    inner = node.uncast
    if inner.kind == "DECL_REF_EXPR":
        if inner.decl is not None and inner.decl in flags:
            return _test(_tested(copied(flags[inner.decl]), flags), flags)
        if inner.type.kind == "pointer":
            return replace(operation("!=", inner, number(0, node.span), INT), span=node.span)
        return node
    if inner.op in ("==", "!=") and len(inner.children) == 2:
        left, right = inner.children
        if left.value == 0:
            left, right = right, left
        decl = left.uncast.decl if left.uncast.kind == "DECL_REF_EXPR" else None
        if right.uncast.value == 0 and (_is_logical(left) or decl in flags):
            found = _test(left, flags)
            return found if inner.op == "!=" else _not(found)
    return node


def _not(node: Node) -> Node:
    return Node("UNARY_OPERATOR", node.span, INT, [node], op="!")


# ---- choices


def _as_value(node: Node) -> Node | None:
    """``if (p != 0) x op= value;`` as ``x = p != 0 ? x op value : x;``; None for another one."""
    if node.kind != "IF_STMT" or len(node.children) != 2:
        return None
    test, body = node.children
    pointer = _pointer_in(test)
    statements = body.statements
    if pointer is None or len(statements) != 1 or not statements[0].assigns:
        return None
    (inner,) = statements
    if len(inner.children) != 2 or pointer in inner.children[0].decls:
        return None
    target, value = inner.children
    if target.kind not in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR") or inner.kinds & {"CALL_EXPR"}:
        return None
    if any(n.assigns for n in (*target.walk(), *value.walk())):
        return None
    if inner.op != "=":
        if inner.op not in ("+=", "-=", "*=") or target.type.kind != "float":
            return None
        value = operation(inner.op[0], copied(target), value, target.type)
    chosen = [test, value, copied(target)]
    choice = Node("CONDITIONAL_OPERATOR", inner.span, target.type, chosen)
    return replace(assignment(target, choice), span=inner.span)


def _pointer_in(test: Node) -> Decl | None:
    """The pointer of which a condition asks whether it leads to nothing."""
    if test.op not in ("==", "!=") or len(test.children) != 2 or test.children[1].uncast.value != 0:
        return None
    found = test.children[0].uncast
    return found.decl if found.kind == "DECL_REF_EXPR" and found.type.kind == "pointer" else None
