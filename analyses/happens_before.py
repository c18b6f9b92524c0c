"""What an OpenMP program orders: the happens-before relation of section 3.5.2.

Each construct contributes in one place below. Starting from the sequential order, pairs that a
construct leaves unordered are removed; what remains is ordered by the construct itself (waiting
points, depend clauses with their transitive closure). Where a rule would have to guess, the pair
stays ordered: a larger relation only prunes fewer dependences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from s2s.analyses.dependences import sequential_order
from s2s.scop.nodes import (
    Construct,
    DependItem,
    Kind,
    Loop,
    LoopVariable,
    Scop,
    Statement,
    Tree,
    paths,
)

_CLOSURE_STEPS = 4


@dataclass(frozen=True)
class HappensBefore:
    """``relation`` orders statement instances; ``exact`` is False where it is a superset."""

    relation: isl.UnionMap
    exact: bool


def compute(scop: Scop) -> HappensBefore:
    """Happens-before between statement instances, restricted to the sequential order."""
    order = sequential_order(scop)
    unordered, exact = isl.UnionMap.empty(order.get_space()), True
    where = paths(scop.tree)
    unordered = unordered.union(_parallel_iterations(scop, where, order))
    unordered = unordered.union(_nowait(scop, where, order))
    tasks, exact = _tasks(scop, where, order)
    return HappensBefore(order.subtract(unordered.union(tasks)).coalesce(), exact)


def _empty(order: isl.UnionMap) -> isl.UnionMap:
    return isl.UnionMap.empty(order.get_space())


def _loops_above(path: Sequence[Tree], construct: Construct) -> list[LoopVariable]:
    """Variables of the loops outside a construct on a statement's path."""
    position = path.index(construct)
    return [node.variable for node in path[:position] if isinstance(node, Loop)]


def _names(variables: Sequence[LoopVariable]) -> list[str]:
    return [v.name for v in variables]


def _same(left: Statement, right: Statement, outer: int, differ: int = 0) -> isl.Map:
    """Instance pairs that agree in ``outer`` iterators and, if ``differ``, not in the next ones."""
    space = left.domain.get_space().map_from_domain_and_range(right.domain.get_space())
    relation = isl.Map.universe(space)
    for position in range(outer):
        relation = relation.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
    if differ:
        equal = relation
        for position in range(outer, outer + differ):
            equal = equal.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
        relation = relation.subtract(equal)
    return relation


def _pairs(scop: Scop, where: dict[str, tuple[Tree, ...]], construct: Construct):  # type: ignore[no-untyped-def]
    """Pairs of statements that are both inside a construct."""
    inside = [s for s in scop.statements if construct in where[s.name]]
    return [(a, b) for a in inside for b in inside]


def _constructs(scop: Scop, where: dict[str, tuple[Tree, ...]], kind: Kind) -> list[Construct]:
    found: list[Construct] = []
    for path in where.values():
        for node in path:
            if isinstance(node, Construct) and node.kind is kind and node not in found:
                found.append(node)
    return found


def _parallel_iterations(
    scop: Scop, where: dict[str, tuple[Tree, ...]], order: isl.UnionMap
) -> isl.UnionMap:
    """Equation 3.2: iterations of one execution of a parallel loop are not ordered."""
    found = _empty(order)
    for construct in _constructs(scop, where, Kind.LOOP):
        for a, b in _pairs(scop, where, construct):
            outer = len(_loops_above(where[a.name], construct))
            different = _same(a, b, outer, construct.collapse)
            found = found.union(isl.UnionMap.from_map(different))
    return found


def _nowait(scop: Scop, where: dict[str, tuple[Tree, ...]], order: isl.UnionMap) -> isl.UnionMap:
    """A worksharing loop with nowait is not ordered before what follows in the same region.

    Where a waiting point of the same parallel region lies between, the pair stays ordered. Two
    such loops with a static schedule and equal iterations may rely on the threads' equal shares,
    so a loop with an explicit ``schedule(static`` keeps its order too.
    """
    found = _empty(order)
    for construct in _constructs(scop, where, Kind.LOOP):
        schedule = dict(construct.clauses).get("schedule", "")
        if not construct.nowait or "static" in schedule or not schedule:
            continue
        for a in scop.statements:
            if construct not in where[a.name]:
                continue
            region = _enclosing(where[a.name], construct, Kind.PARALLEL)
            for b in scop.statements:
                if region is None or region not in where[b.name] or construct in where[b.name]:
                    continue
                outer = len(_loops_above(where[a.name], region))
                pair = isl.UnionMap.from_map(_same(a, b, outer)).intersect(order)
                found = found.union(pair.subtract(_through_points(scop, order, a, b)))
    return found


