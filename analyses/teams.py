"""Whether one team of threads may run all iterations of a sequential loop.

::

    for k: { a(k);                          parallel, every thread: for k: {
             parallel for i: b(k, i);           barrier; single: a(k);
             parallel for i: c(k, i); }  ->     barrier; shared for i: b(k, i);
                                                shared for i: c(k, i); }   (c independent of b)

Threads wait before everything that may depend on what has run since they last waited, so the
order is that of one team for each parallel loop. What has to be shown beyond that: what one thread
runs between parallel loops must not show that it now runs inside of a parallel region; and where
threads do not wait, no dependence leads from one part of an iteration to another.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import islpy as isl

from s2s.analyses.dependences import by_statements
from s2s.scop.nodes import TASKS, Construct, Kind, Scop, Tree
from s2s.scop.schedule import Parallelism, Role, Schedule, Team
from s2s.scop.trees import paths


def position_of(schedule: Schedule, name: str) -> int | None:
    """The place of the dimension that a team runs."""
    places = [i for i, d in enumerate(schedule.dimensions) if d.name == name]
    return places[0] if len(places) == 1 else None


def independent(scop: Scop, dependences: isl.UnionMap, position: int) -> frozenset[frozenset[str]]:
    """Pairs of statements without dependences inside one iteration of the loops up to a place."""
    names = [s.name for s in scop.statements]
    pairs = {frozenset(pair) for pair in combinations_with_replacement(names, 2)}
    return frozenset(pairs - _dependent(scop, dependences, position))


def obstacle(scop: Scop, dependences: isl.UnionMap) -> str | None:
    """Why the team of the target schedule is not legal; None where it is, or there is none."""
    schedule = scop.target
    if schedule is None or schedule.team is None:
        return None
    form = _form(scop, schedule, schedule.team)
    if form is None:
        position = position_of(schedule, schedule.team.dimension)
        assert position is not None
        if schedule.team.independent & _dependent(scop, dependences, position):
            return "threads of a team would not wait for each other"
    return form


def has_form(scop: Scop) -> bool:
    """Whether the team of a target schedule would be legal if its threads waited everywhere."""
    schedule = scop.target
    team = schedule.team if schedule is not None else None
    return schedule is None or team is None or _form(scop, schedule, team) is None


def _form(scop: Scop, schedule: Schedule, team: Team) -> str | None:
    """Why a team has no form: threads that wait otherwise, locals across its parts, calls."""
    position = position_of(schedule, team.dimension)
    if position is None:
        return "no loop of that name is the team's"
    outer, inner = schedule.dimensions[: position + 1], schedule.dimensions[position + 1 :]
    if any(d.parallelism is not Parallelism.NONE for d in outer):
        return "a team's loop is not sequential"
    if any(d.parallelism.waits for d in inner):
        return "threads of a team wait for single iterations"
    if not any(d.parallelism is Parallelism.DOALL for d in inner):
        return "there is no parallel loop for the team"
    if schedule.dimensions[position].role is Role.TILE:
        tiles = [d for d in inner if d.role is Role.TILE and d.parallelism is Parallelism.DOALL]
        if not tiles or tiles[0].statements is not None:
            return "the team's parallel loop is none over tiles"
        locals_ = any(s.carry for s in scop.storage)
    else:
        locals_ = bool(scop.storage or schedule.held or schedule.rotated)
        locals_ = locals_ or bool(schedule.count(Role.TILE))
    if locals_:
        return "locals would have to be shared by a team"
    return None if schedule.dimensions[position].role is Role.TILE else _calls(scop)


def _calls(scop: Scop) -> str | None:
    """Why one thread of the team may not run what is between parallel loops, whichever it is.

    What any thread of a team may run in the source sees no difference. Anything else may, in what
    it calls.
    """
    where = paths(scop.tree)
    for statement in scop.statements:
        # What a pass has made of a statement is not in the tree: nothing is known of its thread.
        if _by_any_thread(where.get(statement.name, ())):
            continue
        if statement.opaque or not statement.straight:
            return "a call might see that another thread of a team runs it"
    return None


def _by_any_thread(path: tuple[Tree, ...]) -> bool:
    """Whether the source leaves open which thread of a parallel region runs a statement."""
    kinds = [node.kind for node in path if isinstance(node, Construct)]
    if Kind.PARALLEL not in kinds:
        return False
    inside = kinds[kinds.index(Kind.PARALLEL) :]
    if Kind.MASTER not in inside:
        return True
    return any(kind in TASKS for kind in inside[inside.index(Kind.MASTER) :])


def _dependent(scop: Scop, dependences: isl.UnionMap, position: int) -> frozenset[frozenset[str]]:
    """Pairs of statements that depend on each other in one iteration."""
    assert scop.target is not None
    maps = scop.target.maps
    found: set[frozenset[str]] = set()
    for (first, second), item in by_statements(dependences).items():
        pair = frozenset((first, second))
        if pair in found or not pair <= maps.keys():
            continue
        timed = item.apply_domain(maps[first]).apply_range(maps[second])
        together = isl.Map.universe(timed.get_space())
        for place in range(position + 1):
            together = together.equate(isl.dim_type.in_, place, isl.dim_type.out, place)
        if not timed.intersect(together).is_empty():
            found.add(pair)
    return frozenset(found)
