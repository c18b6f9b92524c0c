"""Variables that nothing but rewritten loops named are named once more.

::

    int i, j;                          int i, j;
    for (i = 0; i < 100; i++)    ->    {
        ...                                for (int i = 0; i < 100; i++) ...
                                           (void)i;
                                       }

New loops declare what they count by. Compilers warn of a variable that no text uses, and a build
may take warnings for errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.source import Edit, Span

_COMMENT_OR_QUOTED = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)
_LAST_LINE = re.compile(rb"([ \t]*)\}\s*\Z")


def mention_variables(function: Function, edits: Sequence[Edit]) -> list[Edit]:
    """The edits with uses of variables that the source uses and the new text does not."""
    inside = [e for e in edits if Span(e.start, e.end) in function.node.span]
    blocks = [e for e in inside if e.start < e.end and _is_block(e.text)]
    if not blocks or _must_list(function, inside):
        return list(edits)
    named: dict[Edit, list[str]] = {}
    for decl, places in _uses(function.node, inside):
        touched = [e for e in inside if any(_covers(e, p) for p in places)]
        ends = [e for e in touched if e in blocks]
        used = any(_is_used(function, decl, e) for e in touched)
        if ends and not used and all(any(_covers(e, p) for e in touched) for p in places):
            named.setdefault(ends[-1], []).append(decl.name)
    return [_naming(e, named[e]) if e in named else e for e in edits]


def _must_list(function: Function, edits: Sequence[Edit]) -> bool:
    """Whether a directive that stays wants each variable listed that its block names."""
    return any(
        "default" in d.text and not any(_covers(e, d.span) for e in edits)
        for d in function.attached.within(function.node.span)
    )


def _uses(node: Node, edits: Sequence[Edit]) -> Iterator[tuple[Decl, list[Span]]]:
    """The variables of a function that no edit declares, and where they are used."""
    places: dict[Decl, list[Span]] = {}
    kept = {n.decl for n in node.walk() if n.kind == "VAR_DECL" and not n.type.volatile
            and not any(_covers(e, n.span) for e in edits)}  # fmt: skip
    for part in node.walk():
        if part.kind == "DECL_REF_EXPR" and part.decl is not None and part.decl in kept:
            places.setdefault(part.decl, []).append(part.span)
    yield from places.items()


def _covers(edit: Edit, span: Span) -> bool:
    return edit.start <= span.start and span.end <= edit.end


def _is_used(function: Function, decl: Decl, edit: Edit) -> bool:
    """Whether a new text uses a variable: it has the old one, or no other of the name."""
    if function.unit.buffer.data[edit.start : edit.end].strip() in edit.text:
        return True
    text = _COMMENT_OR_QUOTED.sub(b" ", edit.text)
    name = re.escape(decl.name.encode())
    again = re.search(rb"\b[A-Za-z_]\w*[ \t*]+" + name + rb"\b", text)
    return again is None and re.search(rb"\b" + name + rb"\b", text) is not None


def _is_block(text: bytes) -> bool:
    """Whether a text is one block, with its last brace alone on a line."""
    plain = _COMMENT_OR_QUOTED.sub(b" ", text).strip()
    if not plain.startswith(b"{") or not _LAST_LINE.search(text.rpartition(b"\n")[2]):
        return False
    depth = 0
    for place, brace in ((m.start(), m[0]) for m in re.finditer(rb"[{}]", plain)):
        depth += 1 if brace == b"{" else -1
        if depth == 0:
            return place == len(plain) - 1
    return False


def _naming(edit: Edit, names: Sequence[str]) -> Edit:
    """An edit whose block ends with uses of variables."""
    before, _, last = edit.text.rpartition(b"\n")
    ending = b"\r\n" if before.endswith(b"\r") else b"\n"
    indent = re.match(rb"[ \t]*", before.rpartition(b"\n")[2].rstrip(b"\r"))
    assert indent is not None
    lines = [indent[0] + f"(void){name};".encode() for name in sorted(set(names))]
    text = before.removesuffix(b"\r") + ending + ending.join(lines) + ending + last
    return Edit(edit.start, edit.end, text)