def _enclosing(path: Sequence[Tree], inner: Construct, kind: Kind) -> Construct | None:
    position = path.index(inner)
    for node in reversed(path[:position]):
        if isinstance(node, Construct) and node.kind is kind:
            return node
    return None


def _through_points(scop: Scop, order: isl.UnionMap, a: Statement, b: Statement) -> isl.UnionMap:
    """Pairs of instances with a waiting point in between."""
    found = _empty(order)
    first = _timed(a)
    last = _timed(b)
    for point in scop.points.values():
        middle = _timed(point)
        before = first.lex_lt_union_map(middle)
        found = found.union(before.apply_range(middle.lex_lt_union_map(last)))
    return found


def _timed(statement: Statement) -> isl.UnionMap:
    return isl.UnionMap.from_map(statement.schedule.intersect_domain(statement.domain))


def _tasks(
    scop: Scop, where: dict[str, tuple[Tree, ...]], order: isl.UnionMap
) -> tuple[isl.UnionMap, bool]:
    """Equation 3.3: what follows a task waits for it only at waiting points and depend clauses."""
    tasks = _constructs(scop, where, Kind.TASK)
    if not tasks:
        return _empty(order), True
    edges, exact = _depend_closure(scop, where, tasks)
    unordered = _empty(order)
    for task in tasks:
        for a in scop.statements:
            if task not in where[a.name]:
                continue
            for b in scop.statements:
                pair = _after_task(scop, where, order, task, a, b, edges)
                unordered = unordered.union(pair)
    return unordered, exact


def _after_task(
    scop: Scop, where: dict[str, tuple[Tree, ...]], order: isl.UnionMap, task: Construct,
    a: Statement, b: Statement, edges: isl.UnionMap,
) -> isl.UnionMap:  # fmt: skip
    """Pairs (instance of a in ``task``, later instance of b) that nothing orders."""
    outer = len(_loops_above(where[a.name], task))
    both = _same(a, b, 0)
    pairs = isl.UnionMap.from_map(both).intersect(order)
    if task in where[b.name]:
        pairs = pairs.subtract(isl.UnionMap.from_map(_same(a, b, outer)))
    pairs = pairs.subtract(_through_points(scop, order, a, b))
    other = _task_of(where[b.name])
    if other is not None:
        ordered = _instances_of(a, task, outer).apply_range(edges)
        there = len(_loops_above(where[b.name], other))
        pairs = pairs.subtract(ordered.apply_range(_instances_of(b, other, there).reverse()))
    return pairs


def _task_of(path: Sequence[Tree]) -> Construct | None:
    for node in path:
        if isinstance(node, Construct) and node.kind is Kind.TASK:
            return node
    return None


def _task_name(task: Construct) -> str:
    return f"T{task.number}"


def _instances_of(statement: Statement, task: Construct, outer: int) -> isl.UnionMap:
    """From a statement's instances to the instances of the task that executes them."""
    relation = isl.Map.identity(statement.domain.get_space().map_from_set())
    depth = statement.domain.dim(isl.dim_type.set)
    relation = relation.project_out(isl.dim_type.out, outer, depth - outer)
    relation = relation.set_tuple_name(isl.dim_type.out, _task_name(task))
    return isl.UnionMap.from_map(relation.intersect_domain(statement.domain))


def _depend_closure(
    scop: Scop, where: dict[str, tuple[Tree, ...]], tasks: list[Construct]
) -> tuple[isl.UnionMap, bool]:
    """Order between sibling tasks: equal tags, one of them written; closed transitively."""
    direct: isl.UnionMap | None = None
    for first in tasks:
        for second in tasks:
            edge = _depend_edges(scop, where, first, second)
            direct = edge if direct is None else direct.union(edge)
    assert direct is not None
    return _closure(direct.coalesce())


