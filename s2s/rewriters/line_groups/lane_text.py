"""The source's expressions with lanes in them: the text as it stands, with other names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.line_groups.reading import is_int, is_place
from s2s.source.records import dataclass

_PRINTED = frozenset({"BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"})


@dataclass(frozen=True)
class LaneArrayText:
    """How an array is called that has an element for each lane; ``kept`` are its dimensions."""

    name: str
    kept: tuple[int, ...]


@dataclass(frozen=True)
class LaneText:
    """Writes expressions; ``arrays`` have lanes, ``numbers`` are replaced by a text."""

    data: bytes
    arrays: Mapping[Decl, LaneArrayText]
    numbers: Mapping[Decl, str]
    lane: str

    def text(self, node: Node) -> str:
        """An expression or assignment. Raises NotLiftable."""
        special = self._special(node)
        if special is not None:
            return special
        if _is_of_macro(node):
            return self._printed(node)
        if not self._changes(node):
            return self._slice(node.span.start, node.span.end)
        text, place = "", node.span.start
        for child in node.children:
            if not self._changes(child):
                continue
            if child.span.start < place or child.span.end > node.span.end:
                return self._printed(node)
            text += self._slice(place, child.span.start) + self.text(child)
            place = child.span.end
        return text + self._slice(place, node.span.end)

    def block(self, node: Node) -> str:
        """An argument that is a block of an array with lanes."""
        place = self._array(node.bare)
        if place is None:
            raise NotLiftable(node.span, "an argument has no lanes")
        return place

    def _special(self, node: Node) -> str | None:
        if node.kind == "DECL_REF_EXPR" and node.decl is not None and node.decl in self.numbers:
            return self.numbers[node.decl]
        place = self._array(node) if is_place(node) else None
        return None if place is None else f"{place}[{self.lane}]"

    def _array(self, node: Node) -> str | None:
        subscripts: list[Node] = []
        while node.kind == "ARRAY_SUBSCRIPT_EXPR":
            subscripts.insert(0, node.children[1])
            node = node.children[0].bare
        array = self.arrays.get(node.decl) if node.decl is not None else None
        if array is None:
            return None
        kept = (subscripts[d] for d in array.kept if d < len(subscripts))
        return array.name + "".join(f"[{self.text(s)}]" for s in kept)

    def _changes(self, node: Node) -> bool:
        return not node.decls.isdisjoint({*self.arrays, *self.numbers})

    def _slice(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "surrogateescape")

    def _printed(self, node: Node) -> str:
        """An expression that a macro makes, written out: its parts have no text of their own."""
        special = self._special(node)
        if special is not None:
            return special
        parts = [self._printed(child) for child in node.children]
        writers: dict[str, Callable[[], str]] = {
            "UNARY_OPERATOR": lambda: f"({node.op}{parts[0]})",
            "CONDITIONAL_OPERATOR": lambda: f"({parts[0]} ? {parts[1]} : {parts[2]})",
            "CALL_EXPR": lambda: f"{node.name}({', '.join(parts[1:])})",
            "IMPLICIT_CAST": lambda: parts[-1],
            "CSTYLE_CAST_EXPR": lambda: f"(({node.type.spelling}) {parts[-1]})",
        }
        if node.kind in _PRINTED and len(parts) == 2:
            return f"({parts[0]} {node.op} {parts[1]})"
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            return f"{parts[0]}[{parts[1]}]"
        if node.kind == "DECL_REF_EXPR":
            return node.name
        if node.kind == "INTEGER_LITERAL" and node.value is not None and is_int(node.type):
            return str(node.value)
        if node.kind == "FLOATING_LITERAL" and node.real is not None and node.type.size == 8:
            return repr(node.real)
        writer = writers.get(node.kind)
        if writer is None or "post" in node.op:
            raise NotLiftable(node.span, "a macro's text cannot be written out")
        return writer()


def _is_of_macro(node: Node) -> bool:
    """Whether an expression comes from a macro's body, whose parts all stand where it is called."""
    if node.in_macro or node.span.start == node.span.end:
        return True
    spans = [child.span for child in node.children]
    if any(before.end > after.start for before, after in pairwise(spans)):
        return True
    whole = node.kind != "IMPLICIT_CAST" and any(span == node.span for span in spans)
    return whole or any(span.start == span.end for span in spans)
