"""Sums of neighbouring results side by side, as lanes of vectors, in strips of the loop around.

::

    for x: {                                for strips of x: {
        float s = 0;                            float sums[256];
        for i: s += k[i] * a[x + i];            for x in strip: sums[..] = 0;
        b[x] = s + 0.5f;             ->         for i: for x in strip: sums[..] += k[i] * a[x + i];
    }                                           for x in strip: b[x] = sums[..] + 0.5f; }

Each result sees its operations in the source's order, but an operation does not wait for the one
before any more (Nuzman and Zaks, "Outer-loop vectorization: revisited for short SIMD
architectures", 2008). gcc does that itself where it knows how often the inner loop runs.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality, vector_cost
from s2s.analyses.extents import constant, extent
from s2s.analyses.loop_carried import bodies
from s2s.analyses.outer_lanes import carries, has_terms, is_contiguous
from s2s.analyses.vector_cost import Compiler
from s2s.scop.nodes import Construct, Scop, Statement, walk
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.source.records import dataclass
from s2s.transforms.edges import is_edge, split_edges
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.expand import expand_in_strips
from s2s.transforms.parallelize import doall
from s2s.transforms.permute import vectorize_some
from s2s.transforms.reschedule import is_constant
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.split import cut_innermost
from s2s.transforms.tile import strip_mine
from s2s.transforms.transformed import Transformed

_OUT = isl.dim_type.out
# Of loops that are known to run fewer times some of many threads would have nothing.
_SHARED = 16


@dataclass(frozen=True)
class Lanes(ScopPass):
    """The pass: strips of ``strip`` iterations, whose sums are in the first-level cache."""

    name: ClassVar[str] = "lanes"
    strip: int = field(default=256, metadata={"help": "iterations side by side", "least": 8})
    shortest: int = field(
        default=32, metadata={"help": "iterations side by side below which all stays"}
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})
    compiler: Compiler = field(
        default="gcc", metadata={"help": "the compiler that the new loops are for"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Choose a loop for the lanes. Raises NotApplicable with the reason."""
        _check(scop)
        place, scop, instances = self._choose(scop, dependences)
        if instances is not None:
            dependences = dependences.apply_domain(instances).apply_range(instances)
        name = scop.statements[0].iterators[place].spelling
        planned, shared = self._plan(
            replace(scop, target=_innermost(scop, place)), place, dependences
        )
        assert planned.target is not None
        if instances is not None:
            planned = replace(planned, target=cut_innermost(planned.target))
        assert planned.target is not None
        last = len(planned.target.dimensions) - 1
        planned = vectorize_some(planned, last, dependences)
        words = f"iterations of '{name}' side by side"
        if shared is not None:
            words += ", parallel outside"
        long = extent(_deep(scop)[0].domain.reset_tuple_id(), place)
        enough = long.add_constant_val(isl.Val(-self.shortest)).nonneg_set()
        per_thread: tuple[tuple[isl.PwAff, int], ...] = ()
        if self.parallel:
            per_thread = ((long, self.shortest),) if shared is None else ((shared, 1),)
        words += "" if instances is None else ", split at the edges"
        done = replace(planned, history=(words,))
        return Transformed(done, enough, per_thread, instances=instances)

    def _plan(
        self, scop: Scop, place: int, dependences: isl.UnionMap
    ) -> tuple[Scop, isl.PwAff | None]:
        """Strips of the lanes' loop, and how often a loop around them runs that threads share.

        Without such a loop they share the strips. Raises NotApplicable where lanes need others.
        """
        for line in _lines(scop, place) if self.parallel else ():
            planned = _share(strip_mine(scop, place, self.strip), line)
            planned = _expand(planned, place, {line})
            if legality.check(planned, dependences) is None:
                return planned, extent(_deep(scop)[0].domain.reset_tuple_id(), line)
        planned = _expand(strip_mine(scop, place, self.strip, elastic=self.parallel), place)
        if self.parallel:
            planned = doall(planned, 0)
        if legality.check(planned, dependences) is not None:
            name = scop.statements[0].iterators[place].spelling
            raise NotApplicable(scop.span, f"lanes of '{name}' depend on each other")
        return planned, None

    def _choose(
        self, scop: Scop, dependences: isl.UnionMap
    ) -> tuple[int, Scop, isl.UnionMap | None]:
        """The place of the loop whose iterations become lanes, and statements split at its edges.

        Where those walk along memory only inside, compilers make no vectors of any loop.
        """
        for place in reversed(_places(scop)):
            split = split_edges(scop, place)
            if split is not None and _are_lanes(split[0], place):
                return place, *split
        _check_straight(scop)
        return self._place(scop, dependences), scop, None

    def _place(self, scop: Scop, dependences: isl.UnionMap) -> int:
        deep = _deep(scop)
        depth = deep[0].depth
        waiting = [s for s in deep if carries(s, dependences, depth - 1)]
        if not any(a.write and a.floating for s in waiting for a in s.accesses):
            # Compilers put terms of other numbers into any order.
            raise NothingToGain(scop.span, "the innermost loop waits for nothing")
        if all(self._is_vectorized(scop, dependences, s) for s in deep):
            raise NothingToGain(scop.span, "compilers make vectors of the innermost loop")
        for place in reversed(_places(scop)):
            if all(_is_lane(scop, s, place) for s in deep):
                if self.compiler == "gcc" and _is_left_to_gcc(deep, place):
                    raise NothingToGain(scop.span, "the compiler makes vectors of the loop around")
                return place
        raise NothingToGain(scop.span, "no loop around the sum walks along memory")

    def _is_vectorized(self, scop: Scop, dependences: isl.UnionMap, statement: Statement) -> bool:
        (body,) = (b for b in bodies(scop) if statement.name in b.statements)
        return vector_cost.vectorizes(scop, body, dependences, compiler=self.compiler)


