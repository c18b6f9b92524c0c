"""Rows of arrays that a piece has from its surroundings: ``x[b]`` in a loop over ``b``.

A piece inside of a loop over images or layers names the same rows ``x[b][i][j]`` in all of its
iterations. Its function has the row as a parameter, ``s2s_x_b[i][j]``, and the host passes
``x[b]``. Two rows of one array are two parameters; where they are one row the runtime finds that
they overlap, and the host's text runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from s2s.driver.offload.captures import Captured, NoPiece, capture_array
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.frontends.c.text import free_prefix
from s2s.frontends.c.unit import Unit

_INDEX = frozenset({
    "DECL_REF_EXPR", "INTEGER_LITERAL", "BINARY_OPERATOR", "PAREN_EXPR", "UNEXPOSED_EXPR",
    "CSTYLE_CAST_EXPR",
})  # fmt: skip


def capture_rows(
    unit: Unit, piece: Node, inside: Collection[Decl | None], is_passed: Callable[[Decl], bool]
) -> Iterator[tuple[Captured, frozenset[int]]]:
    """Rows that a piece is about, with the nodes that name their arrays and indices.

    ``is_passed``: whether a scalar would be passed, as its value is not always the same. Arrays
    of which a row alone is named stay as they are where the piece names them otherwise, too.
    """
    changed = _changed(piece)

    def is_fixed(index: Node) -> bool:
        named = [n.decl for n in index.walk() if n.kind == "DECL_REF_EXPR"]
        plain = all(n.kind in _INDEX and n.op not in ASSIGNMENTS for n in index.walk())
        fixed = all(
            d is not None and d.type.kind == "int" and d not in inside and d not in changed
            for d in named
        )
        return plain and fixed

    names: set[str] = set()
    uses: dict[Decl, list[Node | None]] = {}
    for base, node in _uses(piece, is_fixed):
        if base.decl is not None and base.decl not in inside:
            uses.setdefault(base.decl, []).append(node)
    for decl, rows in uses.items():
        known = [row for row in rows if row is not None]
        if len(known) < len(rows) or not any(_is_passed(row, is_passed) for row in known):
            continue
        by_text: dict[str, list[Node]] = {}
        for row in known:
            by_text.setdefault(re.sub(r"\s+", "", unit.buffer.text(row.span)), []).append(row)
        for text, places in by_text.items():
            ids = frozenset(
                id(n) for row in places for n in row.walk() if n.kind == "DECL_REF_EXPR"
            )
            captured = _row(unit, decl, text, places, names)
            names.add(captured.alias)
            yield captured, ids


def _changed(piece: Node) -> set[Decl]:
    """What a piece assigns to, or takes the address of."""
    found: set[Decl] = set()
    for node in piece.walk():
        taken = node.op == "&" and len(node.children) == 1
        if node.children and (taken or node.op in ASSIGNMENTS | INCREMENTS):
            decl = node.children[0].uncast.decl
            found |= {decl} if decl is not None else set()
    return found


def _uses(node: Node, is_fixed: Callable[[Node], bool]) -> Iterator[tuple[Node, Node | None]]:
    """Where arrays of arrays are named, each with the row, None where it is no such row."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR":
        chain = _chain(node)
        base = chain[-1].children[0].uncast
        if base.kind == "DECL_REF_EXPR" and base.decl is not None and _is_nested(base.decl):
            row = None
            for part in reversed(chain):  # from the array inwards
                if not is_fixed(part.children[1]) or part.type.kind != "array":
                    break
                row = part
            yield base, row
            for part in chain:
                yield from _uses(part.children[1], is_fixed)
            return
    elif node.kind == "DECL_REF_EXPR" and node.decl is not None and _is_nested(node.decl):
        yield node, None
    for child in node.children:
        yield from _uses(child, is_fixed)


def _chain(node: Node) -> list[Node]:
    """``x[i][j]``, then ``x[i]``."""
    found = [node]
    while (inner := found[-1].children[0].uncast).kind == "ARRAY_SUBSCRIPT_EXPR":
        found.append(inner)
    return found


def _is_nested(decl: Decl) -> bool:
    """Whether it is an array of arrays, or a pointer to arrays."""
    element = decl.type.element
    return (
        decl.type.kind in ("array", "pointer") and element is not None and element.kind == "array"
    )


def _is_passed(row: Node, is_passed: Callable[[Decl], bool]) -> bool:
    indices = (n for part in _chain(row) for n in part.children[1].walk())
    return any(n.kind == "DECL_REF_EXPR" and n.decl and is_passed(n.decl) for n in indices)


def _row(
    unit: Unit, decl: Decl, text: str, places: list[Node], taken: Collection[str]
) -> Captured:  # fmt: skip
    """The parameter for a row, with a name that is not taken. Raises NoPiece."""
    if any(n.in_macro for part in places for n in part.walk()):
        raise NoPiece(f"a macro names '{text}'", places[0].span)
    array = capture_array(decl, places[0])
    depth = len(_chain(places[0]))
    name = "_".join(re.findall(r"\w+", text.replace("+", "_plus_").replace("-", "_minus_")))
    alias = f"{free_prefix(unit.buffer.data)}{name}"
    while alias in taken:  # x[b * 2] beside x[b / 2]
        alias += "x"
    spans = tuple(row.span for row in places)
    return replace(
        array, extents=array.extents[depth:], alias=alias, expression=text, places=spans,
        is_row=True,
    )  # fmt: skip
