"""Sizes and subscripts of loops as polynomials over the variables that C names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.facts import Facts, initializer
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.syntax import CASTS, CType, Decl, Node
from s2s.frontends.c.typed.nodes import number, operation, reference
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_LARGEST = 1 << 31

Ranges = Mapping[Decl, tuple[int, int] | None]
"""Variables of loops around a place, by steps of one, with their ends if these are known."""


@dataclass
class Sizes:
    """Makes polynomials; with ``known`` of locals that keep their value as what they begin with."""

    facts: Facts
    known: bool = False
    names: dict[str, Decl] = field(default_factory=dict)

    def polynomial(self, node: Node, around: Ranges) -> Polynomial | None:
        """An expression of which no part wraps, over names of variables; None for another."""
        value = constant_value(node)
        if value is not None:
            return Polynomial.integer(value)
        if node.kind in CASTS and node.type.kind == "int" and node.children:
            inner = node.children[-1]
            most = self._most(inner, around)
            fits = most is not None and most < 1 << (8 * node.type.size - 1)
            if not fits and not _is_wide(node.type, inner.type):
                return None
            return self.polynomial(inner, around)
        if node.kind == "DECL_REF_EXPR" and node.decl is not None and node.type.kind == "int":
            return self._of_variable(node.decl, around)
        if node.kind != "BINARY_OPERATOR" or node.op not in ("+", "-", "*"):
            return None
        if not node.type.signed and self._most(node, around) is None:
            return None
        left, right = (self.polynomial(c, around) for c in node.children)
        if left is None or right is None:
            return None
        return left * right if node.op == "*" else left + right if node.op == "+" else left - right

    def _of_variable(self, decl: Decl, around: Ranges) -> Polynomial | None:
        if decl.type.volatile or not (decl in around or self.facts.is_constant(decl)):
            return None
        if self.known and decl not in around:
            first = self.beginning(decl)
            value = None if first is None else self.polynomial(first, {})
            if value is not None:
                return value
        return Polynomial.name(self.name(decl))

    def beginning(self, decl: Decl) -> Node | None:
        """What a local that keeps its value begins with."""
        if decl.node is None or decl.kind != "VAR_DECL" or decl.is_static:
            return None
        value = initializer(decl.node) if self.facts.is_constant(decl) else None
        if value is None or not (_is_wide(decl.type, value.type) or decl.type == value.type):
            return None
        return value

    def _most(self, node: Node, around: Ranges) -> int | None:
        """The largest value of sums and products of what is not negative and known; else None."""
        value = constant_value(node)
        if value is not None:
            return value if 0 <= value < _LARGEST else None
        if node.kind in CASTS and node.children:
            return self._most(node.children[-1], around)
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            known = around.get(node.decl)
            return None if known is None or known[0] < 0 else known[1]
        if node.kind != "BINARY_OPERATOR" or node.op not in ("+", "*"):
            return None
        left, right = (self._most(c, around) for c in node.children)
        if left is None or right is None:
            return None
        found = left * right if node.op == "*" else left + right
        return found if found < _LARGEST else None

    def name(self, decl: Decl) -> str:
        name = f"{decl.name}@{decl.offset}"
        self.names[name] = decl
        return name

    def node(self, value: Polynomial, like: Node) -> Node | None:
        """The expression of a polynomial of one term and a number; None for another one."""
        if not value.terms:
            return number(value.constant, like.span, like.type)
        if len(value.terms) > 1:
            return None
        ((names, factor),) = value.terms.items()
        type_ = like.type
        made = number(factor, like.span, type_)
        for name in names:
            one = reference(self.names[name], like.span)
            made = one if made.value == 1 else operation("*", made, one, type_)
        if not value.constant:
            return made
        return operation("+", made, number(value.constant, like.span, type_), type_)


def _is_wide(to: CType, source: CType) -> bool:
    """Whether a conversion keeps all values."""
    return to.size > source.size and (to.signed or not source.signed)


@dataclass(frozen=True)
class Counted:
    """A loop of ``count`` iterations from 0; ``limit``: the count as C has it."""

    variable: Decl
    count: Polynomial
    limit: Node
    declared: bool = True

    @property
    def range(self) -> tuple[int, int] | None:
        """The first and the last value and one more, where these are numbers."""
        return None if self.count.terms else (0, self.count.constant)


def counted(node: Node, sizes: Sizes, around: Ranges) -> Counted | None:
    """A loop that counts from 0 by ones to what no loop around changes; None for another one."""
    try:
        loop = counted_loop(node)
        step, (bound, *more) = loop.constant_step, loop.bounds(1)
    except (NotAffine, ValueError):
        return None
    plain = step == 1 and not more and bound.is_exact and bound.relation == "<"
    if not plain or constant_value(loop.first) != 0 or loop.variable.type.size < 4:
        return None
    if loop.variable in loop.body.assigned or loop.variable in sizes.facts.escaped:
        return None
    count = sizes.polynomial(bound.limit, {})
    if count is None or set(map(sizes.name, around)) & count.names:
        return None
    return Counted(loop.variable, count, bound.limit, loop.declared)
