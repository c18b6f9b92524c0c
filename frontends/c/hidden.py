"""Functions that the parser cannot read, though the compiler can, are hidden from it.

An intrinsic that no header of ours declares, a nested function, an attribute of another make: one
of them must not cost a whole file. Where all errors are inside functions' bodies, the parser gets

    int f(int a) {             int f(int a) ;void s2s_0(){s2s_hidden(&b,&g);}
        b = __new(g(a));   ->
    }

with every line in its place: ``f`` is a function of which nothing is known, and all that its body
names is within reach of somebody unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.parse import parse_again
from s2s.frontends.c.text import directives, identifiers
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import Diagnostic, Severity

# The parser ends after some errors, and what it could not read hides more of them.
_ROUNDS = 8


def hide_unreadable(unit: Unit) -> tuple[Unit, tuple[Diagnostic, ...]] | None:
    """A unit in which functions with errors are hidden, and remarks; None if that is not enough."""
    if unit.is_cxx:
        return None
    said: list[Diagnostic] = []
    for _ in range(_ROUNDS):
        wrong = _wrong_functions(unit)
        edits = [_hiding(unit, body, len(said) + n) for n, (body, _) in enumerate(wrong)]
        found = [edit for edit in edits if edit is not None]
        if not found or len(found) < len(edits):
            return None
        said += [_remark(unit, body, why) for body, why in wrong]
        data = apply_edits(unit.buffer.data, found)
        unit = parse_again(unit, SourceBuffer(unit.buffer.path, data))
        if not unit.errors:
            return unit, tuple(said)
    return None


def _remark(unit: Unit, body: Span, why: str) -> Diagnostic:
    start = unit.buffer.line_start(body.start)
    text = f"function left as it is: the parser says '{why}', though the compiler accepts it"
    return Diagnostic(
        Severity.MISSED, text, "parse", unit.buffer.location(Span(start, body.start + 1))
    )


def _wrong_functions(unit: Unit) -> list[tuple[Span, str]]:
    """Bodies with errors, each with its first; none if an error is anywhere else."""
    bodies = list(_bodies(unit))
    found: dict[Span, str] = {}
    for error in unit.errors:
        place = error.location
        if place is None or place.path != unit.buffer.path:
            return []
        offset = unit.buffer.line_offset(place.line) + place.column - 1
        body = next((b for b in bodies if b.start < offset < b.end), None)
        if body is None:
            return []
        found.setdefault(body, error.text)
    return sorted(found.items())


def _bodies(unit: Unit) -> Iterator[Span]:
    for function in unit.functions():
        body = next((c for c in clang.children(function) if _is_block(c)), None)
        if body is not None:
            start, end, in_macro = clang.extent(body)
            if not in_macro and unit.buffer.data[start : start + 1] == b"{":
                yield Span(start, end)


def _is_block(cursor: Any) -> bool:
    return clang.kind(cursor) == "COMPOUND_STMT"


def _hiding(unit: Unit, body: Span, number: int) -> Edit | None:
    """What stands for a body, of the same length and lines; None where there is no room."""
    text = unit.buffer.data[body.start : body.end]
    if text[-1:] != b"}" or any(not d.text.startswith("pragma") for d in directives(text)):
        return None
    named = ",".join(f"&{name}" for name in sorted(_named(unit, text)))
    shown = f";void s2s_{number}(){{s2s_hidden({named});}}".encode()
    lines = text.count(b"\n")
    if len(shown) + lines > len(text):
        return None
    blank = b" " * (len(text) - len(shown) - lines)
    return Edit(body.start, body.end, shown + blank + b"\n" * lines)


def _named(unit: Unit, text: bytes) -> set[str]:
    """What of the file's level a text names, through macros, too."""
    words = identifiers(text)
    behind = _words_behind(unit.macro_texts)
    while more := {w for word in words for w in behind.get(word, ())} - words:
        words |= more
    return {word for word in words if word in unit.names and not _is_builtin(unit, word)}


def _words_behind(macros: Sequence[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for macro in macros:
        name = re.match(r"\w+", macro)
        if name:
            found.setdefault(name[0], set()).update(identifiers(macro[name.end() :].encode()))
    return found


def _is_builtin(unit: Unit, name: str) -> bool:
    """Whether the system declares a name: what is after it is not of this file."""
    path = unit.converter.file_name(clang.place(unit.names[name])[0])
    return not path or unit.is_system(path)
