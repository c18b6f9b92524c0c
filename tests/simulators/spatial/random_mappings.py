"""Random layers under random mappings: sizes that do not divide, strides, up to four levels."""

from __future__ import annotations

from random import Random

from s2s.simulators.spatial.cuts import Plan, plan
from s2s.source.spatial.layers import Kind, Layer
from s2s.source.spatial.tiles import TileLevel, TileLoop

_SLIDING = (Kind.CONV, Kind.CONV, Kind.DSCONV, Kind.NGCONV, Kind.TRCONV, Kind.POOL)


def random_plan(random: Random, deep: bool = False) -> Plan:
    """A small layer, cut at random, its tensors laid out at random; ``deep``: for three buffers."""
    layer = _layer(random)
    layouts = [random.randrange(len(tensor.axes)) for tensor in layer.computation.tensors]
    return plan(layer, _levels(random, layer, deep), layouts, deep=deep)


def _layer(random: Random) -> Layer:
    kind = random.choice([*_SLIDING, Kind.GEMM, Kind.GEMM, Kind.RESIDUAL_IDENTITY])
    if kind is Kind.GEMM:
        return Layer("", kind, tuple((dim, random.randint(1, 14)) for dim in "MNK"))
    window = random.randint(1, 3), random.randint(1, 3)
    stride = dilation = (1, 1)
    if kind is not Kind.RESIDUAL_IDENTITY:
        stride = random.randint(1, 3), random.randint(1, 2)
    if kind in _SLIDING and kind is not Kind.TRCONV:
        dilation = random.randint(1, 2), random.randint(1, 2)
    image = [d * (w - 1) + 1 + random.randint(0, 8) for d, w in zip(dilation, window, strict=True)]
    sizes = [("N", random.randint(1, 3))] if random.random() < 0.3 else []
    sizes += [("G", random.randint(1, 3))] if kind is Kind.NGCONV else []
    filters = kind in (Kind.CONV, Kind.NGCONV, Kind.TRCONV)
    sizes += [("K", random.randint(1, 6))] if filters else []
    sizes.append(("C", random.randint(1, 6)))
    if kind is not Kind.RESIDUAL_IDENTITY:
        sizes += [("R", window[0]), ("S", window[1])]
    return Layer("", kind, (*sizes, ("Y", image[0]), ("X", image[1])), stride, dilation)


def _levels(random: Random, layer: Layer, deep: bool) -> list[TileLevel]:
    extents = dict(layer.loops)
    levels = []
    for place in range(random.randint(1, 4) + deep):
        dims = [dim for dim in extents if random.random() < 0.7]
        random.shuffle(dims)
        shared = random.choice(dims) if dims and random.random() < 0.85 else None
        if deep and place == 0:
            shared = None
        loops = tuple(
            TileLoop(dim, random.randint(1, extents[dim]), extents[dim], dim == shared)
            for dim in dims
        )
        extents |= {loop.dim: loop.tile for loop in loops}
        levels.append(TileLevel(loops, random.randint(1, 4) if shared else 1))
    return levels
