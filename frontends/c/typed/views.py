"""Casts of arrays seen as pointers of their own: ``((double *)layer->output)[i]``.

Only for reading, as ``pointers``: a cast whose value stays the same in a nest becomes a variable
that has its text for its name. It may lead to any memory, which the program asks about as it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from s2s.frontends.c.facts import Facts
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.typed.nodes import reference
from s2s.source.records import dataclass


def with_views_named(nest: Node, facts: Facts, text: Callable[[Node], str]) -> Node:
    """A nest with a variable for each cast of an array; ``facts`` are told what these are."""
    return _Views(nest, facts, text).rewritten(nest)


@dataclass
class _Views:
    nest: Node
    facts: Facts
    text: Callable[[Node], str]
    known: dict[str, Decl] = field(default_factory=dict)

    def rewritten(self, node: Node) -> Node:
        if node.kind == "CSTYLE_CAST_EXPR" and self._is_view(node):
            return reference(self._decl(node), node.span)
        below = [self.rewritten(child) for child in node.children]
        if all(a is b for a, b in zip(below, node.children, strict=True)):
            return node
        return replace(node, children=below, _kinds=None, _decls=None, _assigned=None)

    def _is_view(self, node: Node) -> bool:
        element, array = node.type.element, node.children[-1]
        if node.type.kind != "pointer" or element is None or node.in_macro:
            return False
        if element.innermost().kind not in ("int", "float") or array.type.kind != "array":
            return False
        # An array of a structure is an address: only what leads to the structure may be read.
        place = array
        while place.kind == "MEMBER_REF_EXPR" and len(place.children) == 1:
            (place,) = place.children
        decl = place.decl
        fixed = place.kind == "DECL_REF_EXPR" and decl is not None
        return fixed and decl not in self.nest.assigned and decl not in self.facts.escaped

    def _decl(self, node: Node) -> Decl:
        text = self.text(node)
        if text not in self.known:
            element = node.type.element
            assert element is not None
            type_ = CType(node.type.spelling, "pointer", 8, element=element,
                          canonical=node.type.canonical)  # fmt: skip
            decl = Decl(text, "VAR_DECL", type_, f"view {text}", node.span.start,
                        is_global=False, is_static=False, in_file=True)  # fmt: skip
            self.facts.sources[decl] = [node.children[-1]]
            self.known[text] = decl
        return self.known[text]
