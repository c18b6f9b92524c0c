"""Typed expressions in a canonical, shorter form of equal value.

A ``Simplifier`` knows constant ranges of some variables. INT32 arithmetic without loads becomes
canonical sums (``linear``), so that equal regions become one node and differences of bounds
become constants. All other types are only folded where wrapping and rounding allow it; floating
point keeps every operation that is not one of literals. Nothing is done twice: nodes are interned,
and a scope asks the one around it about whatever does not mention its own variables.
"""

from __future__ import annotations

from collections.abc import Mapping

from s2s.scop.build import TRUE, const, negate
from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Select,
    Unary,
    Variable,
)
from s2s.scop.linear import Linear, Sum, expression, of_expression
from s2s.scop.literals import COMPARISONS, decide
from s2s.scop.rewrite import rebuild, substitute
from s2s.scop.simplify import ranges
from s2s.scop.simplify.arithmetic import difference, modulo, product, quotient
from s2s.scop.simplify.comparisons import comparison, logic
from s2s.scop.simplify.floats import convert_literal, folded_floats
from s2s.scop.simplify.minmax import extremum
from s2s.scop.simplify.ranges import Range
from s2s.scop.simplify.sum_ranges import SumRanges

PROMISES = ("promise_clamped", "unsafe_promise_clamped")


