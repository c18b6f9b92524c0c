"""The target ``spatial`` as a device: a region's layer with a mapping, and the mapped nest in C.

A mapping is one choice among many; the one made here gives each processing element one index of
the output's first dimension and moves the smallest tiles. ``s2s tune --target spatial`` searches.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from s2s.driver.offload.doors import run_door
from s2s.driver.options import Options
from s2s.frontends.c.parse import parse_as_compiled
from s2s.source import SourceBuffer
from s2s.source.spatial.layers import WINDOWS, Layer
from s2s.source.spatial.writing import write_layer
from s2s.targets.source_options import SourceOptions
from s2s.targets.spatial.nests import judged_nests
from s2s.targets.spatial.options import SpatialOptions
from s2s.transforms.outline.table import Function, Module, Refused


def codegen(
    functions: Sequence[Function], options: Mapping[str, Any], constant_names: Sequence[str]
) -> Sequence[Module]:
    """A layer file and the mapped nest for each function. Raises Refused."""
    return [_module(function, options) for function in functions]


def _module(function: Function, options: Mapping[str, Any]) -> Module:
    with tempfile.TemporaryDirectory(prefix="s2s-region-") as folder:
        path = Path(folder, f"{function.name}.c")
        path.write_text(function.text)
        mapping = mapped_layer(_layer(str(path), function))
        to = Path(folder, f"{function.name}.m")
        to.write_text(mapping)
        chosen = Options(
            target="spatial",
            given=SourceOptions(),
            of_target=SpatialOptions(mapping=str(to)),
            check=bool(options.get("check", True)),
        )
        outcome = run_door(options["transform"], str(path), function, chosen)
    if not outcome.changed:
        raise Refused("its nest stays as it is")
    files = {f"{function.name}.m": mapping.encode(), f"{function.name}_mapped.c": outcome.text}
    said = f"{function.name} is mapped to processing elements"
    return Module("c", files, {"machine": "p1"}, said)


def _layer(path: str, function: Function) -> Layer:
    """The layer that the function's nest is. Raises Refused."""
    unit = parse_as_compiled(SourceBuffer(path, Path(path).read_bytes()), function.flags)
    nests = [nest for nest in judged_nests(unit) if nest.name == function.name]
    every = [one for nest in nests for one in (nest, *(nest.made.nests if nest.made else ()))]
    layers = [one.layer.layer for one in every if one.layer is not None]
    if len(layers) != 1:
        refusals = [nest.refusal[0] for nest in nests if nest.refusal is not None]
        words = f"{len(layers)} layers" if layers or not refusals else refusals[0]
        raise Refused(f"it is not one layer: {words}")
    return layers[0]


def mapped_layer(layer: Layer) -> str:
    """A layer file with a mapping: one index of the first dimension for each element."""
    reductions = layer.reductions
    outer = [dim for dim in layer.loops if dim not in reductions]
    lines = []
    for place, dim in enumerate([*outer, *(d for d in layer.loops if d in reductions)]):
        word = "SpatialMap" if place == 0 else "TemporalMap"
        plain = dim.removesuffix("'")
        if plain != dim and plain in WINDOWS:
            window, axis = WINDOWS[plain]
            lines.append(f"{word}({layer.loops[window]},{layer.stride[axis]}) {plain};")
        elif not (layer.slides and dim in ("R", "S")):
            lines.append(f"{word}(1,1) {dim};")
    text = write_layer(layer).rstrip()
    assert text.endswith("}")
    flow = "\n".join(f"      {line}" for line in lines)
    return f"Network regions {{\n{text[:-1].rstrip()}\n    Dataflow {{\n{flow}\n    }}\n  }}\n}}\n"
