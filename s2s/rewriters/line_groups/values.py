"""Integers of loops and subscripts, as text of C and of isl.

They are made of numbers, counters of loops and integers of the file (``n``, ``points[1]``), which
are parameters; local variables that hold such a value are replaced by it.
"""

from __future__ import annotations

from collections.abc import Mapping

from s2s.frontends.c.integer_constants import constant_value
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.syntax import Decl, Node
from s2s.source.records import dataclass

_INT = 4


@dataclass(frozen=True)
class Parameter:
    """An integer of the file: how isl and C call it, and the variable that it is or is in."""

    name: str
    text: str
    decl: Decl


@dataclass(frozen=True)
class Value:
    """An affine expression of counters and ``parameters``; ``number`` where it is a constant."""

    c: str
    isl: str
    parameters: frozenset[Parameter] = frozenset()
    number: int | None = None
    counter: bool = False

    @staticmethod
    def of_number(number: int) -> Value:
        text = str(number) if number >= 0 else f"({number})"
        return Value(text, text, number=number)

    @staticmethod
    def of_counter(name: str, isl_name: str) -> Value:
        return Value(name, isl_name, counter=True)

    def joined(self, op: str, other: Value) -> Value:
        if self.number is not None and other.number is not None:
            results = {"+": self.number + other.number, "-": self.number - other.number}
            return Value.of_number(results.get(op, self.number * other.number))
        c, known = f"({self.c} {op} {other.c})", f"({self.isl} {op} {other.isl})"
        return Value(c, known, self.parameters | other.parameters)

    def larger(self, other: Value) -> Value:
        """The larger one of two values."""
        return Value(
            f"({self.c} > {other.c} ? {self.c} : {other.c})", f"max({self.isl}, {other.isl})",
            self.parameters | other.parameters,
        )  # fmt: skip


Known = Mapping[Decl, Value]


def value_of(node: Node, known: Known) -> Value:
    """The value of an expression. Raises NotLiftable where it is not affine."""
    node = node.bare
    number = constant_value(node)
    if number is not None:
        return Value.of_number(number)
    if node.kind == "DECL_REF_EXPR" and node.decl is not None and node.decl in known:
        return known[node.decl]
    parameter = _parameter(node)
    if parameter is not None:
        return Value(parameter.text, parameter.name, frozenset({parameter}))
    if node.kind == "UNARY_OPERATOR" and node.op == "-":
        return Value.of_number(0).joined("-", value_of(node.children[0], known))
    if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-", "*") and _is_int(node):
        left, right = (value_of(child, known) for child in node.children)
        if node.op != "*" or left.number is not None or right.number is not None:
            return left.joined(node.op, right)
    raise NotLiftable(node.span, "a bound or subscript is not affine")


def _is_int(node: Node) -> bool:
    """Whether it is computed in integers whose overflow has no meaning."""
    return node.type.kind == "int" and node.type.signed and node.type.size >= _INT


def _parameter(node: Node) -> Parameter | None:
    """An integer variable of the file, or an element of an array at a constant place."""
    places: list[str] = []
    place = node
    while place.kind == "ARRAY_SUBSCRIPT_EXPR":
        number = constant_value(place.children[1])
        if number is None or place.children[0].type.kind != "array":
            return None
        places.insert(0, str(number))
        place = place.children[0].bare
    decl = place.decl
    if place.kind != "DECL_REF_EXPR" or decl is None or decl.kind != "VAR_DECL":
        return None
    if not decl.is_global or decl.thread_local or node.type.volatile or not _is_int(node):
        return None
    text = decl.name + "".join(f"[{p}]" for p in places)
    # With the name's length, so that ``n[1]`` and ``n_1`` are two.
    return Parameter("_".join([f"s2s{len(decl.name)}", decl.name, *places]), text, decl)
