"""Softmax of rows: exponentials of what is below the row's largest element, divided by their sum.

``m = max(x[k][j]); y[k][j] = exp(x[k][j] - m); s += y[k][j]; y[k][j] /= s`` is two updates of
``y``, the second by a sum over the first. The result does not depend on what is taken off, but for
rounding, as long as that is the largest element: where a maximum begins with a number (``least``),
some element has to reach it.
"""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from s2s.analyses.operators.boxes import box_of, instances
from s2s.analyses.operators.operands import Operands
from s2s.analyses.operators.steps import number_of
from s2s.analyses.operators.subscripts import Places
from s2s.analyses.operators.updates import Reduction, Update
from s2s.scop.expressions import Binary, Call, Cast, Const, Expr, Load, Variable, walk
from s2s.scop.nodes import Statement
from s2s.scop.operation import Dim, Kind, Operation, Role
from s2s.scop.polynomial import Polynomial
from s2s.scop.rewrite import replace_parts

LOWEST = -3.4028234663852886e38
"""The least single-precision number."""


def softmax_of(first: Update, second: Update, places: Places, context: isl.Set) -> Operation | None:
    """The softmax that two updates are together; None where they are none."""
    statement = first.statement
    if first.target != second.target or not statement.iterators:
        return None
    match first.store.values[0]:
        case Call(_, "expf", (Binary(_, "sub", Load() as load, Binary(_, "max", base, mark)),)):
            pass
        case _:
            return None
    if not isinstance(mark, Variable) or mark.name not in first.reductions:
        return None
    largest = first.reductions[mark.name]
    total = _divisor(second)
    rows = _Rows(statement, places.named(first.statements), places, context)
    least = rows.least(largest, base, load)
    if total is None or least is None or largest.op != "max" or total.op != "add":
        return None
    alike = (
        rows.is_same(load, largest.value, largest.statement)
        and rows.is_same(_stored(first), _stored(second), second.statement)
        and all(rows.has_domain_of(s) for s in (total.statement, second.statement))
        and _is_sum_of(first, total, second.reductions, rows)
    )
    return _made(first, second, load, least, rows) if alike else None


def _made(first: Update, second: Update, load: Load, least: float, rows: _Rows) -> Operation | None:
    statement, places = first.statement, rows.places
    parts = places.named(first.statements)
    stored = places.of(first.target, first.store.subscripts, parts)
    read = places.of_load(load, parts)
    used = {n for s in (*stored, *read) for n in s.names}
    box = box_of(instances(statement), used, rows.context)
    if box.inside is not None:
        return None
    operands = Operands(places, box)
    output = operands.output(first.target, load.type, stored, Role.WRITE)
    source = operands.input("x0", load, parts)
    statements = tuple(dict.fromkeys((*first.statements, *second.statements)))
    return Operation(
        Kind.SOFTMAX, tuple(Dim(r.name, r.extent, False, r.name) for r in box.ranges),
        (output, source), statements, statement.span, function="softmax",
        attributes={"axis": statement.iterators[-1].name, "least": least},
        spellings={p.name: p.spelling for p in places.scop.parameters},
    )  # fmt: skip


def _stored(update: Update) -> Load:
    """What an update stores, as if it were loaded."""
    return Load(update.store.values[0].type, update.target, update.store.subscripts)


def _divisor(update: Update) -> Reduction | None:
    """The sum by which an update divides its own element."""
    own = _stored(update)
    match update.store.values[0]:
        case Binary(_, "div", Load() as load, sum_) if load is own:
            return _plain_sum(sum_, update.reductions)
        case Binary(_, "mul", left, right) if own in (left, right):
            factor = right if left is own else left
            match factor:
                case Binary(_, "div", one, sum_) if _is_one(one):
                    return _plain_sum(sum_, update.reductions)
    return None


def _plain_sum(value: Expr, reductions: Mapping[str, Reduction]) -> Reduction | None:
    match value:
        case Binary(_, "add", base, Variable(_, name)) if number_of(base) == 0:
            return reductions.get(name)
    return None


