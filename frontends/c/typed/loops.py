"""Counted ``for`` loops of C: a variable, its first value, its step, how many iterations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from s2s.frontends.c.affine import NotAffine
from s2s.frontends.c.counted_loops import CountedLoop, counted_loop, step_of
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.arithmetic import INT, range_of
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.scope import Scope
from s2s.scop.expressions import Const, Expr
from s2s.scop.linear import Sum, of_expression
from s2s.scop.literals import cast

Evaluate = Callable[[Node], Expr]
"""The value of an expression; raises NotATensorNest."""

_MOST = 1 << 16


@dataclass(frozen=True)
class Counted:
    """The values ``first``, ``first + step`` ... of a variable, ``count`` of them.

    ``ends`` (None: all of them) are the first value and the bound that they have to keep, as
    ``max(0, 2 - x)`` and ``min(5, n - x)``, with the comparison of the latter.
    """

    variable: Decl
    first: Expr
    step: int
    count: int
    ends: tuple[Expr, str, Expr] | None = None


def counted(node: Node, value: Evaluate, scope: Scope) -> Counted:
    """What a loop counts; raises NotATensorNest.

    The scope's ``numbers`` by name of the variable stand for a bound that is not known otherwise.
    """
    if len(node.children) != 4:
        raise NotATensorNest(node.span, "a loop without start, condition or step")
    try:
        loop = counted_loop(node)
    except NotAffine:
        where = node.children[0].span
        raise NotATensorNest(where, "a loop that does not start with 'variable = value'") from None
    variable, first = loop.variable, value(loop.first)
    width = _step(loop, value)
    compared = loop.bound
    if compared is None or not compared.is_exact:
        raise NotATensorNest(loop.condition.span, "a loop whose end is no bound of its variable")
    op, bound = compared.relation, compared.limit
    known = _constant(first)
    if known is None:
        distance = _difference(value(bound), first)
        if distance is None:
            return _between(node, variable, first, width, op, value(bound), scope)
        return Counted(variable, first, width, _count(node, 0, width, op, distance))
    given = scope.numbers.get(variable.name)
    if given is None:
        end = value(bound)
        if _constant(end) is None:
            return _between(node, variable, first, width, op, end, scope)
    last = _number(bound, value, given)
    return Counted(variable, first, width, _count(node, known, width, op, last))


def _between(
    node: Node,
    variable: Decl,
    first: Expr,
    step: int,
    op: str,
    bound: Expr,
    scope: Scope,
) -> Counted:
    """A loop whose ends depend on loops around it: all values that it may have, and its ends."""
    if step != 1 or op not in ("<", "<=") or not bound.type.is_integer:
        raise NotATensorNest(node.span, "a bound of a loop is no number")
    ranges = scope.ranges
    first, bound = cast(INT, first), cast(INT, bound)
    low, high = range_of(first, ranges)[0], range_of(bound, ranges)[1] + (op == "<=")
    if not 0 < high - low <= _MOST:
        raise NotATensorNest(node.span, "a bound of a loop is no number")
    return Counted(variable, Const(INT, low), 1, high - low, (first, op, bound))


def _constant(value: Expr) -> int | None:
    return value.value if isinstance(value, Const) and isinstance(value.value, int) else None


def _difference(last: Expr, first: Expr) -> int | None:
    """``last - first`` where that is a number: the iterations of a loop in a tile."""
    return (_sum(last) - _sum(first)).number


def _sum(value: Expr) -> Sum:
    return of_expression(value, _sum)


def _number(node: Node, evaluate: Evaluate, given: int | None = None) -> int:
    try:
        value = evaluate(node)
    except NotATensorNest:
        if given is None:
            raise
        return given
    if isinstance(value, Const) and isinstance(value.value, int):
        return value.value
    if given is not None:
        return given
    raise NotATensorNest(node.span, "a bound of a loop is no number")


def _step(loop: CountedLoop, value: Evaluate) -> int:
    step = step_of(loop.increment, loop.variable)
    if step is None:
        raise NotATensorNest(loop.increment.span, "a loop whose step is no number")
    width = 1 if step.amount is None else _number(step.amount, value)
    if not width:
        raise NotATensorNest(loop.increment.span, "a loop whose step is no number")
    return step.sign * width


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
