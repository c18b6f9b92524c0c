"""Whether operations of an array may run in the cycles that a schedule gives them.

Dependences are memory based: what is written to an element is read from it in the order of the
program, whatever storage the element gets. All questions are answered by isl over the integers;
what it cannot answer counts as a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import gcd

import islpy as isl

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import CycleSchedule, Start
from s2s.scop.expressions import INT32, Expr
from s2s.scop.nodes import Access, Statement
from s2s.scop.normal_form import linear, normalized
from s2s.source.records import dataclass

IN, OUT, SET = isl.dim_type.in_, isl.dim_type.out, isl.dim_type.set


@dataclass(frozen=True)
class Dependence:
    """``relation`` leads from iterations of ``source`` to those of ``target`` that must wait.

    ``kind`` is "RAW" (target reads what source wrote), "WAR" or "WAW". ``read`` is the place of
    the load among the target's (RAW) or the source's (WAR) reads.
    """

    kind: str
    source: str
    target: str
    buffer: str
    relation: isl.Map
    read: int = -1

    @cached_property
    def pairs(self) -> isl.Set:
        """Iterations of source and target side by side."""
        return self.relation.wrap().flatten()


@dataclass(frozen=True)
class Conflict:
    """Why a schedule cannot be run."""

    kind: str
    source: str
    target: str
    about: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.source} and {self.target} ({self.about})"


def dependences(accelerator: Accelerator) -> tuple[Dependence, ...]:
    """Pairs of operations that touch one element, at least one of them writing, in order."""
    operations, statements = accelerator.operations, accelerator.scop.statements
    known = list(zip(operations, statements, map(_lanes, operations), strict=True))
    found: list[Dependence] = []
    for place, (first, early, own) in enumerate(known):
        for other, (second, late, others) in enumerate(known):
            meeting = [_meet(own[0], lane) for lane in others]
            back = [_meet(lane, others[0]) for lane in own]
            if not any(meeting) and not any(back):
                continue
            order = _order(place, first, early, other, second, late)
            if order is not None:
                found += _between(first.name, early, second.name, late, order, meeting, back)
    return tuple(found)


def by_memory(accelerator: Accelerator, each: Dependence) -> bool:
    """Whether the target has to come in a later cycle than what it depends on.

    Values of buffers with places that depend on data go through a memory, whoever loads them: a
    write is seen in the cycle after it.
    """
    return each.kind != "WAR" and each.buffer in accelerator.scattered


def longest_wait(dependence: Dependence, source: tuple[int, ...], target: tuple[int, ...]) -> int:
    """The most that ``source . i - target . j`` comes to over all dependent ``i`` and ``j``.

    ``i`` and ``j`` are values of the loops' variables. Raises ValueError where it has no bound.
    """
    found = dependence.pairs.max_val(_form(dependence.pairs, (*source, *(-s for s in target))))
    if not found.is_int():
        raise ValueError(f"no bound between {dependence.source} and {dependence.target}")
    return int(found.to_python())


def check(
    accelerator: Accelerator,
    schedule: CycleSchedule,
    known: tuple[Dependence, ...] | None = None,
) -> Conflict | None:
    """The first thing that forbids a schedule; None where it is proved.

    A read sees what was written before it or in its cycle; a word may be overwritten in the cycle
    in which it is read; two writes of a word come in the program's order, in one cycle only if
    the second consumes the first. An operation has one cycle for each iteration, and operations
    with one function have different cycles.
    """
    for each in dependences(accelerator) if known is None else known:
        if not _respected(accelerator, schedule, each):
            return Conflict(each.kind, each.source, each.target, each.buffer)
    return next(_shared_conflicts(accelerator, schedule), None)


Lane = tuple[str, tuple[tuple[int, int], ...]]
"""A buffer, and of each subscript what its values differ by multiples of, and one of them."""


def _lanes(operation: Operation) -> list[Lane]:
    """Where the write goes, and where each of the reads."""
    accesses = [(operation.store.tensor, operation.store.subscripts)]
    accesses += [(load.tensor, load.subscripts) for load in operation.loads]
    return [(tensor, tuple(map(steps_of, subscripts))) for tensor, subscripts in accesses]


@lru_cache(maxsize=1 << 14)
def steps_of(subscript: Expr) -> tuple[int, int]:
    """What the values of a subscript differ by multiples of, and one of them."""
    if subscript.type != INT32:
        return 1, 0
    form = linear(normalized(subscript))
    return gcd(*form.terms.values()), form.constant


def _meet(first: Lane, second: Lane) -> bool:
    """Whether some element may be in both: lanes of unrolled loops have none in common."""
    if first[0] != second[0]:
        return False
    for (step, value), (other, constant) in zip(first[1], second[1], strict=True):
        common = gcd(step, other)
        if (value - constant) % common if common else value != constant:
            return False
    return True


def _order(
    place: int, first: Operation, early: Statement, other: int, second: Operation, late: Statement
) -> Callable[[isl.Map], isl.Map] | None:
    """Leaves of pairs of iterations those in the program's order; None where there are none."""
    shared = sum(1 for a, b in zip(first.loops, second.loops, strict=False) if a is b)
    if not shared:
        return (lambda pairs: pairs) if place < other else None

    return lambda pairs: (
        pairs & _before(early.domain.get_space(), late.domain.get_space(), shared, place < other)
    )


