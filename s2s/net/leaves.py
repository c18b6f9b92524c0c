"""The pieces of source text in new code: where they are, and whether they are what they claim."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from s2s.analyses.members import in_source_words
from s2s.frontends.c.syntax import Node
from s2s.net import Mismatch
from s2s.scop.nodes import Scop, Statement
from s2s.scop.texts import PREFIX
from s2s.source import SourceBuffer, Span
from s2s.source.records import dataclass


@dataclass
class Leaves:
    """The pieces of source text in new code: by offset, their end and statement.

    ``iterators`` are the statements' loop variables.
    """

    spans: Mapping[int, tuple[int, str]]
    iterators: Mapping[str, tuple[str, ...]]
    lanes: tuple[str, str, int, int] | None = None
    """The name of leaves that are the first ones of vectors, their statement, the place of the
    iterator along lanes and how many there are."""

    def __post_init__(self) -> None:
        self._starts = sorted(self.spans)

    def statement(self, name: str) -> tuple[str, int, int]:
        """The statement that a leaf is of, the place of its lanes' iterator and their number."""
        if self.lanes is not None and name == self.lanes[0]:
            return self.lanes[1:]
        return name, 0, 1

    def at(self, node: Node) -> tuple[int, str] | None:
        """The leaf that a node begins, after the leaf's own pragmas perhaps."""
        position = bisect_right(self._starts, node.span.start) - 1
        if position < 0:
            return None
        leaf = self.spans[self._starts[position]]
        return leaf if node.span.start < leaf[0] else None

    def parts(self, node: Node) -> Iterator[tuple[Node, str | None]]:
        """The statements of a block, each with the leaf that it is; of a leaf only its first."""
        end = -1
        for child in node.children:
            if child.span.start < end:
                continue
            leaf = self.at(child)
            yield child, None if leaf is None else leaf[1]
            if leaf is not None:
                end = leaf[0]


def check_leaves(
    scop: Scop,
    data: bytes,
    leaves: Iterable[tuple[Span, str]],
    source: SourceBuffer,
    prefix: str,
) -> None:
    """Raise Mismatch unless each leaf in ``data`` is its statement's text, edited as it wants.

    The braces around all of it may be those of the block that the leaf is in.
    Statements of which locals hold elements have other words in their place.
    """
    assert scop.target is not None
    held = {h.statement for h in scop.target.held}
    if scop.target.shared is not None:
        held |= {s.name for s in scop.statements}
    if scop.target.tile is not None:
        held.add(scop.target.tile.name)
    for rotated in scop.target.rotated:
        held |= {rotated.statement, *(reader.statement for reader in rotated.readers)}
    for span, name in leaves:
        if name in held:
            continue
        new = data[span.start : span.end].decode("utf-8", "surrogateescape")
        new = in_source_words(scop, new, prefix)
        wanted = _text(scop.statement(name), source, prefix)
        if _words(new) != _words(wanted) and f"{{{_words(new)}}}" != _words(wanted):
            raise Mismatch(f"a statement's text has changed: '{new.strip()}'")


def _text(statement: Statement, source: SourceBuffer, prefix: str) -> str:
    return source.edited(statement.span, statement.edits).replace(PREFIX, prefix)


def _words(text: str) -> str:
    return "".join(text.split())
