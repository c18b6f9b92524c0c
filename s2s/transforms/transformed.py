"""What a pass returns."""

from __future__ import annotations

from typing import Protocol

import islpy as isl

from s2s.scop.nodes import Scop, Statement
from s2s.source.records import dataclass


class Proof(Protocol):
    """The proof of a change that no schedule of the source's statements can express.

    Statements may be new and values may be kept in storage that the source does not have. It is
    made from the SCoP as the pass was given it, by code that did not choose the change.
    """

    def dependences(
        self, before: Scop, after: Scop, dependences: isl.UnionMap
    ) -> isl.UnionMap | None:
        """What any schedule of ``after`` has to respect for the result to be that of ``before``.

        ``dependences`` are those of ``before``. None where that cannot be proved of any schedule.
        """
        ...


@dataclass(frozen=True)
class Transformed:
    """A SCoP with a new schedule, and when it is expected to be faster.

    ``profitable`` is a set of parameters. ``per_thread`` are pairs of an extent and how much of it
    each thread has to get, and ``work`` are extents whose product is what threads share, with how
    much each has to get of it (None: any); with ``shares`` all that is gained comes from several
    threads, one alone runs the source's text; with ``spares`` one runs the new text where several
    would have too little to do; ``least_bytes`` is how much memory the arrays of the
    region have to span for locality to matter. ``instances`` leads from the statement instances
    that the pass was given to those of ``scop``, where it has split statements; ``proof`` is there
    where more than that has changed. ``often`` are pseudo statements that evaluate conditions which
    have to hold often. ``otherwise`` names passes that may do something where it is not expected to
    be faster.
    """

    scop: Scop
    profitable: isl.Set
    per_thread: tuple[tuple[isl.PwAff, int], ...] = ()
    least_bytes: int = 0
    instances: isl.UnionMap | None = None
    proof: Proof | None = None
    often: tuple[Statement, ...] = ()
    otherwise: tuple[str, ...] = ()
    work: tuple[tuple[isl.PwAff, ...], int] | None = None
    shares: bool = False
    spares: bool = False
