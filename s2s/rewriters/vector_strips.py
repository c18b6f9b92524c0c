"""Strips of a known number of iterations, for a gcc that makes vectors of nothing else.

::

    #pragma omp simd                     int at = 0;
    for (int j = 0; j < n; j++)          for (; n - at > 15; at += 16)
        a[j] = f(b[j]);            ->    #pragma omp simd
                                             for (int lane = 0; lane < 16; lane++) {
                                                 const int j = at + lane;
                                                 a[j] = f(b[j]); }
                                         for (int j = at; j < n; j++)
                                             a[j] = f(b[j]);

From version 12 on gcc makes vectors at ``-O2``, but only where no iteration is left over and no
address has to be compared (its very cheap cost model); ``omp simd``, where it is heard, has another
one. The iterations keep their order: that they need not is what the pragma says already.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.c.parse import parse_edited
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.unit import Unit
from s2s.rewriters.vector_pragmas import keeps_numbers, loop_behind
from s2s.source import Edit, SourceBuffer, apply_edits

_PRAGMA = re.compile(rb"^([ \t]*)#pragma omp simd\r?\n", re.MULTILINE)
_HEADER = re.compile(
    rb"for ?\(int (?P<name>\w+) = (?P<first>[^;]+);\s(?P=name) (?P<compared><=?)\s(?P<last>[^;]+);"
    rb"\s(?P=name)\+\+\)\s*"
)
# Iterations of a strip: two vectors of doubles or one of floats of the longest ones.
_STRIP = 16
_BOUNDS = frozenset(
    {"DECL_REF_EXPR", "INTEGER_LITERAL", "BINARY_OPERATOR", "UNARY_OPERATOR", "PAREN_EXPR",
     "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR"}
)  # fmt: skip
_LEAVES = frozenset({"BREAK_STMT", "RETURN_STMT", "GOTO_STMT", "LABEL_STMT"})


def in_strips(unit: Unit, edits: Sequence[Edit]) -> list[Edit]:
    """The edits with strips in place of those vector loops whose length nobody knows."""
    if not any(_PRAGMA.search(edit.text) for edit in edits):
        return list(edits)
    text = apply_edits(unit.buffer.data, edits)
    again = parse_edited(unit, edits, SourceBuffer(unit.buffer.path, text), calls=False)
    found: list[Edit] = []
    longer = 0
    for edit in sorted(edits):
        start = edit.start + longer
        longer += len(edit.text) - (edit.end - edit.start)
        new = edit.text
        for match in reversed(list(_PRAGMA.finditer(edit.text))):
            loop = loop_behind(again, start + match.end())
            if loop is None or loop.span.end > start + len(edit.text):
                continue
            before = edit.text[: match.start()].rstrip().rpartition(b"\n")[2]
            if before.lstrip().startswith(b"#pragma"):
                continue
            strips = _strips(loop, text)
            if strips is not None:
                new = new[: match.start()] + strips + new[loop.span.end - start :]
        found.append(replace(edit, text=new))
    return found


def _strips(loop: Node, text: bytes) -> bytes | None:
    """Loops over strips and over what is left; None for a loop that stays as it is."""
    start, end = loop.span.start, loop.span.end
    header = _HEADER.match(text, start, end)
    if header is None or len(loop.children) != 4 or not keeps_numbers(loop):
        return None
    body = loop.children[3]
    if not _is_plain(loop) or header.end() > body.span.start or b"#" in text[start:end]:
        return None
    name, first, last = (header[part].decode() for part in ("name", "first", "last"))
    counter = loop.children[0].children[0].decl
    if counter is None or counter in body.assigned:
        return None
    least = _STRIP - (header["compared"] == b"<=")
    line = text[text.rfind(b"\n", 0, start) + 1 : start]
    margin = line.decode() if not line.strip() else ""
    at, lane = f"s2s_{name}_at", f"s2s_{name}_lane"
    if any(new.encode() in text[start:end] for new in (at, lane)):
        return None
    rest = text[header.end() : end].decode("utf-8", "surrogateescape")
    upto = last if last.isidentifier() else f"({last})"
    lines = (
        "{",
        f"    int {at} = {first};",
        f"    for (; (long){upto} - {at} >= {least}; {at} += {_STRIP})",
        "#pragma omp simd",
        f"        for (int {lane} = 0; {lane} < {_STRIP}; {lane}++) {{",
        f"            const int {name} = {at} + {lane};",
        f"            {rest}",
        "        }",
        f"    for (int {name} = {at}; {name} {header['compared'].decode()} {last}; {name}++)",
        f"        {rest}",
        "}",
    )
    made = "\n".join(line if line.startswith("#") else margin + line for line in lines)
    return made.encode("utf-8", "surrogateescape")


def _is_plain(loop: Node) -> bool:
    """Whether the loop has no other loop in it, no way out, and a bound that nothing in it sets."""
    body, bound = loop.children[3], loop.children[1].children[1]
    inside = list(body.walk())
    if any(n.is_loop or n.kind in _LEAVES for n in inside) or loop.in_macro or body.in_macro:
        return False
    if _is_number(bound) or bound.type.kind != "int" or not bound.type.signed:
        return False
    own: set[Decl | None] = {loop.children[0].children[0].decl}
    own |= {n.decl for n in inside if n.kind == "VAR_DECL"}
    names = {n.decl for n in bound.walk() if n.kind == "DECL_REF_EXPR"}
    if any(n.kind not in _BOUNDS or n.op in ("*", "&", "++", "--") for n in bound.walk()):
        return False
    if any(d is None or not d.is_local or d.type.volatile or d in body.assigned for d in names):
        return False
    return not names & own and not bound.assigned


def _is_number(bound: Node) -> bool:
    """Whether compilers know the bound."""
    return not any(n.kind == "DECL_REF_EXPR" for n in bound.walk())
