"""What a trace's arrays are made of: maxima or sums over an image's points, both directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from struct import pack, unpack

from s2s.scop.pooling import Kind
from s2s.scop.symbols import (
    LOWEST,
    Element,
    Largest,
    Mark,
    NotSymbolic,
    Position,
    Product,
    Sum,
    Value,
)
from s2s.scop.trace import Iterations, Trace
from s2s.source.records import dataclass

Values = Mapping[int, Value]
"""What an array has at each place."""


@dataclass(frozen=True)
class Windows:
    """For each place of an array of windows the points of its image, with a factor.

    ``where``: the loops' iterations at each. ``masks``: places of the mask for (window, point),
    which is read backward and written forward. ``positions``: for windows the place of the number
    of the maximum's point, in ``numbers``; ``is_first``: of points that are equal the mask has the
    first only; ``least``: what a maximum begins with, ``outside``: what points outside of the image
    count as in it (None: they do not count). ``stored``: what the program stores to the
    image, backward; it ``accumulates`` where it adds to what is there.
    """

    kind: Kind
    backward: bool
    image: str
    windows: str
    points: Mapping[int, Mapping[int, float]]
    where: Mapping[int, Iterations]
    masks: Mapping[tuple[int, int], Element] = field(default_factory=dict)
    numbers: str = ""
    positions: Mapping[int, tuple[int, Position]] = field(default_factory=dict)
    is_first: bool = False
    least: float = LOWEST
    outside: float | None = None
    stored: frozenset[int] = frozenset()
    accumulates: bool = False


def gather(trace: Trace, *, exact: bool = False) -> Windows:
    """What windows there are. Raises NotSymbolic.

    What a maximum begins with counts as it is where that is ``exact``: it is minus infinity where
    there is none. Otherwise elements become half precision, and are larger than ``LOWEST``.
    """
    outputs = {name: _values(trace, name) for name in trace.outputs}
    beside = {n: v for n, v in outputs.items() if _has(v, Position) or _has(v, Mark)}
    main = [name for name in outputs if name not in beside]
    if len(main) != 1 or len(beside) > 1:
        raise NotSymbolic(f"{len(outputs)} arrays are written")
    output, values = main[0], outputs[main[0]]
    if all(isinstance(value, Largest) for value in values.values()):
        if exact:
            return _gather_exactly(trace, output, values, beside=bool(beside))
        found = _gather_largest(trace, output, values, beside=bool(beside))
        for name, others in beside.items():
            if _has(others, Mark):
                return _with_masks(trace, found, name, others)
            return _with_positions(trace, found, name, others)
        return found
    if beside:
        raise NotSymbolic(f"'{next(iter(beside))}' has places of a maximum that nothing gets")
    return _gather_products(trace, output, values)


def _values(trace: Trace, array: str) -> Values:
    return {place[1]: value for place, value in trace.stored.items() if place[0] == array}


def _has(values: Values, kind: type) -> bool:
    return any(isinstance(value, kind) for value in values.values())


# ---- maxima


def _gather_exactly(trace: Trace, output: str, values: Values, *, beside: bool) -> Windows:
    """Maxima that all begin with one number; those cut off by the border may have one more."""
    largest = {o: value for o, value in values.items() if isinstance(value, Largest)}
    least, *others = sorted({value.least for value in largest.values()})
    if beside or len(others) > 1:
        raise NotSymbolic("maxima begin with several numbers, or are marked")
    found = _windows_of_largest(trace, output, values, least)
    if not others:
        return found
    most = max(len(points) for points in found.points.values())
    if any((len(found.points[o]) < most) != (v.least > least) for o, v in largest.items()):
        raise NotSymbolic("maxima begin with several numbers")
    return _replaced(found, outside=others[0])


def _gather_largest(trace: Trace, output: str, values: Values, *, beside: bool) -> Windows:
    type_ = trace.types[output]
    lowest = max(LOWEST, type_.smallest) if type_.is_integer else LOWEST
    least = max(value.least for value in values.values())
    is_one = all(value.least == least for value in values.values())
    if least > lowest and (beside or not is_one):
        raise NotSymbolic(f"a maximum that begins with {least:g}: it has to begin lower than all")
    if least > lowest and not _is_half(least):
        raise NotSymbolic(
            f"a maximum that begins with {least:g}, a number that half precision has not"
        )
    return _windows_of_largest(trace, output, values, least if least > lowest else LOWEST)


def _windows_of_largest(trace: Trace, output: str, values: Values, least: float) -> Windows:
    arrays = {name for value in values.values() for name, _ in value.elements}
    if len(arrays) != 1:
        raise NotSymbolic("a maximum over several arrays, or over none")
    points = {o: {k: 1.0 for _, k in value.elements} for o, value in values.items()}
    where = _common({o: trace.origins[((output, o),)] for o in values})
    image = arrays.pop()
    if image == output:
        raise NotSymbolic(f"'{image}' is the image and what comes of it at once")
    return Windows(Kind.MAX, False, image, output, points, where, least=least)


def _is_half(number: float) -> bool:
    """Whether half precision has a number."""
    return abs(number) <= -LOWEST and unpack("e", pack("e", number))[0] == number


def _common(where: Mapping[int, Iterations]) -> Mapping[int, Iterations]:
    """The iterations of those loops that all windows are in."""
    names = set.intersection(*(set(one) for one in where.values())) if where else set()
    return {place: {n: k for n, k in one.items() if n in names} for place, one in where.items()}


def _with_positions(trace: Trace, found: Windows, name: str, values: Values) -> Windows:
    """With an array of numbers of the points that have the maximum."""
    windows = _Finder(trace, found)
    positions: dict[int, tuple[int, Position]] = {}
    for place, value in values.items():
        if not isinstance(value, Position):
            raise NotSymbolic(f"'{name}' gets numbers that depend on no data")
        window = windows.find((name, place), value.numbers)
        if window is None or window in positions:
            raise NotSymbolic(f"'{name}' has places of other maxima than '{found.windows}'")
        positions[window] = place, value
    return _replaced(found, numbers=name, positions=positions)


def _with_masks(trace: Trace, found: Windows, name: str, values: Values) -> Windows:
    """With an array that marks the points that have the maximum."""
    windows = _Finder(trace, found)
    masks: dict[tuple[int, int], Element] = {}
    firsts: set[bool] = set()
    for place, value in values.items():
        if isinstance(value, Mark):
            firsts.add(_is_first(value, name))
            window = windows.find((name, place), value.largest.elements)
            if window is None:
                raise NotSymbolic(f"'{name}' marks other maxima than those of '{found.windows}'")
            masks[window, value.element[1]] = name, place
        elif value != 0:
            raise NotSymbolic(f"'{name}' gets other numbers than marks of a maximum")
    wanted = sum(len(points) for points in found.points.values())
    if len(masks) != wanted or len(firsts) != 1:
        raise NotSymbolic(f"'{name}' does not say of each point whether it has the maximum")
    return _replaced(found, masks=masks, is_first=firsts.pop())


def _is_first(mark: Mark, name: str) -> bool:
    """Whether only the first of equal points is marked. Raises NotSymbolic for another one."""
    if mark.position is None:
        return False
    points = [point for _, point in mark.position.numbers]
    if mark.position.is_last or points != sorted(points):
        raise NotSymbolic(f"'{name}' marks another point than the first of those that are equal")
    return True


class _Finder:
    """Finds windows by their points and by the iterations in which something is stored."""

    def __init__(self, trace: Trace, found: Windows) -> None:
        self._trace, self._where = trace, found.where
        self._windows: dict[frozenset[int], list[int]] = {}
        for window, points in found.points.items():
            self._windows.setdefault(frozenset(points), []).append(window)

    def find(self, place: Element, elements: Iterable[Element]) -> int | None:
        """The window of these points that the program is at where it stores to a place."""
        candidates = self._windows.get(frozenset(k for _, k in elements), [])
        if len(candidates) == 1:
            return candidates[0]
        origin = self._trace.origins.get((place,), {})
        for window in candidates:
            if all(origin.get(name) == k for name, k in self._where[window].items()):
                return window
        return None


def _replaced(found: Windows, **changes: object) -> Windows:
    from dataclasses import replace

    return replace(found, **changes)  # type: ignore[arg-type]


# ---- sums


def _gather_products(trace: Trace, output: str, values: Values) -> Windows:
    if not all(isinstance(value, Sum) or value == 0 for value in values.values()):
        raise NotSymbolic(f"'{output}' gets numbers, or both sums and maxima")
    sums = {place: value for place, value in values.items() if isinstance(value, Sum)}
    if any(value.constant for value in sums.values()):
        raise NotSymbolic(f"something is added to all elements of '{output}'")
    terms, accumulates = _without_itself(output, sums, len(values))
    products = [product for found in terms.values() for product in found]
    if not products:
        raise NotSymbolic(f"'{output}' gets no data")
    width = len(products[0])
    if width > 2 or any(len(p) != width for p in products):
        raise NotSymbolic(f"'{output}' gets products of several arrays")
    arrays = {tuple(name for name, _ in p) for p in products}
    if len(arrays) != 1:
        raise NotSymbolic(f"'{output}' gets elements of several arrays")
    if output in arrays.pop():
        raise NotSymbolic(f"'{output}' is the image and what comes of it at once")
    stored = frozenset(values)
    if width == 1:
        return _gather_sums(trace, output, terms, stored, products[0][0][0], accumulates)
    return _gather_masked(trace, output, terms, stored, accumulates)


Terms = Mapping[int, Mapping[Product, float]]


def _without_itself(output: str, sums: Mapping[int, Sum], count: int) -> tuple[Terms, bool]:
    """The terms of sums without what was there before, and whether all have that."""
    own = {place: ((output, place),) for place in sums}
    kept = {p: value.terms.get(own[p]) == 1.0 for p, value in sums.items()}
    if not any(kept.values()):
        return {place: value.terms for place, value in sums.items()}, False
    if not all(kept.values()) or len(sums) != count:
        raise NotSymbolic(f"some elements of '{output}' are added to, and some are set")
    return {
        place: {p: f for p, f in value.terms.items() if p != own[place]}
        for place, value in sums.items()
    }, True


def _gather_sums(
    trace: Trace, output: str, terms: Terms, stored: frozenset[int], of: str, accumulates: bool
) -> Windows:
    """Sums of elements: of an image's forward, of gradients backward.

    Backward, an output's elements that windows share are sums; each of these goes to several.
    """
    origins = trace.origins
    forward = {o: {p[0][1]: f for p, f in found.items()} for o, found in terms.items()}
    users: dict[int, dict[int, float]] = {}
    for o, points in forward.items():
        for k, factor in points.items():
            users.setdefault(k, {})[o] = factor
    scattered = _is_scattered(trace, of, users, output, forward)
    is_backward = len(stored) > len(users) if scattered is None else scattered
    is_backward |= len(stored) > len(forward)
    if is_backward:
        where = _common({k: origins[((of, k),)] for k in users})
        return Windows(
            Kind.SUM, True, output, of, users, where, stored=stored, accumulates=accumulates
        )
    where = _common({o: origins[((output, o),)] for o in forward})
    return Windows(Kind.SUM, False, of, output, forward, where, accumulates=accumulates)


def _is_scattered(
    trace: Trace,
    of: str,
    users: Mapping[int, Mapping[int, float]],
    output: str,
    terms: Mapping[int, Mapping[int, float]],
) -> bool | None:
    """Whether what is added are gradients; None where the program does not say.

    If windows have no point in common, what comes once belongs to the image. Otherwise the loops
    that all stores of something have in common say which window it is: for an output forward, for
    a gradient backward. They do not say which point of the image it is.
    """
    once = [max(map(len, found.values())) == 1 for found in (users, terms)]
    if once[0] != once[1]:
        return once[1]
    told = []
    for array, found in ((of, users), (output, terms)):
        origins = [trace.origins[((array, k),)] for k in found]
        common = sorted(set.intersection(*map(set, origins)))
        told.append(len({tuple(one[name] for name in common) for one in origins}) == len(found))
    return None if told[0] == told[1] else told[0]


def _gather_masked(
    trace: Trace, output: str, terms: Terms, stored: frozenset[int], accumulates: bool
) -> Windows:
    """Gradients times a mask: the gradient is the array of which elements come again."""
    products = [product for found in terms.values() for product in found]
    names = [name for name, _ in products[0]]
    distinct = [len({p[k] for p in products}) for k in (0, 1)]
    mask = 0 if distinct[0] > distinct[1] else 1
    points: dict[int, dict[int, float]] = {}
    origins: dict[int, list[Iterations]] = {}
    masks: dict[tuple[int, int], Element] = {}
    for place, found in terms.items():
        for product, factor in found.items():
            window = product[1 - mask][1]
            points.setdefault(window, {})[place] = factor
            origins.setdefault(window, []).append(trace.origins[product])
            masks[window, place] = product[mask]
    where = _common({window: dict(_shared(found)) for window, found in origins.items()})
    return Windows(
        Kind.MAX, True, output, names[1 - mask], points, where, masks,
        stored=stored, accumulates=accumulates,
    )  # fmt: skip


def _shared(origins: Sequence[Iterations]) -> Iterator[tuple[str, int]]:
    """The iterations that several have in common."""
    first, *others = origins
    for name, number in first.items():
        if all(other.get(name) == number for other in others):
            yield name, number
