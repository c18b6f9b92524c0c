"""Ends of loops that are chosen by several conditions: a variable is set, one case after another.

isl gives the ends of tiles that no single formula has as conditions in conditions. As one
expression nobody reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import islpy as isl

from s2s.emitters.c.expressions import Names, Text, c_expression, convert
from s2s.emitters.c.kinds import expression_kind, operation
from s2s.source.records import dataclass

_SELECTS = ("cond", "select")


@dataclass(frozen=True)
class Choice:
    """Conditions, the first of which that holds gives the value, and the value where none does."""

    cases: tuple[tuple[str, str], ...]
    otherwise: str

    def lines(self, name: str) -> Iterator[str]:
        """Statements that set a variable."""
        for number, (condition, value) in enumerate(self.cases):
            yield f"{'else ' if number else ''}if ({condition}) {name} = {value};"
        yield f"else {name} = {self.otherwise};"


def choice_of(
    expression: isl.AstExpr, names: Names, finish: Callable[[Text], Text] = lambda value: value
) -> Choice | None:
    """The cases of an expression, each value as ``finish`` has it; None where they are no more than
    two, which are read as well in one expression.
    """
    cases = []
    while expression_kind(expression) == "op" and operation(expression) in _SELECTS:
        condition, value, expression = (expression.get_op_arg(i) for i in range(3))
        cases.append((c_expression(condition, names), finish(convert(value, names)).text))
    if len(cases) < 2:
        return None
    return Choice(tuple(cases), finish(convert(expression, names)).text)
