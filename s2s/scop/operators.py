"""Operators on one component: ``value`` as ``x op y``."""

from __future__ import annotations

from math import inf

from s2s.scop.expressions import Binary, Call, Const, Expr, Select, Type, Variable, walk

Part = tuple[Expr, Expr | None, Expr]
"""Of a component: what combines ``x_var`` and ``y_var``, what stands for y, the identity."""


def x_var(index: int, type_: Type) -> Variable:
    """What stands for the old value of a component."""
    return Variable(type_, f"_x_{index}")


def y_var(index: int, type_: Type) -> Variable:
    """What stands for the operand of a component."""
    return Variable(type_, f"_y_{index}")


def has(expr: Expr, names: set[str]) -> bool:
    return any(isinstance(n, Variable) and n.name in names for n in walk(expr))


def single(value: Expr, index: int, xs: set[str]) -> Part | None:
    """Operator, operand and identity of a component that depends on no other."""
    type_ = value.type
    x, y = x_var(index, type_), y_var(index, type_)
    if value is x:
        return x, None, Const(type_, 0)
    taken = taken_apart(value, x, xs)
    if taken is None:
        return None
    op, operand = taken
    if op == "saturating_add":
        return Call(type_, op, (x, y)), operand, Const(type_, 0)
    return Binary(type_, op, x, y), operand, identity_of(op, type_)


def identity_of(op: str, type_: Type) -> Expr:
    if op in ("min", "max"):
        return _extreme(type_, least=op == "max")
    return Const(type_, 1 if op in ("mul", "and") else 0)


def _extreme(type_: Type, *, least: bool) -> Expr:
    if type_.is_float:
        return Const(type_, -inf if least else inf)
    return Const(type_, type_.smallest if least else type_.largest)


def taken_apart(value: Expr, x: Expr, xs: set[str]) -> tuple[str, Expr] | None:
    """``value`` as ``x op y``: op and y."""
    match value:
        case Binary(op="add" | "sub"):
            return _sum(value, x, xs)
        case Binary(op="mul" | "min" | "max" | "and" | "or"):
            return _chain(value, x, xs)
        case Select():
            return _selection(value, x, xs)
        case Call(name="saturating_add", arguments=(left, right)) if value.type.code == "uint":
            for own, other in ((left, right), (right, left)):
                if own is x and not has(other, xs):
                    return "saturating_add", other
    return None


def _chain(value: Binary, x: Expr, xs: set[str]) -> tuple[str, Expr] | None:
    terms = _terms(value, value.op)
    rest = [t for t in terms if t is not x]
    if len(rest) != len(terms) - 1 or any(has(t, xs) for t in rest):
        return None
    operand = rest[0]
    for term in rest[1:]:
        operand = Binary(value.type, value.op, operand, term)
    return value.op, operand


def _terms(expr: Expr, op: str) -> list[Expr]:
    """What a chain of one operator combines, left to right."""
    found: list[Expr] = []
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Binary) and node.op == op:
            stack += [node.right, node.left]
        else:
            found.append(node)
    return found


def _sum(value: Expr, x: Expr, xs: set[str]) -> tuple[str, Expr] | None:
    """``x`` plus and minus others; there must be one to start with (``x - y`` is not a sum)."""
    added, taken = _signed_terms(value)
    rest = [t for t in added if t is not x]
    if len(rest) != len(added) - 1 or any(has(t, xs) for t in (*rest, *taken)):
        return None
    if not rest:
        constants = [t for t in taken if isinstance(t, Const) and t.type.code != "uint"]
        if not constants:
            return None
        first = constants[0]
        taken = [t for t in taken if t is not first]
        rest = [Const(first.type, -first.value)]
    operand = rest[0]
    for term in rest[1:]:
        operand = Binary(value.type, "add", operand, term)
    for term in taken:
        operand = Binary(value.type, "sub", operand, term)
    return "add", operand


def _signed_terms(expr: Expr) -> tuple[list[Expr], list[Expr]]:
    """What a sum adds and what it takes away."""
    found: tuple[list[Expr], list[Expr]] = ([], [])
    stack = [(expr, 0)]
    while stack:
        node, sign = stack.pop()
        if isinstance(node, Binary) and node.op in ("add", "sub"):
            stack += [(node.right, sign ^ (node.op == "sub")), (node.left, sign)]
        else:
            found[sign].append(node)
    return found


_LESS = ("lt", "le")
_GREATER = ("gt", "ge")


def _selection(value: Select, x: Expr, xs: set[str]) -> tuple[str, Expr] | None:
    """A minimum or maximum spelled out, or a sum of something where a condition holds."""
    condition, then, otherwise = value.condition, value.then, value.otherwise
    if not has(condition, xs):
        if otherwise is x and (taken := taken_apart(then, x, xs)) and taken[0] == "add":
            nothing = Const(value.type, 0)
            return "add", Select(value.type, condition, taken[1], nothing)
        return None
    if not (isinstance(condition, Binary) and condition.op in _LESS + _GREATER):
        return None
    if {condition.left, condition.right} != {then, otherwise} or x not in (then, otherwise):
        return None
    operand = otherwise if then is x else then
    if has(operand, xs):
        return None
    smaller = (condition.op in _LESS) == (condition.left is then)
    return ("min" if smaller else "max"), operand