def _closure(direct: isl.UnionMap) -> tuple[isl.UnionMap, bool]:
    """The transitive closure, and whether it is exact.

    Most depend clauses reach their closure in a few steps; isl's own algorithm, which is for
    those that never do, takes minutes to find that out.
    """
    reached = direct
    for _ in range(_CLOSURE_STEPS):
        twice = reached.apply_range(reached)
        if twice.is_subset(reached):
            return reached, True
        reached = reached.union(twice).coalesce()
    closure, exact = direct.transitive_closure()
    return closure, bool(exact)


def _depend_edges(
    scop: Scop, where: dict[str, tuple[Tree, ...]], first: Construct, second: Construct
) -> isl.UnionMap:
    left, right = (_task_domain(scop, where, t) for t in (first, second))
    order = _timed(left).lex_lt_union_map(_timed(right))
    edges = _empty(order)
    for a in first.depends:
        for b in second.depends:
            if (a.writes or b.writes) and not _are_distinct(a, b):
                edges = edges.union(_equal_tags(left, right, a.subscripts, b.subscripts))
    return edges.intersect(order)


def _are_distinct(a: DependItem, b: DependItem) -> bool:
    """Whether tags differ for their bases alone; of pointers the new code checks it as it runs."""
    if not a.base or not b.base or a.base == b.base:
        return False
    return bool(a.subscripts and b.subscripts) or not (a.pointer or b.pointer)


def _task_domain(scop: Scop, where: dict[str, tuple[Tree, ...]], task: Construct) -> Statement:
    """The task as a pseudo statement: its instances and when they are spawned.

    Instances whose statements do not execute count too: they pass on the order of others.
    """
    statement = next(s for s in scop.statements if task in where[s.name])
    path = where[statement.name]
    variables = _loops_above(path, task)
    assert task.domain is not None
    domain = task.domain.set_tuple_name(_task_name(task))
    time = _spawn_time(statement, path, task, len(variables))
    return Statement(_task_name(task), tuple(variables), domain, time, (), task.span)


def _spawn_time(statement: Statement, path: Sequence[Tree], task: Construct, outer: int) -> isl.Map:
    """Time vectors of spawns: the statement's own, cut off where the task begins."""
    dims = path.index(task)  # each node on the way contributes one
    schedule = statement.schedule
    length = schedule.dim(isl.dim_type.out)
    depth = schedule.dim(isl.dim_type.in_)
    schedule = schedule.drop_constraints_involving_dims(isl.dim_type.in_, outer, depth - outer)
    schedule = schedule.project_out(isl.dim_type.in_, outer, depth - outer)
    for position in range(dims, length):
        schedule = schedule.drop_constraints_involving_dims(isl.dim_type.out, position, 1)
        schedule = schedule.fix_val(isl.dim_type.out, position, isl.Val(0))
    return schedule.set_tuple_name(isl.dim_type.in_, _task_name(task))


def _equal_tags(
    left: Statement, right: Statement, a: tuple[str, ...] | None, b: tuple[str, ...] | None
) -> isl.UnionMap:
    """Pairs of task instances whose tags are equal (all pairs where that is not known)."""
    universe = isl.UnionMap.from_domain_and_range(
        isl.UnionSet.from_set(left.domain), isl.UnionSet.from_set(right.domain)
    )
    if a is None or b is None or len(a) != len(b):
        return universe
    tags = [_tag_map(s, values) for s, values in ((left, a), (right, b))]
    return tags[0].apply_range(tags[1].reverse()).intersect(universe)


def _tag_map(task: Statement, values: tuple[str, ...]) -> isl.UnionMap:
    parameters = task.domain.get_space()
    count = parameters.dim(isl.dim_type.param)
    names = [parameters.get_dim_name(isl.dim_type.param, i) or "" for i in range(count)]
    iterators = ", ".join(_names(task.iterators))
    text = f"[{', '.join(names)}] -> {{ {task.name}[{iterators}] -> [{', '.join(values)}] }}"
    return isl.UnionMap(text)
