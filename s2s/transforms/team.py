"""One parallel region around a sequential loop instead of one for each parallel loop inside.

::

    for k: { lu(k);                             parallel
             parallel for j: row(k, j);         for k: { single: lu(k);
             parallel for i: rest(k, i); }  ->           barrier; for j: row(k, j);
                                                         barrier; for i: rest(k, i); }

To start a team and to join it again takes about as long as two barriers; inside of one region there
is a barrier where dependences ask for one. What is legal: ``analyses/teams.py``.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.analyses import teams
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism, Role, Schedule, Team


def team(scop: Scop, dependences: isl.UnionMap | None) -> Scop:
    """The SCoP with a team for its outermost sequential loop; as it is where that is not legal.

    Without ``dependences``, those of the SCoP's own statements, only loops over tiles have a team:
    threads that wait before everything wait more often than teams that end. Panels that a tile in
    registers reads are filled by one thread, between its parallel loops.
    """
    position = None if scop.team is not None else _place(scop)
    if position is None or (scop.target is not None and scop.target.tile is not None):
        return scop
    assert scop.target is not None
    outermost = scop.target.dimensions[position]
    apart: frozenset[frozenset[str]] = frozenset()
    if outermost.role is not Role.TILE:
        if dependences is None:
            return scop
        apart = teams.independent(scop, dependences, position)
    made = replace(scop, target=replace(scop.target, team=Team(outermost.name, apart)))
    return made if teams.has_form(made) else scop


def _place(scop: Scop) -> int | None:
    """The outermost loop around parallel ones, if it is not parallel itself."""
    schedule = scop.target
    if schedule is None or schedule.team is not None:
        return None
    kinds = [d.parallelism for d in schedule.dimensions]
    if Parallelism.DOALL not in kinds:
        return None
    outer = range(kinds.index(Parallelism.DOALL))
    return next((place for place in outer if _is_loop(schedule, place)), None)


def _is_loop(schedule: Schedule, place: int) -> bool:
    """Whether entries of a time vector vary, and are more than places in a sequence."""
    times = (
        item.range().plain_get_val_if_fixed(isl.dim_type.set, place)
        for item in schedule.maps.values()
    )
    return any(value.is_nan() for value in times)
