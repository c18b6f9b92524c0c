"""Permutation and distribution of loops so that the innermost one walks along memory.

::

    for i: for j: { C[i][j] = 0;                for i: { for j: C[i][j] = 0;
                    for k:                  ->           for k: for j:
                      C[i][j] += A[i][k] * B[k][j]; }      C[i][j] += A[i][k] * B[k][j]; }

Each element still sees its operations in the source's order. A parallel loop that has to become the
innermost one is cut into strips: the strips run in parallel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality, nest_order
from s2s.analyses.extents import iteration_count
from s2s.analyses.locality import best_innermost, innermost_cost, steps_far
from s2s.analyses.outer_lanes import carries
from s2s.scop.nodes import Construct, Kind, Loop, Scop, Statement, Tree, walk
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.scop.trees import paths
from s2s.source.records import dataclass
from s2s.transforms.distribute import loop_names
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.expand import expand_in_strips
from s2s.transforms.parallelize import doall, simd
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.tile import strip_mine
from s2s.transforms.transformed import Transformed
from s2s.transforms.units import direction

# Iterations of a new innermost loop from which on it is not slower than the source's: measured with
# products of square matrices of 8 to 32 rows, gcc, SSE2 and AVX-512.
_SHORTEST = 16
# Columns of a strip: fewer make poor vectors, and threads write to the same cache lines.
_LEAST_WIDTH = 4


@dataclass(frozen=True)
class Permute(ScopPass):
    """The pass: up to ``strip`` iterations of a parallel loop stay together as innermost loop."""

    name: ClassVar[str] = "permute"
    strip: int = field(
        default=64,
        metadata={
            "help": "width of strips of a parallel loop",
            "least": 1,
            "tune": (32, 128, 256),
        },
    )
    gain: float = field(default=2.0, metadata={"help": "least estimated gain to act"})
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})
    interchanges: bool = field(
        default=False, metadata={"help": "the compiler exchanges loops of simple nests itself"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Choose a loop order for each statement. Raises NotApplicable with the reason."""
        outer = outer_loops(scop)
        parallel = parallel_loop(scop, outer)
        orders = {s.name: self._order(scop, s) for s in scop.statements}
        if all(order == tuple(range(len(order))) for order in orders.values()):
            raise NothingToGain(scop.span, "the loop order is already the best one found")
        check_gain(scop, orders, self.gain)
        if self.interchanges and not self.parallel:
            check_left_to_compiler(scop, dependences)
        _check_vectors(scop, orders, dependences)
        shared = _shared_prefix(scop, orders, outer)
        planned = replace(scop, target=_schedule(scop, orders, shared))
        planned = self._parallelize(planned, dependences, parallel, shared, orders)
        if planned.carried:
            planned = expand_in_strips(planned, 0)
        violation = legality.check(planned, dependences)
        if violation is not None:
            raise NotApplicable(
                scop.span, f"the better loop order is not legal: {violation.reason}"
            )
        planned = vectorize(planned, dependences, orders)
        words = [f"permuted loops to {_spelled(scop, orders)}"]
        words += parallel_words(planned)
        strips = ((iteration_count(scop), _LEAST_WIDTH),) if _is_elastic(planned) else ()
        done = replace(planned, history=(", ".join(words),))
        return Transformed(done, long_enough(scop, orders), strips, often=scop.tested)

    def _order(self, scop: Scop, statement: Statement) -> tuple[int, ...]:
        """Iterators outside in: the cheapest innermost one last, the others as they were."""
        count = statement.depth
        if count < 2:
            return tuple(range(count))
        best = best_innermost(scop, statement, self.gain)
        return (*[i for i in range(count) if i != best], best)

    def _parallelize(
        self, scop: Scop, dependences: isl.UnionMap, parallel: Loop | None, shared: int,
        orders: dict[str, tuple[int, ...]],
    ) -> Scop:  # fmt: skip
        """Keep the source's parallel loop parallel; strips of it when it is now the innermost."""
        if parallel is None:
            if scop.carried and not shared:
                return strip_mine(scop, 0, self.strip)
            if not self.parallel or not shared:
                return scop
            attempt = doall(scop, 0)
            return attempt if legality.check(attempt, dependences) is None else scop
        if shared and all(order[0] == 0 for order in orders.values()):
            return doall(scop, 0)
        return doall(strip_mine(scop, 0, self.strip, elastic=True), 0)


