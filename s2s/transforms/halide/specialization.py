"""What the conditions of specializations say about the values that they guard.

In a specialization for ``w == 3`` the parameter ``w`` is 3; after one for ``flag`` it is false.
Specializations that can never be reached go; one that always holds takes the stage's place.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.expressions import BOOL, Binary, Const, Expr, Unary, Variable
from s2s.scop.pipeline import Definition, Func
from s2s.scop.rewrite import transform

Change = Callable[[Expr], Expr]
TRUE, FALSE = Const(BOOL, 1), Const(BOOL, 0)


def use_conditions(func: Func) -> None:
    """Put the conditions of the specializations of a Func's pure definition to use."""
    if func.definition is not None and func.definition.specializations:
        _use(func.definition)


def _use(definition: Definition) -> list[Definition]:
    """All definitions that a definition stands for, after the facts were put in."""
    reached = [definition]
    _drop_unreachable(definition)
    _take_certain(definition)
    for special in reversed(definition.specializations):
        inner = _use(special.definition)
        _apply(_fact(special.condition, holds=True), inner)
        _apply(_fact(special.condition, holds=False), reached)
        reached += inner
    return reached


def _drop_unreachable(definition: Definition) -> None:
    """Specializations that never hold, or stand after one that always does."""
    kept = []
    certain = False
    for special in definition.specializations:
        if special.condition is not FALSE and not certain:
            kept.append(special)
        certain = certain or special.condition is TRUE
    definition.specializations = kept


def _take_certain(definition: Definition) -> None:
    """A last specialization that always holds is the definition."""
    if not definition.specializations:
        return
    last = definition.specializations[-1]
    if last.condition is TRUE and last.failure is None:
        definition.values, definition.args = last.definition.values, last.definition.args
        definition.schedule = last.definition.schedule
        definition.specializations[-1:] = last.definition.specializations


def _apply(change: Change, definitions: list[Definition]) -> None:
    for definition in definitions:
        definition.args = [transform(e, change) for e in definition.args]
        definition.values = [transform(e, change) for e in definition.values]


def _fact(condition: Expr, *, holds: bool) -> Change:
    """What becomes of an expression where a condition holds, or does not."""
    known: dict[Expr, Expr] = {
        condition: TRUE if holds else FALSE,
        Unary(BOOL, "not", condition): FALSE if holds else TRUE,
    }
    match condition:
        case Binary(op="eq", left=Variable() as name, right=value) if holds:
            known[name] = value
        case Unary(op="not", value=inner):
            known[inner] = FALSE if holds else TRUE
    return lambda node: known.get(node, node)
