"""Whether updates that the source mixes may run one after the other, each as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from s2s.analyses.operators.subscripts import NotAnOperator
from s2s.analyses.operators.updates import Update
from s2s.scop.nodes import Scop, Statement


def check_order(scop: Scop, updates: Sequence[Update], context: isl.Set) -> None:
    """That no instance of an update comes before one of an earlier update that it conflicts with.

    Scalars that are written out do not count. Raises NotAnOperator.
    """
    lost = frozenset().union(*(u.lost for u in updates))
    by_name = {s.name: s for s in scop.statements}
    for place, later in enumerate(updates):
        for earlier in updates[:place]:
            for second in later.statements:
                for first in earlier.statements:
                    one, other = by_name[second], by_name[first]
                    if second != first and _comes_before(one, other, lost, context):
                        name = scop.arrays[later.target].spelling
                        text = f"what '{name}' gets and what else the loops do wait for each other"
                        raise NotAnOperator(text, second)


def _comes_before(one: Statement, other: Statement, lost: frozenset[str], context: isl.Set) -> bool:
    """Whether an instance of ``one`` runs before one of ``other`` that it conflicts with."""
    order: isl.Map | None = None
    for left in one.accesses:
        for right in other.accesses:
            if left.array != right.array or left.array in lost or not (left.write or right.write):
                continue
            pairs = left.relation.apply_range(right.relation.reverse()).intersect_params(context)
            if pairs.is_empty():
                continue
            if order is None:
                first = one.schedule.intersect_domain(one.domain)
                second = other.schedule.intersect_domain(other.domain)
                order = first.lex_lt_map(second)
            if not pairs.intersect(order).is_empty():
                return True
    return False