def _lines(scop: Scop, place: int) -> list[int]:
    """The loops around the lanes' one that run often enough for threads, outside in.

    They count up: what does not name such a loop is told apart by the source's order alone.
    """
    domain = _deep(scop)[0].domain.reset_tuple_id()
    counts = {i: constant(extent(domain, i)) for i in range(place) if _counts_up(scop, i)}
    return [i for i, count in counts.items() if count is None or count >= _SHARED]


def _share(scop: Scop, iterator: int) -> Scop:
    """Put a loop over one iterator around everything, whose iterations threads share."""
    assert scop.target is not None
    maps = {}
    for statement in scop.statements:
        inputs = ", ".join(f"i{i}" for i in range(statement.depth))
        line = isl.Map(f"{{ {statement.name}[{inputs}] -> [i{iterator}] }}")
        maps[statement.name] = line.flat_range_product(scop.target.maps[statement.name])
    name = f"{scop.statements[0].iterators[iterator].spelling}_line"
    lines = Dimension(name, Role.TILE, Parallelism.DOALL)
    target = replace(scop.target, maps=maps, dimensions=(lines, *scop.target.dimensions))
    return replace(scop, target=target)


def _expand(scop: Scop, place: int, lines: Set[int] = frozenset()) -> Scop:
    return expand_in_strips(scop, place, lines) if scop.carried else scop


def _check(scop: Scop) -> None:
    for node in walk(scop.tree):
        if isinstance(node, Construct):
            raise OtherKind(node.span, f"'{node.kind.value}' keeps its place")
    if scop.guards:
        raise NotApplicable(scop.span, "values are carried between statements")
    for statement in scop.statements:
        if any(scop.arrays[a.array].external for a in statement.accesses):
            raise NothingToGain(statement.span, "a call keeps its place")


def _check_straight(scop: Scop) -> None:
    for statement in scop.statements:
        if not statement.straight:
            raise NothingToGain(statement.span, "the statement is not straight code")


def _deep(scop: Scop) -> list[Statement]:
    """The statements below the most loops."""
    deepest = max(s.depth for s in scop.statements)
    return [s for s in scop.statements if s.depth == deepest]


def _places(scop: Scop) -> range:
    """The loops around all statements that have loops inside."""
    depths = [s.depth for s in scop.statements]
    return range(min(*depths, max(depths) - 1))


def _are_lanes(scop: Scop, place: int) -> bool:
    """Whether vectors can be made of all statements but edges."""
    inside = [s for s in scop.statements if not is_edge(s)]
    return all(s.straight for s in inside) and all(
        _is_lane(scop, s, place) for s in _deep(scop) if not is_edge(s)
    )


def _is_lane(scop: Scop, statement: Statement, place: int) -> bool:
    """Whether all that is touched is the same, or neighbours, in neighbouring iterations."""
    arrays = (scop.arrays[a.array] for a in statement.accesses)
    plain = all(a.base is not None or not a.rank or a.name in scop.carried for a in arrays)
    return plain and is_contiguous(scop, statement, place)


def _is_left_to_gcc(deep: list[Statement], place: int) -> bool:
    """Whether gcc knows how often the loops inside run: it writes them out, or makes lanes."""
    inside = range(place + 1, deep[0].depth)
    return all(has_terms(s, i) for s in deep for i in inside)


def _innermost(scop: Scop, place: int) -> Schedule:
    """The source's order with one loop, which is around all statements, as the innermost one."""
    maps: dict[str, isl.Map] = {}
    length = scop.statements[0].schedule.dim(_OUT)
    entry = _entry(scop, place)
    kept = [i for i in range(length) if i != entry and not is_constant(scop, i)]
    for statement in scop.statements:
        names = ", ".join(f"t{i}" for i in range(length))
        turned = ", ".join(f"t{i}" for i in (*kept, entry))
        times = statement.schedule.apply_range(isl.Map(f"{{ [{names}] -> [{turned}] }}"))
        maps[statement.name] = times.intersect_domain(statement.domain)
    name = scop.statements[0].iterators[place].spelling
    order = [Dimension(f"o{i}", Role.ORDER) for i in range(len(kept))]
    return Schedule(maps, (*order, Dimension(name, Role.BAND)), 0)


def _counts_up(scop: Scop, place: int) -> bool:
    try:
        _entry(scop, place)
    except NotApplicable:
        return False
    return True


def _entry(scop: Scop, place: int) -> int:
    """Which entry of the source's time vectors an iterator is. Raises NotApplicable."""
    length = scop.statements[0].schedule.dim(_OUT)
    for entry in range(length):
        if all(_is_iterator(s, entry, place) for s in scop.statements):
            return entry
    raise NotApplicable(scop.span, "the loop does not count up by one")


def _is_iterator(statement: Statement, entry: int, place: int) -> bool:
    names = [f"i{i}" for i in range(statement.depth)]
    times = [f"t{i}" for i in range(statement.schedule.dim(_OUT))]
    same = isl.Map(
        f"{{ {statement.name}[{', '.join(names)}] -> [{', '.join(times)}] : "
        f"{times[entry]} = {names[place]} }}"
    )
    return bool(statement.schedule.intersect_domain(statement.domain).is_subset(same))
