"""Mapping styles of known accelerators and optimizers, as parts of a mapping that are fixed.

Chatarasi's dissertation, section 5.7, encodes them as constraints on what is parallel and on the
order of loops on chip; the search does the rest. A product of matrices is taken for a convolution
of one pixel, of which N are output channels and K input channels.
"""

from __future__ import annotations

from dataclasses import replace

from s2s.source.records import dataclass
from s2s.source.spatial.layers import Kind, Layer
from s2s.tuning.spatial.fixed import Fixed


@dataclass(frozen=True)
class Style:
    """``parallel``: the dimensions that may have several units, of convolutions and of products;
    ``innermost``: those whose loops are innermost on chip. ``about`` says what it is.
    """

    about: str
    parallel: frozenset[str]
    product: frozenset[str] | None = None
    innermost: frozenset[str] = frozenset()


STYLES = {
    "eyeriss": Style(
        "row stationary: output columns and columns of the filter are parallel",
        frozenset({"X'", "S"}),
    ),
    "dla": Style(
        "weight stationary (NVDLA): channels are parallel, loops of no weight innermost",
        frozenset({"K", "C"}),
        frozenset({"N", "K"}),
        frozenset({"N", "Y'", "X'", "M"}),
    ),
    "shidiannao": Style(
        "output stationary: rows and columns of the output are parallel, sums innermost",
        frozenset({"Y'", "X'"}),
        innermost=frozenset({"C", "R", "S"}),
    ),
    "interstellar": Style(
        "channels of input and output are parallel", frozenset({"K", "C"}), frozenset({"N", "K"})
    ),
    "dmazerunner": Style("channels of the output are parallel", frozenset({"K"}), frozenset({"N"})),
}
_PRODUCTS = (Kind.GEMM, Kind.LSTM)


def is_for(style: str, layer: Layer) -> bool:
    """Whether a style says something of a kind of layer."""
    return layer.slides or (layer.kind in _PRODUCTS and STYLES[style].product is not None)


def with_style(fixed: Fixed, style: str, layer: Layer) -> Fixed:
    """What is fixed, and what a style fixes of it; depthwise channels are those of the output."""
    one = STYLES[style]
    parallel = one.product if layer.kind in _PRODUCTS else one.parallel
    if layer.kind is Kind.DSCONV and "K" in one.parallel:
        parallel = one.parallel | {"C"}
    inside = one.innermost & frozenset(layer.loops)
    if layer.kind in _PRODUCTS:
        inside -= {"N"}  # of a product these are channels
    return replace(fixed, parallel=parallel, innermost=fixed.innermost | inside)
