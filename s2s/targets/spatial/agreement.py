"""Whether a layer file's layer is what a nest computes."""

from __future__ import annotations

from s2s.source.spatial.layers import Kind, Layer
from s2s.source.spatial.problems import problem
from s2s.transforms.spatial.nest_layers import NestLayer


def check_same(layer: Layer, own: NestLayer, name: str) -> None:
    """Raises UserError, at the layer, where kind, sizes, strides or dilations differ."""
    nest = own.layer
    if layer.kind is not nest.kind and {layer.kind, nest.kind} != {Kind.CONV, Kind.FC}:
        text = f"the layer is a {layer.kind.value}, the nest of '{name}' is a {nest.kind.value}"
        raise problem(text, layer.at)
    for what in ("stride", "dilation"):
        theirs, ours = getattr(layer, what), getattr(nest, what)
        if theirs != ours:
            text = f"the layer's {what} (Y, X) is {theirs}, that of the nest of '{name}' {ours}"
            raise problem(text, layer.at)
    for dim in dict.fromkeys((*layer.loops, *nest.loops)):
        size, wanted = layer.loops.get(dim, 1), nest.loops.get(dim, 1)
        if size != wanted:
            text = f"{dim} of the layer is {size}, in the nest of '{name}' it is {wanted}"
            raise problem(text, layer.at)
