"""The writer of layer files: what ``s2s.source.spatial.reading`` reads comes back the same."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.source.spatial.directives import Mapping, SpatialMap
from s2s.source.spatial.layers import Kind, Layer, Network


def write_network(network: Network) -> str:
    """The text of a layer file, numbers in place of constants and of ``Sz``."""
    title = f" {network.name}" if network.name else ""
    layers = "\n".join(write_layer(layer) for layer in network.layers)
    return f"Network{title} {{\n{layers}}}\n"


def write_layer(layer: Layer) -> str:
    """The text of a layer, with its directives if it has some."""
    lines = [f"  Layer{f' {layer.name}' if layer.name else ''} {{", *_head(layer)]
    if layer.mapping is not None:
        lines += ["    Dataflow {", *(f"      {line}" for line in _directives(layer.mapping))]
        lines.append("    }")
    return "\n".join([*lines, "  }\n"])


def _head(layer: Layer) -> Iterator[str]:
    yield f"    Type: {layer.kind.value}"
    if layer.stride != (1, 1) or layer.kind is Kind.TRCONV:
        yield f"    Stride {{ X: {layer.stride[1]}, Y: {layer.stride[0]} }}"
    if layer.dilation != (1, 1):
        yield f"    Dilation {{ X: {layer.dilation[1]}, Y: {layer.dilation[0]} }}"
    sizes = ", ".join(f"{dim}: {size}" for dim, size in layer.sizes)
    yield f"    Dimensions {{ {sizes} }}"
    if layer.own is not None:
        yield f"    Computation {{ {layer.own}; }}"


def _directives(mapping: Mapping) -> Iterator[str]:
    for level in mapping.levels:
        for one in level.maps:
            word = "SpatialMap" if isinstance(one, SpatialMap) else "TemporalMap"
            yield f"{word}({one.size},{one.offset}) {one.dim};"
        if level.cluster is not None:
            yield f"Cluster({level.cluster}, {'P' if level.physical else 'L'});"
