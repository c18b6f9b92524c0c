"""What an OpenMP program orders: the happens-before relation of section 3.5.2.

Each construct contributes in one place: worksharing and barriers in ``team``, ordered regions and
doacross loops in ``ordered``, tasks, taskgroups and their waits in ``tasks``, depend clauses in
``depend``. Starting from the sequential order, pairs that the constructs leave unordered are
removed. Where a rule would have to guess, the pair stays ordered: a larger relation only prunes
fewer dependences.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

import islpy as isl

from s2s.analyses.dependences import SerialOrder, sequential_order, united
from s2s.analyses.happens_before.depend import sibling_order
from s2s.analyses.happens_before.events import Events
from s2s.analyses.happens_before.tasks import Tasks
from s2s.analyses.happens_before.team import Team
from s2s.scop.nodes import Scop
from s2s.source.records import dataclass


@dataclass(frozen=True, eq=False)
class HappensBefore:
    """The ``serial`` order of a ``scop``'s instances but for pairs that are ``unordered``.

    ``exact`` is False where ``relation``, what is left, is a superset of happens-before.
    ``repeated`` relates instances that several threads execute to instances that another of these
    threads may execute at the same time, whatever the order within one thread; an instance may be
    related to itself. Statement instances stand for all of their executions in ``relation``.
    """

    scop: Scop
    serial: SerialOrder
    unordered: isl.UnionMap
    exact: bool
    repeated: isl.UnionMap

    @cached_property
    def relation(self) -> isl.UnionMap:
        """What happens before what. For a part of the order, ``unordered`` costs less."""
        return sequential_order(self.scop).subtract(self.unordered).coalesce()


def compute(
    scop: Scop,
    only: Collection[tuple[str, str]] | None = None,
    serial: SerialOrder | None = None,
) -> HappensBefore:
    """Happens-before between statement instances, restricted to the sequential order.

    With ``only``, pairs of other statements count as ordered.
    """
    serial = serial or SerialOrder(scop)
    events = Events(scop, serial)
    team = Team(events)
    edges, exact = sibling_order(events, team)
    tasks = Tasks(events, team, edges)
    unordered, repeated = [], []
    for a in events.statements:
        for b in events.statements:
            if only is not None and (a.name, b.name) not in only:
                continue
            unordered.append(tasks.unordered(a, b))
            repeated.append(tasks.repeated(a, b))
    space = scop.domain().get_space()
    return HappensBefore(scop, serial, united(unordered, space), exact, united(repeated, space))


__all__ = ["HappensBefore", "compute"]
