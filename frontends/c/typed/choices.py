"""Choices between two values: minima and maxima where they are such."""

from __future__ import annotations

from itertools import permutations

from s2s.scop.expressions import Binary, Cast, Const, Expr, Select, Type


def chosen(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """A choice between two values of one type; as a minimum or maximum where it is one."""
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    wide = _before_conversion(then, otherwise)
    if wide is not None:
        return Cast(then.type, chosen(condition, *wide))
    narrow = _before_narrowing(then, otherwise)
    if narrow is not None:
        return Cast(then.type, Cast(narrow[0], chosen(condition, *narrow[1])))
    if isinstance(condition, Binary):
        op = _extremum(condition, then, otherwise) or _limit(condition, then, otherwise)
        op = op or _rectified(condition, then, otherwise)
        if op is not None:
            return Binary(then.type, op, otherwise, then)
    return Select(then.type, condition, then, otherwise)


def _before_conversion(then: Expr, otherwise: Expr) -> tuple[Expr, Expr] | None:
    """A literal and a value that was made narrower, before that; None for other pairs."""
    for one, other in ((then, otherwise), (otherwise, then)):
        if isinstance(one, Const) and isinstance(other, Cast) and one.type.is_integer:
            inner = other.value
            if inner.type.is_integer and _widens(one.type, inner.type):
                literal = Const(inner.type, one.value)
                return (literal, inner) if one is then else (inner, literal)
    return None


def _before_narrowing(then: Expr, otherwise: Expr) -> tuple[Type, tuple[Expr, Expr]] | None:
    """A literal and a value that was made narrower and then wider again, before both.

    ``v > 127 ? 127 : (signed char)v``, of which C makes an ``int`` again, with the narrow type:
    that of 127 is 127. None for other pairs.
    """
    for one, other in ((then, otherwise), (otherwise, then)):
        if not isinstance(one, Const) or not isinstance(one.value, int):
            continue
        inner = other.value if isinstance(other, Cast) else other
        if not isinstance(other, Cast) or not isinstance(inner, Cast):
            continue
        value = inner.value
        types = (other.type, inner.type, value.type)
        narrows = all(t.is_integer for t in types) and _widens(inner.type, other.type)
        if narrows and all(t.smallest <= one.value <= t.largest for t in types[1:]):
            literal = Const(value.type, one.value)
            return inner.type, ((literal, value) if one is then else (value, literal))
    return None


def _limit(condition: Binary, then: Expr, otherwise: Expr) -> str | None:
    """``v > c ? c : max(v, d)`` is the smaller one of c and max(v, d) where d <= c."""
    if not isinstance(otherwise, Binary) or otherwise.op not in ("min", "max"):
        return None
    for inner, other in permutations((otherwise.left, otherwise.right)):
        op = _extremum(condition, then, inner)
        if op is None or op == otherwise.op or not isinstance(other, Const):
            continue
        if isinstance(then, Const):
            low, high = (other, then) if op == "min" else (then, other)
            return op if low.value <= high.value else None
    return None


def _rectified(condition: Binary, then: Expr, otherwise: Expr) -> str | None:
    """``v < 0 ? 0 : v >> s`` is the larger one of 0 and v >> s: a shift keeps the sign."""
    for shifted, zero in ((otherwise, then), (then, otherwise)):
        whole = _plain(shifted)
        if isinstance(whole, Binary) and whole.op == "shr" and _plain(zero) == ("literal", 0):
            value = whole.left
            if shifted is otherwise:
                return _extremum(condition, zero, value)
            return _extremum(condition, value, zero)
    return None


def _extremum(condition: Binary, then: Expr, otherwise: Expr) -> str | None:
    """Whether a choice between the two sides of a comparison is the smaller or the larger one."""
    smaller = {"lt": True, "le": True, "gt": False, "ge": False}.get(condition.op)
    sides = _plain(condition.left), _plain(condition.right)
    if smaller is None or not _keeps(condition.left.type, then.type):
        return None
    if sides == (_plain(then), _plain(otherwise)):
        return "min" if smaller else "max"
    if sides == (_plain(otherwise), _plain(then)):
        return "max" if smaller else "min"
    return None


def _keeps(compared: Type, chosen: Type) -> bool:
    """Whether comparing in one type orders values of another as that one does."""
    return compared == chosen or (compared.code == "int" and compared.bits >= chosen.bits)


def _plain(expr: Expr) -> Expr | tuple[str, int | float]:
    """A value without conversions that keep it; literals of any type are the same."""
    while isinstance(expr, Cast) and _widens(expr.value.type, expr.type):
        expr = expr.value
    return ("literal", expr.value) if isinstance(expr, Const) else expr


def _widens(inner: Type, outer: Type) -> bool:
    if not inner.is_integer or not outer.is_integer:
        return False
    return outer.smallest <= inner.smallest and inner.largest <= outer.largest
