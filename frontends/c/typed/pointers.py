"""Local pointers written out: ``float *row = out + i * n; row[j] = 0;`` is ``out[i * n + j] = 0;``.

Only for reading: the nodes have the places of the source, and no text is made of them. A pointer
that is declared with its value, never changes and is only subscripted stands for that value, as
long as nothing that the value names is assigned in its scope.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2s.frontends.c.facts import Facts, initializer
from s2s.frontends.c.syntax import CASTS, Decl, Node
from s2s.frontends.c.typed.addresses import plain_name
from s2s.frontends.c.typed.sums import (
    added,
    bare_pointer,
    multiplied,
    number,
    pointer_value,
    subscript,
)


def with_pointers_written_out(node: Node, facts: Facts) -> Node:
    """A function or statement without declarations of such pointers."""
    return _rewritten(node, facts, {})


def _rewritten(node: Node, facts: Facts, known: Mapping[Decl, Node]) -> Node:
    if not known and "COMPOUND_STMT" not in node.kinds:
        return node
    if node.kind == "COMPOUND_STMT":
        return _block(node, facts, dict(known))
    if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
        base, index = node.children
        if base.type.kind == "int":
            base, index = index, base
        rows = _in_rows(base, known)
        if rows is not None:
            pointer, row, length = rows
            first = multiplied(_rewritten(row, facts, known), number(length, node.span))
            return subscript(node, pointer, added(first, _rewritten(index, facts, known)))
        bare = bare_pointer(base)
        decl = bare.decl if bare.kind == "DECL_REF_EXPR" else None
        if decl in known and decl is not None:
            return subscript(node, known[decl], _rewritten(index, facts, known))
    below = [_rewritten(child, facts, known) for child in node.children]
    return node.with_children(below)


def _block(node: Node, facts: Facts, known: dict[Decl, Node]) -> Node:
    kept: list[Node] = []
    for place, child in enumerate(node.children):
        found = _pointer(child, node.children[place + 1 :], facts)
        if found is not None:
            known[found[0]] = _rewritten(found[1], facts, known)
        else:
            kept.append(_rewritten(child, facts, known))
    return node.with_children(kept)


def _pointer(statement: Node, following: Sequence[Node], facts: Facts) -> tuple[Decl, Node] | None:
    """The pointer that a statement declares, and its value, where it may be written out."""
    if statement.kind != "DECL_STMT" or len(statement.children) != 1:
        return None
    (variable,) = statement.children
    decl, value = variable.decl, initializer(variable)
    if decl is None or value is None or variable.kind != "VAR_DECL" or statement.in_macro:
        return None
    if decl.type.kind != "pointer" or decl.is_static or decl.type.volatile:
        return None
    rows = _flat(value)
    if not facts.is_constant(decl) or not _is_address(rows or value):
        return None
    if rows is not None:
        if not all(_only_rows(node, decl) for node in following):
            return None
    elif not all(_only_subscripted(node, decl) for node in following):
        return None
    named = {n.decl for n in value.walk() if n.decl is not None}
    assigned = {d for node in following for d in node.assigned}
    changes = any(d in assigned or d in facts.escaped for d in named)
    return None if changes else (decl, value)


def _is_address(node: Node) -> bool:
    """Whether a value is a pointer's, an element's or a member's, with numbers added or not."""
    base = pointer_value(node).base
    plain = base is not None and base.kind in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR")
    return plain and "CALL_EXPR" not in node.kinds and not node.assigned


def _only_subscripted(node: Node, decl: Decl) -> bool:
    """Whether a pointer only stands before subscripts."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
        base, index = node.children
        bare = bare_pointer(base)
        if bare.kind == "DECL_REF_EXPR" and bare.decl is decl:
            return _only_subscripted(index, decl)
    if node.kind == "DECL_REF_EXPR" and node.decl is decl:
        return False
    return all(_only_subscripted(child, decl) for child in node.children)


def _flat(value: Node) -> Node | None:
    """``(float (*)[n])p`` as ``p``, whose elements are those of the rows; None for others."""
    element = value.type.element
    while value.kind in CASTS and value.children:
        value = value.children[-1]
    source = value.type.element
    if element is None or element.kind != "array" or source is None:
        return None
    inner = element.element
    plain = inner is not None and inner.kind in ("int", "float") and bool(element.count)
    same = inner is not None and plain_name(inner) == plain_name(source)
    return value if plain and same else None


def _only_rows(node: Node, decl: Decl) -> bool:
    """Whether a pointer to rows only stands before two subscripts."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
        base, index = node.children
        row = bare_pointer(base)
        if row.kind == "ARRAY_SUBSCRIPT_EXPR" and bare_pointer(row.children[0]).decl is decl:
            return _only_rows(index, decl) and _only_rows(row.children[1], decl)
    if node.kind == "DECL_REF_EXPR" and node.decl is decl:
        return False
    return all(_only_rows(child, decl) for child in node.children)


def _in_rows(base: Node, known: Mapping[Decl, Node]) -> tuple[Node, Node, int] | None:
    """Of ``p[row]``, where ``p`` is known to lead to rows: the elements, the row, its length."""
    row = bare_pointer(base)
    if row.kind != "ARRAY_SUBSCRIPT_EXPR" or len(row.children) != 2 or not row.type.count:
        return None
    pointer, index = map(bare_pointer, row.children)
    decl = pointer.decl if pointer.kind == "DECL_REF_EXPR" else None
    flat = _flat(known[decl]) if decl in known and decl is not None else None
    return None if flat is None else (flat, index, row.type.count)
