"""Innermost loops of a schedule, how their accesses move, and what their iterations wait for.

This is what a compiler's vectorizer sees: each dependence between iterations with the accesses that
make it, its distance, and whether it goes through a scalar, of which each lane may have its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import islpy as isl

from s2s.analyses.dependence_graph import Kind
from s2s.analyses.dependences import by_statements
from s2s.scop.fixed import are_apart, fixed_outputs
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.remembered import intersection, meeting, remembered
from s2s.source.records import dataclass

_IN, _OUT, _SET = isl.dim_type.in_, isl.dim_type.out, isl.dim_type.set


@dataclass(frozen=True)
class Body:
    """An innermost loop of a schedule: its statements in their order.

    ``position`` is the loop's entry in the time vectors.
    """

    statements: tuple[str, ...]
    position: int


@dataclass(frozen=True)
class Carried:
    """A dependence between iterations of one loop.

    ``distance`` is in iterations, None where it is not one number. ``kind`` is None for an order
    that no two accesses explain; ``accesses`` are those that do. ``scalar``: all iterations use the
    same element.
    """

    source: str
    target: str
    kind: Kind | None
    distance: int | None
    array: str = ""
    scalar: bool = False
    accesses: tuple[Access, Access] | None = None
    uniform: bool = True
    """Whether the distance is the same in all iterations, if only parameters tell which it is."""


def bodies(scop: Scop) -> tuple[Body, ...]:
    """The innermost loops of the target schedule, or of the source where there is none."""
    found: dict[tuple[object, ...], list[tuple[tuple[int, ...], str]]] = {}
    times = schedule_of(scop)
    for statement in scop.statements:
        fixed = fixed_outputs(times[statement.name])
        moving = [i for i, value in enumerate(fixed) if value is None]
        if not moving:
            continue
        last = moving[-1]
        inside = tuple(value or 0 for value in fixed[last + 1 :])
        found.setdefault((last, *fixed[:last]), []).append((inside, statement.name))
    return tuple(
        Body(tuple(name for _, name in sorted(members)), int(str(key[0])))
        for key, members in found.items()
    )


def schedule_of(scop: Scop) -> dict[str, isl.Map]:
    """For each statement its time vectors: the target's, or the source's."""
    if scop.target is not None:
        return scop.target.maps
    return {s.name: s.schedule for s in scop.statements}


# How many loops are kept: a region is asked about by several passes, one after the other.
_MOST_KEPT = 16
_kept: list[tuple[InnerLoop, isl.UnionMap]] = []


def inner_loop(scop: Scop, body: Body, dependences: isl.UnionMap) -> InnerLoop:
    """One innermost loop of a schedule; what was found out about it lately is known."""
    for loop, known in _kept:
        if loop.scop is scop and known is dependences and loop.body == body:
            return loop
    loop = InnerLoop(scop, body, dependences)
    del _kept[_MOST_KEPT - 1 :]
    _kept.insert(0, (loop, dependences))
    return loop


@remembered
def _moves(
    relation: isl.Map, domain: isl.Set, times: isl.Map, position: int, stride: int
) -> tuple[int | None, ...]:
    """How far the subscripts of an access move with an iteration of the loop at ``position``."""
    rank = relation.dim(_OUT)
    if not relation.is_single_valued():
        return (None,) * rank
    timed = relation.intersect_domain(domain).apply_domain(times)
    moved = timed.reverse().apply_range(_next(timed.domain().get_space(), position, stride))
    moved = moved.apply_range(timed)
    if moved.is_empty():
        return (0,) * rank
    deltas = moved.deltas()
    values = [deltas.plain_get_val_if_fixed(_SET, dimension) for dimension in range(rank)]
    return tuple(int(value.to_python()) if value.is_int() else None for value in values)


def _next(instants: isl.Space, position: int, stride: int) -> isl.Map:
    """From each time vector to that of the next iteration of a loop."""
    shift = isl.Map.universe(isl.Space.map_from_set(instants))
    for entry in range(instants.dim(_SET)):
        if entry != position:
            shift = shift.equate(_IN, entry, _OUT, entry)
    constraint = isl.Constraint.equality_alloc(isl.LocalSpace.from_space(shift.get_space()))
    constraint = constraint.set_coefficient_val(_IN, position, isl.Val(1))
    constraint = constraint.set_coefficient_val(_OUT, position, isl.Val(-1))
    return shift.add_constraint(constraint.set_constant_val(isl.Val(stride)))


class InnerLoop:
    """One innermost loop with the questions that a cost model has about it."""

    def __init__(self, scop: Scop, body: Body, dependences: isl.UnionMap) -> None:
        self.scop, self.body = scop, body
        self._dependences = by_statements(dependences)
        self._times = schedule_of(scop)
        self._steps: dict[int, tuple[int | None, ...]] = {}

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(self.scop.statement(name) for name in self.body.statements)

    @cached_property
    def place(self) -> dict[str, int]:
        """Each statement's place in an iteration."""
        return {name: i for i, name in enumerate(self.body.statements)}

    @cached_property
    def stride(self) -> int:
        """By how much the loop's entry in the time vectors grows from an iteration to the next."""
        position = self.body.position
        strides = [int(self._instants(s).get_stride(position).to_python()) for s in self.statements]
        return max(1, min(strides, default=1))

    def _instants(self, statement: Statement) -> isl.Set:
        return statement.domain.apply(self._times[statement.name])

    def steps(self, statement: Statement, access: Access) -> tuple[int | None, ...]:
        """How far each subscript moves with an iteration; None where it is not one number."""
        key = id(access)
        if key not in self._steps:
            times = self._times[statement.name]
            step = self.body.position, self.stride
            self._steps[key] = _moves(access.relation, statement.domain, times, *step)
        return self._steps[key]

    def is_scalar(self, statement: Statement, access: Access) -> bool:
        """Whether all iterations of the loop use the same element."""
        return not any(step != 0 for step in self.steps(statement, access))

    # -- dependences between iterations -------------------------------------------------------

    @cached_property
    def carried(self) -> tuple[Carried, ...]:
        """All dependences between iterations of the loop."""
        return tuple(item for s in self.statements for t in self.statements
                     for item in self._between(s, t))  # fmt: skip

    def _between(self, source: Statement, target: Statement) -> Iterator[Carried]:
        relation = self._dependences.get((source.name, target.name))
        if relation is None or self._later(source, target, relation).is_empty():
            return
        left = relation
        for a in source.accesses:
            for b in target.accesses:
                if a.array != b.array or not (a.write or b.write):
                    continue
                if are_apart(fixed_outputs(a.relation), fixed_outputs(b.relation)):
                    continue
                pairs = intersection(meeting(a.relation, b.relation), relation)
                left = left.subtract(pairs)
                yield from self._edge(source, target, pairs, a, b)
        timed = self._later(source, target, left)
        if not timed.is_empty() and not self._may_overlap(source, target):
            yield Carried(source.name, target.name, None, self._distance(timed), uniform=False)

    def _may_overlap(self, source: Statement, target: Statement) -> bool:
        """Whether arrays that may overlap explain an order: that can be checked as it runs."""
        return any(
            frozenset((a.array, b.array)) in self.scop.may_alias and (a.write or b.write)
            for a in source.accesses
            for b in target.accesses
        )

    def _edge(
        self, source: Statement, target: Statement, pairs: isl.Map, a: Access, b: Access
    ) -> Iterator[Carried]:
        timed = self._later(source, target, pairs)
        if timed.is_empty():
            return
        kind = (Kind.OUTPUT if b.write else Kind.FLOW) if a.write else Kind.ANTI
        scalar = self.is_scalar(source, a) and self.is_scalar(target, b)
        distance = 1 if scalar else self._distance(timed)
        yield Carried(
            source.name, target.name, kind, distance, a.array, scalar, (a, b),
            scalar or distance is not None or self._is_uniform(timed),
        )  # fmt: skip

    def _later(self, source: Statement, target: Statement, pairs: isl.Map) -> isl.Map:
        """Those pairs of which the second is in a later iteration, as time vectors."""
        timed = pairs.apply_domain(self._times[source.name]).apply_range(self._times[target.name])
        position = self.body.position
        for outer in range(position):
            timed = timed.equate(_IN, outer, _OUT, outer)
        later = isl.Map.universe(timed.get_space()).order_lt(_IN, position, _OUT, position)
        return timed.intersect(later)

    def _is_uniform(self, timed: isl.Map) -> bool:
        position = self.body.position
        deltas = timed.deltas()
        inner = deltas.project_out(_SET, position + 1, deltas.dim(_SET) - position - 1)
        return bool(inner.project_out(_SET, 0, position).is_singleton())

    def _distance(self, timed: isl.Map) -> int | None:
        value = timed.deltas().plain_get_val_if_fixed(_SET, self.body.position)
        return int(value.to_python()) // self.stride if value.is_int() else None
