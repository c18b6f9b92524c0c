"""Elements that locals carry along the innermost loops of a schedule, where a compiler cannot."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.analyses.recurrences import recurrences
from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Parallelism, Rotated


def chains_inside(scop: Scop) -> tuple[Rotated, ...]:
    """What locals can carry along those innermost loops of the target schedule that run in order.

    Needed are chains of elements that a compiler cannot keep in registers by itself.
    """
    assert scop.target is not None
    kinds = [d.parallelism for d in scop.target.dimensions]
    places = [p for p in _innermost(scop) if kinds[p] is Parallelism.NONE]
    found = (r for place in places for r in recurrences(scop, place))
    return tuple(replace(r, needed=_is_hidden(scop, r)) for r in found)


def is_written(scop: Scop, rotated: Rotated) -> bool:
    """Whether what is carried has been written, not read."""
    return scop.statement(rotated.statement).accesses[rotated.access].write


def _innermost(scop: Scop) -> list[int]:
    """The places of the innermost loops around statements in the target schedule."""
    places = {_last_varying(scop, s) for s in scop.statements}
    return sorted(p for p in places if p >= 0)


def _last_varying(scop: Scop, statement: Statement) -> int:
    assert scop.target is not None
    times = scop.target.maps[statement.name]
    count = times.dim(isl.dim_type.out)
    fixed = (times.plain_get_val_if_fixed(isl.dim_type.out, i).is_nan() for i in range(count))
    return max((i for i, varies in enumerate(fixed) if varies), default=-1)


def _is_hidden(scop: Scop, rotated: Rotated) -> bool:
    """Whether a compiler has to fear that another store changes the elements meanwhile."""
    array = scop.statement(rotated.statement).accesses[rotated.access].array
    written = {a.array for s in scop.statements for a in s.accesses if a.write} - {array}
    hides = any(frozenset((array, other)) in scop.checked for other in written)
    return hides and is_written(scop, rotated)
