"""Parameter values and windows of iterations for which emitted code is executed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

import islpy as isl

from s2s.net.arithmetic import FAR
from s2s.net.control import Box
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Role
from s2s.source.records import dataclass

# How many iterations loops have that are not tiled.
_USUAL = 8
# So many statements with sizes of their own are looked at.
_MOST_SPANS = 3


@dataclass(frozen=True)
class Sample:
    """Values of the parameters, by isl name, and the number of threads."""

    values: Mapping[str, int]
    threads: int
    windows: int
    """How many windows to look at where it is too large to be executed as a whole."""


def samples(scop: Scop, known: isl.Set) -> Iterator[Sample]:
    """Parameter values for which the new code runs, and numbers of threads.

    Loops have few iterations, less and more than a tile in turn, as many as a tile, and one or a
    few more than the outermost tile or chunk; then those of statements that have other sizes.
    """
    names = [p.name for p in scop.parameters]
    if not names:
        yield Sample({}, 3, 8)
        return
    (spans, *others), known = _Spans.all(scop, known), _from_zero(known, len(names))
    tiles, first = _tile_sizes(scop, len(spans.spans))
    alternating = [2 * t + 1 if i % 2 else max(2, t - 2) for i, t in enumerate(tiles)]
    wanted = [
        ([4] * len(tiles), 3, 3),
        (alternating, 16, 2),
        ([*tiles], 2, 3),
    ]
    if first and tiles:
        wanted += [([first + 1, *(t + 3 for t in tiles[1:])], 1, 3)]
        # So many threads that strips are narrower than a tile, and the last one is a part.
        many = first // max(1, tiles[0] - 1) + 1
        wanted += [([first + 7, *(2 * t + 3 for t in tiles[1:])], many, 4)]
    beyond = [(counts, 2, 4) for counts in _beyond_wide_tiles(scop, len(tiles))]
    wanted += beyond
    seen: set[tuple[int, ...]] = set()
    tried = [(spans, *one) for one in wanted]
    tried += [(other, *one) for other in others for one in [(alternating, 2, 2), *beyond]]
    for number, (of, counts, threads, windows_) in enumerate(tried):
        point = of.point(known, counts, number)
        if point is not None and point not in seen:
            seen.add(point)
            yield Sample(dict(zip(names, point, strict=True)), threads, windows_)


def _tile_sizes(scop: Scop, depth: int) -> tuple[list[int], int]:
    """About how many iterations of each loop are in a tile, and in the outermost tile or chunk."""
    tiled = [d for d in scop.target.dimensions if d.role is Role.TILE] if scop.target else []
    sizes = {d.band or 0: d.size for d in tiled if d.band is not None or len(tiled) == 1}
    first = max((d.size for d in tiled[:1] if d.size > 1), default=0)
    return [min(sizes.get(place, _USUAL), 2 * _USUAL) for place in range(depth)], first


def _beyond_wide_tiles(scop: Scop, depth: int) -> Iterator[list[int]]:
    """For each tile of more iterations than other samples have a few of all loops but its own.

    Where it is not known which loop a tile cuts, it is the innermost one.
    """
    tiled = [d for d in scop.target.dimensions if d.role is Role.TILE] if scop.target else []
    for dimension in tiled[1:]:
        if dimension.size > 2 * _USUAL:
            place = depth - 1 if dimension.band is None else dimension.band
            yield [dimension.size + 3 if i == place else 4 for i in range(depth)]


def _from_zero(known: isl.Set, count: int) -> isl.Set:
    """Parameters as a set, those that are not negative where there are such."""
    known = known.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, count)
    near = known
    for place in range(count):
        near = near.lower_bound_val(isl.dim_type.set, place, isl.Val(0))
    return known if near.is_empty() else near


@dataclass(frozen=True)
class _Spans:
    """How many iterations each loop of a deepest statement has, less one, by the parameters."""

    spans: tuple[isl.PwAff, ...]
    count: int

    @classmethod
    def all(cls, scop: Scop, known: isl.Set) -> list[_Spans]:
        """Those of the first deepest statement, and of a few that depend on other parameters."""
        depth = max(statement.depth for statement in scop.statements)
        found: list[_Spans] = []
        seen: set[str] = set()
        for statement in scop.statements:
            if statement.depth == depth and len(found) < _MOST_SPANS:
                domain = statement.domain.intersect_params(known)
                ends = ((domain.dim_min(i), domain.dim_max(i)) for i in range(depth))
                spans = tuple(high.sub(low) for low, high in ends)
                named = {name for span in spans for name in _parameters(span)}
                if not found or not named <= seen:
                    found.append(cls(spans, len(scop.parameters)))
                    seen |= named
        return found

    def point(self, near: isl.Set, counts: Sequence[int], least: int) -> tuple[int, ...] | None:
        """Small parameters for which loops have so many iterations, or about so many.

        Those that do not matter are at least ``least``.
        """
        for span, count in zip(self.spans, counts, strict=True):
            for relation in ("eq_set", "ge_set"):
                goal = isl.PwAff(f"{{ [{count - 1}] }}").align_params(span.get_space())
                held = getattr(span, relation)(goal)
                held = held.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, self.count)
                closer = near.intersect(held)
                if not closer.is_empty():
                    near = closer
                    break
        if near.is_empty():
            return None
        values = []
        for place in range(self.count):
            larger = near.lower_bound_val(isl.dim_type.set, place, isl.Val(least))
            value = _least(near if larger.is_empty() else larger, place)
            near = near.fix_val(isl.dim_type.set, place, isl.Val(value))
            values.append(value)
        return tuple(values)


def _parameters(value: isl.PwAff) -> Iterator[str]:
    """The parameters that a value is computed from."""
    for _, piece in value.get_pieces():
        for place in range(piece.dim(isl.dim_type.param)):
            if piece.involves_dims(isl.dim_type.param, place, 1):
                yield str(piece.get_dim_name(isl.dim_type.param, place))


def _least(points: isl.Set, place: int) -> int:
    """The smallest value of a dimension; ``dim_min_val`` need not be an integer."""
    line = points.project_out(
        isl.dim_type.set, place + 1, points.dim(isl.dim_type.set) - place - 1
    ).project_out(isl.dim_type.set, 0, place)
    point = line.lexmin().sample_point()
    return int(point.get_coordinate_val(isl.dim_type.set, 0).to_python())


def extent(domain: isl.Set) -> list[tuple[int, int]] | None:
    """The smallest box around a bounded set without parameters; None for an empty one."""
    if domain.is_empty():
        return None
    found = []
    for place in range(domain.dim(isl.dim_type.set)):
        low, high = domain.dim_min_val(place), domain.dim_max_val(place)
        found.append((low.ceil().get_num_si(), high.floor().get_num_si()))
    return found


def volume(box: Iterable[tuple[int, int]]) -> int:
    """How many points a box has."""
    result = 1
    for low, high in box:
        result *= high - low + 1
    return result


Ends = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Windows:
    """Boxes of about ``most`` instances in all statements, at the same places of each loop.

    ``extents`` are the boxes around the statements' domains. Along loops that cannot be told apart
    by the ``shown`` iterators a window has all iterations.
    """

    extents: Mapping[str, Ends]
    shown: Mapping[str, Sequence[int]]
    most: int

    def drawn(self, count: int, rng: random.Random) -> Iterator[dict[str, Box]]:
        """One at the first iterations, one at the last ones, others long along a few loops."""
        for at in ("low", "high", *["any"] * (count - 2)):
            parts = self._parts(at, rng)
            yield {
                name: tuple(parts[p] if p in self.shown[name] else None for p in range(len(ends)))
                for name, ends in self.extents.items()
            }

    def instances(self, window: Mapping[str, Box]) -> int:
        """How many points all boxes of a window have that are in the extents."""
        return sum(volume(self._within(name, box)) for name, box in window.items())

    def _within(self, name: str, box: Box) -> Iterator[tuple[int, int]]:
        """The part of a statement's extents that is in a box."""
        for (low, high), part in zip(self.extents[name], box, strict=True):
            start, end = (low, high) if part is None else (max(low, part[0]), min(high, part[1]))
            yield start, max(start - 1, end)

    def _parts(self, at: str, rng: random.Random) -> dict[int, tuple[int, int]]:
        """From where to where each loop is in a window."""
        around, room = self._around(), self._room()
        parts: dict[int, tuple[int, int]] = {}
        for left, place in zip(
            range(len(around), 0, -1), rng.sample(range(len(around)), len(around)), strict=True
        ):
            low, high = around[place]
            share = 1 if left == 1 else 0.7 if at == "any" else 1 / left
            width = min(high - low + 1, max(1 if left == 1 else 2, round(room**share)))
            room = max(1, room // width)
            last = high - width + 1
            start = {"low": low, "high": last}.get(at)
            if start is None:
                start = rng.choice((low, last, rng.randint(low, last)))
            end = start + width - 1
            # What runs before the first iteration or after the last one is wrong.
            parts[place] = (-FAR if start == low else start, FAR if end == high else end)
        return parts

    def _around(self) -> list[tuple[int, int]]:
        """The box around all statements."""
        depth = max((len(ends) for ends in self.extents.values()), default=0)
        columns = [[e[p] for e in self.extents.values() if len(e) > p] for p in range(depth)]
        return [(min(low for low, _ in c), max(high for _, high in c)) for c in columns]

    def _room(self) -> int:
        """How many values the shown iterators of a statement may have together."""
        hidden = [
            volume([box for i, box in enumerate(ends) if i not in self.shown[name]])
            for name, ends in self.extents.items()
        ]
        return max(1, self.most // (max(hidden, default=1) * max(1, len(hidden))))
