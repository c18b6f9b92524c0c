"""Remarks in the YAML form of LLVM's ``-fsave-optimization-record``, as opt-viewer reads them.

Every value is a quoted string, since the viewer joins them; each argument has one key and perhaps a
place, which becomes a link. The viewer puts values into its page as they are, so ``<`` is
written as HTML wants it. It drops what has no place: that is put at the unit's first line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from s2s.source.diagnostics import Diagnostic, Location, Severity

FunctionAt = Callable[[str, int], str]
"""The name of the function at a line of a file."""

_TAGS = {
    Severity.REMARK: "Passed",
    Severity.MISSED: "Missed",
    Severity.WARNING: "Analysis",
    Severity.NOTE: "Analysis",
    Severity.ERROR: "Failure",
}
_QUOTED = re.compile(r"'[^']*'")
_WORD = re.compile(r"[A-Za-z0-9]+")
_NAME_WORDS = 6
_HEAD = re.compile(r"^[A-Za-z_][\w\s*]*?\b([A-Za-z_]\w*)\s*\(")


def as_yaml(
    said: Mapping[str, Sequence[Diagnostic]], function_at: FunctionAt,
    hotness: Callable[[Diagnostic], int] = lambda _: 0,
) -> bytes:  # fmt: skip
    """A document for each remark of each file; ``hotness`` is left out where it is 0."""
    found = []
    for name, diagnostics in said.items():
        for diagnostic in diagnostics:
            place = diagnostic.location or Location(name or "-", 1, 1, 1, 1)
            function = function_at(place.path, place.line)
            lines = _document(diagnostic, place, function, hotness(diagnostic))
            found.append("\n".join(lines) + "\n")
    return "".join(found).encode("utf-8", "replace")


def _document(said: Diagnostic, place: Location, function: str, hot: int) -> Iterator[str]:
    yield f"--- !{_TAGS[said.severity]}"
    yield f"Pass: {_quote('s2s-' + said.id)}"
    yield f"Name: {_quote(_name(said))}"
    yield f"DebugLoc: {_place(place)}"
    yield f"Function: {_quote(function or 'unknown')}"
    if hot:
        yield f"Hotness: {hot}"
    yield "Args:"
    yield f"  - String: {_quote(_html(said.text))}"
    for note in _flattened(said.notes):
        # A line end in the message makes the viewer fold what follows.
        yield f"  - String: {_quote('; ')}"
        yield f"  - Note: {_quote(_html(note.text))}"
        if note.location is not None:
            yield f"    DebugLoc: {_place(note.location)}"
    yield "..."


def _flattened(notes: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    for note in notes:
        if not note.needless:
            yield note
            yield from _flattened(note.notes)


def _name(said: Diagnostic) -> str:
    """What the viewer counts by: the first words of the text, without names of the source."""
    words = _WORD.findall(_QUOTED.sub(" ", said.text))[:_NAME_WORDS]
    return "".join(word[0].upper() + word[1:] for word in words) or "Said"


def _place(at: Location) -> str:
    return f"{{ File: {_quote(at.path)}, Line: {at.line}, Column: {at.column} }}"


def _quote(text: str) -> str:
    """A YAML string in single quotes, on one line."""
    words = " ".join(text.encode("utf-8", "replace").decode().split())
    if text[:1].isspace() or text[-1:].isspace():
        words = text.replace("\n", " ")
    words = "".join(c if c.isprintable() else "?" for c in words)
    return "'" + words.replace("'", "''") + "'"


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def functions_by_text(line_text: Callable[[str, int], bytes | None]) -> FunctionAt:
    """Names of functions as the text shows them: the last head of one at a line's beginning."""
    known: dict[tuple[str, int], str] = {}

    def function_at(path: str, line: int) -> str:
        if (path, line) in known:
            return known[path, line]
        name = ""
        for number in range(line, 0, -1):
            text = (line_text(path, number) or b"").decode("utf-8", "replace")
            head = _HEAD.match(text)
            if head and not text.rstrip().endswith((";", ",")):
                name = head[1]
                break
        known[path, line] = name
        return name

    return function_at
