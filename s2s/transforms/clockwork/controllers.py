"""Controllers of ports: loops that count cycles and addresses.

Controllers of the array are boxes of at most six loops. A set of iterations becomes one
controller if it is such a box, perhaps with steps; loops of which the outer one goes on where the
inner one ends are one loop (coalescing, section 6.1 of Setter's dissertation).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache

import islpy as isl

from s2s.scop.cycles import Start
from s2s.scop.netlist import Controller
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError

LOOPS = 6
"""Loops that an address generator counts."""
BOXES = 8
"""Controllers that a port may have for one source."""
COPIES = 32
"""Controllers that a port may have in place of one with too many loops."""


@dataclass(frozen=True)
class Box:
    """Iterations ``first + step * k`` for ``0 <= k < count``, of each loop, outermost first.

    They are counted from 0, whatever the loops' minima are.
    """

    first: tuple[int, ...]
    step: tuple[int, ...]
    count: tuple[int, ...]


def whole(start: Start) -> Box:
    """All iterations."""
    depth = len(start.extents)
    return Box((0,) * depth, (1,) * depth, start.extents)


def boxes(iterations: isl.Set, minima: Sequence[int]) -> tuple[Box, ...]:
    """A set of iterations as boxes that have none in common.

    Raises MappingError where that takes more than a port can have. Loads of one operation ask
    for the same sets again and again.
    """
    return _boxes_of(_Question(str(iterations), tuple(minima), iterations))


@dataclass(frozen=True)
class _Question:
    text: str
    minima: tuple[int, ...]
    iterations: isl.Set = field(compare=False)


@lru_cache(maxsize=1024)
def _boxes_of(question: _Question) -> tuple[Box, ...]:
    iterations, minima = question.iterations, question.minima
    found = _box(iterations, minima)
    if found is not None:
        return (found,)
    return tuple(_split_each(iterations, minima, BOXES))


def _split_each(iterations: isl.Set, minima: Sequence[int], most: int) -> list[Box]:
    """Boxes of all disjoint parts of a set."""
    parts: list[Box] = []
    for basic in iterations.make_disjoint().coalesce().get_basic_sets():
        parts += _split(isl.Set.from_basic_set(basic), minima, most - len(parts))
    return parts


def _split(iterations: isl.Set, minima: Sequence[int], most: int) -> list[Box]:
    """Boxes of a set: a loop that is tied to another one has its first iteration apart.

    The outermost is tried first; the others may take fewer boxes, as where the parity of a long
    one says which iteration of a short one there is.
    """
    found = _box(iterations, minima)
    if found is not None and most > 0:
        return [found]
    reason = MappingError(f"iterations are no boxes: {iterations}")
    loops = _tied(iterations) if most > 1 else []
    if not loops and iterations.n_basic_set() > 1:
        return _split_each(iterations, minima, most)
    for tied in loops:
        low = _limit(iterations.dim_min(tied))
        value = isl.Val.int_from_si(iterations.get_ctx(), low)
        first = iterations.fix_val(isl.dim_type.set, tied, value)
        rest = iterations.subtract(first)
        try:
            parts = _split(first, minima, most - 1)
            return parts + ([] if rest.is_empty() else _split(rest, minima, most - len(parts)))
        except MappingError as error:
            reason = error
    raise reason


def _tied(iterations: isl.Set) -> list[int]:
    """Loops whose bounds depend on those of another one: the outermost, and the shortest."""
    for basic in iterations.get_basic_sets():
        for constraint in basic.get_constraints():
            involved = [
                k
                for k in range(iterations.dim(isl.dim_type.set))
                if constraint.involves_dims(isl.dim_type.set, k, 1)
            ]
            if len(involved) > 1:
                ends = {k: (iterations.dim_min(k), iterations.dim_max(k)) for k in involved}
                lengths = {k: _limit(high) - _limit(low) for k, (low, high) in ends.items()}
                return list(dict.fromkeys((involved[0], min(involved, key=lambda k: lengths[k]))))
    return []


def _box(iterations: isl.Set, minima: Sequence[int]) -> Box | None:
    """The box of a set that is one."""
    depth = len(minima)
    lows = [_limit(iterations.dim_min(k)) for k in range(depth)]
    highs = [_limit(iterations.dim_max(k)) for k in range(depth)]
    steps = [int(iterations.get_stride(k).to_python()) or 1 for k in range(depth)]
    names = [f"i{k}" for k in range(depth)]
    limits = [
        f"{low} <= {n} <= {high} and ({n} - {low}) mod {step} = 0"
        for n, low, high, step in zip(names, lows, highs, steps, strict=True)
    ]
    where = f" : {' and '.join(limits)}" if limits else ""
    space = iterations.get_tuple_name() if iterations.has_tuple_name() else ""
    if not isl.Set(f"{{ {space}[{', '.join(names)}]{where} }}").is_equal(iterations):
        return None
    counts = [(h - low) // step + 1 for low, h, step in zip(lows, highs, steps, strict=True)]
    first = [low - minimum for low, minimum in zip(lows, minima, strict=True)]
    return Box(tuple(first), tuple(steps), tuple(counts))


def _limit(value: isl.PwAff) -> int:
    pieces = value.get_pieces()
    if len(pieces) != 1 or not pieces[0][1].is_cst():
        raise MappingError(f"iterations without constant bounds: {value}")
    return int(pieces[0][1].get_constant_val().to_python())


def controller(start: Start, box: Box, delay: int = 0) -> Controller:
    """The cycles of the iterations of a box, ``delay`` later."""
    first = start.offset + delay
    first += sum(s * f for s, f in zip(start.strides, box.first, strict=True))
    strides = [s * step for s, step in zip(start.strides, box.step, strict=True)]
    return Controller(box.count[::-1], tuple(strides[::-1]), first)


def address(counting: Controller, start: int, strides: Sequence[int]) -> Controller:
    """A controller that also gives an address; ``strides`` innermost first."""
    return Controller(
        counting.extent, counting.stride, counting.start, (start, tuple(strides)), counting.second
    )


def coalesce(counting: Controller) -> Controller:
    """The same cycles and addresses with as few loops as possible.

    Raises MappingError where they are more than an address generator has.
    """
    found, *more = fit_loops(counting)
    if more:
        raise MappingError(f"a port needs more loops than the {LOOPS} that can be counted")
    return found


def fit_loops(counting: Controller) -> tuple[Controller, ...]:
    """As ``coalesce``, but where the loops are more than an address generator has, those of few
    iterations become controllers for each of them. Raises MappingError where these are too many.
    """
    parts = [counting.stride]
    parts += [a[1] for a in (counting.address, counting.second) if a is not None]
    loops: list[tuple[int, tuple[int, ...]]] = []
    for extent, *strides in zip(counting.extent, *parts, strict=True):
        if extent == 1:
            continue
        if loops and all(s == loops[-1][0] * t for s, t in zip(strides, loops[-1][1], strict=True)):
            loops[-1] = loops[-1][0] * extent, loops[-1][1]
        else:
            loops.append((extent, tuple(strides)))
    found = _with_loops(counting, loops)
    if len(loops) <= LOOPS:
        return (found,)
    few = min(range(len(loops)), key=lambda k: loops[k][0])
    copies = loops[few][0] ** (len(loops) - LOOPS)
    if copies > COPIES:
        raise MappingError(
            f"a port needs {len(loops)} loops of {min(e for e, _ in loops)} and more iterations, "
            f"{LOOPS} can be counted"
        )
    return tuple(part for k in range(loops[few][0]) for part in fit_loops(_fixed(found, few, k)))


def _with_loops(counting: Controller, loops: Sequence[tuple[int, tuple[int, ...]]]) -> Controller:
    """The controller with other loops: extents, and strides of cycles and addresses."""
    count = 1 + (counting.address is not None) + (counting.second is not None)
    columns = [tuple(strides[k] for _, strides in loops) for k in range(count)]
    known = iter(columns[1:])
    return Controller(
        tuple(extent for extent, _ in loops),
        columns[0],
        counting.start,
        None if counting.address is None else (counting.address[0], next(known)),
        None if counting.second is None else (counting.second[0], next(known)),
    )


def _fixed(counting: Controller, loop: int, at: int) -> Controller:
    """One iteration of a loop."""

    def cut(counts: tuple[int, tuple[int, ...]] | None) -> tuple[int, tuple[int, ...]] | None:
        if counts is None:
            return None
        start, strides = counts
        return start + at * strides[loop], (*strides[:loop], *strides[loop + 1 :])

    start, strides = cut((counting.start, counting.stride)) or (0, ())
    extents = (*counting.extent[:loop], *counting.extent[loop + 1 :])
    return Controller(extents, strides, start, cut(counting.address), cut(counting.second))
