"""Moves between the SRAM and the ports of a wide tile, each found from the loops of the writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod

from s2s.analyses.memory_tiles import FETCH
from s2s.scop.netlist import Controller
from s2s.source.records import dataclass
from s2s.transforms.clockwork.controllers import coalesce
from s2s.transforms.clockwork.errors import MappingError


@dataclass(frozen=True)
class Digit:
    """A loop of the writes: its address is ``stride`` times a number below ``extent``; in the
    SRAM ``words`` times.
    """

    stride: int
    extent: int
    words: int


@dataclass(frozen=True)
class Port:
    """A port's words and fetches; the fetches are ``late`` cycles after (before: less than 0)
    where ``moves`` has them.
    """

    words: Controller
    moves: Controller
    late: tuple[int, ...]

    def at(self, late: int) -> Controller:
        return replace(self.moves, start=self.moves.start + late)


def digits_of(writes: Sequence[Controller]) -> list[Digit] | None:
    """The loops of the writes as digits of addresses, innermost first; None where they are none."""
    loops = []
    for each in writes:
        assert each.address is not None
        loops.append([(s, e) for s, e in zip(each.address[1], each.extent, strict=True) if e > 1])
    if not loops[0] or any(own != loops[0] for own in loops):
        return None
    if any(stride <= 0 for stride, _ in loops[0]):
        return None
    ascending = sorted(loops[0])
    for (stride, extent), (above, _) in pairwise(ascending):
        if above < stride * extent:
            return None
    found, words = [], 1
    for stride, extent in loops[0]:
        found.append(Digit(stride, extent, words))
        words *= extent if words > 1 else -(-extent // FETCH) * FETCH
    return found


def placed(controller: Controller, digits: Sequence[Digit]) -> tuple[int, tuple[int, ...]]:
    """A controller's addresses in the SRAM. Raises MappingError where they are no sum of digits."""
    assert controller.address is not None
    start, strides = controller.address
    descending = sorted(digits, key=lambda digit: -digit.stride)
    first: dict[Digit, int] = {}
    for digit in descending:
        first[digit], start = divmod(start, digit.stride)
    if start:
        raise MappingError("an address between those that are written")
    low, high = dict(first), dict(first)
    places = []
    for stride, extent in zip(strides, controller.extent, strict=True):
        if stride == 0:
            places.append(0)
            continue
        fits = [d for d in descending if stride % d.stride == 0 and stride >= d.stride]
        if not fits:
            raise MappingError("a port walks backwards or between what is written")
        digit = fits[0]
        count = stride // digit.stride
        high[digit] += count * (extent - 1)
        places.append(count * digit.words)
    for digit in descending[1:]:
        if low[digit] < 0 or high[digit] >= digit.extent:
            raise MappingError("a port goes on from one row to the next")
    return sum(first[d] * d.words for d in digits), tuple(places)


def written_moves(controller: Controller, digits: Sequence[Digit]) -> Port:
    """A port that writes: its words to the aggregator, its fetches to the SRAM."""
    start, places = placed(controller, digits)
    if start % FETCH:
        raise MappingError("a row does not begin at a fetch")
    loops = [k for k, extent in enumerate(controller.extent) if extent > 1]
    inner, *outer = loops
    count, step = controller.extent[inner], controller.stride[inner]
    fetches = -(-count // FETCH)
    radix = [fetches * prod(controller.extent[k] for k in outer[:n]) for n in range(len(outer))]
    words = Controller(
        tuple(controller.extent[k] for k in loops),
        tuple(controller.stride[k] for k in loops),
        controller.start,
        (0, (1, *(FETCH * n for n in radix))),
    )
    moves = Controller(
        (fetches, *(controller.extent[k] for k in outer)),
        (FETCH * step, *(controller.stride[k] for k in outer)),
        controller.start,
        (start // FETCH, (1, *(places[k] // FETCH for k in outer))),
        (0, (1, *radix)),
    )
    last = (min(count, FETCH) - 1) * step
    return Port(coalesce(words), coalesce(moves), tuple(range(last + 1, last + 1 + FETCH * step)))


@dataclass(frozen=True)
class _Loop:
    """A loop of a reading port; ``inside``: its step in a fetch, beside ``place`` words."""

    extent: int
    stride: int
    place: int
    inside: int = 0


def port_moves(controller: Controller, digits: Sequence[Digit]) -> Port:
    """A port that reads: its fetches from the SRAM, its words from the transpose buffer."""
    start, places = placed(controller, digits)
    columns = zip(controller.extent, controller.stride, places, strict=True)
    loops = [_Loop(*column) for column in columns if column[0] > 1]
    again = 0
    while again < len(loops) and loops[again].place == 0:
        again += 1
    offset = start % FETCH
    run = loops[again] if again < len(loops) else _Loop(1, 1, FETCH)
    outer = [part for loop in loops[again + 1 :] for part in _across(loop, offset)]
    fetches, before, within, move = _along(run, offset)
    radix = [fetches * prod(loop.extent for loop in outer[:n]) for n in range(len(outer))]
    words = [(loop.extent, loop.stride, 0) for loop in loops[:again]]
    words += [(run.extent, run.stride, within)]
    words += [(o.extent, o.stride, FETCH * n + o.inside) for o, n in zip(outer, radix, strict=True)]
    moves = [(fetches, *move), *((o.extent, o.stride, o.place // FETCH) for o in outer)]
    extents, strides, addresses = zip(*words, strict=True)
    reading = Controller(extents, strides, controller.start, (offset, addresses))
    extents, strides, addresses = zip(*moves, strict=True)
    moving = Controller(
        extents,
        strides,
        controller.start - before,
        (start // FETCH, addresses),
        (0, (1, *radix)),
    )
    leads = range(1, min(2 * move[0], 4 * FETCH) + 1)
    return Port(coalesce(reading), coalesce(moving), tuple(-lead for lead in leads))


def _along(run: _Loop, offset: int) -> tuple[int, int, int, tuple[int, int]]:
    """How a port reads along its loop: fetches; cycles from the first fetch's first word to the
    first that is read; words from one to the next in the transpose buffer; cycles and fetches
    from one fetch to the next.
    """
    if run.place % FETCH == 0:
        return run.extent, 0, FETCH, (run.stride, run.place // FETCH)
    if run.place not in (1, 2):
        raise MappingError("a port leaves out words of a fetch")
    fetches = (offset + run.place * (run.extent - 1)) // FETCH + 1
    before = run.stride * (offset // run.place)
    return fetches, before, run.place, (run.stride * FETCH // run.place, 1)


def _across(loop: _Loop, offset: int) -> tuple[_Loop, ...]:
    """An outer loop as one over the words of a fetch, where it goes on by words, and one over
    fetches.
    """
    if loop.place % FETCH == 0:
        return (loop,)
    count = FETCH // loop.place if FETCH % loop.place == 0 else 0
    if not count or loop.extent % count or offset >= loop.place:
        raise MappingError("rows do not begin at a fetch")
    inner = _Loop(count, loop.stride, 0, loop.place)
    return (inner, _Loop(loop.extent // count, loop.stride * count, FETCH))
