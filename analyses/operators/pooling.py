"""Pooling found in a loop nest by what its outputs are made of, however it is written.

The nest is run on symbols; then each element of an output is the largest, or a sum, of elements of
an image, or an image's element is a sum of gradients. That these are windows is found by trying:
which of the loops go along the image, with what strides, kernels, padding. What was looked at is
compared whole; the text that is made is executed against the program besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import gcd

from s2s.analyses.operators.axes import Seen, fit_axis
from s2s.analyses.operators.symbolic import (
    LOWEST,
    SOME,
    Element,
    Interpreter,
    Largest,
    Memory,
    NotSymbolic,
    Product,
    Sum,
    Value,
    strides_of,
    tensors_of,
)
from s2s.scop.expressions import Const
from s2s.scop.nest import For, Nest, walk
from s2s.scop.pooling import Axis, Kind, Places, Pooling

ITERATIONS = 60_000
"""Innermost iterations of a nest that all run."""


@dataclass(frozen=True)
class Windows:
    """What was seen: for each place of an array of windows the points of its image, with a factor.

    ``where``: the loops' variables at each. ``masks``: places of the mask for (window, point).
    ``stored``: what the program stores to the image, backward.
    """

    kind: Kind
    backward: bool
    image: str
    windows: str
    points: Mapping[int, Mapping[int, float]]
    where: Mapping[int, Mapping[str, int]]
    masks: Mapping[tuple[int, int], Element]
    stored: frozenset[int] = frozenset()


def find_pooling(nest: Nest) -> Pooling:
    """The pooling that a nest computes. Raises NotSymbolic."""
    seen = look(nest)
    extents = {n.name: n.extent.value for n in walk(nest.body)
               if isinstance(n, For) and isinstance(n.extent, Const)}  # fmt: skip
    found = _fit(seen, {name: int(value) for name, value in extents.items()})
    if found is None:
        raise NotSymbolic(f"what '{seen.windows}' is made of are no windows of '{seen.image}'")
    types = {a.name: a.type for a in nest.arguments}
    return replace(found, name=nest.name, element=str(types[seen.image]))


def look(nest: Nest) -> Windows:
    """Run a nest on symbols. Raises NotSymbolic."""
    tensors = tensors_of(nest)
    outputs = [a.name for a in nest.arguments if a.output]
    inputs = [a.name for a in nest.arguments if a.tensor is not None and not a.output]
    if len(outputs) != 1:
        raise NotSymbolic(f"{len(outputs)} arrays are written")
    tables = {t.name: t for t in nest.tables}
    strides = {n: strides_of(t) for n, t in tensors.items()}
    types = {n: t.types[0] for n, t in tensors.items()}
    memory = Memory(strides, frozenset(inputs), tables, types)
    interpreter = Interpreter(memory, outputs, _few(nest))
    interpreter.run(nest.body, {})
    values = {p[1]: v for p, v in memory.stored.items() if p[0] == outputs[0]}
    type_ = tensors[outputs[0]].types[0]
    least = max(LOWEST, type_.smallest) if type_.is_integer else LOWEST
    return _gather(outputs[0], values, interpreter.origins, least)


def _few(nest: Nest) -> frozenset[str]:
    """Loops of which some iterations are enough, so that the nest does not run too long.

    Those of the largest extents first, outer ones before inner ones.
    """
    few: set[str] = set()
    while True:
        total, widest = _count(nest, few)
        if total <= ITERATIONS or widest is None:
            return frozenset(few)
        few.add(widest)


def _count(nest: Nest, few: set[str]) -> tuple[int, str | None]:
    """Innermost iterations, and the loop to leave iterations out of next."""
    most, widest = 0, None
    stack: list[tuple[object, int, tuple[For, ...]]] = [(nest.body, 1, ())]
    from s2s.scop.nest import children

    while stack:
        node, times, around = stack.pop()
        if isinstance(node, For) and isinstance(node.extent, Const):
            extent = int(node.extent.value)
            times *= min(extent, SOME) if node.name in few else extent
            around = (*around, node)
        below = children(node)  # type: ignore[arg-type]
        if not below and times > most:
            free = [f for f in around if f.name not in few and int(f.extent.value) > SOME]  # type: ignore[attr-defined]
            most = times
            widest = max(free, key=lambda f: int(f.extent.value)).name if free else None  # type: ignore[attr-defined]
        stack += [(child, times, around) for child in below]
    return most, widest


def _gather(
    output: str,
    values: Mapping[int, Value],
    origins: Mapping[Product, dict[str, int]],
    least: float,
) -> Windows:
    """What windows there are, forward or backward. Raises NotSymbolic.

    ``least``: what a maximum may begin with.
    """
    if all(isinstance(value, Largest) for value in values.values()):
        return _gather_largest(output, values, origins, least)
    if not all(isinstance(value, Sum) or value == 0 for value in values.values()):
        raise NotSymbolic(f"'{output}' gets numbers, or both sums and maxima")
    products = [p for v in values.values() if isinstance(v, Sum) for p in v.terms]
    if any(isinstance(v, Sum) and v.constant for v in values.values()):
        raise NotSymbolic(f"something is added to all elements of '{output}'")
    if not products:
        raise NotSymbolic(f"'{output}' gets no data")
    width = len(products[0])
    if width > 2 or any(len(p) != width for p in products):
        raise NotSymbolic(f"'{output}' gets products of several arrays")
    arrays = {tuple(name for name, _ in p) for p in products}
    if len(arrays) != 1:
        raise NotSymbolic(f"'{output}' gets elements of several arrays")
    if width == 1:
        return _gather_sums(output, values, origins, products[0][0][0])
    return _gather_masked(output, values, origins, products)


def _gather_largest(
    output: str,
    values: Mapping[int, Value],
    origins: Mapping[Product, dict[str, int]],
    lowest: float,
) -> Windows:
    arrays = {name for value in values.values() for name, _ in value.elements}
    if len(arrays) != 1:
        raise NotSymbolic("a maximum over several arrays, or over none")
    if any(value.least > lowest for value in values.values()):
        least = max(value.least for value in values.values())
        raise NotSymbolic(f"a maximum that begins with {least:g}: it has to begin lower than all")
    points = {o: {k: 1.0 for _, k in value.elements} for o, value in values.items()}
    where = {o: origins[((output, o),)] for o in values}
    return Windows(Kind.MAX, False, arrays.pop(), output, points, where, {})


def _gather_sums(
    output: str, values: Mapping[int, Value], origins: Mapping[Product, dict[str, int]], of: str
) -> Windows:
    """Sums of elements: of an image's forward, of gradients backward.

    Backward, an output's elements that windows share are sums; each of these goes to several.
    """
    forward = {
        o: {p[0][1]: f for p, f in v.terms.items()} for o, v in values.items() if isinstance(v, Sum)
    }
    users: dict[int, dict[int, float]] = {}
    for o, points in forward.items():
        for k, factor in points.items():
            users.setdefault(k, {})[o] = factor
    scattered = all(
        set(origins[((of, k),)]) != set(origins[((output, o),)])
        for o, points in list(forward.items())[:4]
        for k in points
        if ((of, k),) in origins
    )
    is_backward = len(values) > len(users) or (len(values) == len(users) and scattered)
    if len(values) > len(forward) and not is_backward:
        raise NotSymbolic(f"some elements of '{output}' get no data")
    if is_backward:
        where = {k: origins[((of, k),)] for k in users}
        return Windows(Kind.SUM, True, output, of, users, where, {}, frozenset(values))
    where = {o: origins[((output, o),)] for o in forward}
    return Windows(Kind.SUM, False, of, output, forward, where, {})


def _gather_masked(
    output: str,
    values: Mapping[int, Value],
    origins: Mapping[Product, dict[str, int]],
    products: Sequence[Product],
) -> Windows:
    """Gradients times a mask: the gradient is the array of which elements come again."""
    names = [name for name, _ in products[0]]
    distinct = [len({p[k] for p in products}) for k in (0, 1)]
    mask = 0 if distinct[0] > distinct[1] else 1
    points: dict[int, dict[int, float]] = {}
    where: dict[int, Mapping[str, int]] = {}
    masks: dict[tuple[int, int], Element] = {}
    for place, value in values.items():
        for product, factor in value.terms.items() if isinstance(value, Sum) else ():
            window = product[1 - mask][1]
            points.setdefault(window, {})[place] = factor
            where.setdefault(window, origins[product])
            masks[window, place] = product[mask]
    stored = frozenset(values)
    return Windows(Kind.MAX, True, output, names[1 - mask], points, where, masks, stored)


# ---- windows along two loops


@dataclass(frozen=True)
class _Step:
    """A loop: extent, and how far it goes on in the array of windows and in the image."""

    name: str
    extent: int
    window: int
    image: int


def _fit(seen: Windows, extents: Mapping[str, int]) -> Pooling | None:
    full = max(seen.points.values(), key=len)
    pitches = list(_pitches(sorted(full)))
    steps = _steps(seen, extents)
    if steps is None:
        return None
    found = [
        pooling
        for px, py in pitches
        for x, y in _choices(steps, px, py)
        if (pooling := _try(seen, steps, x, y, px, py)) is not None
    ]
    # The machine's lanes are channels: as many as possible, then windows of two dimensions.
    return max(found, key=lambda p: (_is_usual(p), min(p.channels, 16)), default=None)


def _is_usual(pooling: Pooling) -> bool:
    """Whether windows lie close together."""
    return all(axis.stride <= 2 * axis.reach or axis.count == 1 for axis in (pooling.y, pooling.x))


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


def _steps(seen: Windows, extents: Mapping[str, int]) -> list[_Step] | None:
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
        for key, window in by_place.items():
            names = dict(key)
            after = tuple(sorted({**names, name: names[name] + 1}.items()))
            other = by_place.get(after)
            if other is None:
                continue
            moves.add(other - window)
            one, two = sorted(seen.points[window]), sorted(seen.points[other])
            if len(one) == len(two):
                shift = two[0] - one[0]
                if [k + shift for k in one] == two:
                    shifts[shift] = shifts.get(shift, 0) + len(one)
        if len(places[name]) > 1:
            if len(moves) != 1:
                return None
            shift = max(shifts, key=lambda s: shifts[s]) if shifts else 0
            found.append(_Step(name, extents[name], moves.pop(), shift))
    return found


def _choices(
    steps: Sequence[_Step], px: int, py: int
) -> Iterator[tuple[_Step | None, _Step | None]]:
    """Which loop goes along x and which along y, the likely ones first."""
    ordered = sorted(steps, key=lambda s: abs(s.image) or 1 << 60)
    pairs: list[tuple[_Step | None, _Step | None]] = list(permutations(ordered, 2))
    pairs += [(one, None) for one in ordered] + [(None, one) for one in ordered] + [(None, None)]
    for x, y in pairs:
        if py and x is not None and abs(x.image) >= py and y is None:
            continue
        yield x, y


def _try(
    seen: Windows, steps: Sequence[_Step], x: _Step | None, y: _Step | None, px: int, py: int
) -> Pooling | None:
    """The pooling with these loops along the image, where all that was seen agrees."""
    planes = [s for s in steps if s is not x and s is not y]
    if any(s.image == 0 for s in planes):
        return None
    if x is not None and x.image:
        px = gcd(px, x.image)
    px = px or 1
    line = gcd(py, y.image) if py and y is not None else py or _line_of(seen, y, px)
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
            (seen_x, x, line // px if py or y else None),
        )
    ]
    if axes[0] is None or axes[1] is None:
        return None
    if seen.backward and not _covers(seen, planes, axes[0].size, axes[1].size, start, px, line):
        return None
    return _make(seen, steps, planes, x, y, axes[0], axes[1], start, px, line)


def _lines_of(seen: Windows, planes: Sequence[_Step], start: int, line: int) -> int | None:
    """Lines of an image of gradients, in which some may get none."""
    if not seen.stored:
        return None
    larger = [s.image for s in planes if s.image >= line]
    whole = (max(seen.stored) - start) // line + 1
    return min([whole, *(step // line for step in larger)])


def _covers(
    seen: Windows, planes: Sequence[_Step], lines: int, points: int, start: int, px: int, line: int
) -> bool:
    """Whether every element that the program stores is a point of the image."""
    places = {start}
    for extent, step in (*((s.extent, s.image) for s in planes), (lines, line), (points, px)):
        places = {p + k * step for p in places for k in range(extent)}
    return seen.stored <= places


def _line_of(seen: Windows, y: _Step | None, px: int) -> int:
    """Elements of a line where windows have one row: as the loop along y goes on."""
    if y is not None and y.image:
        return abs(y.image)
    return (max(k for points in seen.points.values() for k in points) + 1) * px + 1


def _start(
    seen: Windows, steps: Sequence[_Step], planes: Sequence[_Step],
    x: _Step | None, y: _Step | None, px: int, line: int,
) -> int | None:  # fmt: skip
    """The image's first element: no point lies before it, in its plane and in its line."""
    lowest = min(
        min(points) - sum(s.image * seen.where[w][s.name] for s in planes)
        for w, points in seen.points.items()
    )
    if any(s.image < 0 for s in steps):
        return None
    return lowest


