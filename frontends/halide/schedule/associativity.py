"""Whether the order of an update's iterations matters.

An update ``f(args) = value`` whose value is ``x op y``, with ``x`` the element of f that is
written and ``y`` free of f, gives the same in any order if ``op`` is associative and commutative
(Halide counts floating point addition and multiplication as such). The elements of a tuple are
taken together where they are mixed (argmin).
"""

from __future__ import annotations

from s2s.frontends.halide.pipeline import Definition
from s2s.scop.expressions import Binary, Expr, Load, Variable, walk

COMMUTATIVE = frozenset({"add", "mul", "min", "max", "and", "or", "band", "bor", "bxor"})


def keeps_meaning_in_any_order(func: str, definition: Definition) -> bool:
    """Whether iterations of an update may run in any order."""
    return assigns_constant(func, definition) or all(
        _combines(func, definition, index) for index in range(len(definition.values))
    )


def assigns_constant(func: str, definition: Definition) -> bool:
    """Whether an update reads neither its own Func nor, on its right side, a reduction variable.

    Two iterations that write one element then write the same.
    """
    rvars = {r.name for r in definition.rvars}
    for expr in (*definition.args, *definition.values):
        if any(isinstance(n, Load) and n.tensor == func for n in walk(expr)):
            return False
    return not any(
        isinstance(n, Variable) and n.name in rvars
        for value in definition.values
        for n in walk(value)
    )


def _combines(func: str, definition: Definition, index: int) -> bool:
    own = Load(definition.values[index].type, func, tuple(definition.args), index)
    value = definition.values[index]
    if value is own:
        return True
    if not isinstance(value, Binary):
        return False
    if value.op == "sub" and value.left is own:
        return not _reads(func, value.right)
    if value.op not in COMMUTATIVE:
        return False
    terms = list(_terms(value, value.op))
    return terms.count(own) == 1 and not any(_reads(func, t) for t in terms if t is not own)


def _terms(expr: Expr, op: str) -> list[Expr]:
    if isinstance(expr, Binary) and expr.op == op:
        return _terms(expr.left, op) + _terms(expr.right, op)
    return [expr]


def _reads(func: str, expr: Expr) -> bool:
    return any(isinstance(n, Load) and n.tensor == func for n in walk(expr))
