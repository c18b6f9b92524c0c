"""Whether the instances of statements that have run are those of a region, in a legal order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

import islpy as isl

from s2s.net import Mismatch
from s2s.net.arithmetic import FAR
from s2s.net.control import Box, Instance
from s2s.net.samples import extent
from s2s.scop.nodes import Scop, Statement
from s2s.source.records import dataclass

Vector = tuple[int, ...]

# More dependent pairs than this between two statements are not looked at one by one,
_PAIRS = 4_000
# but those of so many instances with others that are near.
_FEW, _NEAR = 6, 4


@dataclass(frozen=True)
class Expected:
    """A region's statement instances for some parameter values.

    ``shown`` are the places of the iterators that can be seen in the new code. Others' values do
    not matter there: instances that differ in them alone are the same code. The source counts
    those at the ``turned`` places down.
    """

    domains: Mapping[str, isl.Set]
    extents: Mapping[str, Sequence[tuple[int, int]]]
    shown: Mapping[str, Sequence[int]]
    turned: Mapping[str, Sequence[int]]
    values: Mapping[str, int]
    dependences: Sequence[_Dependences]

    @property
    def shows_all(self) -> bool:
        """Whether instances can be told apart whatever order they run in."""
        return all(len(self.shown[name]) == len(box) for name, box in self.extents.items())

    def compare(self, executed: Sequence[Instance], window: Mapping[str, Box]) -> None:
        """Raise Mismatch unless the executed instances are those of the window, legally ordered."""
        wanted = {n: _vectors(_within(self.domains[n], window.get(n))) for n in self.extents}
        labelled = self._labelled(wanted, executed)
        position = {instance: i for i, instance in enumerate(labelled)}
        ran: dict[str, list[Vector]] = defaultdict(list)
        for name, vector in labelled:
            ran[name].append(vector)
        for dependence in self.dependences:
            for source, target in dependence.pairs(ran, window):
                if position.get(source, -1) >= position.get(target, len(labelled)):
                    said = f"{source} has to run before {target} for {dict(self.values)}"
                    raise Mismatch(said)

    def _labelled(
        self, wanted: Mapping[str, Sequence[Vector]], executed: Sequence[Instance]
    ) -> list[Instance]:
        """The executed instances with the iterators that are not seen, in the source's order."""
        waiting: dict[Instance, list[Vector]] = defaultdict(list)
        seen = {name: self._seen(name) for name in wanted}
        for name, vectors in wanted.items():
            turned, part = self.turned[name], seen[name]
            times = (lambda v, turned=turned: _times(v, turned)) if turned else None
            for vector in sorted(vectors, key=times, reverse=True):
                waiting[name, part(vector)].append(vector)
        found: list[Instance] = []
        extra: list[Instance] = []
        for name, vector in executed:
            left = waiting.get((name, seen[name](vector)))
            if left:
                found.append((name, left.pop()))
            else:
                extra.append((name, vector))
        missing = [(name, v) for (name, _), left in waiting.items() for v in left]
        if missing or extra:
            differ = f"missing {sorted(missing)[:3]}, extra {sorted(extra)[:3]}"
            raise Mismatch(f"instances differ for {dict(self.values)}: {differ}")
        return found

    def _seen(self, name: str) -> Callable[[Vector], Vector]:
        """What of a statement's vectors can be seen: all of most."""
        shown = self.shown[name]
        if [*shown] == [*range(len(self.extents[name]))]:
            return lambda vector: vector
        return lambda vector: tuple([vector[i] for i in shown])


def expect(
    scop: Scop, dependences: isl.UnionMap, visible: Mapping[str, frozenset[int]],
    values: Mapping[str, int],
) -> Expected:  # fmt: skip
    """What has to run for given parameter values; ``visible`` as in ``Control``."""
    domains, extents, shown = {}, {}, {}
    for statement in scop.statements:
        domain = fixed(statement.domain, values)
        box = extent(domain)
        if box is None:
            domains[statement.name] = domain
            extents[statement.name] = [(0, -1)] * statement.depth or [(0, -1)]
            continue
        domains[statement.name], extents[statement.name] = domain, box
    for statement in scop.statements:
        names = [v.spelling for v in statement.iterators]
        seen = visible.get(statement.name, frozenset())
        shown[statement.name] = [
            i for i, name in enumerate(names)
            if (name in statement.uses or i in seen) and name not in names[i + 1 :]
        ]  # fmt: skip
    turned = {s.name: _turned(s) for s in scop.statements}
    return Expected(domains, extents, shown, turned, values, between(dependences, values))


