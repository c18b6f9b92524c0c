"""Layers with mappings as C functions, so that one sees what directives mean."""

from __future__ import annotations

from s2s.emitters.spatial.plain import function_name, print_layer
from s2s.frontends.c.parse import parse_as_compiled
from s2s.source import Edit, SourceBuffer, apply_edits
from s2s.source.diagnostics import Diagnostic, Severity
from s2s.source.spatial.layers import Network
from s2s.source.spatial.problems import problem
from s2s.source.spatial.tiles import tile_levels
from s2s.targets.request import Checked, Output, Request
from s2s.targets.spatial.mapped import execute, map_nest
from s2s.targets.spatial.nests import judged_nests
from s2s.targets.spatial.options import SpatialOptions
from s2s.transforms.spatial.nest_layers import NestLayer


def print_functions(network: Network, options: SpatialOptions, request: Request) -> Output:
    """A function for each layer that has a mapping, proved and executed as one of C's would be.

    Raises UserError where a mapping is wrong, or there is none.
    """
    layers = [layer for layer in network.layers if layer.mapping is not None]
    if not layers:
        raise problem("no layer of the file has a mapping (a Dataflow)", network.layers[0].at)
    for layer in layers:
        tile_levels(layer, elements=options.elements or None)
    names: dict[str, int] = {}
    texts = []
    for layer in layers:
        name = function_name(layer)
        count = names.setdefault(name, 0)
        names[name] += 1
        texts.append(print_layer(layer, f"{name}_{count}" if count else name))
    buffer = SourceBuffer(f"{request.buffer.path}.c", "\n".join(texts).encode())
    unit = parse_as_compiled(buffer, request.flags, on_disk=False)
    edits: list[Edit] = []
    for layer, nest in zip(layers, judged_nests(unit), strict=True):
        places = {dim: place for place, dim in enumerate(layer.loops)}
        edits.append(map_nest(nest, layer, NestLayer(layer, places), options, request))
    execute(unit, edits, options, request)
    several = f"{len(layers)} layers" if len(layers) > 1 else "1 layer"
    text = f"{several} as C functions, in the order of the mappings"
    said = Diagnostic(Severity.REMARK, text, "spatial", request.buffer.place(None))
    data = apply_edits(buffer.data, edits)
    return Output(data, lambda _: Checked(), (said,), suffix=".c")