def _before(first: isl.Space, second: isl.Space, shared: int, textual: bool) -> isl.Map:
    """Iterations that come before others, of statements with ``shared`` loops around both.

    ``textual``: in one iteration of these the first statement comes before the second.
    """
    universe = isl.Map.universe(first.map_from_domain_and_range(second))
    found = isl.Map.empty(universe.get_space())
    for depth in range(shared):
        found |= universe.order_lt(IN, depth, OUT, depth)
        universe = universe.equate(IN, depth, OUT, depth)
    return found | universe if textual else found


def _between(
    first: str,
    early: Statement,
    second: str,
    late: Statement,
    order: Callable[[isl.Map], isl.Map],
    meeting: Sequence[bool],
    back: Sequence[bool],
) -> Iterator[Dependence]:
    """``meeting``: for the write and the reads of the second whether they may touch what the first
    writes; ``back``: for those of the first whether they may touch what the second writes.
    """

    def related(kind: str, a: Access, b: Access, read: int = -1) -> Iterator[Dependence]:
        if a.array == b.array:
            pairs = a.relation.apply_range(b.relation.reverse())
            # Nobody asks for the order of what touches no element in common.
            if pairs.is_empty():
                return
            pairs = order(pairs.intersect_domain(early.domain).intersect_range(late.domain))
            if not pairs.is_empty():
                yield Dependence(kind, first, second, a.array, pairs.coalesce(), read)

    for number, access in enumerate(late.reads):
        if meeting[1 + number]:
            yield from related("RAW", early.write, access, number)
    for number, access in enumerate(early.reads):
        if back[1 + number]:
            yield from related("WAR", access, late.write, number)
    if meeting[0]:
        yield from related("WAW", early.write, late.write)


def _respected(accelerator: Accelerator, schedule: CycleSchedule, each: Dependence) -> bool:
    first, second = schedule.starts[each.source], schedule.starts[each.target]
    wait = {
        "RAW": first.latency,
        "WAR": -second.latency,
        "WAW": first.latency - second.latency,
    }[each.kind]
    source, target = accelerator.operation(each.source), accelerator.operation(each.target)
    try:
        most = longest_wait(each, first.strides, second.strides)
    except ValueError:
        return False
    slack = origin(second, target) - origin(first, source) - most - wait
    strict = each.kind == "WAW" and each.target not in _consumers(accelerator, each)
    return slack >= (strict or by_memory(accelerator, each))


def _consumers(accelerator: Accelerator, each: Dependence) -> frozenset[str]:
    """The target of a pair of writes, if it reads the element that it writes."""
    target = accelerator.operation(each.target)
    store = target.store
    reads = any(
        (load.tensor, load.subscripts) == (store.tensor, store.subscripts) for load in target.loads
    )
    return frozenset({each.target} if reads and each.source != each.target else ())


def origin(start: Start, operation: Operation) -> int:
    """The cycle of the iteration in which all loops' variables would be 0."""
    pairs = zip(start.strides, operation.minima, strict=True)
    return start.offset - sum(s * m for s, m in pairs)


def _shared_conflicts(accelerator: Accelerator, schedule: CycleSchedule) -> Iterator[Conflict]:
    groups: dict[str, list[Operation]] = {}
    for operation in accelerator.operations:
        groups.setdefault(operation.function, []).append(operation)
    for operation in accelerator.operations:
        if not _in_order(schedule.starts[operation.name]):
            yield Conflict("two iterations in a cycle", *2 * (operation.name,), "its loops")
    for function, users in groups.items():
        times = [(o.name, cycles(schedule.starts[o.name])) for o in users]
        for (one, first), (other, second) in combinations(times, 2):
            if not first.is_disjoint(second):
                yield Conflict("two uses in a cycle", one, other, function)


def _in_order(start: Start) -> bool:
    """Whether each iteration starts after the one before it."""
    inner = 0
    for stride, extent in zip(reversed(start.strides), reversed(start.extents), strict=True):
        if extent > 1 and stride <= inner:
            return False
        inner += stride * (extent - 1)
    return True


def cycles(start: Start) -> isl.Set:
    """The cycles in which iterations start."""
    names = [f"i{k}" for k in range(len(start.extents))]
    terms = [str(start.offset), *(f"{s} {n}" for s, n in zip(start.strides, names, strict=True))]
    limits = [f"0 <= {n} < {e}" for n, e in zip(names, start.extents, strict=True)]
    exists = f"exists {', '.join(names)}: " if names else ""
    where = " and ".join(["t = " + " + ".join(terms), *limits])
    return isl.Set(f"{{ [t] : {exists}{where} }}")


def _form(pairs: isl.Set, weights: tuple[int, ...]) -> isl.Aff:
    """A linear function of the dimensions of a set."""
    found = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(pairs.get_space()))
    for place, weight in enumerate(weights):
        found = found.set_coefficient_val(
            IN, place, isl.Val.int_from_si(isl.DEFAULT_CONTEXT, weight)
        )
    return found
