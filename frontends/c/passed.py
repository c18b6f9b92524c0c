"""Touches of the memory that calls surely touch behind their arguments, for reports of races.

A call whose callee writes elements that are decided by the pointer and by integers (``certain.py``)
touches an element of an array that is only there for this: its subscripts are where the pointer
leads and those integers, so that two calls meet in it if these are equal.
"""

from __future__ import annotations

from dataclasses import field

from s2s.frontends.c.certain import Certain, CertainAccesses
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.touch import Touch
from s2s.frontends.c.touches import Collector
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

FOOTPRINT = "@"
"""In the keys of arrays that stand for what a function writes."""


@dataclass
class ObservingCollector(Collector):
    """A collector that also notes what calls surely touch."""

    certain: CertainAccesses | None = field(default=None, kw_only=True)

    def _call(self, node: Node, context: Context) -> None:
        super()._call(node, context)
        if self.certain is None or self.calls.of(node).anything:
            return
        arguments = node.children[1:]
        for (position, write), access in self.certain.of(node).items():
            known = all(p < len(arguments) for p in {position} | access.given | access.assumed)
            if known and all(arguments[p].value is None for p in access.assumed):
                self._touched(node, position, access, context, write=write)

    def _touched(
        self, call: Node, position: int, access: Certain, context: Context, *, write: bool
    ) -> None:
        arguments = call.children[1:]
        if access.element == 0 and arguments[position].op == "&":
            self.location(arguments[position].children[0], context, write=write)
            return
        found = self._place(arguments[position], context)
        if found is None:
            return
        root, shift = found
        fixed = not _without_iterators(shift, context).terms
        if access.element is not None and root.type.kind == "pointer" and fixed:
            element = shift + Polynomial.integer(access.element)
            self._element(root, "*", (element,), arguments[position], context, write=write)
        given = [self.affine.polynomial(arguments[p], context) for p in sorted(access.given)]
        known = [value for value in given if value is not None]
        if write and len(known) == len(given):
            values = (shift, *known)
            equal = [_spell(_without_iterators(v, context)) for v in values]
            key = f"{FOOTPRINT}*{call.name}:{position}:{''.join(equal)}"
            self._element(root, key, values, arguments[position], context, write=True)

    def _element(
        self, root: Decl, key: str, subscripts: tuple[Polynomial, ...], argument: Node,
        context: Context, *, write: bool,
    ) -> None:  # fmt: skip
        assert argument.type.element is not None
        pointers = tuple(place == 0 for place in range(len(subscripts)))
        self.touches.append(
            Touch(root, key, subscripts, pointers, (None,) * len(subscripts),
                  argument.type.element, write, context, argument.span, commutes=self.commutes)
        )  # fmt: skip

    def _place(self, node: Node, context: Context) -> tuple[Decl, Polynomial] | None:
        """The variable that a pointer is computed from, and how many elements it is moved."""
        node = node.bare
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            return (self.origin(node.decl), Polynomial()) if _is_memory(node.decl) else None
        if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-"):
            base, index = node.children
            if node.op == "+" and base.type.kind == "int":
                base, index = index, base
        elif node.op == "&" and node.children[0].kind == "ARRAY_SUBSCRIPT_EXPR":
            base, index = node.children[0].children
        else:
            return None
        found = self._place(base, context)
        value = self.affine.polynomial(index, context)
        if found is None or value is None or not value.is_affine:
            return None
        return found[0], found[1] - value if node.op == "-" else found[1] + value


def _spell(value: Polynomial) -> str:
    """The same text for the same value, of which names for arrays are made."""
    return str(dict(value.terms) | ({(): value.constant} if value.constant else {}))


def _without_iterators(value: Polynomial, context: Context) -> Polynomial:
    """The part of a value that calls have to agree in: equal in all executions, not in some."""
    iterators = {v.name for v in context.iterators}
    return value.part(iterators.isdisjoint, value.constant)


def _is_memory(decl: Decl) -> bool:
    """Whether a variable is a pointer to numbers, or an array of them."""
    kind, element = decl.type.kind, decl.type.element
    return kind in ("pointer", "array") and element is not None and element.scalar
