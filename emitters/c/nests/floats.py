"""Floats that compilers treat in ways of their own."""

from __future__ import annotations

from s2s.scop.expressions import Binary, Call, Const, Expr


def limited(expr: Expr) -> Expr | None:
    """What a constant limits, if a float is."""
    match expr:
        case Binary(type, "min" | "max", value, Const()) if type.is_float:
            return value
        case Binary(type, "min" | "max", Const(), value) if type.is_float:
            return value
    return None


def may_trap(arm: Expr) -> bool:
    """Whether compilers take an arm of a choice for one that may raise a floating-point exception.

    They move it after a branch then, and branches are not vectorized.
    """
    return arm.type.is_float and isinstance(arm, Binary | Call)