def _turned(statement: Statement) -> list[int]:
    """The places of a statement's iterators that grow as the source's time goes back."""
    found: list[int] = []
    times = isl.PwMultiAff.from_map(statement.schedule)
    for place in range(statement.depth):
        for entry in range(times.dim(isl.dim_type.out)):
            rates = _rates(times.get_pw_aff(entry), place)
            if any(rates):
                found += [place] if min(rates) < 0 else []
                break
    return found


def _rates(time: isl.PwAff, place: int) -> list[int]:
    """How fast an entry of the time vectors grows along an iterator."""
    rates: list[int] = []

    def note(_: isl.Set, piece: isl.Aff) -> None:
        rates.append(piece.get_coefficient_val(isl.dim_type.in_, place).get_num_si())

    time.foreach_piece(note)
    return rates


def _times(vector: Vector, turned: Sequence[int]) -> Vector:
    """A vector that grows with the source's time."""
    return tuple([-x if i in turned else x for i, x in enumerate(vector)]) if turned else vector


def fixed(domain: isl.Set, values: Mapping[str, int]) -> isl.Set:
    """A set for given values of parameters."""
    for name, value in values.items():
        place = domain.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            domain = domain.fix_val(isl.dim_type.param, place, isl.Val(value))
    return domain.project_out_all_params()


def _within(domain: isl.Set, box: Box | None) -> isl.Set:
    for place, ends in enumerate((box or ())[: domain.dim(isl.dim_type.set)]):
        if ends is not None and ends[0] > -FAR:
            domain = domain.lower_bound_val(isl.dim_type.set, place, isl.Val(ends[0]))
        if ends is not None and ends[1] < FAR:
            domain = domain.upper_bound_val(isl.dim_type.set, place, isl.Val(ends[1]))
    return domain


def _vectors(domain: isl.Set) -> list[Vector]:
    """The coordinates of all points of a bounded set."""
    if domain.is_box():
        ends = extent(domain) or []
        return list(product(*(range(low, high + 1) for low, high in ends)))
    found: list[Vector] = []
    kind, places = isl.dim_type.set, range(domain.dim(isl.dim_type.set))

    def note(point: isl.Point) -> None:
        value = point.get_coordinate_val
        found.append(tuple([value(kind, i).get_num_si() for i in places]))

    domain.foreach_point(note)
    return found


@dataclass(frozen=True)
class _Dependences:
    """The dependences between two statements for some parameter values."""

    source: str
    target: str
    relation: isl.Map

    def pairs(
        self, ran: Mapping[str, Sequence[Vector]], window: Mapping[str, Box]
    ) -> Iterator[tuple[Instance, Instance]]:
        """Dependent pairs in a window; where there are very many, those of a few instances."""
        sources, targets = ran.get(self.source, ()), ran.get(self.target, ())
        if not sources or not targets:
            return
        split = len(sources[0])
        if not window and len(sources) * len(targets) <= _PAIRS:
            for v in _vectors(self.relation.wrap().flatten()):
                yield (self.source, v[:split]), (self.target, v[split:])
            return
        last = len(sources) - 1
        for vector in sorted({sources[i * last // (_FEW - 1)] for i in range(_FEW)}):
            of_it = self.relation
            for place, value in enumerate(vector):
                of_it = of_it.fix_val(isl.dim_type.in_, place, isl.Val(value))
            near = tuple((value - _NEAR, value + _NEAR) for value in vector)
            for v in _vectors(_within(of_it.range(), _both(near, window.get(self.target)))):
                yield (self.source, vector), (self.target, v)


def _both(near: Sequence[tuple[int, int]], box: Box | None) -> Box:
    """Where two boxes meet; one may have fewer loops."""
    if box is None:
        return tuple(near)
    return tuple(
        ends if place >= len(near) else near[place] if ends is None
        else (max(ends[0], near[place][0]), min(ends[1], near[place][1]))
        for place, ends in enumerate(box)
    )  # fmt: skip


def between(dependences: isl.UnionMap, values: Mapping[str, int]) -> list[_Dependences]:
    """A region's dependences for some parameter values."""
    maps: list[isl.Map] = []
    dependences.foreach_map(maps.append)
    return [
        _Dependences(
            item.get_tuple_name(isl.dim_type.in_),
            item.get_tuple_name(isl.dim_type.out),
            fixed(item.wrap(), values).unwrap(),
        )
        for item in maps
    ]
