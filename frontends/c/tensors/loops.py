"""Counted ``for`` loops of C: a variable, its first value, its step, how many iterations."""

from __future__ import annotations

from dataclasses import dataclass

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.tensors.errors import NotATensorNest
from s2s.frontends.c.tensors.expressions import Expressions
from s2s.scop.expressions import Const

_SWAPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}


@dataclass(frozen=True)
class Counted:
    """The values ``first``, ``first + step`` ... of a variable, ``count`` of them."""

    variable: Decl
    first: int
    step: int
    count: int


def counted(node: Node, expressions: Expressions, numbers: dict[str, int]) -> Counted:
    """What a loop counts; raises NotATensorNest.

    ``numbers`` by name of the variable stand for a bound that is not known otherwise.
    """
    if len(node.children) != 4:
        raise NotATensorNest(node.span, "a loop without start, condition or step")
    start, test, step, _ = node.children
    variable, first = _start(start, expressions)
    width = _step(step, variable, expressions)
    op, bound = _bound(test, variable)
    last = _number(bound, expressions, numbers.get(variable.name))
    return Counted(variable, first, width, _count(node, first, width, op, last))


def _start(node: Node, expressions: Expressions) -> tuple[Decl, int]:
    if node.kind == "DECL_STMT" and len(node.children) == 1:
        declared = node.children[0]
        if declared.decl is not None and declared.children:
            return declared.decl, _number(declared.children[-1], expressions)
    if node.kind == "BINARY_OPERATOR" and node.op == "=":
        target, value = node.children
        if target.kind == "DECL_REF_EXPR" and target.decl is not None:
            return target.decl, _number(value, expressions)
    raise NotATensorNest(node.span, "a loop that does not start with 'variable = value'")


def _number(node: Node, expressions: Expressions, given: int | None = None) -> int:
    try:
        value = expressions.value(node)
    except NotATensorNest:
        if given is None:
            raise
        return given
    if isinstance(value, Const) and isinstance(value.value, int):
        return value.value
    if given is not None:
        return given
    raise NotATensorNest(node.span, "a bound of a loop is no number")


def _step(node: Node, variable: Decl, expressions: Expressions) -> int:
    if node.children and _is(node.children[0], variable):
        if node.kind == "UNARY_OPERATOR" and node.op.removeprefix("post") in ("++", "--"):
            return 1 if node.op.endswith("++") else -1
        if node.op in ("+=", "-="):
            width = _number(node.children[1], expressions)
            if width:
                return width if node.op == "+=" else -width
        if node.op == "=" and node.children[1].op in ("+", "-"):
            left, right = node.children[1].children
            if node.children[1].op == "+" and _is(right, variable):
                left, right = right, left
            if _is(left, variable) and (width := _number(right, expressions)):
                return width if node.children[1].op == "+" else -width
    raise NotATensorNest(node.span, "a loop whose step is no number")


def _bound(node: Node, variable: Decl) -> tuple[str, Node]:
    if node.kind == "BINARY_OPERATOR" and node.op in _SWAPPED:
        left, right = node.children
        if _is(left, variable):
            return node.op, right
        if _is(right, variable):
            return _SWAPPED[node.op], left
    raise NotATensorNest(node.span, "a loop whose end is no bound of its variable")


def _is(node: Node, variable: Decl) -> bool:
    while node.kind == "IMPLICIT_CAST" and node.children:
        node = node.children[0]
    return node.kind == "DECL_REF_EXPR" and node.decl is variable


def _count(node: Node, first: int, step: int, op: str, last: int) -> int:
    distance = (last - first) * (1 if step > 0 else -1)
    width = abs(step)
    if op == "!=":
        if distance < 0 or distance % width:
            raise NotATensorNest(node.span, "a loop that steps over its end")
        return distance // width
    if op[0] != ("<" if step > 0 else ">"):
        raise NotATensorNest(node.span, "a loop that runs away from its end")
    return max(0, -(-(distance + (len(op) == 2)) // width))
