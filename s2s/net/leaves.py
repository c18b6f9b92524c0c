"""Whether the pieces of source text in new code are the text of their statements."""

from __future__ import annotations

from collections.abc import Iterable

from s2s.net import Mismatch
from s2s.scop.nodes import PREFIX, Scop, Statement
from s2s.source import SourceBuffer, Span


def check_leaves(
    scop: Scop,
    data: bytes,
    leaves: Iterable[tuple[Span, str]],
    source: SourceBuffer,
    prefix: str,
) -> None:
    """Raise Mismatch unless each leaf in ``data`` is its statement's text, edited as it wants.

    Statements of which locals hold elements have other words in their place.
    """
    assert scop.target is not None
    held = {h.statement for h in scop.target.held}
    for rotated in scop.target.rotated:
        held |= {rotated.statement, *(reader.statement for reader in rotated.readers)}
    for span, name in leaves:
        if name in held:
            continue
        new = data[span.start : span.end].decode("utf-8", "surrogateescape")
        wanted = _text(scop.statement(name), source, prefix)
        if _words(new) != _words(wanted):
            raise Mismatch(f"a statement's text has changed: '{new.strip()}'")


def _text(statement: Statement, source: SourceBuffer, prefix: str) -> str:
    return source.edited(statement.span, statement.edits).replace(PREFIX, prefix)


def _words(text: str) -> str:
    return "".join(text.split())
