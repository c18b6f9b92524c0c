"""Parameter values and windows of iterations for which emitted code is executed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from s2s.net.arithmetic import FAR
from s2s.net.control import Box
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Role

# How many iterations loops have that are not tiled.
_USUAL = 8


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
    few more than the outermost tile or chunk.
    """
    names = [p.name for p in scop.parameters]
    if not names:
        yield Sample({}, 3, 8)
        return
    spans, known = _Spans.of(scop, known), _from_zero(known, len(names))
    tiles, first = _tile_sizes(scop, len(spans.spans))
    alternating = [2 * t + 1 if i % 2 else max(2, t - 2) for i, t in enumerate(tiles)]
    wanted = [
        ([4] * len(tiles), 3, 3),
        (alternating, 16, 2),
        ([*tiles], 2, 3),
    ]
    if first:
        wanted += [([first + 1, *(t + 3 for t in tiles[1:])], 1, 3)]
        # So many threads that strips are narrower than a tile, and the last one is a part.
        many = first // max(1, tiles[0] - 1) + 1
        wanted += [([first + 7, *(2 * t + 3 for t in tiles[1:])], many, 4)]
    seen: set[tuple[int, ...]] = set()
    for number, (counts, threads, windows_) in enumerate(wanted):
        point = spans.point(known, counts, number)
        if point is not None and point not in seen:
            seen.add(point)
            yield Sample(dict(zip(names, point, strict=True)), threads, windows_)


def _tile_sizes(scop: Scop, depth: int) -> tuple[list[int], int]:
    """About how many iterations of each loop are in a tile, and in the outermost tile or chunk."""
    tiled = [d for d in scop.target.dimensions if d.role is Role.TILE] if scop.target else []
    sizes = {d.band or 0: d.size for d in tiled}
    first = max((d.size for d in tiled[:1] if d.size > 1), default=0)
    return [min(sizes.get(place, _USUAL), 2 * _USUAL) for place in range(depth)], first


def _from_zero(known: isl.Set, count: int) -> isl.Set:
    """Parameters as a set, those that are not negative where there are such."""
    known = known.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, count)
    near = known
    for place in range(count):
        near = near.lower_bound_val(isl.dim_type.set, place, isl.Val(0))
    return known if near.is_empty() else near


@dataclass(frozen=True)
class _Spans:
    """How many iterations each loop of the deepest statement has, less one, by the parameters."""

    spans: tuple[isl.PwAff, ...]
    count: int

    @classmethod
    def of(cls, scop: Scop, known: isl.Set) -> _Spans:
        deepest = max(scop.statements, key=lambda s: s.depth)
        domain = deepest.domain.intersect_params(known)
        places = range(deepest.depth)
        return cls(
            tuple(domain.dim_max(i).sub(domain.dim_min(i)) for i in places), len(scop.parameters)
        )

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


def volume(box: Sequence[tuple[int, int]]) -> int:
    """How many points a box has."""
    result = 1
    for low, high in box:
        result *= high - low + 1
    return result


def windows(
    extents: Mapping[str, Sequence[tuple[int, int]]],
    shown: Mapping[str, Sequence[int]],
    seed: str,
    count: int,
    most: int,
) -> Iterator[dict[str, Box]]:
    """``count`` boxes of about ``most`` instances in all statements, at the same places of each loop.

    One window after the other is long along other loops; along those that cannot be told apart
    by the ``shown`` iterators a window has all iterations.
    """
    rng = random.Random(seed)
    depth = max((len(e) for e in extents.values()), default=0)
    around = [_around([e[p] for e in extents.values() if len(e) > p]) for p in range(depth)]
    for at in ("low", "high", *["any"] * (count - 2)):
        order = rng.sample(range(depth), depth)
        hidden = max(
            (volume([b for i, b in enumerate(e) if i not in shown[n]]) for n, e in extents.items()),
            default=1,
        )
        room = max(1, most // (hidden * max(1, len(extents))))
        parts: dict[int, tuple[int, int]] = {}
        for left, place in zip(range(depth, 0, -1), order, strict=True):
            low, high = around[place]
            widest = room if left == 1 else max(2, round(room ** (0.7 if at == "any" else 1 / left)))
            width = min(high - low + 1, widest)
            room = max(1, room // width)
            start = {"low": low, "high": high - width + 1}.get(at)
            if start is None:
                start = rng.choice((low, high - width + 1, rng.randint(low, high - width + 1)))
            end = start + width - 1
            # What runs before the first iteration or behind the last one is wrong.
            parts[place] = (-FAR if start == low else start, FAR if end == high else end)
        yield {
            name: tuple(parts[p] if p in shown[name] else None for p in range(len(e)))
            for name, e in extents.items()
        }


def _around(ends: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(low for low, _ in ends), max(high for _, high in ends)
