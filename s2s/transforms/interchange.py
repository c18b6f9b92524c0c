"""Interchange of the loops of a whole region: an order for each statement, fused where legal.

::

    for i: { parallel for j >= i: for k < i:               for k: parallel for i > k: {
               a[i][j] -= a[i][k] * a[k][j];                 a[i][k] /= a[k][k];
             parallel for j > i: { for k < i:         ->     for k < j < i: a[i][j] -= ...;
               a[j][i] -= a[j][k] * a[k][i];                 for j >= i:    a[i][j] -= ...;
               a[j][i] /= a[i][i]; } }                     }

(LU decomposition, from left-looking to right-looking.) Every element still sees its operations in
the source's order. The statements share as many outer loops as dependences allow; inside, they are
distributed in an order that dependences allow, and the innermost loops walk along memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import islice, permutations, product
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.dependences import by_statements
from s2s.analyses.extents import constant, iteration_count, time_extent
from s2s.analyses.locality import best_innermost, coefficient
from s2s.analyses.outer_lanes import carries
from s2s.scop.nodes import Construct, Kind, Scop, Statement, walk
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.scop.trees import paths
from s2s.source.records import dataclass
from s2s.transforms.distribute import loop_names
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.parallelize import doall
from s2s.transforms.permute import (
    check_gain,
    check_left_to_compiler,
    long_enough,
    parallel_words,
    vectorize,
)
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.transformed import Transformed
from s2s.transforms.units import direction

Orders = Mapping[str, tuple[int, ...]]

_UNDERSTOOD = (Kind.PARALLEL, Kind.LOOP, Kind.SIMD)
# Statements for which orders are enumerated, and how many combinations are looked at.
_MOST_STATEMENTS = 6
_MOST_COMBINATIONS = 64
# Iterations of an innermost loop that compilers write out at -O2 and -O3 where the loop around it
# runs long (gcc's max-completely-peel-times is 16; more than 8 elements fill the registers).
_WRITTEN_OUT = 8
# How much of the gain is enough where the source's innermost loops are recurrences: no vectors.
_SERIAL = 0.75


@dataclass(frozen=True)
class Interchange(ScopPass):
    """The pass: ``gain`` is by what factor the innermost loops' cache lines have to go down.

    A parallel loop that the source does not have, inside of a sequential one, starts threads over
    and over: with n^2 / 3 updates on average, ``grain`` (n for each thread) makes that ten times
    what a barrier costs (5 us).
    """

    name: ClassVar[str] = "interchange"
    gain: float = field(default=2.0, metadata={"help": "least estimated gain to act"})
    grain: int = field(
        default=256,
        metadata={"help": "iterations for each thread of a parallel loop added inside another"},
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})
    interchanges: bool = field(
        default=False, metadata={"help": "the compiler exchanges loops of simple nests itself"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Choose orders and shared loops. Raises NotApplicable with the reason."""
        declared = _check_constructs(scop)
        wanted = declared or self.parallel
        gain = self.gain * (_SERIAL if _makes_vectors(scop, dependences, self.gain) else 1)
        _check_gain_possible(scop, gain)
        _check_written_out(scop, dependences, gain)
        _check_repetition(scop, dependences, gain)
        if self.interchanges and not wanted:
            check_left_to_compiler(scop, dependences)
        best: tuple[tuple[int, ...], Orders, Scop] | None = None
        for orders in islice(_all_orders(scop, gain), _MOST_COMBINATIONS):
            found = _fused(scop, orders, dependences, wanted)
            if found is None:
                continue
            planned, shared, place = found
            key = (place, -shared, _moved(orders))
            if best is None or key < best[0]:
                best = key, orders, planned
        if best is None:
            raise NotApplicable(scop.span, "the better loop order is not legal")
        (place, *_), chosen, planned = best
        if not _moved(chosen):
            raise NothingToGain(scop.span, "the loop order is already the best one found")
        planned = vectorize(planned, dependences, chosen)
        words = [f"interchanged loops to {_spelled(scop, chosen)}", *parallel_words(planned)]
        done = replace(planned, history=(", ".join(words),))
        per_thread: tuple[tuple[isl.PwAff, int], ...] = ()
        if self.parallel and place and not declared:
            # Threads meet in each iteration of the loops around: it has to be worth that.
            per_thread = ((time_extent(planned, place), self.grain),)
        return Transformed(done, long_enough(scop, dict(chosen)), per_thread, often=scop.tested)