def _is_sum_of(
    first: Update, total: Reduction, reductions: Mapping[str, Reduction], rows: _Rows
) -> bool:
    """Whether a sum is over what an update has stored, or over the same exponentials."""
    if isinstance(total.value, Load):
        return rows.is_same(_stored(first), total.value, total.statement)
    own = {e.name: e for e in walk(first.store.values[0]) if isinstance(e, Variable)}
    marks = [name for name in own if name in first.reductions]
    inner = [e for e in walk(total.value) if isinstance(e, Variable) and e.name in reductions]
    if len(marks) != 1 or len(inner) != 1:
        return False
    one, other = first.reductions[marks[0]], reductions[inner[0].name]
    value = replace_parts(total.value, {inner[0]: own[marks[0]]})
    same = (one.op, one.statement.name, one.value) == (other.op, other.statement.name, other.value)
    iterators = [i.name for i in total.statement.iterators]
    return same and value is first.store.values[0] and iterators == rows.names


class _Rows:
    """The rows that a statement goes along with its innermost loop."""

    def __init__(
        self, statement: Statement, parts: list[Statement], places: Places, context: isl.Set
    ) -> None:
        self.places, self.context, self._parts = places, context, parts
        self.names = [i.name for i in statement.iterators]
        self._statement = statement
        self._domain = _plain(statement, context)

    def is_same(self, load: Load, other: Expr, where: Statement) -> bool:
        """Whether another statement's load is of the same elements, in its own innermost loop."""
        names = [i.name for i in where.iterators]
        if not isinstance(other, Load) or other.tensor != load.tensor:
            return False
        if len(names) != len(self.names) or names[:-1] != self.names[:-1]:
            return False
        if other.type != load.type:
            return False
        one = self.places.of_load(load, self._parts)
        two = self.places.of_load(other, [where])
        axis = Polynomial.name(self.names[-1])
        return one == tuple(_at(s, names[-1], axis) for s in two)

    def has_domain_of(self, other: Statement) -> bool:
        """Whether another statement has the same instances."""
        domain = _plain(other, self.context)
        same = [i.name for i in other.iterators][:-1] == self.names[:-1]
        alike = same and domain.dim(isl.dim_type.set) == len(self.names)
        return alike and bool(domain.is_equal(self._domain))

    def least(self, largest: Reduction, base: Expr, load: Load) -> float | None:
        """The number that a row's maximum begins with, the lowest one where that is its first
        element. None: it is no maximum of the whole row.
        """
        if self.has_domain_of(largest.statement):
            return LOWEST if self._is_first(base, load) else _single(number_of(base))
        first = self._first
        if first is None or len(largest.statement.iterators) != len(self.names):
            return None
        space = "[" + ", ".join(self.places.scop.parameter_names()) + "] -> "
        names = ", ".join(self.names)
        others = isl.Set(f"{space}{{ [{names}] : {self.names[-1]} = {first.isl()} }}")
        rest = self._domain.subtract(others)
        domain = _plain(largest.statement, self.context)
        return LOWEST if self._is_first(base, load) and domain.is_equal(rest) else None

    @property
    def _first(self) -> Polynomial | None:
        """Where each row begins; None where rows are not all alike."""
        box = box_of(instances(self._statement), self.names, self.context)
        return box.first[self.names[-1]] if box.inside is None else None

    def _is_first(self, base: Expr, load: Load) -> bool:
        """Whether a value is the first element of the row."""
        found = self._first
        if found is None or not isinstance(base, Load) or base.tensor != load.tensor:
            return False
        one = self.places.of_load(load, self._parts)
        return tuple(_at(s, self.names[-1], found) for s in one) == self.places.of_load(
            base, self._parts
        )


def _single(number: float | None) -> float | None:
    """A number as what a row begins with; below all others there is only what is not finite."""
    return None if number is None or number != number else min(max(number, LOWEST), -LOWEST)


def _plain(statement: Statement, context: isl.Set) -> isl.Set:
    domain = instances(statement).intersect_params(context)
    return domain.reset_tuple_id() if domain.has_tuple_name() else domain


def _at(value: Polynomial, name: str, place: Polynomial) -> Polynomial:
    """A value where an iterator is something else."""
    step, rest = value.divide(name)
    return rest + step * place


def _is_one(value: Expr) -> bool:
    while isinstance(value, Cast):
        value = value.value
    return isinstance(value, Const) and value.value == 1
