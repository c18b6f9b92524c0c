"""Layers with mappings as C: compiled and run beside their plain loops, all kinds of layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from s2s.source import SourceBuffer
from s2s.source.spatial.layers import Kind, Layer, Network
from s2s.source.spatial.tiles import directives
from s2s.source.spatial.writing import write_network
from s2s.targets.request import Request
from s2s.targets.source_options import SourceOptions
from s2s.targets.spatial.layer_functions import print_functions
from s2s.targets.spatial.options import SpatialOptions
from tests.source.spatial.samples import layers, levels
from tests.targets.spatial.programs import execute, function_of, main_of

Run = Callable[..., CompletedProcess[str]]


@settings(max_examples=2, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_functions_compute_their_layers(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("layers")
    mapped: list[Layer] = []
    for kind in data.draw(st.permutations(list(Kind)))[:4]:
        layer = data.draw(layers(kind).filter(lambda one: 4 <= one.macs <= 1500))
        mapping = directives(layer, data.draw(levels(layer)))
        mapped.append(replace(layer, name=f"f{len(mapped)}", mapping=mapping))
    network = Network("net", tuple(mapped))
    buffer = SourceBuffer("net.m", write_network(network).encode())
    request = Request(buffer, (), SourceOptions())
    text = print_functions(network, SpatialOptions(), request).text.decode()
    functions = [(layer.name, layer) for layer in mapped]
    plain = "".join(function_of(name, layer, list(layer.loops)) for name, layer in functions)
    main = main_of(functions)
    assert execute(folder, "before", plain + main) == execute(folder, "after", text + main)


def test_files_of_layers(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        "Network n { Layer 3d { Type: GEMM Dimensions { M: 8 N: 4 K: 4 }\n"
        "  Dataflow { SpatialMap(2,2) M; } } }\n"
    )
    Path("n.m").write_text(text)
    done = run("transform", "n.m", "--target", "spatial", "-o", "n.c")
    assert done.returncode == 0, done.stderr
    assert "void layer_3d(int O[restrict 8][4]" in Path("n.c").read_text()
    elsewhere = run("transform", "n.m")
    assert elsewhere.returncode == 1
    assert "'--target cpu' has no use for this file: it is one of layers" in elsewhere.stderr
    Path("n.m").write_text(text.replace("(2,2) M", "(9,9) M"))
    wrong = run("transform", "n.m", "--target", "spatial")
    assert "n.m:2:14: error: the tile of M is 9, larger than its extent 8" in wrong.stderr
    Path("n.m").write_text(text.replace("Dataflow { SpatialMap(2,2) M; }", ""))
    assert (
        "no layer of the file has a mapping"
        in run("transform", "n.m", "--target", "spatial").stderr
    )
