"""The headers of counted C loops: a variable, its first value, its bounds, its step.

What is read is syntax, of which nothing is evaluated. Whatever else a loop has to be (counted by a
local integer, by steps of one, to a single bound) its readers ask of what is found here.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.syntax import CASTS, INCREMENTS, Decl, Node
from s2s.source.records import dataclass

_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


@dataclass(frozen=True)
class Step:
    """How a variable moves: up (``sign`` 1) or down (-1), by ``amount``; None stands for one."""

    sign: int
    amount: Node | None

    @property
    def constant(self) -> int | None:
        """The step as a number; None where it is none, or 0."""
        value = 1 if self.amount is None else constant_value(self.amount)
        return self.sign * value if value else None


@dataclass(frozen=True)
class Bound:
    """``side relation limit`` holds as long as a loop runs; ``side`` is the variable.

    It may also be what grows with the variable, as ``2 * i + 1`` does (``is_rising``).
    """

    relation: str
    limit: Node
    side: Node

    @property
    def is_exact(self) -> bool:
        """Whether ``side`` is the variable, converted by no cast that the source writes."""
        return self.side.bare.kind == "DECL_REF_EXPR"

    def is_reached_by(self, step: int, variable: Decl) -> bool:
        """Whether steps of this width lead to the limit, and not past it where that counts."""
        if self.relation == "!=":
            return abs(step) == 1 and _names(self.side.uncast, variable)
        return (self.relation[0] == "<") == (step > 0)


@dataclass(frozen=True)
class CountedLoop:
    """``for (variable = first; condition; increment) body``."""

    variable: Decl
    declared: bool
    """Whether the loop declares its variable itself."""
    first: Node
    condition: Node
    increment: Node
    body: Node

    @property
    def step(self) -> Step:
        """How the increment moves the variable. Raises NotAffine."""
        step = step_of(self.increment, self.variable)
        if step is None:
            raise NotAffine(self.increment, f"step of '{self.variable.name}' is not understood")
        return step

    @property
    def constant_step(self) -> int:
        """The number that each iteration adds, not 0. Raises NotAffine."""
        value = self.step.constant
        if value is None:
            raise NotAffine(self.increment, f"step of '{self.variable.name}' is not a constant")
        return value

    @property
    def bound(self) -> Bound | None:
        """The comparison that the condition is, if it is one of the variable."""
        return bound_of(self.condition, self.variable)

    def bounds(self, step: int, *, rising: bool = False) -> list[Bound]:
        """All bounds of the condition, which steps of this width reach. Raises NotAffine.

        With ``rising`` so are bounds of ``variable + 1`` and others that ``is_rising`` describes.
        """
        return list(_bounds(self.condition, self.variable, step, rising))


def counted_loop(node: Node) -> CountedLoop:
    """Read the header of a ``for`` statement. Raises NotAffine where it sets no variable first."""
    if node.kind != "FOR_STMT" or len(node.children) != 4:
        raise NotAffine(node, "loop header is incomplete")
    init, condition, increment, body = node.children
    return CountedLoop(*initialization(init), condition, increment, body)


def initialization(init: Node) -> tuple[Decl, bool, Node]:
    """The variable that a loop sets, whether it declares it, and the value. Raises NotAffine."""
    if init.kind == "DECL_STMT" and len(init.children) == 1:
        variable = init.children[0]
        values = [c for c in variable.children if c.kind != "NAMESPACE_REF"]
        if variable.decl is not None and len(values) == 1:
            return variable.decl, True, values[0]
    if (
        init.kind == "BINARY_OPERATOR"
        and init.op == "="
        and init.children[0].kind == "DECL_REF_EXPR"
    ):
        target = init.children[0].decl
        if target is not None and target.kind in ("VAR_DECL", "PARM_DECL"):
            return target, False, init.children[1]
    raise NotAffine(init, "loop does not start by setting one variable")


def comma_parts(node: Node) -> Iterator[Node]:
    """The expressions that commas join, in their order."""
    if node.kind == "BINARY_OPERATOR" and node.op == ",":
        for child in node.children:
            yield from comma_parts(child)
    else:
        yield node


def step_of(node: Node, variable: Decl) -> Step | None:
    """How an expression moves a variable: ``i++``, ``i -= n``, ``i = n + i``; None for another."""
    if not node.children or not _names(node.children[0], variable):
        return None
    if node.kind == "UNARY_OPERATOR" and node.op in INCREMENTS:
        return Step(1 if node.op.endswith("++") else -1, None)
    if node.op in ("+=", "-="):
        return Step(1 if node.op == "+=" else -1, node.children[1])
    if node.op != "=":
        return None
    value = _as_wide(node.children[1], variable)
    if value.op not in ("+", "-") or len(value.children) != 2:
        return None
    left, right = value.children
    if _names(_as_wide(left, variable), variable):
        return Step(1 if value.op == "+" else -1, right.bare)
    by = Step(1, left.bare)
    return by if value.op == "+" and _names(_as_wide(right, variable), variable) else None


def _as_wide(node: Node, variable: Decl) -> Node:
    """An expression without conversions, up to one that may change what the variable has."""
    node = node.bare
    while node.kind in CASTS and node.type.kind == "int" and node.children:
        if node.type.size < variable.type.size:
            return node
        node = node.children[-1].bare
    return node


def bound_of(condition: Node, variable: Decl, *, rising: bool = False) -> Bound | None:
    """A comparison of a variable, whichever side it stands on; None for another expression."""
    if condition.kind != "BINARY_OPERATOR" or condition.op not in _SWAPPED:
        return None
    left, right = condition.children
    is_side = is_rising if rising else _names
    if is_side(_as_wide(left, variable), variable):
        return Bound(condition.op, right, left)
    if is_side(_as_wide(right, variable), variable):
        return Bound(_SWAPPED[condition.op], left, right)
    return None


def _bounds(condition: Node, variable: Decl, step: int, rising: bool) -> Iterator[Bound]:
    if condition.kind == "BINARY_OPERATOR" and condition.op == "&&":
        for child in condition.children:
            yield from _bounds(child, variable, step, rising)
        return
    bound = bound_of(condition, variable, rising=rising)
    if bound is None or not bound.is_reached_by(step, variable):
        raise NotAffine(condition, f"the condition does not bound '{variable.name}'")
    yield bound


def is_rising(node: Node, variable: Decl) -> bool:
    """Whether an expression grows with a variable: ``i + 1``, ``2 * i - 3``, ``i + k - n``.

    Operations are signed, so none of them wraps; whether what is added keeps its value is seen when
    it is evaluated.
    """
    node = _as_wide(node, variable)
    if _names(node, variable):
        return True
    if node.kind != "BINARY_OPERATOR" or not node.type.signed or len(node.children) != 2:
        return False
    left, right = node.children
    if node.op in ("+", "*") and variable not in left.decls:
        left, right = right, left
    if variable in right.decls or not is_rising(left, variable):
        return False
    return node.op in ("+", "-") or (node.op == "*" and (constant_value(right) or 0) > 0)


def _names(node: Node, variable: Decl) -> bool:
    return node.kind == "DECL_REF_EXPR" and node.decl is variable