def _make(
    seen: Windows, steps: Sequence[_Step], planes: Sequence[_Step], x: _Step | None,
    y: _Step | None, axis_y: Axis, axis_x: Axis, start: int, px: int, line: int,
) -> Pooling | None:  # fmt: skip
    inner = min(planes, key=lambda s: (s.extent < 16, -s.extent), default=None)
    outer = [s for s in planes if s is not inner]
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
    if seen.backward:
        return _masked(found, seen, outer, inner, x, y, start, px, line)
    return found


def _divided(found: Pooling, seen: Windows, x: _Step | None, y: _Step | None) -> Pooling | None:
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


def _masked(
    found: Pooling, seen: Windows, outer: Sequence[_Step], inner: _Step | None,
    x: _Step | None, y: _Step | None, start: int, px: int, line: int,
) -> Pooling | None:  # fmt: skip
    """With where the mask is: affine in the loops and in the point of the window."""
    if any(f != 1.0 for points in seen.points.values() for f in points.values()):
        return None
    loops = [*outer, *([inner] if inner else []), *([y] if y else []), *([x] if x else [])]
    rows: list[tuple[tuple[int, ...], int]] = []
    array = ""
    for (window, point), (name, place) in seen.masks.items():
        array = name
        names = seen.where[window]
        planes = [*outer, *([inner] if inner else [])]
        base = start + sum(s.image * names[s.name] for s in planes)
        iy, ix = divmod(point - base, line)
        oy, ox = (names[s.name] if s else 0 for s in (y, x))
        ky = (iy - oy * found.y.stride + found.y.before) // found.y.dilation
        kx = (ix // px - ox * found.x.stride + found.x.before) // found.x.dilation
        rows.append(((*(names[s.name] for s in loops), ky, kx), place))
    steps = _affine(rows)
    if steps is None:
        return None
    first, *by = steps
    of = dict(zip((s.name for s in loops), by[: len(loops)], strict=True))
    masks = Places(
        array, first, tuple(of[s.name] for s in outer) or (0,), of[inner.name] if inner else 0,
        of[y.name] if y else 0, of[x.name] if x else 0, by[-2], by[-1],
    )  # fmt: skip
    return replace(found, masks=masks)


def _affine(rows: Sequence[tuple[tuple[int, ...], int]]) -> list[int] | None:
    """A constant and a factor for each coordinate; None where places are not affine in them."""
    import numpy as np

    points = np.array([[1, *point] for point, _ in rows], dtype=float)
    places = np.array([place for _, place in rows], dtype=float)
    found = np.linalg.lstsq(points, places, rcond=None)[0]
    whole = np.rint(found)
    if not np.array_equal(points @ whole, places):
        return None
    return [int(value) for value in whole]
