"""The range of a counted loop as a formula of its iterator."""

from __future__ import annotations

from collections.abc import Callable

from s2s.frontends.c.affine import CASTS, Affine, Context, LoopHeader, NotAffine, Requirement
from s2s.frontends.c.extremes import compared
from s2s.frontends.c.syntax import Decl, Node
from s2s.scop.nodes import LoopVariable


def loop_context(
    header: LoopHeader,
    affine: Affine,
    context: Context,
    variable_for: Callable[[Decl, bool], LoopVariable],
) -> tuple[Context, LoopVariable]:
    """The context inside a counted loop, with the loop's range as a formula. Raises NotAffine."""
    variable = variable_for(header.decl, header.declared)
    parts = [_from_first(header, variable.name, affine, context)]
    for op, expression, side in header.bounds:
        bounded = _rising(side, header, variable, affine, context)
        parts.append(_up_to(header, bounded, op, expression, affine, context))
    inner = context.inside(variable, header.decl, " and ".join(parts))
    for _, _, side in header.bounds:
        affine.polynomial(side, inner)  # an unsigned comparison requires the iterator >= 0
    return inner, variable


def _rising(
    side: Node, header: LoopHeader, variable: LoopVariable, affine: Affine, context: Context
) -> str:
    """What a bound is compared with: the iterator, or ``2 * iterator + 1`` and the like."""
    while side.kind in CASTS and side.children:
        side = side.children[-1]
    if side.kind == "DECL_REF_EXPR":
        return variable.name
    value = affine.polynomial(side, context.inside(variable, header.decl, "true"))
    if value is None or not value.is_affine:
        raise NotAffine(side, f"bound of '{header.decl.name}' is not affine")
    return value.isl()


def _from_first(header: LoopHeader, name: str, affine: Affine, context: Context) -> str:
    """That an iterator begins at its first value and moves by its step. Raises NotAffine."""
    text, op = None, ">=" if header.step > 0 else "<="
    if header.start is not None and header.start.is_affine:
        start = header.start.isl()
        text = f"{name} {op} {start}"
        if abs(header.step) != 1:
            text += f" and ({name} - {start}) mod {abs(header.step)} = 0"
    elif abs(header.step) == 1 and all(op != "!=" for op, _, _ in header.bounds):
        text = compared(name, op, header.first, affine, context)
    if text is None:
        raise NotAffine(header.first, f"start of '{header.decl.name}' is not affine")
    return text


def _up_to(
    header: LoopHeader, name: str, op: str, expression: Node, affine: Affine, context: Context
) -> str:
    """One bound of an iterator. Raises NotAffine."""
    text = None
    if op != "!=":
        text = compared(name, op, expression, affine, context)
    else:
        bound, up = affine.polynomial(expression, context), header.step > 0
        if bound is not None and bound.is_affine and header.start is not None:
            violation = f"{header.start.isl()} {'>' if up else '<'} {bound.isl()}"
            affine.requirements.append(Requirement(context, violation, expression))
            text = f"{name} {'<' if up else '>'} {bound.isl()}"
    if text is None:
        raise NotAffine(expression, f"bound of '{header.decl.name}' is not affine")
    return text
