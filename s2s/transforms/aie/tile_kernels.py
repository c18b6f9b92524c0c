"""The mapping of a tile that a core computes again and again, chosen by its kernels' cycles.

Who plans says how many cycles the text of a kernel takes (``Measure``). Arrays stay in the
program's layout where that is as fast: they come from streams and go to other cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import prod

from s2s.scop.contraction import Contraction
from s2s.scop.vector_kernel import ALONE, Cascade, Kernel
from s2s.source.records import dataclass
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.estimate import estimate
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.space import Limits, mappings, size_of

_MEASURED = 6
"""Mappings of a large tile whose kernels are measured; of others one kernel is."""
_LARGE = 50_000
"""Products of a tile from which on that is worth its time."""
_MOST = 24
"""Mappings of which a kernel is asked for."""
_BODY = 80
"""Products of the longest body that is tried."""
_ACCUMULATORS = 4
"""Sums that stay in registers through loops around a body."""
_MOVED = 1.1
"""What it costs that an array has to be brought into another layout."""

Measure = Callable[[Kernel], float | None]
"""The cycles of a kernel; None where it is none for the machine."""


@dataclass(frozen=True)
class Measured:
    """A tile's kernel (that of the last core of a chain) and its cycles."""

    kernel: Kernel
    cycles: float


@dataclass(frozen=True)
class Natural:
    """Which arrays have to stay as the program has them: other cores send or read them."""

    image: bool = False
    output: bool = False

    def of(self, tile: Contraction, mapping: Mapping) -> Mapping | None:
        """The mapping so that they do; None where its layouts are others.

        An image that is loaded as vectors may not lie twice; weights may.
        """
        if (self.image and mapping.image is not None) or (
            self.output and mapping.output is not None
        ):
            return None
        is_vector = mapping.vector in tile.image.loops
        return replace(mapping, copies=1) if self.image and is_vector else mapping

    def check(self, tile: Contraction, kernel: Kernel) -> None:
        """Raises Unmappable where a kernel wants another layout."""
        for is_kept, access in ((self.image, tile.image), (self.output, tile.output)):
            if is_kept and not kernel.array(access.array.name).is_natural:
                text = f"{access.array.name} is packed, but comes from another core or goes there"
                raise Unmappable("cores", text)


def tile_mapping(tile: Contraction, natural: Natural, chained: bool, measure: Measure) -> Mapping:
    """The mapping with the fewest cycles. Raises Unmappable."""
    plain = [m for m in mappings(tile, limits=Limits(products=_BODY)) if not m.window]
    plain = [m for m in plain if not m.keep or prod(f for _, f in m.jam) <= _ACCUMULATORS]
    plain = list(dict.fromkeys(n for m in plain if (n := natural.of(tile, m)) is not None))
    found: list[tuple[float, int, Mapping, Kernel]] = []
    refused: Unmappable | None = None
    for number, mapping in enumerate(sorted(plain, key=lambda m: _promise(tile, m))[:_MOST]):
        try:
            kernel = compile_contraction(tile, mapping, next(_cascades(chained))).kernel
            found.append((estimate(kernel).cycles * _moved(mapping), number, mapping, kernel))
        except Unmappable as error:
            refused = refused or error
    best: tuple[float, Mapping] | None = None
    measured, most = 0, _MEASURED if tile.macs > _LARGE else 1
    for counted, _, mapping, kernel in sorted(found, key=lambda one: one[:2]):
        if best is not None and (measured >= most or counted >= best[0]):
            break
        last = Cascade(receives=True) if chained else ALONE
        try:
            natural.check(tile, compile_contraction(tile, mapping, last).kernel)
        except Unmappable as error:
            refused = refused or error
            continue
        cycles, measured = measure(kernel), measured + 1
        if cycles is not None and (best is None or cycles * _moved(mapping) < best[0]):
            best = cycles * _moved(mapping), mapping
    if best is None:
        raise refused or Unmappable("cores", "no kernel of a tile fits the machine")
    return best[1]


def tile_cycles(tile: Contraction, mapping: Mapping, chained: bool, measure: Measure) -> Measured:
    """A tile's kernel, and the cycles of the slowest one in a chain. Raises Unmappable."""
    slowest = 0.0
    for cascade in _cascades(chained):
        kernel = compile_contraction(tile, mapping, cascade).kernel
        cycles = measure(kernel)
        if cycles is None:
            raise Unmappable("cores", "a tile's kernel does not fit the machine")
        slowest = max(slowest, cycles)
    return Measured(kernel, slowest * _moved(mapping))


def _cascades(chained: bool) -> Iterator[Cascade]:
    """What the cores of a chain have of it: the first one, one that passes sums on, the last."""
    if not chained:
        yield ALONE
        return
    for receives, sends in ((False, True), (True, True), (True, False)):
        yield Cascade(receives, sends)


def _moved(mapping: Mapping) -> float:
    return float(_MOVED ** sum(one is not None for one in (mapping.image, mapping.output)))


def _promise(tile: Contraction, mapping: Mapping) -> tuple[float, int]:
    """What is known of a mapping before any step."""
    size = size_of(tile, mapping)
    return size.cycles * _moved(mapping), size.body
