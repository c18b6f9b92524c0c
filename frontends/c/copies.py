"""Pointers that are another name for a pointer: ``double (*u)[n][m] = (double (*)[n][m])u_;``.

All accesses through such a copy are accesses to what the original points to. A copy that is
declared inside a region is declared once before the new code, under a name of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from s2s.frontends.c.facts import Facts, initializer
from s2s.frontends.c.raw import Raw, RawLeaf, RawSequence, rebuild
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import identifiers, one_line
from s2s.source import Edit, SourceBuffer, Span
from s2s.source.records import dataclass


def origin(decl: Decl, facts: Facts) -> Decl:
    """The pointer whose value a pointer always has; itself where it is no copy."""
    seen = {decl}
    while True:
        source = _copied_from(decl, facts)
        if source is None or source in seen:
            return decl
        seen.add(source)
        decl = source


def _copied_from(decl: Decl, facts: Facts) -> Decl | None:
    sources = facts.sources.get(decl, [])
    once = decl.kind == "VAR_DECL" and len(sources) == 1 and facts.is_constant(decl)
    if not once or decl.type.kind != "pointer" or decl.type.reference or decl.is_static:
        return None
    value = sources[0].uncast
    source = value.decl if value.kind == "DECL_REF_EXPR" else None
    if source is None or source.type.kind != "pointer" or source.type.reference:
        return None
    constant = source.kind in ("VAR_DECL", "PARM_DECL") and facts.is_constant(source)
    return source if constant and not source.is_static and not source.type.volatile else None


@dataclass
class Hoisted:
    """Declarations of copies taken out of a tree; ``names`` are their new names."""

    buffer: SourceBuffer
    facts: Facts
    lines: list[str] = field(default_factory=list)
    names: dict[Decl, str] = field(default_factory=dict)

    @cached_property
    def _taken(self) -> set[str]:
        return identifiers(self.buffer.data)

    def state(self) -> int:
        """For ``restore``: forget what is hoisted from here on."""
        return len(self.lines)

    def restore(self, state: int) -> None:
        del self.lines[state:]
        for decl in list(self.names)[state:]:
            del self.names[decl]

    def out_of(self, tree: Raw) -> Raw:
        """The tree without the declarations."""

        def edit(node: Raw) -> Raw:
            if not isinstance(node, RawSequence):
                return node
            kept = [c for c in node.children if not (isinstance(c, RawLeaf) and self._take(c))]
            return node if len(kept) == len(node.children) else RawSequence(kept, node.span)

        return rebuild(tree, edit)

    def _take(self, leaf: RawLeaf) -> bool:
        if len(leaf.nodes) != 1 or leaf.nodes[0].kind != "DECL_STMT":
            return False
        variables = leaf.nodes[0].children
        if len(variables) != 1 or not self._is_copy(variables[0]):
            return False
        self._declare(leaf.nodes[0], variables[0])
        return True

    def _is_copy(self, variable: Node) -> bool:
        decl = variable.decl
        if decl is None or variable.kind != "VAR_DECL" or variable.in_macro:
            return False
        if initializer(variable) is None or origin(decl, self.facts) is decl:
            return False
        # What the sizes of its type name keeps its value as well.
        named = [n.decl for n in variable.walk() if n.kind == "DECL_REF_EXPR" and n.value is None]
        return all(d is not None and self.facts.is_constant(d) for d in named)

    def _declare(self, statement: Node, variable: Node) -> None:
        assert variable.decl is not None
        name = base = f"s2s_{variable.decl.name}"
        count = 1
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        self.names[variable.decl] = name
        start, length = variable.decl.offset, len(variable.decl.name.encode())
        edits = [Edit(start, start + length, name.encode())]
        edits += rename(variable, self.names, self.buffer)
        text = self.buffer.edited(Span(statement.span.start, statement.span.end), edits)
        self.lines.append(" ".join(one_line(text).split()))


def rename(node: Node, names: Mapping[Decl, str], buffer: SourceBuffer) -> list[Edit]:
    """Edits that give the variables of ``names`` their new names in a piece of text.

    Raises ValueError where a name comes out of a macro.
    """
    edits = []
    for inner in node.walk():
        if inner.kind == "DECL_REF_EXPR" and inner.decl is not None and inner.decl in names:
            old = inner.decl.name.encode()
            end = inner.span.start + len(old)
            if inner.in_macro or buffer.data[inner.span.start : end] != old:
                raise ValueError(f"'{inner.decl.name}' comes out of a macro")
            edits.append(Edit(inner.span.start, end, names[inner.decl].encode()))
    return edits
