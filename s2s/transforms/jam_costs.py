"""What the innermost loop of a nest costs once loops around it are written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from s2s.analyses.outer_lanes import carries, is_contiguous
from s2s.analyses.registers import (
    Element,
    are_members_held,
    elements_of,
    innermost_operations,
)
from s2s.scop.nodes import Scop, Statement
from s2s.transforms.errors import NotApplicable


class JamCosts:
    """What the deepest statements cost, with loops written out. Raises NotApplicable."""

    def __init__(
        self, scop: Scop, dependences: isl.UnionMap, deep: Sequence[Statement],
        orders: Mapping[str, tuple[int, ...]],
    ) -> None:  # fmt: skip
        self.scop = scop
        self.inner: list[tuple[list[Element], tuple[int, ...], bool]] = []
        for statement in deep:
            order = orders[statement.name]
            if not is_contiguous(scop, statement, order[-1]):
                raise NotApplicable(statement.span, "the innermost loop does not walk along memory")
            if any(are_members_held(scop, access) for access in statement.accesses):
                raise NotApplicable(statement.span, "what is stored are members of records")
            chained = carries(statement, dependences, order[-1])
            self.inner.append((elements_of(statement), order, chained))

    @property
    def chained(self) -> bool:
        """Whether all innermost loops are sums, whose additions wait for each other."""
        return all(chained for _, _, chained in self.inner)

    def of(self, factors: Mapping[int, int]) -> tuple[float, int]:
        """Operations of all together, and the most registers one of them needs."""
        total, most = 0.0, 0
        for elements, order, chained in self.inner:
            sizes = {order[place]: factor for place, factor in factors.items()}
            cost, registers = innermost_operations(
                self.scop, elements, order[-1], sizes, chained=chained
            )
            total, most = total + cost, max(most, registers)
        return total, most
