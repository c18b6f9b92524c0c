"""For which parameters a region means what its polyhedral form says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import islpy as isl

from s2s.frontends.c.affine import Requirement
from s2s.frontends.c.arrays import Memory
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.syntax import Node
from s2s.scop.nodes import Parameter
from s2s.source import Span


def parameter_context(parameters: Iterable[Parameter], space: str) -> isl.Set:
    """The values that the parameters' types have, and what those are that name sums."""
    parts = []
    for parameter in parameters:
        if parameter.equals:
            parts.append(f"{parameter.name} = {parameter.equals}")
        bits = 8 * parameter.size
        if bits < 64:
            low = 0 if parameter.unsigned else -(1 << (bits - 1))
            high = (1 << (bits if parameter.unsigned else bits - 1)) - 1
            parts.append(f"{low} <= {parameter.name} <= {high}")
        elif parameter.unsigned:
            parts.append(f"{parameter.name} >= 0")
    return isl.Set(f"{space}{{ : {' and '.join(parts) or 'true'} }}")


@dataclass(frozen=True)
class Assumptions:
    """What the region's guard has to check. Raises NotLiftable where that never holds.

    ``space`` is the isl text of the parameters and ``context`` what is known of them.
    """

    requirements: Sequence[Requirement]
    span: Span
    function: Node
    space: str
    context: isl.Set

    def run(self, memories: Iterable[Memory], runs: isl.Set) -> isl.Set:
        """Where no requirement is violated; arrays whose bounds cannot hold lose their shape.

        ``runs`` are the parameters for which the region executes a statement.
        """
        held = self.context
        for requirement in self.requirements:
            held = held.subtract(self._violation(requirement))
        if held.is_empty():
            raise NotLiftable(self.span, "unsigned arithmetic wraps in every execution")
        for memory in memories:
            within = held
            for requirement in self._bounds(memory):
                within = within.subtract(self._violation(requirement)).coalesce()
            if within.is_disjoint(runs) or within.n_basic_set() > 8:
                memory.exact = False
            else:
                held = within
        return held.coalesce().gist(self.context)

    def _violation(self, requirement: Requirement) -> isl.Set:
        names = ", ".join(v.name for v in requirement.context.iterators)
        formula = f"{requirement.context.formula} and ({requirement.violation})"
        domain = isl.Set(f"{self.space}{{ [{names}] : {formula} }}").intersect_params(self.context)
        return domain.params()

    def _bounds(self, memory: Memory) -> Iterable[Requirement]:
        """Inner subscripts stay within their sizes, else they name other rows' elements."""
        seen = set()
        for touch in memory.touches:
            values = memory.subscripts(touch)
            if values is None:
                continue
            sizes = memory.inner_sizes()
            for position, (value, size) in enumerate(zip(values, sizes, strict=True)):
                inner = position > 0 and not _starts_object(memory, position)
                key = (touch.context.formulas, value, size)
                if not inner or key in seen:
                    continue
                seen.add(key)
                violation = f"{value.isl()} < 0 or {value.isl()} >= {size}" if size else "true"
                yield Requirement(touch.context, violation, self.function)


def _starts_object(memory: Memory, position: int) -> bool:
    """Whether a subscript is the first one of memory that a pointer leads to."""
    if position < len(memory.pointers):
        return memory.pointers[position]
    return False