def outer_loops(scop: Scop) -> list[Loop]:
    """The loops that surround all statements, outside in."""
    shared: list[Loop] | None = None
    for path in paths(scop.tree).values():
        loops = [n for n in path if isinstance(n, Loop)]
        if isinstance(path[-1], Construct):
            continue
        if shared is None:
            shared = loops
        shared = [a for a, b in zip(shared, loops, strict=False) if a is b]
    if not shared:
        raise NothingToGain(scop.span, "no loop around all statements")
    return shared


def parallel_loop(scop: Scop, outer: list[Loop]) -> Loop | None:
    """The worksharing loop around everything, if there is one. Others end the pass."""
    found: Loop | None = None
    for node in walk(scop.tree):
        if not isinstance(node, Construct):
            continue
        if node.kind is Kind.LOOP and node.collapse == 1 and _loop_of(node) is outer[0]:
            found = outer[0]
        elif node.kind not in (Kind.PARALLEL, Kind.SIMD):
            raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
    for statement in scop.statements:
        for access in statement.accesses:
            if access.commutes is not None or scop.arrays[access.array].external:
                raise NothingToGain(access.span, "an update or call keeps its place")
    return found


def _loop_of(construct: Construct) -> Tree:
    body: Tree = construct.body
    while hasattr(body, "children") and len(body.children) == 1:
        body = body.children[0]
    return body


def check_gain(scop: Scop, orders: dict[str, tuple[int, ...]], gain: float) -> None:
    """The deepest statements decide: they run most often."""
    deepest = max(s.depth for s in scop.statements)
    if not deepest:
        raise NothingToGain(scop.span, "no statement is in a loop")
    before = after = 0.0
    for statement in scop.statements:
        if statement.depth == deepest:
            before += innermost_cost(scop, statement, deepest - 1)
            after += innermost_cost(scop, statement, orders[statement.name][-1])
    if after * gain > before:
        raise NothingToGain(scop.span, "no loop order is expected to be faster")


def check_left_to_compiler(scop: Scop, dependences: isl.UnionMap) -> None:
    """Raise NotApplicable where the compiler finds the better order by itself."""
    if nest_order.is_exchanged(scop, dependences):
        raise NothingToGain(scop.span, "the compiler exchanges the loops by itself")


def _check_vectors(
    scop: Scop, orders: dict[str, tuple[int, ...]], dependences: isl.UnionMap
) -> None:
    """A loop that vectorizes is not given up for one that runs serially, be it unit-stride."""
    deepest = max(s.depth for s in scop.statements)
    for statement in scop.statements:
        new = orders[statement.name][-1]
        if statement.depth != deepest or new == deepest - 1:
            continue
        if carries(statement, dependences, new) and not carries(
            statement, dependences, deepest - 1
        ):
            name = statement.iterators[new].spelling
            raise NothingToGain(
                statement.span, f"'{name}' as the innermost loop does not vectorize"
            )


def _shared_prefix(scop: Scop, orders: dict[str, tuple[int, ...]], outer: list[Loop]) -> int:
    """How many outermost loops all statements still share, in the same places."""
    count = 0
    while count < len(outer):
        if any(len(o) <= count or o[count] != count for o in orders.values()):
            break
        count += 1
    return min(count, min(len(o) for o in orders.values()))


