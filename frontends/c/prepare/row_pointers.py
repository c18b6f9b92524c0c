"""Pointers that a loop's body declares to elements of an array, as what they were set to.

::

    for (y = 1; y < h - 1; y++) {              for (y = 1; y < h - 1; y++) {
        const float *up = in + (y - 1) * w;
        const float *row = &in[y * w];   ->
        for (x = 1; x < w - 1; x++)                for (x = 1; x < w - 1; x++)
            o[x] = up[x] + row[x - 1];                 o[x] = in[(y - 1)*w + x] + in[y*w + x - 1];
    }                                          }

(Forward substitution; Allen and Kennedy, "Optimizing Compilers for Modern Architectures", section
4.5.) A pointer is one of these where nothing but subscripts, ``*`` and ``->`` name it, and where
what it was set to keeps its value as long as its declaration holds: local variables that are not
assigned, and members of another type than everything that is stored there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import Decl, Node
from s2s.source import Edit
from s2s.source.records import dataclass

_VALUES = frozenset({"DECL_REF_EXPR", "INTEGER_LITERAL", "MEMBER_REF_EXPR", "PAREN_EXPR"})
_BASES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "PAREN_EXPR", "UNEXPOSED_EXPR"})
_OPERATORS = frozenset({"+", "-", "*"})
_LONG = 8
_ARROW = re.compile(rb"\s*->\s*")


@dataclass(frozen=True)
class _Row:
    """A pointer's declaration, and the array and the subscript of what it leads to."""

    decl: Decl
    base: Node
    offsets: tuple[Node, ...]
    taken: frozenset[int]
    """The places of those offsets that are taken away."""


def declares_rows(attempt: Attempt) -> bool:
    """Whether a loop's body declares a pointer: a cheap look."""
    return any(
        n.kind == "VAR_DECL" and n.type.kind == "pointer"
        for s in attempt.statements if s.kind == "FOR_STMT" for n in s.walk()
    )  # fmt: skip


def substituted_rows(attempt: Attempt) -> tuple[Edit, ...]:
    """The edits that put elements of arrays in the place of such pointers; none without any."""
    if not declares_rows(attempt):
        return ()
    edits: list[Edit] = []
    for statement in attempt.statements:
        for body in statement.walk():
            if body.kind == "COMPOUND_STMT" and not body.in_macro:
                edits += _of_body(attempt, body)
    return tuple(sorted(edits))


def _of_body(attempt: Attempt, body: Node) -> Iterator[Edit]:
    data = attempt.function.unit.buffer.data
    for statement in body.children:
        if statement.kind != "DECL_STMT" or statement.in_macro:
            continue
        rows = [_row(attempt, body, variable) for variable in statement.children]
        uses = [_uses(data, body, variable) for variable in statement.children]
        if not rows or any(row is None for row in rows) or any(use is None for use in uses):
            continue
        if any(_names(row, {r.decl for r in rows if r}) for row in rows if row):
            continue
        yield Edit(statement.span.start, _end(attempt, statement), b"")
        for row, places in zip(rows, uses, strict=True):
            assert row is not None and places is not None
            for place in places:
                yield from _put_in(attempt, row, place)


def _names(row: _Row, decls: set[Decl]) -> bool:
    return any(n.decl in decls for part in (row.base, *row.offsets) for n in part.walk())


def _end(attempt: Attempt, statement: Node) -> int:
    """After a declaration's semicolon."""
    data = attempt.function.unit.buffer.data
    end = statement.span.end
    return end if data[end - 1 : end] == b";" else data.index(b";", end) + 1


def keeps_its_value(attempt: Attempt, body: Node, pointer: Decl, address: Node) -> bool:
    """Whether an address is a sum of local variables that mean the same all through a statement.

    ``pointer`` is one that the statement declares; so are names that no declaration may hide.
    """
    element = pointer.type.element
    found = _address(address)
    if element is None or found is None or found[0].in_macro or any(o.in_macro for o in found[1]):
        return False
    base, offsets, taken = found
    if base.kind != "DECL_REF_EXPR" or _element(base) != _plain(element.canonical):
        return False
    if any(n.kind == "MEMBER_REF_EXPR" for offset in offsets for n in offset.walk()):
        return False
    row = _Row(pointer, base, tuple(offsets), frozenset(taken))
    return _means_the_same(attempt, body, row) and _stays(attempt, body, row)


def added_to(offset: Node) -> bool:
    """Whether an expression is a sum of products of integer variables and numbers."""
    return _is_simple(offset)


# -- what a pointer leads to --------------------------------------------------------------------


