"""From which sizes on a nest gains by loops that are written out inside of its innermost one."""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from s2s.analyses.outer_lanes import carries
from s2s.scop.nodes import Scop, Statement

# Iterations of a loop that becomes the innermost one, and of an innermost sum, from which on tiles
# are not slower than the source: measured with squares of 8 to 32 rows, gcc, SSE2 and AVX-512.
_SHORTEST_MOVED = 24
_SHORTEST_SUM = 12
# Sums side by side where one loop goes around them, which hide the latency of an addition. A rest
# of up to seven rows is slower than the source's, which starts the next row's sum early: where rows
# are few they have to be longer, so that latency counts. Few by all that is known: four at a time.
ROWS_OF_SUMS = 8
_FEW_ROWS = 32
_SHORTEST_OF_FEW = 32


def can_be_many(statement: Statement, iterator: int) -> bool:
    """Whether a loop may have so many iterations that sums of eight go side by side."""
    most = _length(statement, iterator).max_val()
    return not most.is_int() or most.to_python() >= _FEW_ROWS - 1


def long_enough(
    scop: Scop, dependences: isl.UnionMap, orders: Mapping[str, tuple[int, ...]],
    factors: Mapping[int, int], shortest: int,
) -> isl.Set:  # fmt: skip
    """Parameters for which the innermost loops have ``shortest`` iterations and are worth it.

    ``orders`` are the iterators of each statement outside in, ``factors`` say how often loops are
    written out, by their places in the order.
    """
    deepest = max(s.depth for s in scop.statements)
    result = isl.Set.universe(scop.context.get_space())
    for statement in scop.statements:
        if statement.depth == deepest:
            order = orders[statement.name]
            length = _length(statement, order[-1])
            least, chained = shortest, carries(statement, dependences, order[-1])
            if order[-1] != deepest - 1:
                least = max(least, _SHORTEST_MOVED)
            elif chained:
                least = max(least, _SHORTEST_SUM)
            long = _reaches(length, least)
            if chained and list(factors.values()) == [ROWS_OF_SUMS]:
                (place,) = factors
                rows = _length(statement, order[place])
                few = _reaches(length, _SHORTEST_OF_FEW).intersect(_reaches(rows, ROWS_OF_SUMS))
                long = long.intersect(_reaches(rows, _FEW_ROWS).union(few))
            result = result.intersect(long)
    return result


def _length(statement: Statement, iterator: int) -> isl.PwAff:
    """How many iterations a loop has, less one, from its first to its last one anywhere."""
    loop = statement.domain.reset_tuple_id()
    loop = loop.project_out(isl.dim_type.set, iterator + 1, statement.depth - iterator - 1)
    loop = loop.project_out(isl.dim_type.set, 0, iterator)
    return loop.dim_max(0).sub(loop.dim_min(0))


def _reaches(length: isl.PwAff, least: int) -> isl.Set:
    """Parameters for which a loop of this length, less one, has ``least`` iterations."""
    return length.add_constant_val(isl.Val(1 - least)).nonneg_set()
