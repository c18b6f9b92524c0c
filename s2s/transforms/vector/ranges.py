"""Index-set splitting: a loop in parts, each without the dependences that keep it from vectors.

::

    for i < n: a[i] = a[n - 1 - i] + b[i];       for i < (n + 1) / 2: a[i] = ...;
                                          ->     for (n + 1) / 2 <= i < n: a[i] = ...;

A part may be a single iteration, as that of ``a[i] = a[k] + b[i]`` which sets ``a[k]``. The order
of the iterations stays what it is. (Griebl, Feautrier and Lengauer, "Index set splitting", 2000;
here the loop is cut where dependences begin or end.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import islpy as isl

from s2s.analyses import legality, vector_cost
from s2s.analyses.extents import extent
from s2s.analyses.registers import unmoved
from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Dimension, Held, Parallelism, Role, Schedule
from s2s.transforms.cut_statements import cut_statements, piece_of
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.units import direction
from s2s.transforms.vector.candidate import Candidate, VectorLoop

_MOST_CUTS = 2
# Places that are looked at, and pieces of a relation in which they are looked for.
_MOST_PLACES = 8
_SHORTEST = 16
# Iterations of a loop from which on parts are faster: measured with gcc and clang.
_WORTH_PARTS = 64


def propose(loop: VectorLoop) -> Iterator[Candidate]:
    """The loop in two or three parts that no dependence blocks."""
    loop.single()
    scop = loop.scop
    order = _Order(scop)
    blocking = order.blocking()
    if blocking.is_empty():
        raise NothingToGain(scop.span, "no dependence blocks the loop")
    places = order.places(blocking)
    for count in range(1, _MOST_CUTS + 1):
        for chosen in combinations(places, count):
            parts = order.parts(chosen)
            if parts and all(_is_free(blocking, part) for part in parts):
                yield _candidate(loop, parts)
                return
    raise NotApplicable(scop.span, "no part of the loop is without the dependences that block it")


def _is_free(blocking: isl.Map, part: isl.Set) -> bool:
    return bool(blocking.intersect_domain(part).intersect_range(part).is_empty())


class _Order:
    """The iterations of a loop, as sets of one dimension, in the order in which they run."""

    def __init__(self, scop: Scop) -> None:
        self.scop = scop
        self.down = direction(scop.statements[0], 0).startswith("-")
        self.domain = _line(scop.statements[0].domain)
        for statement in scop.statements[1:]:
            self.domain = self.domain.union(_line(statement.domain))
        # Short loops stay as they are: how they would be cut is of no interest.
        self.long = _long(self.domain)
        space = self.domain.get_space()
        self.earlier = isl.Map.lex_gt(space) if self.down else isl.Map.lex_lt(space)

    def blocking(self) -> isl.Map:
        """Pairs of iterations that a compiler does not take into one vector.

        Where the distance is always the same, a vector loop keeps the order of what comes first in
        the text; and a statement reads before it writes.
        """
        found = isl.Map.empty(self.domain.get_space().map_from_set())
        place = {s.name: i for i, s in enumerate(self.scop.statements)}
        for first in self.scop.statements:
            for second in self.scop.statements:
                ahead = place[first.name] < place[second.name]
                for relation in _conflicts(first, second, ahead=ahead):
                    found = found.union(relation.intersect(self.earlier))
        return found.intersect_params(self.long).coalesce()

    def places(self, blocking: isl.Map) -> list[isl.Set]:
        """Beginnings of the loop that end where dependences begin or end."""
        found: list[isl.Set] = []
        for basic in blocking.get_basic_maps()[:_MOST_PLACES]:
            item = isl.Map.from_basic_map(basic)
            for end in (item.domain(), item.range()):
                found += [self._through(end), self._before(end)]
        distinct: list[isl.Set] = []
        for end in found:
            # Where no dependence is, the part is empty or all, and what it says elsewhere holds.
            part = end.gist_params(end.params()).intersect(self.domain).coalesce()
            proper = not part.is_empty() and not part.is_equal(self.domain)
            if proper and not any(part.is_equal(other) for other in distinct):
                distinct.append(part)
        return distinct[:_MOST_PLACES]

    def _through(self, part: isl.Set) -> isl.Set:
        """All iterations up to the last one of some."""
        space = part.get_space()
        until = isl.Map.lex_le(space) if self.down else isl.Map.lex_ge(space)
        return part.apply(until).intersect(self._long_domain).coalesce()

    def _before(self, part: isl.Set) -> isl.Set:
        """All iterations before the first one of some."""
        space = part.get_space()
        since = isl.Map.lex_ge(space) if self.down else isl.Map.lex_le(space)
        return self._long_domain.subtract(part.apply(since)).coalesce()

    @property
    def _long_domain(self) -> isl.Set:
        return self.domain.intersect_params(self.long)

    def parts(self, ends: Sequence[isl.Set]) -> list[isl.Set]:
        """The parts between some beginnings; none where these are not inside each other."""
        found: list[isl.Set] = []
        done = isl.Set.empty(self.domain.get_space())
        for end in [*_nested(ends), self.domain]:
            if not done.intersect_params(self.long).is_subset(end):
                return []
            found.append(end.subtract(done).coalesce())
            done = done.union(end)
        return found


def _nested(ends: Sequence[isl.Set]) -> list[isl.Set]:
    if len(ends) == 2 and ends[1].is_subset(ends[0]):
        return [ends[1], ends[0]]
    return list(ends)


def _long(domain: isl.Set) -> isl.Set:
    """Parameters for which a loop is not short."""
    return extent(domain, 0).add_constant_val(isl.Val(-_SHORTEST)).nonneg_set()


def _line(domain: isl.Set) -> isl.Set:
    return domain.reset_tuple_id()


def _conflicts(first: Statement, second: Statement, *, ahead: bool) -> Iterator[isl.Map]:
    """Pairs of iterations that may touch the same element, the first access or both writing.

    Without those at one distance where ``first`` comes ahead in the text or only reads itself.
    """
    for a in first.accesses:
        for b in second.accesses:
            if a.array != b.array or not (a.write or b.write):
                continue
            pairs = a.relation.apply_range(b.relation.reverse())
            for side in (isl.dim_type.in_, isl.dim_type.out):
                pairs = pairs.reset_tuple_id(side)
            keeps = ahead or (first is second and not a.write)
            if not (keeps and vector_cost.is_uniform(pairs)):
                yield pairs


def _candidate(loop: VectorLoop, parts: Sequence[isl.Set]) -> Candidate:
    scop = loop.scop
    pieces = {s.name: _pieces(s, parts) for s in scop.statements}
    changed, instances = cut_statements(
        scop, {name: list(p.values()) for name, p in pieces.items()}
    )
    changed = replace(
        changed, target=_schedule(scop, pieces),
        history=(f"split the loop into {len(parts)} parts",),
    )  # fmt: skip
    moved = loop.dependences.apply_domain(instances).apply_range(instances)
    changed = _marked(changed, moved)
    cost = _cycles(loop, changed, moved, pieces)
    changed = _holding(changed, pieces)
    return Candidate(changed, instances=instances, cycles=cost, shortest=_WORTH_PARTS)


def _pieces(statement: Statement, parts: Sequence[isl.Set]) -> dict[int, Statement]:
    found = {}
    for number, part in enumerate(parts):
        domain = statement.domain.intersect(part.set_tuple_name(statement.name)).coalesce()
        if not domain.is_empty():
            found[number] = piece_of(statement, f"{statement.name}_part{number + 1}", domain)
    return found


def _schedule(scop: Scop, pieces: dict[str, dict[int, Statement]]) -> Schedule:
    maps = {}
    for place, statement in enumerate(scop.statements):
        value = direction(statement, 0)
        for number, piece in pieces[statement.name].items():
            iterator = statement.iterators[0].name
            text = f"{{ {piece.name}[{iterator}] -> [{number}, {value}, {place}] }}"
            maps[piece.name] = isl.Map(text).intersect_domain(piece.domain)
    spelled = scop.statements[0].iterators[0].spelling
    dimensions = (
        Dimension("part", Role.BAND), Dimension(spelled, Role.BAND), Dimension("o", Role.BAND)
    )  # fmt: skip
    return Schedule(maps, dimensions)


def _cycles(
    loop: VectorLoop, scop: Scop, dependences: isl.UnionMap,
    pieces: dict[str, dict[int, Statement]],
) -> float:  # fmt: skip
    """Cycles of an iteration in the part that costs most: how long the parts are is not known."""
    assert scop.target is not None
    costs = []
    for number in {n for parts in pieces.values() for n in parts}:
        inside = tuple(parts[number] for parts in pieces.values() if number in parts)
        maps = {s.name: scop.target.maps[s.name] for s in inside}
        part = replace(scop, statements=inside, target=replace(scop.target, maps=maps))
        costs.append(
            vector_cost.cycles(part, dependences, loop.compiler, reassociate=loop.reassociate)
        )
    return max(costs)


def _marked(scop: Scop, dependences: isl.UnionMap) -> Scop:
    """With a vector loop for the bodies whose iterations do not depend on each other at all.

    Where a dependence leads forward from statement to statement, vectors are right as well, but the
    directive does not promise to keep that order.
    """
    assert scop.target is not None
    name = scop.statements[0].iterators[0].spelling
    position = next(i for i, d in enumerate(scop.target.dimensions) if d.name == name)
    free: frozenset[str] = frozenset()
    for body in vector_cost.bodies(scop):
        both = free | frozenset(body.statements)
        if all(scop.statement(n).straight for n in body.statements):
            attempt = _vector_loop(scop, position, both)
            free = both if legality.check(attempt, dependences) is None else free
    return _vector_loop(scop, position, free) if free else scop


def _holding(scop: Scop, pieces: dict[str, dict[int, Statement]]) -> Scop:
    """With what the iterations of a part read and none of them sets in local variables."""
    assert scop.target is not None
    name = scop.statements[0].iterators[0].spelling
    held: tuple[Held, ...] = ()
    for number in sorted({n for parts in pieces.values() for n in parts}):
        inside = [scop.statement(p[number].name) for p in pieces.values() if number in p]
        if not all(s.domain.is_singleton() for s in inside):
            held += unmoved(scop, inside, name)
    return replace(scop, target=replace(scop.target, held=held))


def _vector_loop(scop: Scop, position: int, names: frozenset[str]) -> Scop:
    assert scop.target is not None
    dimension = scop.target.dimensions[position]
    dimension = replace(dimension, parallelism=Parallelism.SIMD, statements=names)
    return replace(scop, target=scop.target.with_dimension(position, dimension))
