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
from s2s.scop.schedule import Parallelism, Role, Team


def team(scop: Scop, dependences: isl.UnionMap | None) -> Scop:
    """The SCoP with a team for its outermost sequential loop; as it is where that is not legal.

    Without ``dependences`` threads wait for each other in front of everything.
    """
    position = _place(scop)
    if position is None:
        return scop
    assert scop.target is not None
    outermost = scop.target.dimensions[position]
    apart: frozenset[frozenset[str]] = frozenset()
    if outermost.role is not Role.TILE and dependences is not None:
        apart = teams.independent(scop, dependences, position)
    made = replace(scop, target=replace(scop.target, team=Team(outermost.name, apart)))
    return made if teams.has_form(made) else scop


def _place(scop: Scop) -> int | None:
    """The outermost loop if it is sequential and has parallel ones inside."""
    if scop.target is None or scop.target.team is not None:
        return None
    dimensions = scop.target.dimensions
    parallel = [i for i, d in enumerate(dimensions) if d.parallelism is Parallelism.DOALL]
    return 0 if parallel and parallel[0] else None
