"""Parameters with which a region is worth measuring: large enough for the caches to matter.

Nothing says how large the arrays of a program are. What is chosen here makes a region's arrays
larger than the caches, as far as that can be run in a fraction of a second; parameters that only
say how often the arrays are swept (time steps) get a fixed value first. The user may give values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import islpy as isl

from s2s.scop.nodes import Array, Scop, Statement
from s2s.source.records import dataclass
from s2s.tuning.errors import NotMeasurable

# Sweeps over the arrays: enough to see reuse between them, and the start of a pipeline.
_SWEEPS = (64, 16, 4)
_LARGEST = 1 << 27
Point = dict[str, int]


@dataclass(frozen=True)
class Extent:
    """Smallest and largest subscript of each dimension of an array."""

    lows: tuple[int, ...]
    highs: tuple[int, ...]

    @property
    def count(self) -> int:
        pairs = zip(self.lows, self.highs, strict=True)
        return math.prod(max(0, high - low + 1) for low, high in pairs)


@dataclass(frozen=True)
class Limits:
    """Bytes that the arrays should span, and what is enough where time does not allow that.

    ``most_instances`` are statement instances, ``most_bytes`` what is not exceeded in any case.
    """

    wanted_bytes: int
    enough_bytes: int
    most_instances: float = 3e8
    most_bytes: int = 1 << 30


@dataclass
class _Search:
    """Looks for parameters of one region; ``given`` are those that the user has chosen."""

    scop: Scop
    limits: Limits
    given: Point

    def __post_init__(self) -> None:
        known = self.scop.context.intersect(self.scop.assumptions)
        for statement in self.scop.statements:
            some = known.intersect(statement.domain.params())
            known = known if some.is_empty() else some
        self.known = known.subtract(_overflowing(self.scop)).coalesce()
        self.free = [n for n in self.scop.parameter_names() if n not in self.given]

    def run(self) -> Point:
        if not self.free:
            return self._checked(self.nearest({}))
        low = self._low_ones()
        sweeps = self._sweeps(low)
        best: Point | None = None
        for count in _SWEEPS:
            wanted = dict.fromkeys(low, 0) | dict.fromkeys(sweeps, count)
            scaled = [n for n in self.free if n not in wanted]
            point = self._largest(wanted, scaled)
            if point is not None and (best is None or self._bytes(point) > self._bytes(best)):
                best = point
            if not sweeps or (best and self._bytes(best) >= self.limits.enough_bytes):
                break
        if best is None:
            small = dict.fromkeys(self.free, 16) | dict.fromkeys(sweeps, _SWEEPS[-1])
            best = self.nearest(small | dict.fromkeys(low, 0))
        return self._checked(best, "no sizes were found at which the region is worth measuring")

    def _checked(self, point: Point | None, problem: str = "") -> Point:
        if point is None:
            raise NotMeasurable(problem or "the given sizes contradict the region's assumptions")
        return point

    def _low_ones(self) -> list[str]:
        """Parameters that make the region smaller as they grow, such as lower bounds."""
        low: list[str] = []
        for name in self.free:
            wanted = dict.fromkeys(self.free, 64) | dict.fromkeys(low, 0)
            small, large = (self.nearest(wanted | {name: v}) for v in (0, 64))
            if small and (not large or self._instances(small) > self._instances(large)):
                low.append(name)
        return low

    def _sweeps(self, low: list[str]) -> list[str]:
        """Parameters that change how much is computed, but not how much memory is touched."""
        found = []
        for name in self.free:
            wanted = dict.fromkeys(self.free, 64) | dict.fromkeys(low, 0)
            one, more = (self.nearest(wanted | {name: v}) for v in (32, 64))
            if one is None or more is None or name in low:
                continue
            same = self._bytes(one) == self._bytes(more)
            if same and self._instances(one) < self._instances(more):
                found.append(name)
        return found

    def _largest(self, wanted: Point, scaled: list[str]) -> Point | None:
        """The point with the largest common value of ``scaled`` within the limits."""
        good: Point | None = None
        low, high = 1.0, float(_LARGEST)
        while high / low > 1.02:
            middle = math.sqrt(low * high)
            point = self.nearest(wanted | dict.fromkeys(scaled, int(middle)))
            if point is not None and self._fits(point):
                good, low = point, middle
            else:
                high = middle
        return good

    def _fits(self, point: Point) -> bool:
        allocated = memory(self.scop, extents(self.scop, point), point)
        return (
            allocated <= self.limits.most_bytes
            and self._bytes(point) <= self.limits.wanted_bytes
            and self._instances(point) <= self.limits.most_instances
        )

    def nearest(self, wanted: Point) -> Point | None:
        """A point of the region's parameters close to ``wanted``; None if there is none."""
        names = self.scop.parameter_names()
        left = self.known.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, len(names))
        point = {}
        for position, name in enumerate(names):
            line = left.project_out(isl.dim_type.set, position + 1, len(names) - position - 1)
            line = line.project_out(isl.dim_type.set, 0, position)
            value = self.given.get(name)
            if value is None:
                value = _nearest(line, wanted.get(name, 0))
            if value is None:
                return None
            left = left.fix_val(isl.dim_type.set, position, isl.Val(value))
            point[name] = value
        return None if left.is_empty() else point

    def _bytes(self, point: Point) -> int:
        """Bytes that are touched."""
        found = extents(self.scop, point)
        return sum(e.count * max(1, self.scop.arrays[n].element_size) for n, e in found.items())

    def _instances(self, point: Point) -> float:
        """About how many steps the region takes; a statement may have loops of its own."""
        total = 0.0
        for statement in self.scop.statements:
            domain = fixed(statement.domain, point)
            count = Extent(*_ends(domain, statement.name)).count
            if count:
                total += float(count) * self._steps(statement, domain.lexmax(), point)
        return total

    def _steps(self, statement: Statement, last: isl.Set, point: Point) -> int:
        """How many elements of one array the last instance of a statement touches."""
        most = 1
        for access in statement.accesses:
            array = self.scop.arrays[access.array]
            if array.rank:
                touched = fixed_map(access.relation, point).intersect_domain(last).range()
                within = _within(self.scop, touched, array, point)
                most = max(most, Extent(*_ends(within, array.spelling)).count)
        return most


