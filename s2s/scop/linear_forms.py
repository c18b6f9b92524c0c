"""Index arithmetic in a normal form: sums of multiples of what is not itself a sum.

INT32 may be regrouped because its overflow is undefined; other types only have their constants
folded. The normal form is what makes unrolled copies short, lets two subscripts be subtracted, and
shows which multiple of a loop's variable an address moves by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

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
    Type,
    Unary,
    Variable,
)
from s2s.scop.nest import Node
from s2s.scop.rewrite import replace_parts, substitute, transform, with_expressions


@dataclass(frozen=True)
class Linear:
    """``constant`` plus the sum of atoms times coefficients, atoms in order of appearance."""

    constant: int
    terms: tuple[tuple[Expr, int], ...] = ()

    def coefficient(self, atom: Expr) -> int:
        """The multiple of an atom; 0 where it does not stand as a term."""
        return next((c for a, c in self.terms if a is atom), 0)

    def plus(self, other: Linear, times: int = 1) -> Linear:
        terms = dict(self.terms)
        for atom, coefficient in other.terms:
            terms[atom] = terms.get(atom, 0) + times * coefficient
        kept = tuple((atom, c) for atom, c in terms.items() if c)
        return Linear(self.constant + times * other.constant, kept)


def linear(expr: Expr) -> Linear:
    """An INT32 expression, whose parts are in normal form, as a sum."""
    match expr:
        case Const(_, int(value)):
            return Linear(value)
        case Binary(_, "add", left, right):
            return linear(left).plus(linear(right))
        case Binary(_, "sub", left, right):
            return linear(left).plus(linear(right), -1)
        case Binary(_, "mul", left, Const(_, int(factor))):
            return Linear(0).plus(linear(left), factor)
        case Binary(_, "mul", Const(_, int(factor)), right):
            return Linear(0).plus(linear(right), factor)
    return Linear(0, ((expr, 1),))


def integer(value: int) -> Const:
    return Const(INT32, value)


def total(form: Linear) -> Expr:
    """The expression that a sum is written as: positive terms, negative ones, the constant."""
    result: Expr | None = None
    for atom, coefficient in sorted(form.terms, key=lambda term: term[1] < 0):
        size = abs(coefficient)
        term = atom if size == 1 else Binary(INT32, "mul", atom, integer(size))
        if result is None:
            result = term if coefficient > 0 else Binary(INT32, "sub", integer(0), term)
        else:
            result = Binary(INT32, "add" if coefficient > 0 else "sub", result, term)
    if result is None:
        return integer(form.constant)
    if form.constant:
        op = "add" if form.constant > 0 else "sub"
        result = Binary(INT32, op, result, integer(abs(form.constant)))
    return result


_MOST_NORMAL = 1 << 18
_normal: dict[Expr, Expr] = {}


def normalized(expr: Expr) -> Expr:
    """The expression with constants folded and index arithmetic in normal form."""
    if len(_normal) > _MOST_NORMAL:
        _normal.clear()
    return transform(without_lets(expr), _step, _normal)


def without_lets(expr: Expr) -> Expr:
    """The expression with every ``Let`` put in where it is used."""

    def put_in(node: Expr) -> Expr:
        if isinstance(node, Let):
            return substitute(node.body, {node.name: node.value})
        return node

    return transform(expr, put_in) if expr.has_lets else expr


def replaced(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """The normal form of an expression with variables replaced."""
    return normalized(substitute(expr, dict(values)))


def with_values(node: Node, values: Mapping[str, Expr]) -> Node:
    """A nest with variables replaced, in normal form."""
    return with_expressions(node, lambda expr: replaced(expr, values))


def with_parts(expr: Expr, known: Mapping[Expr, Expr]) -> Expr:
    """The normal form of an expression with the ``known`` parts replaced, outer ones first."""
    return normalized(replace_parts(expr, known))


def normal(node: Node) -> Node:
    """A nest in normal form, names for constants and variables put in."""
    return with_expressions(node, normalized)


def _step(node: Expr) -> Expr:
    match node:
        case Binary():
            return _binary(node)
        case Cast(type, Const(_, int(value))) if type.is_integer:
            return Const(type, type.wrap(value) if type != BOOL else int(value != 0))
        case Cast(type, value) if value.type == type:
            return value
        case Select(_, Const(_, condition), then, otherwise):
            return then if condition else otherwise
        case Select(_, _, then, otherwise) if then is otherwise:
            return then
        case Unary(_, "not", Const(_, value)):
            return Const(BOOL, int(not value))
        case Call(_, "likely" | "likely_if_innermost", (value,)):
            return value
    return node


def _binary(node: Binary) -> Expr:
    left, right = node.left, node.right
    if isinstance(left, Const) and isinstance(right, Const):
        folded = _folded(node.op, left, right, node.type)
        if folded is not None:
            return folded
    if node.type == INT32 and node.op in ("add", "sub", "mul"):
        return total(linear(node))
    if node.op in ("lt", "le", "gt", "ge", "eq", "ne") and left.type == INT32:
        difference = linear(left).plus(linear(right), -1)
        if not difference.terms:
            return Const(BOOL, _COMPARED[node.op](difference.constant, 0))
    if node.op in ("min", "max") and left.type == INT32:
        return _extreme(node)
    if node.op in ("and", "or"):
        return _logic(node)
    if node.op in ("div", "mod") and node.type == INT32 and isinstance(right, Const):
        return _quotient(node, int(right.value))
    return node


def _extreme(node: Binary) -> Expr:
    difference = linear(node.left).plus(linear(node.right), -1)
    if difference.terms:
        return _without_common(node)
    return node.left if (difference.constant <= 0) == (node.op == "min") else node.right


def _without_common(node: Binary) -> Expr:
    """``min(a + b, a + c)`` as ``a + min(b, c)``."""
    left, right = linear(node.left), linear(node.right)
    common = tuple((a, c) for a, c in left.terms if right.coefficient(a) == c)
    if not common:
        return node
    shared = Linear(0, common)
    arms = [total(side.plus(shared, -1)) for side in (left, right)]
    return total(shared.plus(Linear(0, ((Binary(INT32, node.op, *arms), 1),))))


def _logic(node: Binary) -> Expr:
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(one, Const):
            return other if bool(one.value) == (node.op == "and") else one
    return node.left if node.left is node.right else node


def _quotient(node: Binary, divisor: int) -> Expr:
    """What the divisor divides goes out of the quotient and vanishes in the remainder."""
    if divisor <= 0:
        return node
    form = linear(node.left)
    whole = Linear(
        form.constant // divisor,
        tuple((a, c // divisor) for a, c in form.terms if c % divisor == 0),
    )
    rest = Linear(form.constant % divisor, tuple((a, c) for a, c in form.terms if c % divisor))
    if not rest.terms:
        return total(whole) if node.op == "div" else integer(rest.constant)
    if node.op == "mod":
        return Binary(INT32, "mod", total(rest), node.right)
    return total(whole.plus(Linear(0, ((Binary(INT32, "div", total(rest), node.right), 1),))))


_COMPARED: dict[str, Callable[[int, int], int]] = {
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "gt": lambda a, b: int(a > b),
    "ge": lambda a, b: int(a >= b),
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
}

_INTEGER: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: euclid(a, b)[0],
    "mod": lambda a, b: euclid(a, b)[1],
    "min": min,
    "max": max,
    "band": lambda a, b: a & b,
    "bor": lambda a, b: a | b,
    "bxor": lambda a, b: a ^ b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
}


def euclid(a: int, b: int) -> tuple[int, int]:
    """Quotient and remainder as Halide defines them: remainder in [0, abs(b)), by zero both 0."""
    if b == 0:
        return 0, 0
    remainder = a % abs(b)
    return (a - remainder) // b, remainder


def _folded(op: str, left: Const, right: Const, type: Type) -> Const | None:
    if not (isinstance(left.value, int) and isinstance(right.value, int)):
        return None
    if op in _COMPARED:
        return Const(BOOL, _COMPARED[op](left.value, right.value))
    if op not in _INTEGER:
        return None
    value = _INTEGER[op](left.value, right.value)
    if type.smallest <= value <= type.largest:
        return Const(type, value)
    return Const(type, type.wrap(value)) if type.wraps else None


def variables(expr: Expr) -> frozenset[str]:
    """The names that an expression uses."""
    return _variables(expr)


@lru_cache(maxsize=1 << 16)
def _variables(expr: Expr) -> frozenset[str]:
    if isinstance(expr, Variable):
        return frozenset((expr.name,))
    return frozenset().union(*(_variables(o) for o in expr.operands))