def _schedule(scop: Scop, orders: dict[str, tuple[int, ...]], shared: int) -> Schedule:
    """Shared loops, then one statement after the other (distribution), each in its own order."""
    length = max(len(o) for o in orders.values()) + 1
    maps: dict[str, isl.Map] = {}
    for position, statement in enumerate(scop.statements):
        order = orders[statement.name]
        signed = [direction(statement, i) for i in range(statement.depth)]
        entries = [signed[i] for i in order[:shared]] + [str(position)]
        entries += [signed[i] for i in order[shared:]]
        entries += ["0"] * (length - len(entries))
        inputs = ", ".join(v.name for v in statement.iterators)
        text = f"{{ {statement.name}[{inputs}] -> [{', '.join(entries)}] }}"
        maps[statement.name] = isl.Map(text).intersect_domain(statement.domain)
    names = loop_names(scop, orders)
    dimensions = [Dimension(n, Role.BAND) for n in names[:shared]]
    dimensions.append(Dimension("part", Role.BAND))
    dimensions += [Dimension(n, Role.BAND) for n in names[shared:]]
    return Schedule(maps, tuple(dimensions), shared)


def vectorize(scop: Scop, dependences: isl.UnionMap, orders: Mapping[str, tuple[int, ...]]) -> Scop:
    """Mark the innermost loop as a vector loop where that is proved, for plain statements.

    Where vectors are costly whether to make them is left to the compiler.
    """
    assert scop.target is not None
    if any(s.depth and steps_far(scop, s, orders[s.name][-1]) for s in scop.statements):
        return scop
    position = len(scop.target.dimensions) - 1
    if all(s.straight for s in scop.statements):
        attempt = simd(scop, position)
        if legality.check(attempt, dependences) is None:
            return attempt
    return vectorize_some(scop, position, dependences)


def vectorize_some(scop: Scop, position: int, dependences: isl.UnionMap) -> Scop:
    """Mark a loop as a vector loop for those of the plain statements for which that is proved."""
    assert scop.target is not None
    found = scop
    names: frozenset[str] = frozenset()
    for statement in scop.statements:
        if not statement.straight or scop.target.dimensions[position].elastic:
            continue
        dimension = replace(
            scop.target.dimensions[position],
            parallelism=Parallelism.SIMD, statements=names | {statement.name},
        )  # fmt: skip
        attempt = replace(scop, target=scop.target.with_dimension(position, dimension))
        if legality.check(attempt, dependences) is None:
            found, names = attempt, names | {statement.name}
    return found


def _is_elastic(scop: Scop) -> bool:
    assert scop.target is not None
    return any(d.elastic for d in scop.target.dimensions)


def parallel_words(scop: Scop) -> list[str]:
    assert scop.target is not None
    kinds = {d.parallelism for d in scop.target.dimensions}
    words = []
    if Parallelism.DOALL in kinds:
        words.append("parallel outside")
    if Parallelism.SIMD in kinds:
        words.append("simd inside")
    return words


def _spelled(scop: Scop, orders: dict[str, tuple[int, ...]]) -> str:
    """The new orders of the deepest statements' loops."""
    deepest = max(s.depth for s in scop.statements)
    changed = [
        s for s in scop.statements
        if s.depth == deepest and orders[s.name] != tuple(range(deepest))
    ]  # fmt: skip
    spelled = (
        ", ".join(s.iterators[i].spelling for i in orders[s.name])
        for s in changed or scop.statements[:1]
    )
    return " and ".join(f"({names})" for names in dict.fromkeys(spelled))


def long_enough(scop: Scop, orders: dict[str, tuple[int, ...]]) -> isl.Set:
    """Parameters for which the new innermost loops are long enough to be worth it.

    A statement that runs in one iteration of its innermost loop has no say.
    """
    spans = [_innermost_span(s, orders[s.name][-1]) for s in scop.statements]
    loops = [count for count in spans if not count.non_zero_set().is_empty()]
    result = isl.Set.universe(scop.context.get_space())
    for count in loops or spans:
        result = result.intersect(count.add_constant_val(isl.Val(1 - _SHORTEST)).nonneg_set())
    return result


def _innermost_span(statement: Statement, innermost: int) -> isl.PwAff:
    """The last value of an iterator less its first one."""
    loop = statement.domain.reset_tuple_id()
    loop = loop.project_out(isl.dim_type.set, innermost + 1, statement.depth - innermost - 1)
    loop = loop.project_out(isl.dim_type.set, 0, innermost)
    return loop.dim_max(0).sub(loop.dim_min(0))
