"""Innermost loops without dependences that the compiler leaves scalar, declared vector loops.

::

    for i: for j:                              for i: for j:
        for k:                            ->       #pragma omp simd
            v[i][j][k] = f(u[i..][j..][k..]);      for k: v[i][j][k] = f(u[i..][j..][k..]);

gcc compares, as a loop runs, the ends of what pointers lead to, of at most ten pairs of places
(``analyses/run_time_checks.py``): stencils of high order and kernels with several results have
more of them, and where threads share a loop it no longer sees what ``restrict`` says. What is
proved here, with what a guard compares once for the whole nest, says that there is nothing to wait
for. The order stays as it is.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.extents import constant, extent
from s2s.analyses.loop_carried import Body, InnerLoop, bodies, inner_loop
from s2s.analyses.run_time_checks import LIMIT, compared_pairs
from s2s.analyses.vector_cost import Compiler
from s2s.scop.nodes import Construct, Kind, Scop, walk
from s2s.scop.schedule import Parallelism, Schedule
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.parallelize import doall
from s2s.transforms.permute import outer_loops, parallel_loop
from s2s.transforms.polysimd import check_aliases
from s2s.transforms.reschedule import source_order
from s2s.transforms.scop_pass import Form, Look, ScopPass
from s2s.transforms.transformed import Transformed


@dataclass(frozen=True)
class Simd(ScopPass):
    """The pass."""

    name: ClassVar[str] = "simd"
    form: ClassVar[Form] = Form.LOOPS
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.PLACES})
    compiler: Compiler = field(
        default="gcc", metadata={"help": "the compiler that has to vectorize the new code"}
    )
    shortest: int = field(
        default=16, metadata={"help": "iterations of the loop below which all stays"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Keep the source's order. Raises NotApplicable with the reason."""
        if self.compiler != "gcc":
            raise NothingToGain(scop.span, "the compiler compares what pointers lead to")
        ordered = _as_it_stands(scop)
        blocked = _blocked(ordered, dependences)
        if not blocked:
            raise NothingToGain(scop.span, "compilers can compare what pointers lead to")
        check_aliases(scop)
        if legality.check(ordered, dependences) is not None:
            raise NotApplicable(scop.span, "threads that share the loop depend on each other")
        done, taken = declare_vectors(ordered, blocked, dependences)
        if not taken:
            raise NotApplicable(scop.span, "iterations of the innermost loops depend on each other")
        long = self._long_enough(scop, taken)
        return Transformed(replace(done, history=("vectorized the innermost loops",)), long)

    def _long_enough(self, scop: Scop, taken: list[Body]) -> isl.Set:
        result = isl.Set.empty(scop.context.get_space())
        for body in taken:
            statement = scop.statement(body.statements[0])
            length = extent(statement.domain.reset_tuple_id(), statement.depth - 1)
            number = constant(length)
            if number is None or number >= self.shortest:
                long = length.add_constant_val(isl.Val(-self.shortest)).nonneg_set()
                result = result.union(long)
        if result.is_empty():
            raise NothingToGain(scop.span, "the innermost loops are short")
        return result.coalesce()


def declare_vectors(
    scop: Scop, among: list[Body], dependences: isl.UnionMap
) -> tuple[Scop, list[Body]]:
    """Mark those of some innermost loops as vector loops for which that is proved; which ones."""
    taken: list[Body] = []
    for body in among:
        assert scop.target is not None
        attempt = replace(scop, target=_declared(scop.target, body))
        if legality.check(attempt, dependences) is None:
            scop = attempt
            taken.append(body)
    return scop, taken


def vectorize_blocked(scop: Scop, dependences: isl.UnionMap) -> Scop:
    """Mark the innermost loops of a schedule that gcc would leave scalar, where that is proved."""
    return declare_vectors(scop, _blocked(scop, dependences), dependences)[0]


def _blocked(scop: Scop, dependences: isl.UnionMap) -> list[Body]:
    """The innermost loops that gcc would leave scalar, but for those that threads share."""
    assert scop.target is not None
    dimensions = scop.target.dimensions
    return [
        b for b in bodies(scop)
        if dimensions[b.position].parallelism is Parallelism.NONE
        and _is_blocked(inner_loop(scop, b, dependences))
    ]  # fmt: skip


def _declared(schedule: Schedule, body: Body) -> Schedule:
    dimension = schedule.dimensions[body.position]
    names = frozenset(body.statements)
    if dimension.parallelism is Parallelism.SIMD and dimension.statements is not None:
        names |= dimension.statements
    marked = replace(dimension, parallelism=Parallelism.SIMD, statements=names)
    return schedule.with_dimension(body.position, marked)


def _as_it_stands(scop: Scop) -> Scop:
    """A region in its own order, with the loop that threads share; NotApplicable for others."""
    if scop.carried or scop.guards:
        raise NotApplicable(scop.span, "values are carried between statements")
    constructs = [node for node in walk(scop.tree) if isinstance(node, Construct)]
    if any(node.kind is Kind.SIMD for node in constructs):
        raise NothingToGain(scop.span, "the source says that it is a vector loop")
    shared = parallel_loop(scop, outer_loops(scop))
    if constructs and shared is None:
        raise NothingToGain(constructs[0].span, "threads run all iterations")
    ordered = replace(scop, target=source_order(scop))
    return ordered if shared is None else doall(ordered, _outermost(ordered))


def _outermost(scop: Scop) -> int:
    """The first entry of the time vectors that is a loop."""
    assert scop.target is not None
    times = scop.target.maps[scop.statements[0].name]
    count = times.dim(isl.dim_type.out)
    fixed = (times.plain_get_val_if_fixed(isl.dim_type.out, place) for place in range(count))
    return next(place for place, value in enumerate(fixed) if value.is_nan())


def _is_blocked(loop: InnerLoop) -> bool:
    """Whether gcc has to compare too much for a loop that walks along memory without branches."""
    if not all(s.straight for s in loop.statements):
        return False
    walks = all(
        _walks(loop.steps(statement, access))
        for statement in loop.statements
        for access in statement.accesses
    )  # fmt: skip
    return walks and compared_pairs(loop) > LIMIT


def _walks(steps: tuple[int | None, ...]) -> bool:
    """Whether the same element, or the next one in memory, is touched by each iteration."""
    return all(step == 0 for step in steps[:-1]) and (not steps or steps[-1] in (0, 1))
