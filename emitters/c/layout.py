"""Lines of new code from its blocks, as the file around them is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from s2s.emitters.c.blocks import CLOSE, END, ITERATOR, OPEN, ORIGINAL, VERBATIM, Block, Item, Leaf
from s2s.emitters.c.line_breaks import break_directive, break_line, statements_of
from s2s.emitters.c.style import Style, columns
from s2s.source.records import dataclass

_KEYWORD = re.compile(r"\b(if|for|while) \(")
# Source text that stays on its line: there may be tokens with blanks in them, or a comment's end.
_WHOLE = re.compile(rf"[#\"'\\{VERBATIM}]|/[/*]|\*/")
_OPERATOR = tuple("+-*/%&|^<>=?:.)],")
"""What a line begins with that goes on after a parenthesis which is no head's."""
_ROOM = 50
"""Columns that a line may have at least, however deep it is."""


@dataclass(frozen=True)
class Layout:
    """Lays out items in a ``style``; ``base`` is what all lines are indented by."""

    style: Style
    base: str

    def lines(self, items: Sequence[Item], depth: int = 0) -> Iterator[str]:
        """The lines, with marks where leaves begin and end."""
        for item in items:
            if isinstance(item, Block):
                yield from self._block(item, depth)
            elif isinstance(item, Leaf):
                yield from self._leaf(item, depth)
            elif item.startswith(ORIGINAL):
                yield item
            elif item.startswith("#"):
                yield from break_directive(item, self.style.width)
            else:
                indent = self._indent(depth)
                yield from (
                    indent + line for line in self._broken(item.removeprefix(ITERATOR), depth)
                )

    def _indent(self, depth: int) -> str:
        return self.base + self.style.unit * depth

    def _block(self, block: Block, depth: int, before: str = "") -> Iterator[str]:
        """A block; ``before`` its head there is the brace of another one perhaps."""
        indent = self._indent(depth)
        sunk = bool(self.style.sunk and block.braces and block.head)
        braces = self._indent(depth + sunk)
        head = list(block.head)
        if len(head) == 1:
            head = self._broken(before + head[0], depth, 2 * block.braces)
        elif head:
            head[0] = before + self._spelled(head[0])
        if block.braces and head and not self.style.below:
            head[-1] += " {"
        yield from (indent + line for line in head)
        if block.braces and (self.style.below or not head):
            yield f"{braces}{{"
        yield from self.lines(block.items, depth + 1 + sunk)
        if block.otherwise is not None and self.style.cuddled:
            yield from self._block(block.otherwise, depth, "} ")
            return
        if block.braces:
            yield f"{braces}}}"
        if block.otherwise is not None:
            yield from self._block(block.otherwise, depth)

    def _leaf(self, leaf: Leaf, depth: int) -> Iterator[str]:
        """Source text: directives and lines that a token goes on in keep their places."""
        indent = self._indent(depth)
        joined = self._joined(leaf.lines, depth)
        lines = [part for line in joined for part in self._within(line, depth)]
        if lines[0].startswith("#"):
            lines.insert(0, "")
        lines[0] = f"{OPEN}{leaf.name}{CLOSE}{lines[0]}"
        lines[-1] += END
        for line in lines:
            yield line if line.startswith(("#", VERBATIM)) or not line else indent + line

    def _joined(self, lines: Sequence[str], depth: int) -> Iterator[str]:
        """Lines of source text, those of one statement as one line where any is too long."""
        for parts in _statements(lines):
            if len(parts) > 1 and any(self._is_long(line, depth) for line in parts):
                yield " ".join((parts[0].rstrip(), *(line.strip() for line in parts[1:])))
            else:
                yield from parts

    def _is_long(self, line: str, depth: int) -> bool:
        return columns(self._indent(depth) + line) > self.style.width

    def _within(self, line: str, depth: int) -> list[str]:
        """A line of source text, over several ones where it is too long."""
        if not self._is_long(line, depth) or _WHOLE.search(line):
            return [line]
        text = line.lstrip()
        pad = line[: len(line) - len(text)]
        text, brace = text.removesuffix(" {"), " {" * text.endswith(" {")
        if ";" in text[:-1] and set("{}") & set(text):
            return [line]
        room = max(self.style.width - columns(self._indent(depth) + pad) - len(brace), _ROOM)
        statements = statements_of(text)
        found = [pad + part for s in statements for part in break_line(s, room, self.style.unit)]
        return [*found[:-1], found[-1] + brace]

    def _broken(self, text: str, depth: int, behind: int = 0) -> list[str]:
        room = max(self.style.width - columns(self._indent(depth)) - behind, _ROOM)
        return list(break_line(self._spelled(text), room, self.style.unit))

    def _spelled(self, text: str) -> str:
        return text if self.style.spaced else _KEYWORD.sub(r"\1(", text)


def _statements(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines that a statement goes on in, in groups; all others alone."""
    found: list[str] = []
    for line in lines:
        if found and (_WHOLE.search(line) or not _goes_on(found[-1], line)):
            yield found
            found = []
        found.append(line)
        if _WHOLE.search(line):
            yield found
            found = []
    if found:
        yield found


def _goes_on(line: str, after: str) -> bool:
    """Whether a statement that stands in a line has not ended there."""
    text = line.rstrip()
    if not text.strip() or not after.strip() or text.endswith((";", "{", "}", ":", "else", "do")):
        return False
    return not text.endswith(")") or after.lstrip().startswith(_OPERATOR)
