"""Tasks to parallel loops: the tasks that one loop nest spawns become the iterations of a phase.

::

    for k: { task lu(k);                            for k: { lu(k);
             for j: if (c) task row(k, j);    ->             parallel for j: if (c) row(k, j);
             for i: for j: task rest(k, i, j); }             parallel for i: for j: rest(..); }

The happens-before relation of the tasks (section 3.5.2 of the PoPP chapter) is all that is known of
calls into other files: tasks that nothing orders do not depend on each other. A phase costs one
barrier where the source pays for each task and its dependences.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.extents import iteration_count
from s2s.scop.nodes import Construct, Kind, Loop, Scop, Tree, walk
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.scop.trees import paths
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.transformed import Transformed
from s2s.transforms.units import direction

_KNOWN = frozenset(
    {Kind.PARALLEL, Kind.SINGLE, Kind.MASTER, Kind.TASK, Kind.TASKWAIT, Kind.TASKGROUP}
)


@dataclass(frozen=True)
class Phases(ScopPass):
    """The pass: ``grain`` spawning iterations for each thread make a phase worth its barrier."""

    name: ClassVar[str] = "phases"
    keeps_calls: ClassVar[bool] = True  # a callee, transformed in its own place, gains more
    grain: int = field(default=16, metadata={"help": "iterations of a phase for each thread"})

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Distribute the spawning loops. Raises NotApplicable with the reason."""
        _check_constructs(scop)
        outer = _shared_loops(scop)
        planned = replace(scop, target=_schedule(scop, len(outer)))
        violation = legality.check(planned, dependences)
        if violation is not None:
            raise NotApplicable(scop.span, f"the phases are not legal: {violation.reason}")
        planned, count = _parallelize(planned, dependences, len(outer))
        if not count:
            raise NotApplicable(scop.span, "no phase's tasks are independent")
        words = f"distributed tasks to {count} parallel loop{'s' * (count > 1)}"
        deepest = max(s.depth for s in scop.statements)
        position = min(len(outer), deepest - 1)
        grain = ((iteration_count(scop, position), self.grain),)
        everywhere = isl.Set.universe(scop.context.get_space())
        return Transformed(replace(planned, history=(words,)), everywhere, grain)


def _check_constructs(scop: Scop) -> None:
    kinds = {n.kind: n for n in walk(scop.tree) if isinstance(n, Construct)}
    for kind, node in kinds.items():
        if kind not in _KNOWN:
            raise OtherKind(node.span, f"'{kind.value}' keeps its place")
    if Kind.TASK not in kinds:
        raise OtherKind(scop.span, "there are no tasks")
    if scop.order is not None:
        raise NotApplicable(scop.span, "tasks over blocks keep their order")
    for statement in scop.statements:
        for access in statement.accesses:
            if access.commutes is not None:
                raise NothingToGain(access.span, "an update keeps its place")


def _shared_loops(scop: Scop) -> list[Loop]:
    """The loops around all statements and outside all tasks, outside in."""
    shared: list[Loop] | None = None
    for path in _leaf_paths(scop).values():
        loops = _spawning_loops(path)
        shared = loops if shared is None else shared
        shared = [a for a, b in zip(shared, loops, strict=False) if a is b]
    parts = len(set(_parts(scop).values()))
    if shared and parts == 1:
        shared.pop()  # of a single phase the innermost spawning loop is what runs in parallel
    return shared or []


def _leaf_paths(scop: Scop) -> dict[str, tuple[Tree, ...]]:
    names = {s.name for s in scop.statements}
    return {name: path for name, path in paths(scop.tree).items() if name in names}


def _spawning_loops(path: tuple[Tree, ...]) -> list[Loop]:
    """The loops of a path outside of its task; all of them where there is no task."""
    found = []
    for node in path:
        if isinstance(node, Construct) and node.kind is Kind.TASK:
            break
        if isinstance(node, Loop):
            found.append(node)
    return found


