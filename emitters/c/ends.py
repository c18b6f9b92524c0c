"""Where a loop starts and ends, in the types of the source."""

from __future__ import annotations

import re
from collections.abc import Set

import islpy as isl

from s2s.emitters.c.expressions import Names, Text, of_type, shorter
from s2s.emitters.c.kinds import expression_kind, operation
from s2s.scop.nodes import LoopVariable
from s2s.source.records import dataclass

_NARROW = re.compile(r"(?:unsigned )?(?:short|char|int)(?: int)?|unsigned|u?int(?:8|16|32)_t")
# Operators of conditions of loops that count up.
_UPWARD = ("lt", "le")


@dataclass(frozen=True)
class Ends:
    """The first value of a counter, and what it is compared with; ``whole`` is a condition that is
    no such comparison.
    """

    spelling: str
    start: Text
    relation: str
    end: Text
    whole: str = ""

    def condition(self, variable: LoopVariable | None) -> str:
        """A comparison of what has one sign: an unsigned counter as wide as a ``long`` decides."""
        if self.whole:
            return self.whole
        end = shorter(self.end).text
        if variable and decides(variable):
            end = of_type(variable.type, self.end)
        return f"{self.spelling} {self.relation} {end}"


def decides(counter: LoopVariable) -> bool:
    """Whether a counter's type decides how a ``long`` is compared with it."""
    return counter.unsigned and not _NARROW.fullmatch(counter.type)


def is_true(condition: str) -> bool:
    """Whether a condition compares numbers, and holds."""
    found = re.fullmatch(r"(-?\d+)L? ([<>]=?) (-?\d+)L?", condition)
    if found is None:
        return False
    low, high = int(found[1]), int(found[3])
    if found[2].startswith(">"):
        low, high = high, low
    return low < high + found[2].endswith("=")


def always_runs(loop: isl.AstNode, known: isl.Set | None) -> bool:
    """Whether a loop from a literal to a parameter runs wherever what is ``known`` holds."""
    start, condition = loop.for_get_init(), loop.for_get_cond()
    if known is None or expression_kind(start) != "int" or operation(condition) not in _UPWARD:
        return False
    end = condition.get_op_arg(1)
    if expression_kind(end) != "id":
        return False
    place = known.find_dim_by_name(isl.dim_type.param, end.get_id().get_name())
    if place < 0:
        return False
    least = start.get_val().add(isl.Val(operation(condition) == "lt"))
    smaller = known.upper_bound_val(isl.dim_type.param, place, least.sub(isl.Val(1)))
    return bool(smaller.is_empty())


def may_end_below_zero(loop: isl.AstNode, known: isl.Set | None, unsigned: Set[str]) -> bool:
    """Whether what a loop ends with may be negative, where a counter without a sign decides.

    Such a loop would run for as long as the counter can count. ``known`` is as in ``always_runs``,
    ``unsigned`` are names that are never negative.
    """
    condition = loop.for_get_cond()
    if operation(condition) not in _UPWARD:
        return True
    end, added = condition.get_op_arg(1), 0
    if operation(end) in ("add", "sub") and expression_kind(end.get_op_arg(1)) == "int":
        number = end.get_op_arg(1).get_val().to_python()
        added = number if operation(end) == "add" else -number
        end = end.get_op_arg(0)
    if expression_kind(end) == "int":
        return bool(end.get_val().to_python() + added < 0)
    if expression_kind(end) != "id":
        return True
    name = end.get_id().get_name()
    if name in unsigned and added >= 0:
        return False
    place = -1 if known is None else known.find_dim_by_name(isl.dim_type.param, name)
    if known is None or place < 0:
        return True
    below = known.upper_bound_val(isl.dim_type.param, place, isl.Val(-added - 1))
    return not below.is_empty()


def from_parameter(begin: Text, down: str, end: Text, names: Names) -> tuple[Text, str] | None:
    """``n - 1`` from which a loop counts down to a literal, and the condition that it runs.

    Where that holds the difference stays within the type of ``n``.
    """
    found = re.fullmatch(r"\(long\)([A-Za-z_]\w*) - (\d+)", begin.text)
    if found is None or not re.fullmatch(r"\d{1,9}", end.text) or len(found[2]) > 9:
        return None
    spelled = {names.spelling.get(name, name) for name in names.narrow - names.unsigned}
    if found[1] not in spelled:
        return None
    runs = f"{found[1]} {down} {int(found[2]) + int(end.text)}"
    return Text(f"{found[1]} - {found[2]}", 5), runs