def _overflowing(scop: Scop) -> isl.Set:
    """Parameters for which the region leaves an array that is declared with all its sizes."""
    found = isl.Set.empty(scop.context.get_space())
    for statement in scop.statements:
        for access in statement.accesses:
            declared = _declared(scop, scop.arrays[access.array])
            if declared is not None and access.exact:
                image = access.relation.intersect_domain(statement.domain).range()
                found = found.union(image.subtract(declared).params())
    return found


def _declared(scop: Scop, array: Array) -> isl.Set | None:
    """The elements of an array that is declared with all its sizes."""
    if not array.rank or len(array.sizes) != array.rank or None in array.sizes:
        return None
    names = ", ".join(scop.parameter_names())
    subscripts = [f"i{k}" for k in range(array.rank)]
    bounds = " and ".join(
        f"0 <= {i} < {size}" for i, size in zip(subscripts, array.sizes, strict=True)
    )
    return isl.Set(f"[{names}] -> {{ {array.name}[{', '.join(subscripts)}] : {bounds} }}")


def _within(scop: Scop, touched: isl.Set, array: Array, point: Mapping[str, int]) -> isl.Set:
    """Of elements that may be touched those that the array has, as far as that is declared."""
    declared = _declared(scop, array)
    return touched if declared is None else touched.intersect(fixed(declared, point))


def choose(scop: Scop, limits: Limits, given: Mapping[str, int]) -> Point:
    """Values of all parameters (by isl name). ``given`` has some by isl name or by spelling.

    Raises NotMeasurable.
    """
    spelled = {p.spelling: p.name for p in scop.parameters}
    names = {spelled.get(name, name): value for name, value in given.items()}
    mine = {name: value for name, value in names.items() if name in scop.parameter_names()}
    point = _Search(scop, limits, mine).run()
    total = memory(scop, extents(scop, point), point)
    if total > limits.most_bytes:
        raise NotMeasurable(f"its arrays take {total >> 20} MiB")
    return point