def _row(attempt: Attempt, body: Node, variable: Node) -> _Row | None:
    decl = variable.decl
    if decl is None or variable.kind != "VAR_DECL" or decl.is_static or len(variable.children) != 1:
        return None
    type_ = decl.type
    if type_.kind != "pointer" or type_.volatile or type_.element is None:
        return None
    found = _address(variable.children[0])
    if found is None or found[0].in_macro or any(o.in_macro for o in found[1]):
        return None
    base, offsets, taken = found
    if _element(base) != _plain(type_.element.canonical):
        return None
    row = _Row(decl, base, tuple(offsets), frozenset(taken))
    return row if _means_the_same(attempt, body, row) and _stays(attempt, body, row) else None


def _means_the_same(attempt: Attempt, body: Node, row: _Row) -> bool:
    """Whether the names of a pointer, and of what it was set to, mean the same in all the block.

    No declaration inside hides one, and no directive inside says anything of one.
    """
    parts = [n for part in (row.base, *row.offsets) for n in part.walk()]
    if any(n.kind not in _BASES for n in row.base.walk()):
        return False
    decls = {n.decl for n in parts if n.kind == "DECL_REF_EXPR"} | {row.decl}
    names = {decl.name for decl in decls if decl is not None}
    declared = (n for n in body.walk() if n.kind == "VAR_DECL" and n.decl not in decls)
    directives = attempt.function.attached.within(body.span)
    said = {word for d in directives for word in re.findall(r"\w+", d.text)}
    return said.isdisjoint(names) and names.isdisjoint(n.name for n in declared)


def _plain(spelling: str) -> str:
    return " ".join(word for word in spelling.split() if word != "const")


_Sum = tuple[Node, list[Node], list[int]]


def _address(node: Node) -> _Sum | None:
    """The pointer or array that an address begins with, what is added, and which is taken away."""
    node = _same_steps(node)
    if node.kind == "PAREN_EXPR":
        return _address(node.children[0])
    if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
        return (node, [], []) if node.type.kind in ("pointer", "array") else None
    if node.kind == "UNARY_OPERATOR" and node.op == "&":
        inner = node.children[0].uncast
        if inner.kind != "ARRAY_SUBSCRIPT_EXPR":
            return None
        return _added(_address(inner.children[0]), inner.children[1])
    if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-"):
        left, right = node.children
        if left.type.kind == "int" and node.op == "+":
            left, right = right, left
        return _added(_address(left), right, taken=node.op == "-")
    return None


def _same_steps(node: Node) -> Node:
    """A pointer without conversions, as long as none is to elements of another type."""
    inner = node.uncast
    if inner.type.kind not in ("pointer", "array"):
        return node
    elements = {_element(n) for n in _conversions(node)}
    return inner if len(elements) == 1 and None not in elements else node


def _conversions(node: Node) -> Iterator[Node]:
    """An expression, and what stays of it as one conversion after the other is taken away."""
    while node is not node.uncast:
        yield node
        node = node.children[-1]
    yield node


def _element(node: Node) -> str | None:
    element = node.type.element
    return None if element is None else _plain(element.canonical)


def _added(found: _Sum | None, offset: Node, *, taken: bool = False) -> _Sum | None:
    if found is None or not _is_simple(offset):
        return None
    base, offsets, others = found
    return base, [*offsets, offset], [*others, len(offsets)] if taken else others


def _is_simple(node: Node) -> bool:
    """Whether an expression is a sum of products of integers of local variables and members."""
    node = node.uncast
    if node.type.kind != "int":
        return node.kind == "MEMBER_REF_EXPR" or (node.kind == "DECL_REF_EXPR")
    if node.kind in _VALUES:
        return all(_is_simple(child) for child in node.children)
    return (
        node.kind == "BINARY_OPERATOR"
        and node.op in _OPERATORS
        and all(_is_simple(child) for child in node.children)
    )


def _stays(attempt: Attempt, body: Node, row: _Row) -> bool:
    """Whether what a pointer was set to has the same value to the end of the block."""
    facts = attempt.function.facts
    assigned = assigned_in([body])
    nodes = [n for part in (row.base, *row.offsets) for n in part.walk()]
    if any(node.type.volatile for node in nodes):
        return False
    for node in nodes:
        if node.kind != "DECL_REF_EXPR" or node.decl is None:
            continue
        array = node.decl.type.kind == "array"
        kept = array or (node.decl.is_local and not node.decl.is_static)
        if not kept or (not array and node.decl in facts.escaped):
            return False
        inside = body.span.start <= node.decl.offset < body.span.end
        if assigned.get(node.decl, 0) > (1 if inside else 0):
            return False
    members = [n for n in nodes if n.kind == "MEMBER_REF_EXPR"]
    return not members or _stores_others(attempt, body, members)