# -- conditions -----------------------------------------------------------------------------


def _check_constructs(scop: Scop) -> bool:
    """Whether the source has parallel loops. Raises NotApplicable for other constructs."""
    if scop.carried:
        name = next(iter(scop.carried.values())).spelling
        raise NotApplicable(scop.span, f"'{name}' carries values between the loops")
    if not 1 <= len(scop.statements) <= _MOST_STATEMENTS:
        raise NotApplicable(scop.span, f"{len(scop.statements)} statements are too many")
    parallel = False
    for node in walk(scop.tree):
        if isinstance(node, Construct):
            if node.kind not in _UNDERSTOOD or node.collapse > 1:
                raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
            parallel = parallel or node.kind is Kind.LOOP
    where = paths(scop.tree)
    for statement in scop.statements:
        kinds = [n.kind for n in where[statement.name] if isinstance(n, Construct)]
        if Kind.PARALLEL in kinds and Kind.LOOP not in kinds:
            raise NotApplicable(statement.span, "every thread executes this statement")
        for access in statement.accesses:
            if access.commutes is not None or scop.arrays[access.array].external:
                raise NothingToGain(access.span, "an update or call keeps its place")
    return parallel


def _check_gain_possible(scop: Scop, gain: float) -> None:
    """Raise NotApplicable where no order of the deepest statements' loops is much better."""
    best = {s.name: _innermost(scop, s, gain) for s in scop.statements}
    check_gain(scop, {n: (i,) for n, i in best.items()}, gain)


def _check_written_out(scop: Scop, dependences: isl.UnionMap, gain: float) -> None:
    """Raise NothingToGain where a sum would go into a few iterations that the compiler writes out.

    Their elements are in registers, then, and the sums do not wait for each other.
    """
    deepest = max(s.depth for s in scop.statements)
    for statement in scop.statements:
        new = _innermost(scop, statement, gain)
        if statement.depth < deepest or new == deepest - 1:
            continue
        count = constant(iteration_count(scop, deepest - 1))
        if count is not None and count <= _WRITTEN_OUT and carries(statement, dependences, new):
            reason = f"the compiler writes out the {count} iterations of the innermost loop"
            raise NothingToGain(statement.span, reason)


def _check_repetition(scop: Scop, dependences: isl.UnionMap, gain: float) -> None:
    """Raise NothingToGain where a loop that only repeats would go inside of one of vectors.

    It needs no memory there, but each of its iterations waits for the one before.
    """
    deepest = max(s.depth for s in scop.statements)
    for statement in scop.statements:
        new = _innermost(scop, statement, gain)
        if statement.depth < deepest or new == deepest - 1:
            continue
        still = not any(
            coefficient(access, row, new) for access in statement.accesses
            for row in range(access.relation.dim(isl.dim_type.out))
        )  # fmt: skip
        waits = still and carries(statement, dependences, new)
        vectors = _goes_by_elements(statement, deepest - 1)
        if waits and vectors and not carries(statement, dependences, deepest - 1):
            name = statement.iterators[new].spelling
            reason = f"the loop over '{name}' repeats what vectors are made of"
            raise NothingToGain(statement.span, reason)


def _goes_by_elements(statement: Statement, iterator: int) -> bool:
    """Whether a loop stays in a row of each array, as vectors want it."""
    return not any(
        coefficient(access, row, iterator) for access in statement.accesses
        for row in range(access.relation.dim(isl.dim_type.out) - 1)
    )  # fmt: skip


def _makes_vectors(scop: Scop, dependences: isl.UnionMap, gain: float) -> bool:
    """Whether all that keeps the deepest statements from vectors is the order of the loops.

    They need, element by element, what they did just before; a sum in one element is not like
    that, since compilers may regroup it.
    """
    deepest = max(s.depth for s in scop.statements)
    if deepest < 2:
        return False
    return all(
        carries(s, dependences, deepest - 1) and _moves_along(s, deepest - 1)
        and not carries(s, dependences, _innermost(scop, s, gain * _SERIAL))
        for s in scop.statements if s.depth == deepest
    )  # fmt: skip


