"""Layers and mappings at random, made without the code that checks or writes them."""

from hypothesis import strategies as st

from s2s.source.spatial.layers import Computation, Index, Kind, Layer, Tensor
from s2s.source.spatial.tiles import TileLevel, TileLoop

SMALL = st.integers(1, 7)


@st.composite
def layers(draw: st.DrawFn, chosen: Kind | None = None) -> Layer:
    """A layer of any kind, or of one, with small sizes."""
    kind = chosen or draw(st.sampled_from(Kind))
    if kind is Kind.CONTRACTION:
        dims = ("I", "J", "L")
        ahead, ones = draw(SMALL), tuple(Index(((dim, 1),)) for dim in dims)
        moved = Index((("I", draw(SMALL)), ("L", 1)), ahead)
        own = Computation(
            Tensor("out", ones[:2]),
            (Tensor("a", (moved, ones[1])), Tensor("b", (ones[2],))),
            draw(st.sampled_from(["+", "max", "min"])),
        )
        return Layer("own", kind, tuple((dim, draw(SMALL)) for dim in dims), own=own)
    if kind in (Kind.GEMM, Kind.LSTM):
        return Layer("product", kind, tuple((dim, draw(SMALL)) for dim in "MNK"))
    if kind is Kind.RESIDUAL_IDENTITY:
        return Layer("sum", kind, tuple((dim, draw(SMALL)) for dim in "CYX"))
    batch = [("N", draw(SMALL))] if draw(st.booleans()) else []
    groups = [("G", draw(SMALL))] if kind is Kind.NGCONV else []
    filters = [] if kind is Kind.POOL else [("K", 1 if kind is Kind.DSCONV else draw(SMALL))]
    sizes = [*batch, *groups, *filters, ("C", draw(SMALL))]
    rows, columns = draw(SMALL), draw(SMALL)
    window = [("R", rows), ("S", columns)]
    stride = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    if kind is Kind.TRCONV:
        image = [("Y", draw(SMALL)), ("X", draw(SMALL))]
        return Layer("up", kind, (*sizes, *window, *image), stride)
    dilation = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    least = [dilation[0] * (rows - 1) + 1, dilation[1] * (columns - 1) + 1]
    image = [("Y", least[0] + draw(SMALL) - 1), ("X", least[1] + draw(SMALL) - 1)]
    if draw(st.booleans()):
        image[0] = ("Y'", draw(SMALL))
    return Layer("conv", kind, (*sizes, *window, *image), stride, dilation)


@st.composite
def levels(draw: st.DrawFn, layer: Layer) -> tuple[TileLevel, ...]:
    """Loops of a mapping of up to three levels, one spatial loop in each."""
    extents = dict(layer.loops)
    found = []
    count = draw(st.integers(1, 3))
    for place in range(count):
        order = draw(st.permutations(sorted(extents)))
        order = order[: draw(st.integers(1, len(order)))]
        chosen = draw(st.integers(0, len(order) - 1))
        loops = []
        for number, dim in enumerate(order):
            tile = draw(st.integers(1, extents[dim]))
            loops.append(TileLoop(dim, tile, extents[dim], number == chosen))
            extents[dim] = tile
        found.append(TileLevel(tuple(loops), draw(st.integers(1, 4)) if place else None))
    return tuple(found)