def _stores_others(attempt: Attempt, body: Node, members: list[Node]) -> bool:
    """Whether all that a block stores is of other types than members that it reads."""
    if "-fno-strict-aliasing" in attempt.function.unit.flags:
        return False
    kinds = {(m.type.kind, m.type.size) for m in members}
    for node in body.walk():
        if node.kind == "CALL_EXPR":
            return False
        if node.assigns:
            target = node.children[0]
            local = target.kind == "DECL_REF_EXPR"
            stored = target.type
            if not local and (stored.kind not in ("int", "float") or stored.character):
                return False
            if not local and (stored.kind, stored.size) in kinds:
                return False
    return True


# -- its uses -----------------------------------------------------------------------------------


def _uses(data: bytes, body: Node, variable: Node) -> list[Node] | None:
    """The elements that a pointer is used for; None where anything else names it."""
    found: list[Node] = []
    named = sum(n.kind == "DECL_REF_EXPR" and n.decl is variable.decl for n in body.walk())
    for node in body.walk():
        if not _is_element(node):
            continue
        base = _same_steps(node.children[0])
        if base.kind == "DECL_REF_EXPR" and base.decl is variable.decl:
            if node.in_macro or any(child.in_macro for child in node.children):
                return None
            if node.kind == "MEMBER_REF_EXPR" and _arrow(data, base) is None:
                return None
            found.append(node)
    return found if len(found) == named else None


def _is_element(node: Node) -> bool:
    """Whether an expression goes where its first operand leads: ``p[i]``, ``*p``, ``p->x``."""
    if node.kind == "MEMBER_REF_EXPR":
        return bool(node.children) and node.children[0].type.kind == "pointer"
    return node.kind == "ARRAY_SUBSCRIPT_EXPR" or (node.kind == "UNARY_OPERATOR" and node.op == "*")


def _arrow(data: bytes, name: Node) -> int | None:
    """The end of the arrow behind a pointer's name; None where something else stands there."""
    found = _ARROW.match(data, name.span.end)
    return None if found is None else found.end()


def _put_in(attempt: Attempt, row: _Row, use: Node) -> Iterator[Edit]:
    data = attempt.function.unit.buffer.data
    base = data[row.base.span.start : row.base.span.end]
    offset = _sum(data, row)
    name = use.children[0].uncast
    if use.kind == "UNARY_OPERATOR":
        yield Edit(use.span.start, use.span.end, base + b"[" + (offset or b"0") + b"]")
        return
    if use.kind == "MEMBER_REF_EXPR":
        end = _arrow(data, name)
        assert end is not None
        if len(row.offsets) == 1 and not row.taken:  # nothing is added that has to be as wide
            offset = data[row.offsets[0].span.start : row.offsets[0].span.end]
        yield Edit(name.span.start, end, base + b"[" + (offset or b"0") + b"].")
        return
    yield Edit(name.span.start, name.span.end, base)
    if offset:
        index = use.children[1]
        sums = _is_simple(index) and index.uncast.kind != "PAREN_EXPR" and not _wraps(index)
        opening, closing = (b"", b"") if sums else (b"(", b")")
        yield Edit(index.span.start, index.span.start, offset + b" + " + opening)
        if closing:
            yield Edit(index.span.end, index.span.end, closing)


def _wraps(index: Node) -> bool:
    """Whether a subscript's own operations are those of an unsigned type."""
    return index.type.kind == "int" and not index.type.signed


def _sum(data: bytes, row: _Row) -> bytes:
    """All that is added to a pointer, as wide as pointers add it."""
    first_wide = all(_is_int(node) for node in row.offsets)
    text = b""
    for place, node in enumerate(row.offsets):
        term = _term(data, node, first_wide and not place)
        if place in row.taken:
            plain = node.kind in ("DECL_REF_EXPR", "PAREN_EXPR", "INTEGER_LITERAL")
            text += (b" - " if text else b"-") + (term if plain else b"(" + term + b")")
        else:
            text += b" + " + term if text else term
    return text


def _is_int(node: Node) -> bool:
    """Whether an expression is an ``int`` that is written as a number."""
    literal = node.uncast.kind == "INTEGER_LITERAL"
    return literal and node.type.signed and node.type.size < _LONG


def _term(data: bytes, node: Node, wide: bool) -> bytes:
    text = data[node.span.start : node.span.end]
    if (_is_int(node) and not wide) or (node.type.size >= _LONG and node.type.signed):
        return text
    return b"(long)" + (
        text if node.kind in ("DECL_REF_EXPR", "PAREN_EXPR") else b"(" + text + b")"
    )
