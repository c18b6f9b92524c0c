"""The mapping of a tile that a core computes again and again, chosen by counting.

Beside what ``choose.py`` counts, loops too long to be pipelined take half as long again: what is in
flight finds no registers. Arrays stay in the program's layout where that is as fast: they come
from streams and go to other cores.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from s2s.scop.contraction import Contraction
from s2s.scop.vector_kernel import ALONE, Cascade, Kernel, KernelNest, LoadPart, Multiply
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.datapath import PART_BITS, datapath_of
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.estimate import estimate
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.space import Limits, mappings, size_of

_TRIED = 4
"""Mappings whose kernels are counted."""
_MOST = 24
"""Mappings of which a kernel is asked for."""
_BODY = 160
"""Products of the longest body that is tried."""
_PIPELINED = 74
_SPARE = 10
"""Operations of a body beside its products and the loads of its vectors."""
_ACCUMULATORS = 4
"""Sums that stay in registers through loops around a body."""
_LONG = 1.5
_MOVED = 1.1


@dataclass(frozen=True)
class Counted:
    """A tile's kernel (that of the last core of a chain) and its cycles by counting."""

    kernel: Kernel
    cycles: float


@dataclass(frozen=True)
class Natural:
    """Which arrays have to stay as the program has them: other cores send or read them."""

    image: bool = False
    output: bool = False

    def of(self, mapping: Mapping) -> Mapping | None:
        """The mapping so that they do; None where its layouts are others."""
        if (self.image and mapping.image is not None) or (
            self.output and mapping.output is not None
        ):
            return None
        return replace(mapping, copies=1) if self.image else mapping

    def check(self, tile: Contraction, kernel: Kernel) -> None:
        """Raises Unmappable where a kernel wants another layout."""
        for is_kept, access in ((self.image, tile.image), (self.output, tile.output)):
            if is_kept and not kernel.array(access.array.name).is_natural:
                text = f"{access.array.name} is packed, but comes from another core or goes there"
                raise Unmappable("cores", text)


def tile_mapping(tile: Contraction, natural: Natural = Natural()) -> Mapping:
    """The mapping with the fewest cycles by counting. Raises Unmappable."""
    plain = [m for m in mappings(tile, limits=Limits(products=_BODY)) if not m.window]
    plain = [m for m in plain if not m.keep or prod(f for _, f in m.jam) <= _ACCUMULATORS]
    plain = list(dict.fromkeys(n for m in plain if (n := natural.of(m)) is not None))
    ranked = sorted(plain, key=lambda m: _promise(tile, m))
    found: list[tuple[float, int, Mapping]] = []
    refused: Unmappable | None = None
    for number, mapping in enumerate(ranked[:_MOST]):
        try:
            counted = tile_cycles(tile, mapping, False)
            natural.check(tile, counted.kernel)
            found.append((counted.cycles, number, mapping))
        except Unmappable as error:
            refused = refused or error
        if len(found) == _TRIED:
            break
    if not found:
        raise refused or Unmappable("cores", "a tile has no mapping")
    return min(found)[2]


def tile_cycles(tile: Contraction, mapping: Mapping, chained: bool) -> Counted:
    """A tile's kernel. Raises Unmappable."""
    cascade = Cascade(receives=True) if chained else ALONE
    kernel = compile_contraction(tile, mapping, cascade).kernel
    counted = estimate(kernel)
    if not counted.fits:
        raise Unmappable("cores", "the kernel does not fit the program memory")
    extra = sum(_long(nest) for nest in kernel.nests)
    moved = sum(one is not None for one in (mapping.image, mapping.output))
    return Counted(kernel, (counted.cycles + extra) * _MOVED**moved)


def _long(nest: KernelNest) -> float:
    """Cycles that a body which is not pipelined takes beyond what is counted."""
    products = sum(isinstance(op, Multiply) for op in nest.body)
    loads = sum(isinstance(op, LoadPart) for op in nest.body)
    if products + loads <= _PIPELINED:
        return 0.0
    return (_LONG - 1) * products * prod(loop.trips for loop in nest.loops)


def _promise(tile: Contraction, mapping: Mapping) -> tuple[float, int]:
    """What is known before any step: bodies that are surely too long take half as long again."""
    size = size_of(tile, mapping)
    bits = [a.array.type.bits for a in (tile.image, tile.weight)]
    shares = tile.image.loops
    if mapping.vector not in tile.image.loops:
        bits.reverse()
        shares = tile.weight.loops
    datapath = datapath_of(*bits)
    parts = datapath.lanes * datapath.columns * datapath.x_bits / PART_BITS
    together = prod(factor for name, factor in mapping.jam if name not in shares)
    loads = size.body * (parts / together if mapping.vector in tile.weight.loops else 0.5)
    is_long = size.body + loads > _PIPELINED - _SPARE
    moved = sum(one is not None for one in (mapping.image, mapping.output))
    return size.cycles * (_LONG if is_long else 1.0) * _MOVED**moved, size.body
