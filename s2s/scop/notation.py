"""Typed expressions as people write them: C's operators, ``f(x, y)`` for elements."""

from __future__ import annotations

from s2s.scop.expressions import (
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Select,
    Unary,
    Variable,
)

_SIGNS = {
    "or": ("||", 1),
    "and": ("&&", 2),
    "bor": ("|", 3),
    "bxor": ("^", 4),
    "band": ("&", 5),
    "eq": ("==", 6),
    "ne": ("!=", 6),
    "lt": ("<", 7),
    "le": ("<=", 7),
    "gt": (">", 7),
    "ge": (">=", 7),
    "shl": ("<<", 8),
    "shr": (">>", 8),
    "add": ("+", 9),
    "sub": ("-", 9),
    "mul": ("*", 10),
    "div": ("/", 10),
    "mod": ("%", 10),
}
_UNARY = 11


def written(expr: Expr, around: int = 0) -> str:
    """The expression's text, in parentheses where operators around it bind as tightly."""
    match expr:
        case Const(type, value):
            return repr(value) if type.is_float else str(value)
        case Variable(_, name):
            return name
        case Load(_, tensor, subscripts, component):
            place = f"{tensor}({_list(subscripts)})"
            return f"{place}[{component}]" if component else place
        case Call(_, name, arguments):
            return f"{name}({_list(arguments)})"
        case Cast(type, value):
            return f"{type}({written(value)})"
        case Select(_, condition, then, otherwise):
            return f"select({_list((condition, then, otherwise))})"
        case Let(_, name, value, body):
            return f"(let {name} = {written(value)} in {written(body)})"
        case Unary(_, op, value):
            return f"{'!' if op == 'not' else '~'}{written(value, _UNARY)}"
        case Binary(_, "min" | "max" as op, left, right):
            return f"{op}({_list((left, right))})"
        case Binary(_, op, left, right):
            sign, level = _SIGNS[op]
            text = f"{written(left, level)} {sign} {written(right, level + 1)}"
            return f"({text})" if level < around else text
    raise TypeError(f"no expression: {expr!r}")


def _list(parts: tuple[Expr, ...]) -> str:
    return ", ".join(written(part) for part in parts)
