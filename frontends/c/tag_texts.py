"""The texts of ``depend`` items and sink vectors, which clang has not seen."""

from __future__ import annotations

import ast
from collections.abc import Collection

from s2s.frontends.c.affine import Affine
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.facts import Facts
from s2s.frontends.c.syntax import Decl
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass


@dataclass(frozen=True)
class TagReader:
    """Reads them with the variables of a function; ``assigned`` may change in the region."""

    facts: Facts
    assigned: Collection[Decl]
    affine: Affine

    def is_pointer(self, name: str) -> bool | None:
        """Whether a depend item's variable is a pointer; None where it may change or is unknown."""
        found = [d for d in self.facts.references if d.name == name]
        if len(found) != 1 or found[0].kind not in ("VAR_DECL", "PARM_DECL"):
            return None
        (decl,) = found
        pointer = decl.type.kind == "pointer"
        movable = pointer and (decl.is_global or decl.is_static or decl in self.facts.escaped)
        if decl.type.reference or movable or (pointer and decl in self.assigned):
            return None
        return pointer

    def several(self, text: str, context: Context) -> tuple[str, ...] | None:
        """A subscript of a depend item as isl text, as several if it is a matrix's flat one."""
        value = self._polynomial(text, context)
        if value is None:
            return None
        if value.is_affine:
            return (value.isl(),)
        from s2s.frontends.c.flat import proved_split  # isl is not needed before

        split = proved_split(value, context, self.affine.parameters)
        return None if split is None else tuple(v.isl() for v in split)

    def single(self, text: str, context: Context) -> str | None:
        """A subscript of a sink vector, which clang has not seen, as isl text."""
        value = self._polynomial(text, context)
        return value.isl() if value is not None and value.is_affine else None

    def _polynomial(self, text: str, context: Context) -> Polynomial | None:
        try:
            return self._value(ast.parse(text.strip(), mode="eval").body, context)
        except SyntaxError:
            return None

    def _value(self, tree: ast.expr, context: Context) -> Polynomial | None:
        if isinstance(tree, ast.Constant) and isinstance(tree.value, int):
            return Polynomial.integer(tree.value)
        if isinstance(tree, ast.Name):
            for variable in reversed(context.iterators):
                if variable.spelling == tree.id:
                    return Polynomial.name(variable.name)
            nodes = [
                found[0] for decl, found in self.facts.references.items() if decl.name == tree.id
            ]
            return self.affine.polynomial(nodes[0], context) if len(nodes) == 1 else None
        if isinstance(tree, ast.BinOp):
            left, right = (self._value(t, context) for t in (tree.left, tree.right))
            if left is None or right is None:
                return None
            if isinstance(tree.op, ast.Add):
                return left + right
            if isinstance(tree.op, ast.Sub):
                return left - right
            if isinstance(tree.op, ast.Mult):
                return left * right
        return None
