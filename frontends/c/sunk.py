"""Assignments of scalars in front of loops that threads share, made anew where they are used.

::

    for (i ..) { i1 = i + 1;                     for (i ..)
    #pragma omp for                          ->      #pragma omp for
                 for (j ..) a[i1][j] = ...; }        for (j ..) { i1 = i + 1; a[i1][j] = ...; }

Each thread has such a variable for itself, and whoever runs an iteration has to know its value.
What is assigned is made of loop variables and of what keeps its value, so it is the same there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2s.frontends.c.lift import Lifter
from s2s.frontends.c.raw import Raw, RawLeaf, RawSequence, constructs, leaves, rebuild
from s2s.frontends.c.scalars import is_private
from s2s.frontends.c.syntax import CASTS, Decl, Node
from s2s.frontends.c.text import one_line
from s2s.source.records import dataclass

_ARITHMETIC = frozenset({"+", "-", "*"})


@dataclass(frozen=True)
class Sinker:
    """``dead`` says whether nothing after the region reads a variable."""

    lifter: Lifter
    dead: Callable[[Decl], bool]

    def sink(self, tree: Raw) -> Raw:
        """The tree with assignments in front of constructs as part of the statements after them."""

        def edit(node: Raw) -> Raw:
            if not isinstance(node, RawSequence) or not constructs(node):
                return node
            children = list(node.children)
            for position, child in enumerate(node.children):
                behind = node.children[position + 1 :]
                if isinstance(child, RawLeaf) and self._can_sink(child, behind, tree):
                    children[position] = RawSequence([], child.span)
                    for other in behind:
                        for leaf in leaves(other):
                            self._add(child, leaf)
            return RawSequence(children, node.span)

        return rebuild(tree, edit)

    def _can_sink(self, leaf: RawLeaf, behind: list[Raw], tree: Raw) -> bool:
        decl = _target(leaf)
        if decl is None or not any(constructs(child) for child in behind):
            return False
        local = decl.is_local and not decl.is_static and decl.type.kind == "int"
        if not local or decl in self.lifter.facts.escaped or self.lifter.assigned[decl] != 1:
            return False
        later = [other for child in behind for other in leaves(child)]
        everywhere = [other for other in leaves(tree) if other is not leaf]
        if any(decl in o.references and o not in later for o in everywhere):
            return False
        value = leaf.nodes[0].children[1]
        own = self.lifter.in_team or is_private(tree, decl)
        return own and self.dead(decl) and self._is_fixed(value, leaf)

    def _is_fixed(self, value: Node, leaf: RawLeaf) -> bool:
        """Whether an expression has this value wherever the loops around have these iterations."""
        if value.value is not None:
            return True
        if value.kind == "DECL_REF_EXPR" and value.decl is not None:
            kept = value.decl not in self.lifter.assigned and value.decl.is_local
            return kept or any(value.decl is d for d in leaf.context.decls)
        plain = value.kind in CASTS or (value.kind == "BINARY_OPERATOR" and value.op in _ARITHMETIC)
        return plain and all(self._is_fixed(child, leaf) for child in value.children)

    def _add(self, assignment: RawLeaf, leaf: RawLeaf) -> None:
        """Let a statement set the variable before anything else, if it reads it."""
        decl = _target(assignment)
        assert decl is not None
        if decl not in leaf.references:
            return
        text = self.lifter.buffer.text(assignment.span)
        leaf.before = (*leaf.before, " ".join(one_line(text).split()).rstrip("; "))
        leaf.touches = [t for t in leaf.touches if not (t.is_scalar and t.root is decl)]
        leaf.touches += [
            replace(t, context=leaf.context) for t in assignment.touches
            if t.write and t.root is decl
        ]  # fmt: skip
        leaf.references |= assignment.references
        leaf.exposed.discard(decl)
        leaf.written.add(decl)
        leaf.sets.add(decl)


def _target(leaf: RawLeaf) -> Decl | None:
    """The variable that a leaf does nothing but set."""
    if len(leaf.nodes) != 1 or leaf.pragmas or leaf.context.conditions or leaf.condition:
        return None
    (node,) = leaf.nodes
    if node.in_macro or node.kind != "BINARY_OPERATOR" or node.op != "=":
        return None
    target = node.children[0]
    return target.decl if target.kind == "DECL_REF_EXPR" else None
