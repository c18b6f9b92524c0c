"""What the innermost loop of a nest costs once loops around it are written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from s2s.analyses.locality import coefficients
from s2s.analyses.registers import Element, elements_of, innermost_operations
from s2s.scop.nodes import Scop, Statement
from s2s.transforms.errors import NotApplicable
from s2s.transforms.permute import carries


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
            chained = carries(statement, dependences, order[-1])
            self.inner.append((elements_of(statement), order, chained))

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


def is_contiguous(scop: Scop, statement: Statement, iterator: int) -> bool:
    """Whether all accesses stay or move by one element along an iterator."""
    for access in statement.accesses:
        if scop.arrays[access.array].row_rank:
            return False
        steps = [row[iterator] for row in coefficients(access)]
        if any(step is None for step in steps) or any(steps[:-1]):
            return False
        if steps and steps[-1] not in (0, 1):
            return False
    return True
