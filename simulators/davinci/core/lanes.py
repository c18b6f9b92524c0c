"""Where the lanes of a vector instruction lie.

An instruction repeats; a repeat has 8 blocks of 32 bytes. Lane e of block b of repeat r is at
``base + (r * repeat_stride + b * block_stride) * 32 + e * size`` bytes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from s2s.source.records import dataclass

BLOCK = 32
BLOCKS = 8
Places = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Lanes:
    """Lanes that take part, relative to the operand's address.

    ``elements``: their places in elements, a row for each repeat; ``halves`` the pairs of bytes
    that they are; ``blocks`` the 32-byte blocks; bytes from ``low`` to ``high`` contain them.
    ``dense``: they are all bytes of this interval, in the order of lanes. ``apart``: no two repeats
    share a byte. ``start`` and ``stop`` bound the elements.
    """

    elements: Places
    halves: Places
    blocks: Places
    low: int
    high: int
    dense: bool
    apart: bool
    start: int
    stop: int

    def take(self, view: Places, at: int) -> Places:
        """The lanes' values from element ``at`` on, a row for each repeat."""
        if self.dense and self.apart:
            return view[at + self.start : at + self.stop].reshape(self.elements.shape)
        found: Places = view[self.elements + at]
        return found

    def put(self, view: Places, at: int, values: Places) -> None:
        """Write the lanes, rows one after another where they share elements."""
        if self.dense and self.apart:
            view[at + self.start : at + self.stop] = values.reshape(-1)
        else:
            view[self.elements + at] = values


EMPTY = Lanes(
    np.zeros((0, 0), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64),
    0, 0, False, True, 0, 0,
)  # fmt: skip


@lru_cache(maxsize=4096)
def lanes(repeat: int, block: int, step: int, size: int, mask: int, blocks: int = BLOCKS) -> Lanes:
    """Lanes of ``repeat`` repeats with block and repeat strides in blocks, elements of ``size``
    bytes, those whose bit in ``mask`` is set (of ``blocks`` blocks a repeat).
    """
    per = BLOCK // size
    lane = np.arange(blocks * per)
    lane = lane[[bool(mask >> int(k) & 1) for k in lane]]
    if repeat == 0 or lane.size == 0:
        return EMPTY
    inner = lane // per * (block * per) + lane % per
    elements = np.arange(repeat)[:, None] * (step * per) + inner
    flat = elements.ravel()
    used = np.unique(flat)
    low, high = int(used[0]) * size, (int(used[-1]) + 1) * size
    halves = (
        np.unique(used // 2)
        if size == 1
        else np.unique((used[:, None] * (size // 2) + np.arange(size // 2)).ravel())
    )
    return Lanes(
        elements,
        halves,
        np.unique(used // per),
        low,
        high,
        bool((np.diff(flat) == 1).all()),
        used.size == flat.size,
        low // size,
        high // size,
    )
