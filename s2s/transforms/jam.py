"""Register tiling: permutation, distribution, unroll-and-jam and scalar replacement in one pass.

::

    for i: for j: for k: C[i][j] += A[i][k] * B[k][j]
    ->
    for i by 4: for k by 4: { a00 = A[i][k]; ...; a33 = A[i + 3][k + 3];
                              for j: { c0 = C[i][j]; ...; sixteen updates; C[i][j] = c0; ... } }

Each element still sees its operations in the source's order. How far loops are written out follows
from loads and stores for each iteration against the registers that there are (Callahan, Carr and
Kennedy 1990; Carr and Kennedy, "Improving the ratio of memory operations to floating-point
operations in loops", 1994).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from itertools import combinations, product
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.extents import extent, iteration_count, share_of
from s2s.analyses.locality import best_innermost, coefficient, is_determined
from s2s.analyses.outer_lanes import carries, has_terms, sums_in_lanes
from s2s.analyses.registers import held_elements
from s2s.analyses.vector_cost import Compiler
from s2s.scop.nodes import Access, Construct, Scop, Statement, walk
from s2s.scop.schedule import Held, Parallelism
from s2s.source.records import dataclass
from s2s.transforms.block import block, is_blocked, outgrows_cache
from s2s.transforms.distribute import distribute, loop_names
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.expand import expand_in_tiles
from s2s.transforms.jam_costs import JamCosts
from s2s.transforms.jam_sizes import ROWS_OF_SUMS, can_be_many, long_enough
from s2s.transforms.parallelize import doall, simd
from s2s.transforms.permute import outer_loops, parallel_loop
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.transformed import Transformed
from s2s.transforms.unroll_and_jam import unroll_and_jam, vector_dimension

# How much fewer cache lines another innermost loop has to touch (as in ``Permute``).
_CERTAIN = 2.0
# Memory from which on it is worth it to walk along rows, with each element waiting for the one
# before, rather than along columns: measured with floats and doubles, gcc and clang.
_BEYOND_CACHES = 2 << 20

# Innermost iterations for each thread that is started: some five of them in each cycle, as long as
# what ``Doall`` gives a thread.
_LEAST_WORK = 1 << 19

# Times that a loop is written out, in a block of its iterations.
_BLOCK = 8

Orders = dict[str, tuple[int, ...]]
Factors = dict[int, int]


@dataclass(frozen=True)
class Jam(ScopPass):
    """The pass. ``registers`` bounds the elements held, which are vectors, mostly.

    It is more than AVX2 has: what is only read may come from the stack, where arithmetic bounds the
    speed.
    """

    name: ClassVar[str] = "jam"
    registers: int = field(default=24, metadata={"help": "elements that locals may hold"})
    gain: float = field(
        default=1.5, metadata={"help": "least estimated gain in loads and stores to act"}
    )
    shortest: int = field(
        default=8, metadata={"help": "iterations of the innermost loop below which all stays"}
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})
    compiler: Compiler = field(
        default="gcc", metadata={"help": "the compiler that the new loops are for"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Choose loop order and factors. Raises NotApplicable with the reason."""
        declared = _check(scop)
        if declared:
            _check_disjoint(scop)
        deepest = max(s.depth for s in scop.statements)
        deep = [s for s in scop.statements if s.depth == deepest]
        if declared and not all(_sums(s, dependences) for s in deep):
            raise NothingToGain(scop.span, "threads share a loop, and nothing is summed up in it")
        orders = {s.name: _order(scop, s, dependences) for s in scop.statements}
        if self.compiler == "gcc" and all(
            _vectorizes_around(scop, s, dependences, orders[s.name]) for s in deep
        ):
            raise NothingToGain(scop.span, "the compiler makes vectors of the loop around the sum")
        for shared, factors in self._plans(scop, dependences, deep, orders):
            if declared and not (shared and all(o[0] == 0 for o in orders.values())):
                continue
            planned = _attempt(scop, dependences, deep, orders, shared, factors)
            if planned is None:
                continue
            inner, work = _work(scop, orders)
            starts = self.parallel and shared and (inner or work == 1)
            if declared or starts:
                attempt = _shared_out(planned)
                legal = legality.check(attempt, dependences) is None
                if not legal and declared:
                    continue
                planned = attempt if legal else planned
            done = self._finish(planned, dependences, orders, factors)
            long = inner and not declared and _is_parallel(planned)
            return replace(done, work=(inner, -(-work // 2)), spares=True) if long else done
        raise NotApplicable(scop.span, "no legal order of loops lets registers hold elements")

    def _plans(
        self, scop: Scop, dependences: isl.UnionMap, deep: list[Statement], orders: Orders
    ) -> Iterator[tuple[int, Factors]]:
        """Numbers of shared loops with factors by place in the order, the best factors first."""
        factors = self._factors(scop, dependences, deep, orders)
        least = min(s.depth for s in scop.statements)
        for shared in (*range(1, least + 1), 0):
            if shared < deep[0].depth:
                yield shared, factors

    def _factors(
        self, scop: Scop, dependences: isl.UnionMap, deep: list[Statement], orders: Orders
    ) -> Factors:
        """How often to write out which loops, by their places in the order."""
        if not any(_is_used_again(a, s) for s in deep for a in s.accesses):
            raise NothingToGain(scop.span, "no element is used again along a loop")
        costs = JamCosts(scop, dependences, deep, orders)
        before, _ = costs.of({})
        best, chosen = before, Factors()
        places = _unrollable(deep, orders)
        many = {p for p in places if all(can_be_many(s, orders[s.name][p]) for s in deep)}
        for factors in _choices(places, many if costs.chained else set()):
            cost, registers = costs.of(factors)
            if registers <= self.registers and cost < best:
                best, chosen = cost, factors
        if not chosen or best * self.gain > before:
            raise NothingToGain(scop.span, "registers would save few loads and stores")
        return chosen

    def _finish(
        self, scop: Scop, dependences: isl.UnionMap, orders: Orders, factors: Factors
    ) -> Transformed:
        names = loop_names(scop, orders)
        sizes = " and ".join(f"'{names[p]}' by {f}" for p, f in sorted(factors.items()))
        words = [f"loops ({', '.join(names)})", f"unrolled and jammed {sizes}"]
        if _is_parallel(scop):
            words.append("parallel outside")
        done = replace(scop, history=(", ".join(words),))
        per_thread = ((iteration_count(scop), 16),) if _is_parallel(scop) else ()
        deepest = max(s.depth for s in scop.statements)
        serial = any(
            s.depth == deepest and _becomes_serial(s, dependences, orders) for s in scop.statements
        )
        bytes_ = _BEYOND_CACHES if serial else 0
        profitable = long_enough(scop, dependences, orders, factors, self.shortest)
        return Transformed(done, profitable, per_thread, bytes_)


def _check(scop: Scop) -> bool:
    """Whether the source runs the outermost loop in parallel. Raises NotApplicable."""
    declared = any(isinstance(node, Construct) for node in walk(scop.tree))
    if declared and parallel_loop(scop, outer_loops(scop)) is None:
        raise OtherKind(scop.span, "the outermost loop is not the one that threads share")
    if max(s.depth for s in scop.statements) < 2:
        raise OtherKind(scop.span, "no loops around an innermost one")
    for statement in scop.statements:
        if any(scop.arrays[a.array].external for a in statement.accesses):
            raise NothingToGain(statement.span, "a call keeps its place")
        plain = statement.straight and all(a.exact for a in statement.accesses)
        if statement.opaque and not plain:
            raise NothingToGain(statement.span, "statements kept together keep their place")
    return declared


def _sums(statement: Statement, dependences: isl.UnionMap) -> bool:
    """Whether iterations of one of the inner loops wait for each other."""
    return any(carries(statement, dependences, i) for i in range(1, statement.depth))


def _check_disjoint(scop: Scop) -> None:
    """Raise NotApplicable where arrays may overlap.

    Iterations that threads share would race for them, but text that is compiled without OpenMP runs
    in its order, and a tile has several of its iterations at once.
    """
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    for pair in scop.may_alias:
        if len(pair) > 1 and pair & written:
            one, other = sorted(scop.arrays[name].spelling for name in pair)
            raise NotApplicable(scop.span, f"'{one}' and '{other}' may overlap")


def _work(scop: Scop, orders: Orders) -> tuple[tuple[isl.PwAff, ...], int]:
    """The extents whose product is what threads share, with how much two have to get of it."""
    deepest = max(scop.statements, key=lambda s: s.depth)
    domain = deepest.domain.reset_tuple_id()
    return share_of((extent(domain, place) for place in orders[deepest.name]), 2 * _LEAST_WORK)


def _shared_out(scop: Scop) -> Scop:
    """The outermost loop over tiles, within blocks, run by several threads."""
    assert scop.target is not None
    place = int(is_blocked(scop.target))
    shared = doall(scop, place)
    assert shared.target is not None
    if any(_gets_longer(s) for s in scop.statements):
        dimension = replace(shared.target.dimensions[place], dynamic=True)
        shared = replace(shared, target=shared.target.with_dimension(place, dimension))
    return shared


def _gets_longer(statement: Statement) -> bool:
    """Whether a loop inside has other bounds in other iterations of the outermost one."""
    domain = statement.domain
    first = domain.project_out(isl.dim_type.set, 1, statement.depth - 1).reset_tuple_id()
    rest = domain.project_out(isl.dim_type.set, 0, 1).reset_tuple_id()
    return not first.flat_product(rest).is_equal(domain.reset_tuple_id())


def _is_parallel(scop: Scop) -> bool:
    assert scop.target is not None
    return any(d.parallelism is Parallelism.DOALL for d in scop.target.dimensions)


def _order(scop: Scop, statement: Statement, dependences: isl.UnionMap) -> tuple[int, ...]:
    """Iterators outside in, the one that walks along memory last.

    A sum is not the innermost loop where the loop around it makes vectors of neighbouring elements
    and nothing tells compilers that the sum has a term: else gcc does so itself.
    """
    count = statement.depth
    if count < 2:
        return tuple(range(count))
    best = best_innermost(scop, statement, _CERTAIN)
    order = (*[i for i in range(count) if i != best], best)
    if sums_in_lanes(scop, statement, dependences, order) and not has_terms(statement, best):
        best = order[-2]
    return (*[i for i in range(count) if i != best], best)


def _becomes_serial(statement: Statement, dependences: isl.UnionMap, orders: Orders) -> bool:
    """Whether a new innermost loop carries a dependence where the source's did not."""
    last = orders[statement.name][-1]
    before = statement.depth - 1
    return (
        last != before
        and carries(statement, dependences, last)
        and not carries(statement, dependences, before)
    )


def _vectorizes_around(
    scop: Scop, statement: Statement, dependences: isl.UnionMap, order: tuple[int, ...]
) -> bool:
    """Whether gcc makes vectors of the loop around an innermost recurrence."""
    return sums_in_lanes(scop, statement, dependences, order) and has_terms(statement, order[-1])


def _unrollable(deep: list[Statement], orders: Orders) -> list[int]:
    """Places around the innermost loop, without those of loops over tiles."""
    depth = deep[0].depth
    return [
        place for place in range(depth - 1)
        if not any(is_determined(s, orders[s.name][place]) for s in deep)
    ]  # fmt: skip


def _choices(places: list[int], wide: set[int]) -> Iterator[Factors]:
    """Factors for one loop or two around the innermost one, by places in the order.

    ``wide`` are places of loops with many sums, each of which waits for its additions: eight of
    them hide one addition's latency where only one loop can be written out.
    """
    for place in places:
        for factor in (2, 3, 4, ROWS_OF_SUMS) if place in wide else (2, 3, 4):
            yield {place: factor}
    for pair in combinations(places, 2):
        for sizes in product((2, 3, 4), repeat=2):
            yield dict(zip(pair, sizes, strict=True))


def _is_used_again(access: Access, statement: Statement) -> bool:
    """Whether an access, or another one of its array, comes back to an element along some loop.

    Recurrences do so, too, but what they wait for is not memory (``chains``).
    """
    rows = range(access.relation.dim(isl.dim_type.out))
    along = range(statement.depth)
    stays = any(all(coefficient(access, r, i) == 0 for r in rows) for i in along)
    others = [a for a in statement.accesses if a.array == access.array]
    return stays or (len(others) > 1 and not any(a.write for a in others))


def _attempt(
    scop: Scop, dependences: isl.UnionMap, deep: list[Statement], orders: Orders,
    shared: int, factors: Factors,
) -> Scop | None:  # fmt: skip
    """A legal schedule with elements held, None where there is none."""
    try:
        base = distribute(scop, dependences, orders, shared)
    except NotApplicable:
        return None
    if legality.check(base, dependences) is not None:
        return None
    if scop.carried and not _holds_lifetimes(scop, orders, shared, factors):
        return None
    places = {place + (place >= shared): factor for place, factor in factors.items()}
    wanted = len(factors) == 2 and deep[0].depth == 3 and shared == 1
    if wanted and any(outgrows_cache(scop, s, orders[s.name]) for s in deep):
        inside = block(base, max(places), _BLOCK * factors[1], frozenset(s.name for s in deep))
        if legality.check(inside, dependences) is None:
            shifted = {place + 1: factor for place, factor in places.items()}
            return _jammed(inside, dependences, deep, orders, shared + 1, shifted)
    return _jammed(base, dependences, deep, orders, shared, places)


def _jammed(
    base: Scop, dependences: isl.UnionMap, deep: list[Statement], orders: Orders,
    part: int, places: Factors,
) -> Scop | None:  # fmt: skip
    """Loops of a legal schedule unrolled by ``places``, with elements held; None if not legal."""
    names = frozenset(s.name for s in deep)
    for rest_first in (True, False):
        planned = unroll_and_jam(
            base, places, names, part=part, rest_first=rest_first, together=bool(base.carried)
        )
        if planned.carried:
            planned = _expanded(planned, base, orders[deep[0].name], places)
        if legality.check(planned, dependences) is None:
            return _held(planned, dependences, _same(planned, deep), orders)
    return None


def _holds_lifetimes(scop: Scop, orders: Orders, shared: int, factors: Factors) -> bool:
    """Whether tiles of shared loops hold whole lifetimes of all scalars that statements share."""
    alike = {tuple(order[:shared]) for order in orders.values()}
    if len(alike) > 1 or max(factors) >= shared:
        return False
    (around,) = alike
    return all(set(range(len(c.iterators))) <= set(around) for c in scop.carried.values())


def _expanded(scop: Scop, base: Scop, order: tuple[int, ...], places: Factors) -> Scop:
    """Elements for the scalars that statements share, one for each iteration of a tile."""
    assert base.target is not None
    sizes = {order[place]: factor for place, factor in places.items()}
    tiles = {order[place]: f"{base.target.dimensions[place].name}_tile" for place in places}
    return expand_in_tiles(scop, sizes, tiles, order[0])


def _same(scop: Scop, statements: list[Statement]) -> list[Statement]:
    return [scop.statement(s.name) for s in statements]


def _held(scop: Scop, dependences: isl.UnionMap, deep: list[Statement], orders: Orders) -> Scop:
    assert scop.target is not None
    vector = vector_dimension(scop.target)
    held = tuple(h for s in deep for h in held_elements(scop, s, vector, orders[s.name][-1]))
    _check_held(scop, deep, orders, held)
    schedule = replace(scop.target, held=held)
    scop = replace(scop, target=schedule)
    if all(s.straight for s in scop.statements):
        # The last dimension is that of what fills no tile; a proved vector loop needs no versions.
        last = len(schedule.dimensions) - 1
        for place in (vector, last):
            attempt = simd(scop, place)
            if legality.check(attempt, dependences) is None:
                scop = attempt
    return scop


def _check_held(scop: Scop, deep: list[Statement], orders: Orders, held: tuple[Held, ...]) -> None:
    """All elements that the estimate took for held are so. Raises NotApplicable."""
    for statement in deep:
        places = {h.access for h in held if h.statement == statement.name}
        kept = [statement.accesses[place] for place in places]
        for access in statement.accesses:
            rows = range(access.relation.dim(isl.dim_type.out))
            moves = any(coefficient(access, row, orders[statement.name][-1]) for row in rows)
            wanted = rows and (access.write or not moves)
            if wanted and not any(
                k.array == access.array and k.relation.is_equal(access.relation) for k in kept
            ):
                name = scop.arrays[access.array].spelling
                reason = f"an element of '{name}' may be touched in other ways meanwhile"
                raise NotApplicable(access.span, reason)
