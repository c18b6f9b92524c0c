"""Layer files: written and read again, and what is said of each mistake, at its place."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.source.diagnostics import UserError
from s2s.source.spatial.directives import Level, Mapping, SpatialMap, TemporalMap
from s2s.source.spatial.layers import Kind, Layer, Network
from s2s.source.spatial.reading import read_network
from s2s.source.spatial.regions import levels_of, loops_of
from s2s.source.spatial.tiles import TileLevel, directives, tile_levels
from s2s.source.spatial.writing import write_network
from tests.source.spatial.samples import layers, levels

MISTAKES = sorted((Path(__file__).parent / "mistakes").glob("*.m"))


def handed_down(layer: Layer, chosen: Sequence[TileLevel]) -> list[dict[str, int]]:
    """For each level the iterations of each dimension that one of its clusters gets at a step."""
    extents = dict(layer.loops)
    found = []
    for level in chosen:
        extents = extents | {loop.dim: loop.tile for loop in level.loops}
        found.append(extents)
    return found


def read(text: str) -> Network:
    return read_network("net.m", text.encode())


def conv(dataflow: str, dimensions: str = "K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8") -> str:
    head = f"Network n {{ Layer l {{ Type: CONV Dimensions {{ {dimensions} }}"
    return f"{head} Dataflow {{ {dataflow} }} }} }}"


@settings(max_examples=60)
@given(st.data())
def test_what_is_written_is_read_again(data: st.DataObject) -> None:
    layer = data.draw(layers())
    tiles = data.draw(levels(layer))
    mapping = directives(layer, tiles, data.draw(st.booleans()))
    mapped = Layer(
        layer.name, layer.kind, layer.sizes, layer.stride, layer.dilation, layer.own, mapping
    )
    network = Network("net", (mapped, layer))
    assert read(write_network(network)) == network


@settings(max_examples=100)
@given(st.data())
def test_directives_and_loops_say_the_same(data: st.DataObject) -> None:
    layer = data.draw(layers())
    tiles = data.draw(levels(layer))
    again = tile_levels(layer, directives(layer, tiles, data.draw(st.booleans())))
    assert [level.units for level in again] == [level.units for level in tiles]
    assert [level.loops for level in again] == [level.loops for level in tiles]


@settings(max_examples=100)
@given(st.data())
def test_levels_are_the_loops_that_they_come_from(data: st.DataObject) -> None:
    """But for sequential loops over single iterations inside, which are the element's own."""
    layer = data.draw(layers())
    loops = loops_of(layer, levels_of(layer, loops_of(layer, data.draw(levels(layer)))))
    found = levels_of(layer, loops)
    assert loops_of(layer, found) == loops
    for level in found:
        assert [loop.spatial for loop in level.loops[:-1]] == [False] * (len(level.loops) - 1)
        assert level.units == (level.loops[-1].steps if level.spatial else 1)


def test_maestros_words() -> None:
    network = read(
        """
        // sizes
        Constant Tile 2;
        Network vgg.16 {
          Layer Conv2d-1 {
            Type: CONV
            Stride { X: 2, Y: 2 }
            Dimensions { K 64,C:3 R: 7, S: 7, Y:224, X:224 } // colons and commas are for people
            Dataflow {
              SpatialMap (Tile,Tile) K;
              TemporalMap(Sz(R), 1) Y;  // one row of the output
              Cluster(Sz(C), P);
              SpatialMap(1,1) C
            }
          }
          Layer next { Type: GEMM Dimensions { M: 2, N: 3, K: 4 } }
        }"""
    )
    first, second = network.layers
    assert (network.name, first.name, first.stride) == ("vgg.16", "Conv2d-1", (2, 2))
    rows = TemporalMap(7, 1, "Y")
    outer = Level((SpatialMap(2, 2, "K"), rows), 3)
    assert first.mapping == Mapping((outer, Level((SpatialMap(1, 1, "C"),))))
    assert first.loops == {"K": 64, "C": 3, "R": 7, "S": 7, "Y'": 109, "X'": 109}
    assert second.mapping is None
    assert str(second.computation) == "O(M, N) += I(M, K) * W(K, N)"


def test_tiles_and_clusters() -> None:
    (layer,) = read(
        conv("SpatialMap(3,3) K; TemporalMap(5,3) Y; Cluster(2, P); SpatialMap(1,1) C;")
    ).layers
    outer, inner = tile_levels(layer, elements=9)
    assert (outer.units, inner.units) == (4, 2)
    assert [(loop.dim, loop.tile, loop.extent, loop.steps) for loop in outer.loops] == [
        ("K", 3, 4, 2),
        ("Y'", 3, 6, 2),
    ]
    assert (outer.folds, inner.folds) == (1, 2)
    down = handed_down(layer, (outer, inner))
    assert down[-1] == {"K": 3, "C": 1, "R": 3, "S": 3, "Y'": 3, "X'": 6}
    assert [tensor.volume(down[-1]) for tensor in layer.computation.tensors] == [40, 27, 54]


def test_a_diagonal_of_rows_is_the_filters_rows() -> None:
    text = "SpatialMap(3,1) Y; Cluster(3, P); SpatialMap(1,1) Y; SpatialMap(1,1) R;"
    (layer,) = read(conv(text)).layers
    _, inner = tile_levels(layer)
    assert [(loop.dim, loop.spatial) for loop in inner.loops] == [("R", True)]


def test_steps_of_a_strided_layer_count_rows_or_outputs() -> None:
    sizes = "K: 1, C: 1, R: 3, S: 3, Y: 9, X: 9"
    for offset in (2, 4):
        text = conv(f"SpatialMap(5,{offset}) Y;", sizes).replace(
            "Dimensions", "Stride { X: 2, Y: 2 } Dimensions"
        )
        (level,) = tile_levels(read(text).layers[0])
        assert [(loop.dim, loop.tile, loop.steps) for loop in level.loops] == [("Y'", 2, 2)]


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_a_computation_of_its_loops(kind: Kind) -> None:
    sizes = {
        Kind.GEMM: "MNK",
        Kind.LSTM: "MNK",
        Kind.RESIDUAL_IDENTITY: "CYX",
        Kind.POOL: "CRSYX",
        Kind.NGCONV: "GKCRSYX",
    }.get(kind, "KCRSYX")
    if kind is Kind.CONTRACTION:
        return
    layer = Layer("l", kind, tuple((dim, 1 if dim == "K" else 5) for dim in sizes))
    used = frozenset[str]().union(*(tensor.dims for tensor in layer.computation.tensors))
    assert used == set(layer.loops)


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_a_mistake_is_said_at_its_place(path: Path) -> None:
    """A file's first line has the place and some words: ``// 3:5: WORDS``."""
    place, words = path.read_text().splitlines()[0].removeprefix("// ").split(": ", 1)
    with pytest.raises(UserError) as raised:
        for layer in read_network(path.name, path.read_bytes()).layers:
            tile_levels(layer, elements=16)
    (said,) = raised.value.diagnostics
    assert words in said.text
    assert said.location is not None
    assert f"{said.location.line}:{said.location.column}" == place


def test_there_are_mistakes() -> None:
    assert len(MISTAKES) > 25
