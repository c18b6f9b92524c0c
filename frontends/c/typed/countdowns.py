"""Loops that count their length down: ``while (n-- > 0) s += *a++ * *b++;``.

Where nothing else names the counter they are loops over as many iterations. Only for reading: no
text is made of them.
"""

from __future__ import annotations

from collections import Counter

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.nodes import declaration, local, number, operation, reference


def with_countdowns_counted(function: Node) -> Node:
    """A function in which such loops count up from zero."""
    if "WHILE_STMT" not in function.kinds:
        return function
    named = Counter(n.decl for n in function.walk() if n.kind == "DECL_REF_EXPR")
    return _counted(function, named)


def _counted(node: Node, named: Counter[Decl | None]) -> Node:
    below = [_counted(child, named) for child in node.children]
    same = all(a is b for a, b in zip(below, node.children, strict=True))
    made = node if same else node.with_children(below)
    if made.kind != "WHILE_STMT" or len(made.children) != 2:
        return made
    condition, body = made.children
    length = _length(condition)
    decl = length.decl if length is not None else None
    if length is None or decl is None or named[decl] != 1 or not decl.is_local or decl.is_static:
        return made
    counter, at = local(f"{decl.name}_done", length.type, made.span), condition.span
    first = declaration(counter, number(0, at, length.type), at)
    test = operation("<", reference(counter, at), length, length.type)
    step = Node("UNARY_OPERATOR", at, length.type, [reference(counter, at)], op="post++")
    return Node("FOR_STMT", made.span, made.type, [first, test, step, body],
                in_macro=made.in_macro)  # fmt: skip


def _length(condition: Node) -> Node | None:
    """The variable in ``n--``, ``n-- > 0`` and ``n-- != 0``, as often as which a loop runs."""
    tested = condition.uncast
    if tested.op in (">", "!=") and len(tested.children) == 2:
        tested, zero = (child.uncast for child in tested.children)
        if zero.value != 0:
            return None
    if tested.op != "post--" or len(tested.children) != 1:
        return None
    variable = tested.children[0].uncast
    is_plain = variable.kind == "DECL_REF_EXPR" and variable.type.kind == "int"
    return variable if is_plain and not variable.type.volatile else None
