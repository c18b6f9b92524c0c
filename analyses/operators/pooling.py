"""Pooling found by what a program's outputs are made of, however it is written.

A program is run on symbols; then each element of an output is the largest, or a sum, of elements of
an image, or an image's element is a sum of gradients (``gather``). That these are windows is found
by trying: which of the loops go along the image, with what strides, kernels, padding. What was
looked at is compared whole; the text that is made is executed against the program besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, permutations, product
from math import gcd

from s2s.analyses.operators.axes import Seen, fit_axis
from s2s.analyses.operators.gather import Windows, gather
from s2s.analyses.operators.marks import Loops, Step, with_masks, with_numbers
from s2s.scop.pooling import Axis, Kind, Places, Pooling
from s2s.scop.symbols import NotSymbolic
from s2s.scop.trace import Trace


def find_pooling(trace: Trace) -> Pooling:
    """The pooling that a program computes. Raises NotSymbolic."""
    seen = gather(trace)
    # The machine's lanes are channels: as many as possible, then windows of two dimensions.
    return _in_layout(_named(trace, seen, max(_readings(trace, seen), key=_usual)))


def read_maxima(trace: Trace) -> list[Pooling]:
    """The ways to read a program as maxima of windows, with what these begin with exactly.

    Raises NotSymbolic where there is none.
    """
    seen = gather(trace, exact=True)
    if seen.kind is not Kind.MAX or seen.backward or seen.masks:
        raise NotSymbolic("no maximum over windows")
    return [_named(trace, seen, one) for one in _readings(trace, seen)]


def _readings(trace: Trace, seen: Windows) -> list[Pooling]:
    """What windows may be of what image, one or more ways. Raises NotSymbolic."""
    seen, extents = _told_apart(seen, trace.extents)
    seen = _forwards(seen, extents)
    found = _fit(seen, extents)
    if not found:
        raise NotSymbolic(f"what '{seen.windows}' is made of are no windows of '{seen.image}'")
    return found


def _named(trace: Trace, seen: Windows, found: Pooling) -> Pooling:
    element = str(trace.types[seen.image])
    return replace(
        found, name=trace.name, element=element, accumulates=seen.accumulates, least=seen.least,
        outside=seen.outside,
    )  # fmt: skip


def _told_apart(seen: Windows, extents: Mapping[str, int]) -> tuple[Windows, Mapping[str, int]]:
    """With a loop more where iterations have several windows, which a copy of memory began."""
    groups: dict[tuple[tuple[str, int], ...], list[int]] = {}
    for window, names in sorted(seen.where.items()):
        groups.setdefault(tuple(sorted(names.items())), []).append(window)
    counts = {len(group) for group in groups.values()}
    steps = {b - a for group in groups.values() for a, b in pairwise(group)}
    if len(counts) != 1 or len(steps) != 1:
        return seen, extents
    where = {w: {**seen.where[w], "": k} for group in groups.values() for k, w in enumerate(group)}
    return replace(seen, where=where), {**extents, "": counts.pop()}


def _forwards(seen: Windows, extents: Mapping[str, int]) -> Windows:
    """With the iterations of loops that go back, in the image and in its windows, the other way."""
    steps = _steps(seen, extents) or ()
    back = [step.name for step in steps if step.image < 0 and step.window < 0]
    if not back:
        return seen
    last = {name: max(names[name] for names in seen.where.values()) for name in back}
    where = {
        window: {**names, **{name: last[name] - names[name] for name in back}}
        for window, names in seen.where.items()
    }
    return replace(seen, where=where)


# ---- windows along two loops


def _fit(seen: Windows, extents: Mapping[str, int]) -> list[Pooling]:
    full = max(seen.points.values(), key=len)
    pitches = list(_pitches(sorted(full)))
    steps = _steps(seen, extents)
    if steps is None:
        return []
    found: list[Pooling] = []
    for parts in product(_PARTS, _PARTS) if seen.backward else ((1, 1),):
        found += [
            pooling
            for px, py in pitches
            for x, y in _choices(steps, px, py)
            if (pooling := _try(seen, steps, x, y, px, py, parts)) is not None
        ]
        if found:
            break
    return found


_MOST_POINTS = 256
"""Points of a window that are tried as several rows where they could be one."""
_PARTS = (1, 2, 3, 4)
"""Of lines, or of points of a line: those between two that windows have, and one."""


def _usual(pooling: Pooling) -> tuple[bool, bool, int, int, int]:
    """What to prefer: windows close together, without dilation, in full lanes, without points
    that no window has, many in an image.
    """
    axes = (pooling.y, pooling.x)
    is_close = all(axis.stride <= 2 * axis.reach or axis.count == 1 for axis in axes)
    is_dense = all(axis.dilation == 1 for axis in axes)
    points = pooling.batch * pooling.channels * pooling.y.size * pooling.x.size
    windows = pooling.y.count * pooling.x.count
    return is_close, is_dense, min(pooling.channels, 16), -points, windows


def _pitches(points: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Steps along a window's row and from row to row; 0: there is one point, one row."""
    if len(points) == 1:
        yield 0, 0
        return
    across = points[1] - points[0]
    run = 1
    while run < len(points) and points[run] - points[run - 1] == across:
        run += 1
    yield across, (points[run] - points[0] if run < len(points) else 0)
    if run == len(points) <= _MOST_POINTS:
        # Windows as wide as the image: their rows follow each other.
        for width in range(2, run // 2 + 1):
            if run % width == 0:
                yield across, across * width


def _steps(seen: Windows, extents: Mapping[str, int]) -> list[Step] | None:
    """The loops around windows, by what one more iteration changes; None where this varies."""
    by_place: dict[tuple[tuple[str, int], ...], int] = {}
    places: dict[str, set[int]] = {}
    for window, names in seen.where.items():
        by_place[tuple(sorted(names.items()))] = window
        for name, value in names.items():
            places.setdefault(name, set()).add(value)
    found = []
    for name in sorted(set(places) & set(extents)):
        moves: set[int] = set()
        shifts: dict[int, int] = {}
        ends: list[int] = []
        for key, window in by_place.items():
            names = dict(key)
            after = tuple(sorted({**names, name: names[name] + 1}.items()))
            other = by_place.get(after)
            if other is None:
                continue
            moves.add(other - window)
            one, two = sorted(seen.points[window]), sorted(seen.points[other])
            shift = two[0] - one[0]
            if [k + shift for k in one] == two:
                shifts[shift] = shifts.get(shift, 0) + len(one)
            else:
                ends.extend(k for k in (shift, two[-1] - one[-1]) if k > 0)
        if len(places[name]) > 1:
            if len(moves) != 1:
                return None
            # Windows of which all have different numbers of points are cut off at one end.
            shift = max(shifts, key=lambda s: shifts[s]) if shifts else _most_frequent(ends)
            found.append(Step(name, extents[name], moves.pop(), shift))
    return found


def _most_frequent(shifts: Sequence[int]) -> int:
    """The smallest one of those that come most often; 0 where there is none."""
    return max(sorted(set(shifts)), key=shifts.count, default=0)


def _choices(steps: Sequence[Step], px: int, py: int) -> Iterator[tuple[Step | None, Step | None]]:
    """Which loop goes along x and which along y, the likely ones first."""
    ordered = sorted(steps, key=lambda s: abs(s.image) or 1 << 60)
    pairs: list[tuple[Step | None, Step | None]] = list(permutations(ordered, 2))
    pairs += [(one, None) for one in ordered] + [(None, one) for one in ordered] + [(None, None)]
    for x, y in pairs:
        if py and x is not None and abs(x.image) >= py and y is None:
            continue
        yield x, y


def _try(
    seen: Windows, steps: Sequence[Step], x: Step | None, y: Step | None, px: int, py: int,
    parts: tuple[int, int],
) -> Pooling | None:  # fmt: skip
    """The pooling with these loops along the image, where all that was seen agrees.

    ``parts`` are those of lines and points: backward some may get no gradients.
    """
    planes = [s for s in steps if s is not x and s is not y]
    if any(s.image == 0 for s in planes):
        return None
    if x is not None and x.image:
        px = gcd(px, x.image)
    px = px or 1
    line = gcd(py, y.image) if py and y is not None else py or _line_of(seen, y, px)
    px = gcd(px, line) if py or y else px  # a line has a whole number of points
    if line % parts[0] or px % parts[1]:
        return None
    line, px = line // parts[0], px // parts[1]
    start = _start(seen, steps, planes, x, y, px, line)
    if start is None:
        return None
    seen_y, seen_x = Seen(), Seen()
    for window, names in seen.where.items():
        base = start + sum(s.image * names[s.name] for s in planes)
        rows: dict[int, set[int]] = {}
        for point in seen.points[window]:
            row, column = divmod(point - base, line)
            if column % px:
                return None
            rows.setdefault(row, set()).add(column // px)
        columns = next(iter(rows.values()))
        if any(other != columns for other in rows.values()):
            return None
        if not seen_y.add(names[y.name] if y else 0, rows.keys()):
            return None
        if not seen_x.add(names[x.name] if x else 0, columns):
            return None
    axes = [
        fit_axis(one, step.extent if step else 1, limit)
        for one, step, limit in (
            (seen_y, y, _lines_of(seen, planes, start, line)),
            (seen_x, x, line // px if py or y else _lines_of(seen, planes, start, px)),
        )
    ]
    if axes[0] is None or axes[1] is None:
        return None
    if seen.backward and not _covers(seen, planes, axes[0].size, axes[1].size, start, px, line):
        return None
    return _make(seen, steps, planes, x, y, axes[0], axes[1], start, px, line)


def _lines_of(seen: Windows, planes: Sequence[Step], start: int, line: int) -> int | None:
    """Lines of an image of gradients, in which some may get none."""
    if not seen.stored:
        return None
    larger = [s.image for s in planes if s.image >= line]
    whole = (max(seen.stored) - start) // line + 1
    return min([whole, *(step // line for step in larger)])


def _covers(
    seen: Windows, planes: Sequence[Step], lines: int, points: int, start: int, px: int, line: int
) -> bool:
    """Whether every element that the program stores is a point of the image."""
    places = {start}
    for extent, step in (*((s.extent, s.image) for s in planes), (lines, line), (points, px)):
        places = {p + k * step for p in places for k in range(extent)}
    return seen.stored <= places


def _line_of(seen: Windows, y: Step | None, px: int) -> int:
    """Elements of a line where windows have one row: as the loop along y goes on."""
    if y is not None and y.image:
        return abs(y.image)
    return (max(k for points in seen.points.values() for k in points) + 1) * px + 1


def _start(
    seen: Windows, steps: Sequence[Step], planes: Sequence[Step],
    x: Step | None, y: Step | None, px: int, line: int,
) -> int | None:  # fmt: skip
    """The image's first element: no point lies before it, in its plane and in its line."""
    lowest = min(
        min(points) - sum(s.image * seen.where[w][s.name] for s in planes)
        for w, points in seen.points.items()
    )
    if any(s.image < 0 for s in steps):
        return None
    return min(lowest, *seen.stored) if seen.stored else lowest


def _make(
    seen: Windows, steps: Sequence[Step], planes: Sequence[Step], x: Step | None,
    y: Step | None, axis_y: Axis, axis_x: Axis, start: int, px: int, line: int,
) -> Pooling | None:  # fmt: skip
    inner = min(planes, key=_unlike_channels, default=None)
    outer = sorted((s for s in planes if s is not inner), key=lambda s: -s.image)
    first = min(w - sum(s.window * seen.where[w][s.name] for s in steps) for w in seen.points)
    image = Places(
        seen.image, start, tuple(s.image for s in outer), inner.image if inner else 0, line, px
    )
    windows = Places(
        seen.windows, first, tuple(s.window for s in outer), inner.window if inner else 0,
        y.window if y else 0, x.window if x else 0,
    )  # fmt: skip
    found = Pooling(
        "", seen.kind, seen.backward, tuple(s.extent for s in outer) or (1,),
        inner.extent if inner else 1, axis_y, axis_x, image=image, windows=windows,
    )  # fmt: skip
    if not outer:
        found = replace(
            found, image=replace(image, batches=(0,)), windows=replace(windows, batches=(0,))
        )
    if seen.kind is Kind.SUM:
        return _divided(found, seen, x, y)
    loops = Loops(outer, inner, y, x, start, px, line)
    if seen.masks:
        return with_masks(found, seen, loops)
    if seen.positions:
        return with_numbers(found, seen, loops)
    return found


def _unlike_channels(step: Step) -> tuple[bool, bool, int]:
    """What says against a loop as that of the lanes: groups of 16 lie next to each other."""
    is_packed = step.image == 1 and step.extent % 16 == 0
    return not is_packed, step.extent < 16, -step.extent


def _in_layout(found: Pooling) -> Pooling:
    """With all lines of the image where its planes then are as the kernel has them.

    Lines after the last window are read by nobody; only the next plane says how many there are.
    """
    image = found.image
    steps = [step for step in image.batches if step] if image else []
    if image is None or not steps or not image.line or found.y.after:
        return found
    whole = replace(found, y=replace(found.y, size=min(steps) // image.line))
    return whole if whole.is_in_layout else found


def _divided(found: Pooling, seen: Windows, x: Step | None, y: Step | None) -> Pooling | None:
    """Whether windows are divided, and by what."""
    factors = {f for points in seen.points.values() for f in points.values()}
    if factors == {1.0}:
        return found
    average = replace(found, kind=Kind.AVERAGE)
    size = found.y.kernel * found.x.kernel
    if len(factors) == 1:
        by = 1 / factors.pop()
        if abs(by - round(by)) < 1e-5 * by:
            by = float(round(by))
        return replace(average, divisor=None if by == size else by)
    counted = replace(average, divisor=0)
    for window, points in seen.points.items():
        names = seen.where[window]
        count = counted.count(names[y.name] if y else 0, names[x.name] if x else 0)
        if any(abs(f * count - 1) > 1e-5 for f in points.values()):
            return None
    return counted