class Simplifier:
    """Simplifies under constant ranges of variables; ``inner`` opens a scope with more of them.

    ``final``: promises about ranges, which bounds inference uses, are dropped, and
    ``if_then_else`` becomes a select.
    """

    def __init__(
        self,
        known: Mapping[str, Range] | None = None,
        outer: Simplifier | None = None,
        *,
        final: bool = False,
    ) -> None:
        self.final = final
        self._known = dict(known or {})
        self._names = frozenset(self._known)
        self._outer = outer
        self._done: dict[Expr, Expr] = {}
        self._sums: dict[Expr, Sum] = {}
        self._ranges: dict[Expr, Range] = {}
        self._of_sum = SumRanges(self.bounds, self.linear)
        self._places: dict[Expr, int] = outer._places if outer else {}

    def inner(self, known: Mapping[str, Range]) -> Simplifier:
        """A scope in which more is known: it narrows what is known here."""
        narrowed = {n: ranges.intersection(r, self.range_of(n)) for n, r in known.items()}
        return Simplifier(narrowed, self, final=self.final)

    def range_of(self, name: str) -> Range:
        """What is known of an INT32 variable."""
        found = self._known.get(name)
        if found is not None:
            return found
        return self._outer.range_of(name) if self._outer else ranges.UNKNOWN

    def __call__(self, expr: Expr) -> Expr:
        """The expression, simplified."""
        done = self._find(expr)
        if done is not None:
            return done
        stack = [expr]
        while stack:
            node = stack[-1]
            if self._find(node) is not None:
                stack.pop()
                continue
            missing = [o for o in node.operands if self._find(o) is None]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self._keep(node, self._step(node))
        result = self._find(expr)
        assert result is not None
        return result

    def proves(self, condition: Expr) -> bool:
        """Whether the condition always holds, as far as can be seen."""
        return self(condition) is TRUE

    def constant(self, expr: Expr) -> int | None:
        """The value of an integer expression that is the same everywhere."""
        low, high = self.bounds(self(expr))
        return low if low == high else None

    def linear(self, expr: Expr) -> Sum:
        """The sum that a simplified INT32 expression is."""
        found = self._sums.get(expr)
        if found is None:
            found = self._sums[expr] = self._parse(expr)
        return found

    def build(self, form: Sum) -> Expr:
        """The expression of a sum."""
        result = expression(form, self.place)
        self._sums.setdefault(result, form)
        return result

    def bounds(self, expr: Expr) -> Range:
        """The constant range of a simplified expression of integer type."""
        if self._outer is not None and self._names.isdisjoint(expr.variables):
            return self._outer.bounds(expr)
        found = self._ranges.get(expr)
        if found is None:
            found = self._ranges[expr] = self._bounds(expr)
        return found

    def bounds_of_sum(self, form: Sum) -> Range:
        """The constant range of a sum."""
        if self._outer is not None and all(self._names.isdisjoint(t.variables) for t in form.terms):
            return self._outer.bounds_of_sum(form)
        return self._of_sum(form)

    def place(self, expr: Expr) -> int:
        """A number by which terms are ordered: when each was met first."""
        return self._places.setdefault(expr, len(self._places))

    def _find(self, expr: Expr) -> Expr | None:
        if self._outer is not None and self._names.isdisjoint(expr.variables):
            return self._outer._find(expr)
        return self._done.get(expr)

    def _keep(self, expr: Expr, result: Expr) -> None:
        if self._outer is not None and self._names.isdisjoint(expr.variables):
            self._outer._keep(expr, result)
        else:
            self._done[expr] = result
            if self._find(result) is None:
                self._keep(result, result)

    def _parse(self, expr: Expr) -> Sum:
        # Sums over data stay as written: what they are on the way could overflow in another order.
        plain = isinstance(expr, Const) or (expr.type == INT32 and not expr.reads)
        return of_expression(expr, self.linear) if plain else Linear({expr: 1})

    def _bounds(self, expr: Expr) -> Range:
        match expr:
            case Const(value=int(value)):
                return value, value
            case Variable(name=name):
                return ranges.intersection(ranges.of_type(expr.type), self.range_of(name))
            case Binary(op="add" | "sub" | "mul") if expr.type == INT32 and not expr.reads:
                form = self.linear(expr)
                if expr not in form.terms:
                    return self.bounds_of_sum(form)
        return ranges.of_operation(expr, self.bounds)

    def _step(self, node: Expr) -> Expr:
        """The node over its simplified operands, simplified."""
        operands = tuple(self._found(o) for o in node.operands)
        if isinstance(node, Let):
            return self(substitute(operands[1], {node.name: operands[0]}))
        again = self._node(rebuild(node, operands))
        return again if again is node else self._settled(again)

    def _settled(self, expr: Expr) -> Expr:
        if not isinstance(expr, Const) and expr.type == INT32 and not expr.reads:
            low, high = self.bounds(expr)
            if low is not None and low == high:
                return const(low)
        return expr

    def _found(self, expr: Expr) -> Expr:
        result = self._find(expr)
        assert result is not None
        return result

    def _node(self, node: Expr) -> Expr:
        decided = decide(node)
        if decided is not node:
            return decided
        match node:
            case Binary():
                return self._binary(node)
            case Unary(op="not"):
                return comparison(self, negate(node.value))
            case Select():
                return self._select(node)
            case Cast():
                return convert_literal(node) or node
            case Call(name=name) if self.final and name in PROMISES:
                return node.arguments[0]
            case Call(name="if_then_else") if self.final:
                return self._node(_as_select(node))
            case Variable() if node.type == INT32:
                return self._settled(node)
        return node

    def _binary(self, node: Binary) -> Expr:
        constant = folded_floats(node)
        if constant is not None:
            return constant
        if node.op in COMPARISONS:
            return comparison(self, node)
        if node.op in ("and", "or"):
            return logic(self, node)
        if node.type != INT32 or node.reads:
            return _kept(node)
        match node.op:
            case "add" | "sub":
                return difference(self, node)
            case "mul":
                return product(self, node)
            case "div":
                return quotient(self, node)
            case "mod":
                return modulo(self, node)
            case "min" | "max":
                return extremum(self, node)
        return node

    def _select(self, node: Select) -> Expr:
        if node.type == BOOL and isinstance(node.then, Const) and isinstance(node.otherwise, Const):
            return node.condition if node.then is TRUE else self(negate(node.condition))
        if isinstance(node.condition, Unary) and node.condition.op == "not":
            return Select(node.type, node.condition.value, node.otherwise, node.then)
        return node


def _as_select(node: Call) -> Select:
    """``if_then_else``; without a third argument nobody looks at the other value."""
    condition, then, *rest = node.arguments
    nothing = Const(node.type, 0 if node.type.is_integer else 0.0)
    return Select(node.type, condition, then, rest[0] if rest else nothing)


def _kept(node: Binary) -> Expr:
    """Identities of integers that hold whatever wraps; floats stay as they are."""
    if not node.type.is_integer:
        return node
    left, right = node.left, node.right
    zero = isinstance(right, Const) and right.value == 0
    one = isinstance(right, Const) and right.value == 1
    if zero and node.op in ("add", "sub", "bor", "bxor", "shl", "shr"):
        return left
    if one and node.op in ("mul", "div"):
        return left
    if node.op in ("min", "max") and left is right:
        return left
    if node.op == "add" and isinstance(left, Const) and left.value == 0:
        return right
    if node.op == "mul" and isinstance(left, Const) and left.value == 1:
        return right
    return node
