"""The functions that a file defines: their bodies, what they set, what they write through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.desugar import desugar_loops
from s2s.frontends.c.typed.scope import written_arrays
from s2s.frontends.c.unit import Unit


class Definitions:
    """The definitions of a file by the declarations that calls name, loops in their usual form.

    Of several with one name the last one is known.
    ``as_written``: with the loops that the file has.
    """

    def __init__(self, unit: Unit, *, as_written: bool = False) -> None:
        self._unit = unit
        self._as_written = as_written
        self._cursors = unit.functions_by_name
        self._known: dict[str, Node] = {}

    def __call__(self, decl: Decl) -> Node | None:
        """The syntax of a function."""
        name = decl.name
        found = self._unit.converter.decl_of(self._cursors.get(name))
        if found is None or found.usr != decl.usr:  # what is meant is another overload, elsewhere
            return None
        if name not in self._known:
            node = self._unit.convert(self._cursors[name])
            self._known[name] = node if self._as_written else with_usual_loops(node)
        return self._known[name]


def with_usual_loops(function: Node) -> Node:
    """A function whose body is ``desugared``."""
    children = [*function.children[:-1], desugar_loops(function.children[-1])]
    return replace(function, children=children, _kinds=None, _decls=None)


def runs_statements(definition: Node) -> bool:
    """Whether a function does more than declaring, choosing and returning a value."""
    body = definition.children[-1]
    return any(node.is_loop for node in body.walk()) or any(n.assigns for n in body.walk())


def written_names(body: Node) -> set[Decl]:
    """Names through which a body stores to arrays, pointers made of each other included."""
    found = written_arrays(body)
    pairs = list(_pointers(body))
    while more := {d for p, used in pairs if p in found for d in used} - found:
        found |= more
    return found


def _pointers(body: Node) -> Iterator[tuple[Decl, set[Decl]]]:
    """Pointers, with the names from which they are made."""
    for node in body.walk():
        if node.kind == "VAR_DECL" and node.decl and node.decl.type.kind == "pointer":
            yield node.decl, {n.decl for n in node.walk() if n.decl is not None}
        elif node.op == "=" and node.children[0].kind == "DECL_REF_EXPR":
            target = node.children[0].decl
            if target is not None and target.type.kind == "pointer":
                yield target, {n.decl for n in node.children[1].walk() if n.decl is not None}
