"""How many coordinates of a tensor's axis are needed, and how many of them are there already."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from s2s.simulators.spatial.costs.pieces import Spread

Counts = tuple[int, int, int, int]
"""Of the pieces that all units have together: coordinates, those that all who need them keep. The
same, added up over the units."""


def single(extents: Spread, same: bool) -> Counts:
    """Of an axis with one dimension, whose units never share coordinates."""
    found = sum(extent * times for _, extent, times in extents)
    kept = found if same else 0
    return found, kept, found, kept


@lru_cache(maxsize=100_000)
def several(factors: tuple[int, ...], needs: tuple[Spread, ...], has: tuple[Spread, ...]) -> Counts:
    """Of an axis with several dimensions, for each combination of their units.

    A coordinate is kept where each unit that needs it has it already.
    """
    bias = -min(_least(factors, needs), _least(factors, has))
    union = missing = total = kept = 0
    for now, before in zip(product(*needs), product(*has), strict=True):
        mask, old = _mask(factors, now, bias), _mask(factors, before, bias)
        union |= mask
        missing |= mask & ~old
        total += mask.bit_count()
        kept += (mask & old).bit_count()
    return union.bit_count(), (union & ~missing).bit_count(), total, kept


def _least(factors: Sequence[int], spreads: Sequence[Spread]) -> int:
    return sum(
        min(f * (low if f > 0 else low + max(extent, 1) - 1) for low, extent, _ in one)
        for f, one in zip(factors, spreads, strict=True)
    )


def _mask(factors: Sequence[int], at: Sequence[tuple[int, int, int]], bias: int) -> int:
    """The coordinates of one unit as bits."""
    if any(extent <= 0 for _, extent, _ in at):
        return 0
    start, mask = bias, 1
    for f, (low, extent, _) in zip(factors, at, strict=True):
        start += f * (low if f > 0 else low + extent - 1)
        mask = _repeat(mask, abs(f), extent)
    return mask << start


@lru_cache(maxsize=10_000)
def _repeat(mask: int, step: int, times: int) -> int:
    found, done = mask, 1
    while done < times:
        more = min(done, times - done)
        found |= found << more * step
        done += more
    return found


def interval_blocks(base: int, factor: int, extent: int, block: int) -> int:
    """Blocks that ``base + factor * i`` falls into, for ``extent`` of i, from 0 on."""
    if abs(factor) >= block:
        return extent
    ends = base, base + factor * (extent - 1)
    return max(ends) // block - min(ends) // block + 1


@lru_cache(maxsize=100_000)
def several_blocks(
    factors: tuple[int, ...],
    needs: tuple[tuple[int, int], ...],
    has: tuple[tuple[int, int], ...],
    shift: int,
    block: int,
) -> tuple[int, int, int, int]:
    """Of one unit with (first, how many) of each dimension: coordinates, those that it has.

    Then the same in blocks: those needed, and those of which all is there that is needed.
    """
    spreads = [tuple(((low, extent, 1),) for low, extent in one) for one in (needs, has)]
    least = min(_least(factors, one) for one in spreads)
    bias = -least + (least + shift) % block
    mask = _mask(factors, [one[0] for one in spreads[0]], bias)
    missing = mask & ~_mask(factors, [one[0] for one in spreads[1]], bias)
    blocks = _blocks(mask, block)
    return (
        mask.bit_count(), (mask & ~missing).bit_count(),
        blocks.bit_count(), (blocks & ~_blocks(missing, block)).bit_count(),
    )  # fmt: skip


def _blocks(mask: int, block: int) -> int:
    found = 0
    place = 0
    while mask:
        if mask & ((1 << block) - 1):
            found |= 1 << place
        mask >>= block
        place += 1
    return found
