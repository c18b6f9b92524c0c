"""Conditions that say that something is wrong."""

from __future__ import annotations

from dataclasses import replace

from s2s.emitters.c.nests.expressions import Writer
from s2s.emitters.c.nests.operators import AND, OR, UNARY
from s2s.scop.expressions import Binary, Expr, Unary

_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def negated(writer: Writer, condition: Expr) -> str:
    """The text of what holds where the condition does not."""
    return _negated(writer, condition, 0)


def _negated(writer: Writer, condition: Expr, least: int) -> str:
    if condition not in writer.bound:
        match condition:
            case Unary(_, "not", value):
                return writer.text(value, least)
            case Binary(_, op, left, _) if op in _OPPOSITE and left.type.is_integer:
                return writer.text(replace(condition, op=_OPPOSITE[op]), least)
            case Binary(_, "and" | "or" as op, left, right) if not writer.lanes:
                sign, level = ("||", OR) if op == "and" else ("&&", AND)
                # Compilers warn about && in || without parentheses.
                sides = [_negated(writer, side, max(level, AND + 1)) for side in (left, right)]
                text = f" {sign} ".join(sides)
                return f"({text})" if level < least else text
    return f"!{writer.text(condition, UNARY)}"
