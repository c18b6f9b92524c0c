"""Unroll-and-jam of loops around a vector loop.

::

    for i: for k: for j: S      for i in steps of 2: for k in steps of 4: {
                                  whole: for j: { S(i, k); S(i, k + 1); ...; S(i + 1, k + 3); }
                                  rest:  for i: for k: for j: S }

Callahan, Carr and Kennedy, "Improving register allocation for subscripted variables", 1990, section
3; whole tiles are told from partial ones by their points, so that loop nests need not be boxes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import islpy as isl

from s2s.scop.nodes import Scop
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.transforms.errors import NothingToGain

# The dimension before the innermost loop of whole tiles; not zero in whole tiles.
_NEST = "nest"


def unroll_and_jam(
    scop: Scop, factors: Mapping[int, int], statements: frozenset[str], *,
    part: int, rest_first: bool, together: bool = False,
) -> Scop:  # fmt: skip
    """Unroll dimensions of the target schedule inside its innermost loop, by ``factors``.

    Only ``statements``, which have all of the schedule's loops, are jammed. The others, and what of
    these does not fill tiles, keep the schedule's order inside of a tile. Dimension ``part`` tells
    distributed statements apart: after it, others than ``statements`` are not tiled.
    ``rest_first`` says whether a tile's rest comes first or last, ``together`` whether all parts
    of a tile come before the next one also where two loops are unrolled. Raises NotApplicable where
    no statement fills a tile.
    """
    assert scop.target is not None
    form = _Form(scop.target, dict(factors), part, rest_first, together)
    maps, filled = {}, False
    for place, statement in enumerate(scop.statements):
        domain = statement.domain.intersect_params(scop.context)
        times = scop.target.maps[statement.name].intersect_domain(domain)
        jammed = statement.name in statements
        rest = times
        if jammed:
            whole = whole_tiles(times.range(), factors)
            filled = filled or not whole.is_empty()
            rest = times.subtract_range(whole)
            inside = times.intersect_range(whole).apply_range(form.whole(place + 1))
        times = rest.apply_range(form.rest(tiled=jammed))
        maps[statement.name] = times.union(inside).coalesce() if jammed else times
    if not filled:
        raise NothingToGain(scop.span, "the loops are too short to be unrolled")
    return replace(scop, target=Schedule(maps, form.dimensions()))


def whole_tiles(times: isl.Set, factors: Mapping[int, int]) -> isl.Set:
    """The points of those tiles, ``factors`` wide, that belong to ``times`` as a whole."""
    if _is_convex(times):
        return _with_all_corners(times, factors)
    whole = _without_gaps(times, factors)
    if times.n_basic_set() > 1:
        return whole
    # In one piece, where the gaps make no difference: isl makes loops of it twice as fast.
    between = _with_all_corners(times, factors)
    return between if between.is_equal(whole) else whole


def _is_convex(times: isl.Set) -> bool:
    """Whether a set has all integer points between any of its points: one piece, no modulos."""
    pieces = times.get_basic_set_list()
    return times.n_basic_set() == 1 and pieces.get_at(0).dim(isl.dim_type.div) == 0


def _without_gaps(times: isl.Set, factors: Mapping[int, int]) -> isl.Set:
    """The points in whose tiles no point is lacking."""
    count = times.dim(isl.dim_type.set)
    inputs = ", ".join(f"d{i}" for i in range(count))
    outputs = ", ".join(
        f"floor(d{i}/{factors[i]})" if i in factors else f"d{i}" for i in range(count)
    )
    tiles = isl.Map(f"{{ [{inputs}] -> [{outputs}] }}")
    box = times.apply(tiles).apply(tiles.reverse())
    partial = box.subtract(times).apply(tiles).apply(tiles.reverse())
    return times.subtract(partial).coalesce()


def _with_all_corners(times: isl.Set, factors: Mapping[int, int]) -> isl.Set:
    """The points whose tiles have all their corners in ``times``.

    Of a convex set these are the whole tiles.
    """
    inputs = [f"d{i}" for i in range(times.dim(isl.dim_type.set))]
    result = times
    for ends in product(*((0, factor - 1) for factor in factors.values())):
        corner = list(inputs)
        for (place, factor), end in zip(factors.items(), ends, strict=True):
            corner[place] = f"{factor}*floor({inputs[place]}/{factor}) + {end}"
        to_corner = isl.Map(f"{{ [{', '.join(inputs)}] -> [{', '.join(corner)}] }}")
        result = result.intersect(to_corner.intersect_range(times).domain())
    return result.coalesce()


def vector_dimension(schedule: Schedule) -> int:
    """The place of the innermost loop of whole tiles in a schedule made here."""
    return next(i for i, d in enumerate(schedule.dimensions) if d.name == _NEST) + 1


class _Form:
    """The time vectors: tiles; whole or rest; the whole part's loops; the rest's loops."""

    def __init__(
        self, schedule: Schedule, factors: dict[int, int], part: int, rest_first: bool,
        together: bool,
    ) -> None:  # fmt: skip
        self.base = schedule
        self.factors = factors
        self.part = part
        self.rest_first = rest_first
        # With one loop unrolled, distributed statements stand one after the other in its tiles.
        inside = (together or len(factors) == 1) and max(factors) < part
        self.tiles = (part if inside else max(factors)) + 1
        self.count = len(schedule.dimensions)

    def whole(self, place: int) -> isl.Map:
        """From base times to times in a tile that is filled."""
        inner = [f"d{i}" for i in (self.count - 1, *sorted(self.factors))]
        kind = "1" if self.rest_first else "0"
        return self._map([*self._prefix(True), kind, str(place), *inner, *["0"] * self.count])

    def rest(self, *, tiled: bool) -> isl.Map:
        """From base times to times in other tiles, or of a statement that is not jammed."""
        kind = "0" if self.rest_first else "1"
        zeros = ["0"] * (2 + len(self.factors))
        return self._map(
            [*self._prefix(tiled), kind, *zeros, *(f"d{i}" for i in range(self.count))]
        )

    def _prefix(self, tiled: bool) -> list[str]:
        entries = []
        for i in range(self.tiles):
            behind = i > self.part and not tiled
            entry = f"floor(d{i}/{self.factors[i]})" if i in self.factors else f"d{i}"
            entries.append("0" if behind else entry)
        return entries

    def _map(self, outputs: list[str]) -> isl.Map:
        inputs = ", ".join(f"d{i}" for i in range(self.count))
        return isl.Map(f"{{ [{inputs}] -> [{', '.join(outputs)}] }}")

    def dimensions(self) -> tuple[Dimension, ...]:
        names = [d.name for d in self.base.dimensions]
        outer = [
            Dimension(f"{n}_tile" if i in self.factors else f"{n}_o", Role.BAND)
            for i, n in enumerate(names[: self.tiles])
        ]
        middle = [Dimension(name, Role.BAND, unroll=True) for name in ("rest", _NEST)]
        vector = Dimension(names[-1], Role.BAND)
        written = [Dimension(names[i], Role.BAND, unroll=True) for i in sorted(self.factors)]
        rest = [Dimension(f"{n}_r", Role.ORDER) for n in names]
        return (*outer, *middle, vector, *written, *rest)
