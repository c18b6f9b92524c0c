"""How many mappings there are: all, and what is left when DRAM and the array are apart.

As in Table 5.4 of Chatarasi's dissertation: tiles divide the sizes, at three levels; orders of the
loops at two; the axis of each tensor that lies together in DRAM.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial, prod

from s2s.source.records import dataclass
from s2s.tuning.spatial.candidate import Problem


@dataclass(frozen=True)
class Spaces:
    """Numbers of mappings: ``original`` all, ``off_chip`` and ``on_chip`` when decoupled.

    ``remainders``: all where tiles need not divide.
    """

    original: int
    off_chip: int
    on_chip: int
    remainders: int


def spaces(problem: Problem, shared: Sequence[int]) -> Spaces:
    """The spaces of a layer; ``shared`` is the tile of L2 for which the on-chip one is built."""
    sizes = [size for size in problem.sizes if size > 1]
    orders = factorial(len(sizes))
    layouts = prod(max(1, len(t.axes)) for t in problem.layer.computation.tensors)
    return Spaces(
        original=prod(_chains(size, 3) for size in sizes) * orders**2 * layouts,
        off_chip=prod(_chains(size, 1) for size in sizes) * orders * layouts,
        on_chip=prod(_chains(size, 2) for size in shared) * orders,
        remainders=prod(comb(size + 2, 3) for size in sizes) * orders**2 * layouts,
    )


def _chains(size: int, length: int) -> int:
    """Tiles one inside the other, each dividing the next, the last one ``size``."""
    found, factor = 1, 2
    while size > 1:
        exponent = 0
        while size % factor == 0:
            size //= factor
            exponent += 1
        found *= comb(exponent + length, length)
        factor += 1
        if factor * factor > size > 1:
            return found * (1 + length)
    return found