def extents(scop: Scop, point: Mapping[str, int]) -> dict[str, Extent]:
    """Which subscripts of each array the region touches at a point. Raises NotMeasurable."""
    touched: dict[str, isl.Set] = {}
    for statement in scop.statements:
        domain = fixed(statement.domain, point)
        for access in statement.accesses:
            if scop.arrays[access.array].rank:
                image = fixed_map(access.relation, point).intersect_domain(domain).range()
                image = _within(scop, image, scop.arrays[access.array], point)
                known = touched.get(access.array)
                touched[access.array] = image if known is None else known.union(image)
    return {
        name: Extent(*_ends(image, scop.arrays[name].spelling)) for name, image in touched.items()
    }


def elements(
    scop: Scop, found: Mapping[str, Extent], point: Mapping[str, int]
) -> dict[str, tuple[int, int]]:
    """How many elements an array has to have for these extents, and how many before subscript 0.

    That is whole rows of all that is between the first and the last element.
    """
    result = {}
    for name, extent in found.items():
        inner = 1
        for high, size in zip(extent.highs[1:], scop.arrays[name].sizes[1:], strict=False):
            inner *= max(1, high + 1 if size is None else _value(scop, size, point))
        result[name] = max(1, extent.highs[0] + 1) * inner, max(0, -extent.lows[0]) * inner
    return result


def memory(scop: Scop, found: Mapping[str, Extent], point: Mapping[str, int]) -> int:
    """Bytes of memory in which the arrays have these extents."""
    counts = elements(scop, found, point)
    return sum(
        (count + before) * max(1, scop.arrays[name].element_size)
        for name, (count, before) in counts.items()
    )


def _value(scop: Scop, text: str, point: Mapping[str, int]) -> int:
    """What an inner size is at a point."""
    names = ", ".join(scop.parameter_names())
    value = fixed(isl.Set(f"[{names}] -> {{ [i] : i = {text} }}"), point)
    return _coordinate(value) if not value.is_empty() else 0


def fixed(domain: isl.Set, point: Mapping[str, int]) -> isl.Set:
    """The set with values for its parameters."""
    for name, value in point.items():
        place = domain.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            domain = domain.fix_val(isl.dim_type.param, place, isl.Val(value))
    return domain.project_out_all_params()


def fixed_map(relation: isl.Map, point: Mapping[str, int]) -> isl.Map:
    """The relation with values for its parameters."""
    for name, value in point.items():
        place = relation.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            relation = relation.fix_val(isl.dim_type.param, place, isl.Val(value))
    return relation.project_out_all_params()


def _ends(values: isl.Set, what: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Smallest and largest value of each dimension. Raises NotMeasurable where there is none."""
    count = values.dim(isl.dim_type.set)
    if values.is_empty():
        return (0,) * count, (-1,) * count
    if not values.is_bounded():
        raise NotMeasurable(f"how much of '{what}' is used depends on data")
    lows = (values.dim_min_val(i).floor().to_python() for i in range(count))
    highs = (values.dim_max_val(i).floor().to_python() for i in range(count))
    return tuple(lows), tuple(highs)


def _nearest(line: isl.Set, wanted: int) -> int | None:
    """The largest value of a one-dimensional set up to ``wanted``, or else the smallest."""
    if line.is_empty():
        return None
    below = line.upper_bound_val(isl.dim_type.set, 0, isl.Val(wanted))
    below = below.lower_bound_val(isl.dim_type.set, 0, isl.Val(-wanted - 1))
    if not below.is_empty():
        return _coordinate(below.lexmax())
    above = line.lower_bound_val(isl.dim_type.set, 0, isl.Val(wanted))
    return None if above.is_empty() else _coordinate(above.lexmin())


def _coordinate(value: isl.Set) -> int:
    number: int = value.sample_point().get_coordinate_val(isl.dim_type.set, 0).to_python()
    return number
