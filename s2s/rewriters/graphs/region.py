"""Loops of a graph as a region with its dependences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses.region import Analysis, analyse
from s2s.frontends.c.graph_loops import VertexLoop
from s2s.frontends.c.graphs import graphs_of
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function
from s2s.frontends.openmp.constructs import Attached
from s2s.rewriters.graphs.refine import refine_region
from s2s.rewriters.graphs.refused import Refused


def analyse_loops(function: Function, loops: Sequence[VertexLoop]) -> Analysis:
    """The dependences of neighbouring loops, with what is known of graphs. Raises Refused.

    Atomic updates count as plain ones: that they commute is not made use of here.
    """
    attached = function.attached
    plain = tuple(d for d in attached.directives if d.name != "atomic")
    without = replace(function, attached=Attached(plain, attached.next_token))
    where = loops[-1].node.span
    try:
        scop = without.attempt([loop.node for loop in loops]).scop()
        if not scop.context.is_subset(scop.assumptions) or scop.divisible:
            raise Refused(where, "it would have to be checked as the program runs")
        return analyse(refine_region(scop, loops, graphs_of(function)))
    except NotLiftable as problem:
        raise Refused(problem.span, problem.reason) from None
    except isl.Error as problem:
        raise Refused(where, f"given up: {problem}") from None
