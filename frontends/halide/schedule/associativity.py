"""Whether the order of an update's iterations matters, and the operator that it applies.

An update ``f(args) = value`` whose value is ``x op y``, with ``x`` the element of f that is
written and ``y`` free of f, may run in any order if ``op`` is associative and commutative. Known
are addition, multiplication, minimum and maximum (of floats too: Halide counts them in), logical
and and or, saturating addition of unsigned integers; on pairs the minimum or maximum with its
place, and the product of complex numbers. As in Halide ``x - y`` is not among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from s2s.frontends.halide.pipeline import Definition
from s2s.scop.expressions import (
    BOOL,
    Binary,
    Call,
    Const,
    Expr,
    Load,
    Select,
    Type,
    Variable,
    substitute,
    transform,
    walk,
)


@dataclass(frozen=True)
class Operator:
    """How an update combines: component i becomes ``combined[i]`` of the old ``x`` and new ``y``.

    In ``combined`` stand the variables ``x_var(i)`` and ``y_var(i)``. ``operands[i]`` is what the
    update has for ``y_var(i)``, None where it leaves the component as it is. ``identities[i]``
    combined with anything gives that.
    """

    combined: tuple[Expr, ...]
    operands: tuple[Expr | None, ...]
    identities: tuple[Expr, ...]


def x_var(index: int, type_: Type) -> Variable:
    """What stands for the old value of a component."""
    return Variable(type_, f"_x_{index}")


def y_var(index: int, type_: Type) -> Variable:
    """What stands for the operand of a component."""
    return Variable(type_, f"_y_{index}")


def keeps_meaning_in_any_order(func: str, definition: Definition) -> bool:
    """Whether iterations of an update may run in any order."""
    return assigns_constant(func, definition) or operator(func, definition) is not None


def assigns_constant(func: str, definition: Definition) -> bool:
    """Whether an update reads neither its own Func nor, on its right side, a reduction variable.

    Two iterations that write one element then write the same.
    """
    rvars = {r.name for r in definition.rvars}
    for expr in (*definition.args, *definition.values):
        if any(isinstance(n, Load) and n.tensor == func for n in walk(expr)):
            return False
    return not any(_has(value, rvars) for value in definition.values)


def _has(expr: Expr, names: set[str]) -> bool:
    return any(isinstance(n, Variable) and n.name in names for n in walk(expr))


def operator(func: str, definition: Definition) -> Operator | None:
    """The associative and commutative operator that an update applies, or None."""
    values = [_with_x(func, definition, v) for v in definition.values]
    found: dict[int, tuple[Expr, Expr | None, Expr]] = {}
    xs = {f"_x_{i}" for i in range(len(values))}
    for index, value in enumerate(values):
        if value is None:
            return None
        if index in found:
            continue
        others = [i for i in range(len(values)) if i != index and _has(value, {f"_x_{i}"})]
        partners = others or [
            i for i, v in enumerate(values) if i != index and v and _has(v, {f"_x_{index}"})
        ]
        if not partners:
            single = _single(value, index, xs)
            if single is None:
                return None
            found[index] = single
        elif len(partners) == 1:
            other = values[partners[0]]
            pair = None if other is None else _pair(value, other, index, partners[0], xs)
            if pair is None:
                return None
            found[index], found[partners[0]] = pair
        else:
            return None
    parts = [found[i] for i in range(len(values))]
    return Operator(*(tuple(column) for column in zip(*parts, strict=True)))


def _with_x(func: str, definition: Definition, value: Expr) -> Expr | None:
    """A value with ``x_var`` for the element that is written; None if it reads another one."""
    args = tuple(definition.args)
    foreign = False

    def change(node: Expr) -> Expr:
        nonlocal foreign
        if isinstance(node, Load) and node.tensor == func:
            foreign = foreign or node.subscripts != args
            return x_var(node.component, node.type)
        return node

    changed = transform(value, change)
    return None if foreign else changed


def _single(value: Expr, index: int, xs: set[str]) -> tuple[Expr, Expr | None, Expr] | None:
    """Operator, operand and identity of a component that depends on no other."""
    type_ = value.type
    x, y = x_var(index, type_), y_var(index, type_)
    if value is x:
        return x, None, Const(type_, 0)
    taken = _taken_apart(value, x, xs)
    if taken is None:
        return None
    op, operand = taken
    if op == "saturating_add":
        return Call(type_, op, (x, y)), operand, Const(type_, 0)
    return Binary(type_, op, x, y), operand, _identity(op, type_)


def _identity(op: str, type_: Type) -> Expr:
    if op in ("min", "max"):
        return _extreme(type_, least=op == "max")
    return Const(type_, 1 if op in ("mul", "and") else 0)


def _extreme(type_: Type, *, least: bool) -> Expr:
    if type_.is_float:
        return Const(type_, -inf if least else inf)
    return Const(type_, type_.smallest if least else type_.largest)


def _taken_apart(value: Expr, x: Expr, xs: set[str]) -> tuple[str, Expr] | None:
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
                if own is x and not _has(other, xs):
                    return "saturating_add", other
    return None


def _chain(value: Binary, x: Expr, xs: set[str]) -> tuple[str, Expr] | None:
    terms = _terms(value, value.op)
    rest = [t for t in terms if t is not x]
    if len(rest) != len(terms) - 1 or any(_has(t, xs) for t in rest):
        return None
    operand = rest[0]
    for term in rest[1:]:
        operand = Binary(value.type, value.op, operand, term)
    return value.op, operand


def _terms(expr: Expr, op: str) -> list[Expr]:
    if isinstance(expr, Binary) and expr.op == op:
        return _terms(expr.left, op) + _terms(expr.right, op)
    return [expr]


def _sum(value: Expr, x: Expr, xs: set[str]) -> tuple[str, Expr] | None:
    """``x`` plus and minus others; there must be one to start with (``x - y`` is not a sum)."""
    added, taken = _signed_terms(value)
    rest = [t for t in added if t is not x]
    if len(rest) != len(added) - 1 or any(_has(t, xs) for t in (*rest, *taken)):
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
    if not (isinstance(expr, Binary) and expr.op in ("add", "sub")):
        return [expr], []
    added, taken = _signed_terms(expr.left)
    more, less = _signed_terms(expr.right)
    if expr.op == "sub":
        more, less = less, more
    return added + more, taken + less


_LESS = ("lt", "le")
_GREATER = ("gt", "ge")


def _selection(value: Select, x: Expr, xs: set[str]) -> tuple[str, Expr] | None:
    """A minimum or maximum spelled out, or a sum of something where a condition holds."""
    condition, then, otherwise = value.condition, value.then, value.otherwise
    if not _has(condition, xs):
        if otherwise is x and (taken := _taken_apart(then, x, xs)) and taken[0] == "add":
            nothing = Const(value.type, 0)
            return "add", Select(value.type, condition, taken[1], nothing)
        return None
    if not (isinstance(condition, Binary) and condition.op in _LESS + _GREATER):
        return None
    if {condition.left, condition.right} != {then, otherwise} or x not in (then, otherwise):
        return None
    operand = otherwise if then is x else then
    if _has(operand, xs):
        return None
    smaller = (condition.op in _LESS) == (condition.left is then)
    return ("min" if smaller else "max"), operand


_Part = tuple[Expr, Expr | None, Expr]


def _pair(first: Expr, second: Expr, i: int, j: int, xs: set[str]) -> tuple[_Part, _Part] | None:
    return _extreme_with_place(first, second, i, j, xs) or _complex_product(first, second, i, j, xs)


def _extreme_with_place(
    first: Expr, second: Expr, i: int, j: int, xs: set[str]
) -> tuple[_Part, _Part] | None:
    """``max(x0, y0), select(y0 < x0, x1, y1)``, and the same for the minimum."""
    x0, x1 = x_var(i, first.type), x_var(j, second.type)
    taken = _taken_apart(first, x0, xs)
    if taken is None or taken[0] not in ("min", "max") or not isinstance(second, Select):
        return None
    op, y0 = taken
    kept = (x0, y0) if op == "min" else (y0, x0)
    condition = second.condition
    if not isinstance(condition, Binary) or second.then is not x1 or _has(second.otherwise, xs):
        return None
    sides = (condition.left, condition.right)
    if (condition.op == "lt" and sides == kept) or (condition.op == "gt" and sides == kept[::-1]):
        y0_var, y1_var = y_var(i, first.type), y_var(j, second.type)
        ordered = (x0, y0_var) if op == "min" else (y0_var, x0)
        chosen = Select(second.type, Binary(BOOL, "lt", *ordered), x1, y1_var)
        identity = _identity(op, first.type)
        return (
            (Binary(first.type, op, x0, y0_var), y0, identity),
            (chosen, second.otherwise, Const(second.type, 0)),
        )
    return None


def _complex_product(
    first: Expr, second: Expr, i: int, j: int, xs: set[str]
) -> tuple[_Part, _Part] | None:
    """``x0 * y0 - x1 * y1, x1 * y0 + x0 * y1``."""
    type_ = first.type
    if type_ != second.type:
        return None
    x0, x1 = x_var(i, type_), x_var(j, type_)
    real = _two_products(first, "sub", (x0, x1), xs)
    imaginary = _two_products(second, "add", (x1, x0), xs)
    if real is None or real != imaginary:
        return None
    y0, y1 = y_var(i, type_), y_var(j, type_)
    values: dict[str, Expr] = {"x0": x0, "x1": x1, "y0": y0, "y1": y1}

    def product(left: str, right: str) -> Expr:
        return Binary(type_, "mul", values[left], values[right])

    return (
        (Binary(type_, "sub", product("x0", "y0"), product("x1", "y1")), real[0], Const(type_, 1)),
        (Binary(type_, "add", product("x1", "y0"), product("x0", "y1")), real[1], Const(type_, 0)),
    )


def _two_products(
    value: Expr, op: str, factors: tuple[Expr, Expr], xs: set[str]
) -> tuple[Expr, Expr] | None:
    """The other factors of two products that are added or subtracted, in the order given."""
    if not isinstance(value, Binary) or value.op != op:
        return None
    orders = [(value.left, value.right)]
    if op == "add":
        orders.append((value.right, value.left))
    for sides in orders:
        others = [_cofactor(s, f) for s, f in zip(sides, factors, strict=True)]
        if all(o is not None and not _has(o, xs) for o in others):
            return others[0], others[1]  # type: ignore[return-value]
    return None


def _cofactor(product: Expr, factor: Expr) -> Expr | None:
    if isinstance(product, Binary) and product.op == "mul":
        if product.left is factor:
            return product.right
        if product.right is factor:
            return product.left
    return None


def applied(operator_: Operator, xs: list[Expr], ys: list[Expr]) -> list[Expr]:
    """The combination of given old values and operands."""
    values: dict[str, Expr] = {}
    for index, (x, y) in enumerate(zip(xs, ys, strict=True)):
        values[f"_x_{index}"], values[f"_y_{index}"] = x, y
    return [substitute(e, values) for e in operator_.combined]
