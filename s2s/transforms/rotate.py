"""Scalar replacement across the iterations of innermost loops.

::

    for i: {                                    x1 = x[0]; y1 = y[0];
        x[i] = c * x[i - 1] + u[i];             for i: {
        y[i] = d * y[i - 1] + x[i];                 x[i] = x0 = c * x1 + u[i];
    }                                      ->       y[i] = y0 = d * y1 + x[i];
                                                    x1 = x0; y1 = y0; }

S. Carr and K. Kennedy, "Scalar replacement in the presence of conditional control flow", 1994. What
an iteration writes, the next one has in a register: it does not wait for the store to reach memory,
which takes longer than most operations.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses.extents import extent
from s2s.analyses.recurrences import recurrences
from s2s.scop.nodes import Construct, Scop, walk
from s2s.scop.schedule import Parallelism, Role, Rotated
from s2s.source.records import dataclass
from s2s.transforms.carry_elements import chains_inside, is_written
from s2s.transforms.doall import Doall
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.reschedule import source_order
from s2s.transforms.scop_pass import Form, Look, ScopPass
from s2s.transforms.transformed import Transformed


def rotate(scop: Scop) -> Scop:
    """Let locals carry elements along the innermost loop of the target schedule.

    Which ones is proved by ``s2s.analyses.recurrences``. Vector and parallel loops stay, and so do
    loops that carry no written element to a read: they wait for nothing.
    """
    assert scop.target is not None
    bands = [i for i, d in enumerate(scop.target.dimensions) if d.role is Role.BAND]
    if not bands or scop.target.dimensions[bands[-1]].parallelism is not Parallelism.NONE:
        return scop
    found = recurrences(scop, bands[-1])
    if not any(is_written(scop, r) for r in found):
        return scop
    return replace(scop, target=replace(scop.target, rotated=found))


@dataclass(frozen=True)
class Rotate(ScopPass):
    """The pass: carries elements in locals where a compiler cannot, the order stays.

    Compilers do so themselves (predictive commoning) where the loop stores to one array, or to
    several that they know to be disjoint. Where other stores may change an element, a comparison of
    the arrays' addresses before the loop tells that they do not.
    """

    name: ClassVar[str] = "rotate"
    form: ClassVar[Form] = Form.LOOPS
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.NEST, Look.INNERMOST})
    shortest: int = field(
        default=64, metadata={"help": "iterations of the loop below which all stays"}
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Keep the source's order. Raises NotApplicable with the reason."""
        _check(scop)
        if self.parallel:
            with suppress(NotApplicable):
                return Doall(parallel=True).with_chains(scop, dependences)
        ordered = replace(scop, target=source_order(scop))
        chains = chains_inside(ordered)
        if not any(is_written(scop, r) for r in chains):
            raise NothingToGain(scop.span, "no element is read again after it has been written")
        if not any(r.needed for r in chains):
            raise NothingToGain(scop.span, "compilers see which elements are read again")
        assert ordered.target is not None
        done = replace(ordered, target=replace(ordered.target, rotated=chains))
        done = replace(done, history=("elements carried in locals",))
        return Transformed(done, self._long_enough(scop, chains))

    def _long_enough(self, scop: Scop, chains: tuple[Rotated, ...]) -> isl.Set:
        result = isl.Set.empty(scop.context.get_space())
        for chain in chains:
            statement = scop.statement(chain.statement)
            length = extent(statement.domain.reset_tuple_id(), statement.depth - 1)
            long = length.add_constant_val(isl.Val(-self.shortest)).nonneg_set()
            result = result.union(long)
        return result.coalesce()


def _check(scop: Scop) -> None:
    for node in walk(scop.tree):
        if isinstance(node, Construct):
            raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
    if scop.carried or scop.guards:
        raise NotApplicable(scop.span, "values are carried between statements")
    for statement in scop.statements:
        if any(scop.arrays[a.array].external for a in statement.accesses):
            raise NothingToGain(statement.span, "a call keeps its place")
