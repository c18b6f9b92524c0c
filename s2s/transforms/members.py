"""Members of records in locals before a nest, whose order stays.

::

    for y: for x: b->px[y * b->stride + x] = f(a->px[...])
    ->
    T *const px = b->px; const int stride = b->stride; ...
    for y: for x: px[y * stride + x] = f(...)

Stores of characters may change any record to a compiler (ISO C 6.5, paragraph 7), which so reads
``b->stride`` again for each element and makes no vectors. The guard compares addresses once.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses.extents import extent
from s2s.analyses.members import read_again
from s2s.analyses.outer_lanes import carries
from s2s.scop.nodes import Scop
from s2s.source.records import dataclass
from s2s.transforms.doall import Doall, check_movable
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.reschedule import source_order
from s2s.transforms.scop_pass import Look, ScopPass
from s2s.transforms.transformed import Transformed

# Estimated cycles for each thread (see ``Doall``): one alone gains as well.
_WORK = 32768


@dataclass(frozen=True)
class Members(ScopPass):
    """The pass: for innermost loops of ``shortest`` iterations that do not wait for each other."""

    name: ClassVar[str] = "members"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.MEMBERS})
    shortest: int = field(
        default=32, metadata={"help": "iterations of the innermost loop below which all stays"}
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Keep the source's order. Raises NotApplicable with the reason."""
        records = read_again(scop)
        if not records:
            raise OtherKind(scop.span, "no member of a record may change to a compiler")
        check_movable(scop)
        deepest = max(s.depth for s in scop.statements)
        deep = [s for s in scop.statements if s.depth == deepest]
        if deepest < 2 or any(carries(s, dependences, deepest - 1) for s in deep):
            raise NothingToGain(scop.span, "iterations wait for each other in any case")
        planned = replace(scop, target=replace(source_order(scop), members=True))
        long = isl.Set.universe(scop.context.get_space())
        for statement in deep:
            length = extent(statement.domain.reset_tuple_id(), deepest - 1)
            long = long.intersect(length.add_constant_val(isl.Val(-self.shortest)).nonneg_set())
        names = " and ".join(f"'{name}'" for name in sorted(records))
        words = f"members of {names} in locals"
        shared = self._shared(scop, dependences)
        if shared is not None:
            planned, words = shared.scop, f"{words}, {shared.scop.history[0]}"
            return replace(shared, scop=replace(planned, history=(words,)))
        return Transformed(replace(planned, history=(words,)), long)

    def _shared(self, scop: Scop, dependences: isl.UnionMap) -> Transformed | None:
        """What ``doall`` makes of it, where parallel loops are added."""
        if not self.parallel:
            return None
        try:
            shared = Doall(parallel=True, work=_WORK).run(scop, dependences)
            return replace(shared, shares=False)
        except NotApplicable:
            return None
