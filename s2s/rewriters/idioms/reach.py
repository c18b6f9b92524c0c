"""The memory that elements of arrays may reach in one strip, compared as the code runs."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.frontends.c.syntax import INCREMENTS, Decl, Node
from s2s.rewriters.expressions import ElementRead
from s2s.rewriters.idioms.loops import CountedLoop, Unsuitable
from s2s.source import Edit, SourceBuffer
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Reach:
    """A strip of ``size`` iterations.

    ``stepped`` says how far one iteration moves variables of the body, down and up.
    """

    buffer: SourceBuffer
    loop: CountedLoop
    stepped: Mapping[Decl, tuple[int, int]]
    size: int

    def _moves(self, decl: Decl) -> tuple[int, int]:
        """By how much a variable may differ from what it is before the strip."""
        for induction in self.loop.inductions:
            if induction.decl is decl:
                last = (self.size - 1) * (induction.step or 0)
                return min(0, last), max(0, last)
        low, high = self.stepped[decl]
        return self.size * low, self.size * high

    def addresses(self, element: ElementRead) -> tuple[str, str]:
        """C texts of the first address that an element may have, and of the one after the last.

        Raises Unsuitable for elements of more than one dimension.
        """
        if len(element.indices) != 1:
            raise Unsuitable(element.node, f"'{element.root.name}' may overlap what is stored")
        (index,) = element.indices
        subscript = element.node.children[-1]
        low = high = 0
        if index.variable is not None:
            low, high = (m * index.coefficient for m in self._moves(index.variable))
        texts = (self._at(subscript, index.variable, m) for m in (min(low, high), max(low, high)))
        name = element.root.name
        first, last = (f"(const char *)({name} + {text})" for text in texts)
        return first, f"{last} + sizeof({name}[0])"

    def _at(self, subscript: Node, variable: Decl | None, more: int) -> str:
        """A subscript's value, and so much more, as a long."""
        moved = [n for n in subscript.walk() if n.op in INCREMENTS]
        inside = {id(n.children[0]) for n in moved}
        named = [n for n in subscript.walk() if n.kind == "DECL_REF_EXPR" and n.decl is variable]
        edits = [
            Edit(n.span.start, n.span.end, f"(long){variable.name}".encode())
            for n in [*moved, *(n for n in named if id(n) not in inside)] if variable is not None
        ]  # fmt: skip
        if any(n.in_macro for n in subscript.walk()):
            raise Unsuitable(subscript, "a macro makes part of a subscript")
        text = self.buffer.edited(subscript.span, edits)
        return f"({text})" if not more else f"({text}) {'+' if more > 0 else '-'} {abs(more)}"


def apart(reach: Reach, store: ElementRead, load: ElementRead) -> str:
    """A C condition that a strip stores nothing that it loads; empty where that is known."""
    if store.root is load.root or all(e.root.type.kind == "array" for e in (store, load)):
        return ""
    first, second = reach.addresses(store), reach.addresses(load)
    return f"({first[1]} <= {second[0]} || {second[1]} <= {first[0]})"
