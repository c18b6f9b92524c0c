"""The loop nests of a C file, for whoever has times of lines and asks which nest they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.unit import Unit
from s2s.source import SourceBuffer
from s2s.source.records import dataclass


@dataclass(frozen=True, order=True)
class LoopNest:
    """Loops in each other, from line ``first`` to ``last``, and the function that they are in.

    A loop around several others is a nest without them: the lines ``inside`` are those of others.
    """

    first: int
    last: int
    function: str
    inside: tuple[range, ...] = ()

    def has(self, line: int) -> bool:
        return self.first <= line <= self.last and not any(line in part for part in self.inside)


def loop_nests(path: str, flags: Sequence[str]) -> list[LoopNest]:
    """All nests of a file, in order. Raises OSError; a file with errors has those that are seen."""
    with open(path, "rb") as stream:
        unit = parse_as_compiled(SourceBuffer(path, stream.read()), flags)
    found: list[LoopNest] = []
    for cursor in unit.functions():
        node = unit.convert(cursor)
        found += _nests(unit, node, node.name)
    return sorted(found)


def _nests(unit: Unit, node: Node, function: str) -> Iterator[LoopNest]:
    for loop in _loops_below(node):
        inner, around = list(_loops_below(loop)), loop
        while len(inner) == 1:
            around = inner[0]
            inner = list(_loops_below(around))
        inside = tuple(_lines(unit, other) for other in inner)
        lines = _lines(unit, loop)
        yield LoopNest(lines.start, lines.stop - 1, function, inside)
        yield from _nests(unit, around, function)


def _loops_below(node: Node) -> Iterator[Node]:
    """The outermost loops below a node."""
    for child in node.children:
        if child.is_loop:
            yield child
        else:
            yield from _loops_below(child)


def _lines(unit: Unit, node: Node) -> range:
    where = unit.buffer.location(node.span)
    return range(where.line, where.end_line + 1)