def _moves_along(statement: Statement, iterator: int) -> bool:
    """Whether a statement writes other elements in other iterations of a loop."""
    return any(
        coefficient(access, row, iterator) for access in statement.accesses if access.write
        for row in range(access.relation.dim(isl.dim_type.out))
    )  # fmt: skip


def _innermost(scop: Scop, statement: Statement, gain: float) -> int:
    """The iterator that a statement's innermost loop should have."""
    count = statement.depth
    return count - 1 if count < 2 else best_innermost(scop, statement, gain)


# -- candidates -----------------------------------------------------------------------------


def _all_orders(scop: Scop, gain: float) -> Iterator[dict[str, tuple[int, ...]]]:
    """Combinations of loop orders whose innermost loops are the wanted ones.

    Statements that are less deep run less often: all their orders are tried.
    """
    deepest = max(s.depth for s in scop.statements)
    choices = []
    for statement in scop.statements:
        every = list(permutations(range(statement.depth)))
        if statement.depth == deepest:
            innermost = _innermost(scop, statement, gain)
            every = [order for order in every if order[-1] == innermost]
        choices.append(every)
    for combination in product(*choices):
        names = (s.name for s in scop.statements)
        yield dict(zip(names, combination, strict=True))


def _moved(orders: Orders) -> int:
    """How many loops stand in another place than in the source."""
    return sum(position != i for order in orders.values() for i, position in enumerate(order))


def _fused(
    scop: Scop, orders: Orders, dependences: isl.UnionMap, parallel: bool
) -> tuple[Scop, int, int] | None:
    """The schedule that shares most outer loops, how many, and the place of its parallel one.

    None where there is no legal one, or no parallel one where there has to be one.
    """
    deepest = max(len(o) for o in orders.values())
    most = min(deepest - 1, *(len(o) for o in orders.values()))
    for shared in range(most, -1, -1):
        sequence = _part_order(scop, orders, shared, dependences)
        if sequence is None:
            continue
        planned = replace(scop, target=_schedule(scop, orders, shared, sequence))
        if legality.check(planned, dependences) is not None:
            continue
        if not parallel:
            return planned, shared, 0
        for place in range(shared):
            attempt = doall(planned, place)
            if legality.check(attempt, dependences) is None:
                return attempt, shared, place
    return None


def _part_order(
    scop: Scop, orders: Orders, shared: int, dependences: isl.UnionMap
) -> list[str] | None:
    """Statements in an order that dependences inside one iteration of the shared loops allow."""
    after: dict[str, set[str]] = {s.name: set() for s in scop.statements}
    for (source, target), relation in by_statements(dependences).items():
        if source != target:
            inside = relation
            for i, j in zip(orders[source][:shared], orders[target][:shared], strict=True):
                inside = inside.equate(isl.dim_type.in_, i, isl.dim_type.out, j)
            if not inside.is_empty():
                after[target].add(source)
    sequence: list[str] = []
    while after:
        ready = next((name for name, before in after.items() if not before & set(after)), None)
        if ready is None:
            return None
        sequence.append(ready)
        del after[ready]
    return sequence


def _schedule(scop: Scop, orders: Orders, shared: int, sequence: list[str]) -> Schedule:
    """Shared loops, then one statement after the other, each in its own order."""
    length = max(len(o) for o in orders.values()) + 1
    maps: dict[str, isl.Map] = {}
    for statement in scop.statements:
        signed = [direction(statement, i) for i in range(statement.depth)]
        order = orders[statement.name]
        entries = [signed[i] for i in order[:shared]]
        entries.append(str(sequence.index(statement.name)))
        entries += [signed[i] for i in order[shared:]]
        entries += ["0"] * (length - len(entries))
        inputs = ", ".join(v.name for v in statement.iterators)
        text = f"{{ {statement.name}[{inputs}] -> [{', '.join(entries)}] }}"
        maps[statement.name] = isl.Map(text).intersect_domain(statement.domain)
    names = loop_names(scop, orders)
    names.insert(shared, "part")
    return Schedule(maps, tuple(Dimension(n, Role.BAND) for n in names), shared)


def _spelled(scop: Scop, orders: Orders) -> str:
    deepest = max(s.depth for s in scop.statements)
    found = []
    for statement in scop.statements:
        if statement.depth == deepest:
            names = (statement.iterators[i].spelling for i in orders[statement.name])
            found.append(f"({', '.join(names)})")
    return " and ".join(dict.fromkeys(found))
