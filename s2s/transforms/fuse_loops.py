"""Loop fusion: neighbouring loops over the same range become one, as a schedule and its proof.

::

    for i: S(i);                     for i: { S(i); T(i); }
    for i: T(i);             ->

Node fusion of section 7.3.1: what iterations of one loop need of other iterations of the other one
forbids it.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.dependences import by_statements
from s2s.scop.nodes import Access, Loop, Scop, Statement
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.scop.trees import paths
from s2s.transforms.errors import NotApplicable


def fuse(scop: Scop, dependences: isl.UnionMap, *, parallel: bool) -> Scop:
    """Run the iterations of a region's outermost loops together, each loop's in their order.

    The one loop that results runs in parallel if ``parallel``. Raises NotApplicable with the
    accesses that forbid it.
    """
    numbers = _loops(scop)
    longest = max(s.schedule.dim(isl.dim_type.out) for s in scop.statements)
    maps = {s.name: _times(s, numbers[s.name]) for s in scop.statements}
    kind = Parallelism.DOALL if parallel else Parallelism.NONE
    dimensions = (
        Dimension("vertex", Role.BAND, kind),
        Dimension("loop", Role.ORDER),
        *(Dimension(f"o{i}", Role.ORDER) for i in range(longest)),
    )
    fused = replace(scop, target=Schedule(maps, dimensions))
    violation = legality.check(fused, dependences)
    if violation is not None:
        where, reason = _why(scop, dependences, numbers)
        raise NotApplicable(where.span, reason)
    return replace(fused, history=(f"fused {max(numbers.values()) + 1} loops",))


def _loops(scop: Scop) -> dict[str, int]:
    """The number of the outermost loop around each statement. Raises NotApplicable."""
    found: dict[str, int] = {}
    order: dict[int, int] = {}
    for name, path in paths(scop.tree).items():
        loop = next((n for n in path if isinstance(n, Loop)), None)
        if name not in {s.name for s in scop.statements}:
            continue
        if loop is None or loop.step != 1:
            raise NotApplicable(path[-1].span, "not fused: a statement is in no counted loop")
        found[name] = order.setdefault(loop.span.start, len(order))
    return found


def _times(statement: Statement, number: int) -> isl.Map:
    inputs = ", ".join(v.name for v in statement.iterators)
    vertex = statement.iterators[0].name
    first = isl.Map(f"{{ {statement.name}[{inputs}] -> [{vertex}, {number}] }}")
    return first.flat_range_product(statement.schedule)


def _why(scop: Scop, dependences: isl.UnionMap, numbers: dict[str, int]) -> tuple[Access, str]:
    """The accesses that need different iterations of two loops, or of one, to stay in order."""
    pairs = by_statements(dependences)
    for one, other in sorted(pairs, key=lambda pair: numbers[pair[0]] == numbers[pair[1]]):
        left, right = scop.statement(one), scop.statement(other)
        relation = pairs[one, other]
        if _same_iteration(relation):
            continue
        for a in left.accesses:
            for b in right.accesses:
                if (a.write or b.write) and _may_meet(scop, a, b):
                    return b, _words(scop, a, b, same=numbers[one] == numbers[other])
    raise NotApplicable(scop.span, "not fused: a dependence between iterations would be broken")


def _same_iteration(relation: isl.Map) -> bool:
    """Whether only instances of equal first iterators are related."""
    space = relation.get_space()
    equal = isl.Map.universe(space).equate(isl.dim_type.in_, 0, isl.dim_type.out, 0)
    return bool(relation.is_subset(equal))


def _may_meet(scop: Scop, a: Access, b: Access) -> bool:
    if a.array != b.array:
        return frozenset({a.array, b.array}) in scop.may_alias
    if a.commutes is not None and a.commutes == b.commutes:
        return False
    return not _same_iteration(a.relation.apply_range(b.relation.reverse()))


def _words(scop: Scop, a: Access, b: Access, *, same: bool) -> str:
    first, second = (scop.arrays[x.array].spelling for x in (a, b))
    did, does = "write" if a.write else "read", "writes" if b.write else "reads"
    whose = "an iteration" if same else "the later loop"
    others = "other iterations" if same else "other iterations of the earlier one"
    if a.array == b.array:
        return f"not fused: {whose} {does} '{second}' that {others} {did}"
    return f"not fused: {whose} {does} '{second}', which may be '{first}' that {others} {did}"