def _parts(scop: Scop) -> dict[str, int]:
    """The phase of each statement: those of one task stay together, all others go alone."""
    numbers: dict[object, int] = {}
    parts = {}
    where = _leaf_paths(scop)
    for statement in scop.statements:
        task = next(
            (n for n in where[statement.name] if isinstance(n, Construct) and n.kind is Kind.TASK),
            None,
        )
        parts[statement.name] = numbers.setdefault(task or statement.name, len(numbers))
    return parts


def _schedule(scop: Scop, shared: int) -> Schedule:
    """Shared loops, the phase, the loops that spawn it, and the source's order within a task."""
    where, parts = _leaf_paths(scop), _parts(scop)
    loops = {s.name: len(_spawning_loops(where[s.name])) for s in scop.statements}
    deepest = max(loops.values())
    ordered = len(set(parts.values())) < len(parts)
    maps = {}
    for statement in scop.statements:
        count = loops[statement.name]
        leading = [direction(statement, i) for i in range(count)]
        entries = [*leading[:shared], str(parts[statement.name]), *leading[shared:]]
        entries += ["0"] * (deepest - count)
        inputs = ", ".join(v.name for v in statement.iterators)
        relation = isl.Map(f"{{ {statement.name}[{inputs}] -> [{', '.join(entries)}] }}")
        if ordered or statement.depth > count:
            relation = relation.flat_range_product(statement.schedule)
        maps[statement.name] = relation
    return _named(scop, maps, shared, deepest)


def _named(scop: Scop, maps: dict[str, isl.Map], shared: int, deepest: int) -> Schedule:
    length = max(m.dim(isl.dim_type.out) for m in maps.values())
    padded = {}
    for statement in scop.statements:
        item = maps[statement.name]
        missing = length - item.dim(isl.dim_type.out)
        if missing:
            zeros = ", ".join(["0"] * missing)
            item = item.flat_range_product(
                isl.Map.from_domain_and_range(statement.domain, isl.Set(f"{{ [{zeros}] }}"))
            )
        padded[statement.name] = item.intersect_domain(statement.domain)
    deep = max(scop.statements, key=lambda s: s.depth)
    names = [v.spelling for v in deep.iterators[:deepest]]
    names += [f"c{i}" for i in range(len(names), deepest)]
    dimensions = [Dimension(n, Role.BAND) for n in names[:shared]]
    dimensions.append(Dimension("phase", Role.BAND))
    dimensions += [Dimension(n, Role.BAND) for n in names[shared:]]
    dimensions += [Dimension(f"o{i}", Role.ORDER) for i in range(len(dimensions), length)]
    return Schedule(padded, tuple(dimensions))


def _parallelize(scop: Scop, dependences: isl.UnionMap, shared: int) -> tuple[Scop, int]:
    """Mark the outermost loop of each phase whose tasks are independent; how many there are."""
    assert scop.target is not None
    position = shared + 1
    if position >= len(scop.target.dimensions):
        return scop, 0
    where, parts = _leaf_paths(scop), _parts(scop)
    independent: set[str] = set()
    count = 0
    for part in set(parts.values()):
        names = frozenset(n for n, p in parts.items() if p == part)
        spawned = all(
            any(isinstance(n, Construct) and n.kind is Kind.TASK for n in where[m]) for m in names
        )
        if not spawned or any(len(_spawning_loops(where[n])) <= shared for n in names):
            continue
        if legality.check(_marked(scop, position, frozenset(names)), dependences) is None:
            independent |= names
            count += 1
    return _marked(scop, position, frozenset(independent)), count


def _marked(scop: Scop, position: int, names: frozenset[str]) -> Scop:
    """A parallel loop for some statements; its iterations' costs are unknown."""
    assert scop.target is not None
    old = scop.target.dimensions[position]
    new = replace(old, parallelism=Parallelism.DOALL, statements=names, dynamic=True)
    return replace(scop, target=scop.target.with_dimension(position, new))
