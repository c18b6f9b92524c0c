"""Mapped nests: compiled and run beside their sources, proved, refused where they are wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from s2s.net import Mismatch
from s2s.source import apply_edits
from s2s.source.spatial.layers import Index, Kind, Layer, Network
from s2s.source.spatial.tiles import directives, tile_levels
from s2s.source.spatial.writing import write_network
from s2s.targets.request import Request
from s2s.targets.source_options import SourceOptions
from s2s.targets.spatial import mapped as mapping
from s2s.targets.spatial.mapped import mapped
from s2s.targets.spatial.nests import judged_nests
from s2s.targets.spatial.options import SpatialOptions
from s2s.targets.spatial.printed import printed_nests
from tests.lifting import parse_text
from tests.places import ROOT
from tests.source.spatial.samples import layers, levels
from tests.targets.spatial.programs import execute, function_of, main_of

_PROGRAMS = Path(__file__).parent / "mapped"

_HERE = Path(__file__).parent

Run = Callable[..., CompletedProcess[str]]


def transformed(text: str, mapping: Path) -> str:
    unit = parse_text(text)
    request = Request(unit.buffer, (), SourceOptions())
    done = mapped(unit, SpatialOptions(mapping=str(mapping)), request)
    return apply_edits(unit.buffer.data, done.edits).decode()


def _is_small(layer: Layer) -> bool:
    return layer.kind not in (Kind.TRCONV, Kind.LSTM) and 8 <= layer.macs <= 1500


@settings(max_examples=2, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_mappings_give_the_same_values(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Sizes that do not divide, strides, dilations, groups, up to three levels, loops from 2."""
    folder = tmp_path_factory.mktemp("mapped")
    functions, texts, mappings = [], [], []
    for number in range(4):
        layer = data.draw(layers().filter(_is_small))
        order = data.draw(st.permutations(sorted(layer.loops)))
        name = f"f{number}"
        text = function_of(name, layer, order, data.draw(st.sampled_from([0, 0, 2])))
        (nest,) = judged_nests(parse_text(text))
        if nest.layer is None:  # a sum of one operand, say
            continue
        own = nest.layer.layer
        tiles = data.draw(levels(own))
        mappings.append(replace(own, name=name, mapping=directives(own, tiles)))
        texts.append(text)
        functions.append((name, layer))
    if not functions:
        return
    (folder / "net.m").write_text(write_network(Network("net", tuple(mappings))))
    before = "".join(texts)
    after = transformed(before, folder / "net.m")
    assert after.count("/* s2s: mapped") == len(functions)
    found = printed_nests(parse_text(after))
    assert [one.nest.name for one in found] == [one.name for one in mappings]
    for one, layer in zip(found, mappings, strict=True):
        assert _steps(one.layer) == _steps(layer)
    main = main_of(functions)
    assert execute(folder, "before", before + main) == execute(folder, "after", after + main)


def _steps(layer: Layer) -> list[tuple[int, str, int, bool, int | None]]:
    """The loops of a mapping that have several steps, each with its level, and the clusters."""
    return [
        (number, loop.dim, loop.tile, loop.spatial, level.units if loop.spatial else None)
        for number, level in enumerate(tile_levels(layer))
        for loop in level.loops
        if loop.tile < loop.extent
    ]


def test_a_printed_nest_is_read_back(run: Run, tmp_path: Path) -> None:
    """With the mapping that it was printed for; not where a line of it was changed since."""
    mapping, text = tmp_path / "gemm.m", tmp_path / "mapped.c"
    mapping.write_text(
        "Network n { Layer gemm { Type: GEMM Dimensions { M: 32, N: 48, K: 64 } Dataflow {\n"
        "  SpatialMap(5,5) M; TemporalMap(16,16) K; Cluster(4, P); SpatialMap(8,8) N;\n} } }\n"
    )
    source = str(ROOT / "benchmarks" / "marvel" / "gemm.c")
    command = ("transform", source, "--target", "spatial", "--mapping", str(mapping))
    assert run(*command, "--spatial-elements", "32", "-o", str(text)).returncode == 0
    done = run("explain", str(text), "--target", "spatial")
    assert "as a layer, where M is i, N is j, K is k, with its mapping:" in done.stdout
    words = " ".join(done.stdout.split())
    maps = "SpatialMap(5,5) M; TemporalMap(16,16) K; Cluster(4, P); SpatialMap(8,8) N; }"
    assert f"Dataflow {{ {maps}" in words
    for old, new in (("+= 16)", "+= 8)"), ("(5,5)", "(6,6)"), ("> 32)", "> 30)")):
        changed = text.read_text()
        assert old in changed
        assert not printed_nests(parse_text(changed.replace(old, new, 1)))


@pytest.mark.parametrize("declared", ["unsigned", "long"])
def test_loops_of_any_type_are_read_back(tmp_path: Path, declared: str) -> None:
    source = (
        "void f(int o[restrict 6][8], const int a[restrict 6][8]) {\n"
        f"  for ({declared} my_i = 0; my_i < 6; my_i++)\n"
        "    for (int j = 0; j < 3; j++)\n      o[my_i][j] += a[my_i][j];\n}\n"
    )
    (tmp_path / "f.m").write_text(
        "Network n { Layer f { Type: CONTRACTION Dimensions { my_i: 6, j: 3 }\n"
        "  Computation { o(my_i, j) += a(my_i, j); } Dataflow { SpatialMap(2,2) my_i; } } }\n"
    )
    (one,) = printed_nests(parse_text(transformed(source, tmp_path / "f.m")))
    assert _steps(one.layer) == [(0, "my_i", 2, True, None)]


@settings(max_examples=40)
@given(data=st.data())
def test_a_layers_nest_is_that_layer(data: st.DataObject) -> None:
    """Found by its subscripts, in any order of its loops: all that is not 1 and is not alike."""
    layer = data.draw(layers().filter(lambda one: one.kind in (Kind.CONV, Kind.GEMM, Kind.DSCONV)))
    if (
        min(layer.loops[dim] for dim in layer.loops if dim != "K" or layer.kind is not Kind.DSCONV)
        == 1
    ):
        return
    order = data.draw(st.permutations(sorted(layer.loops)))
    (nest,) = judged_nests(parse_text(function_of("f", layer, order)))
    assert nest.verdicts is not None
    assert nest.verdicts.letters == "YYYY Y"
    assert nest.layer is not None
    found = nest.layer.layer
    loops = {dim: size for dim, size in layer.loops.items() if size > 1}
    mine = {dim: size for dim, size in found.loops.items() if size > 1}
    assert found.kind is layer.kind
    assert (mine, found.stride, found.dilation) == (loops, layer.stride, layer.dilation)


def test_the_text_names_tiles_by_loop_and_level(run: Run, tmp_path: Path) -> None:
    mapping = tmp_path / "gemm.m"
    mapping.write_text(
        "Network n { Layer gemm { Type: GEMM Dimensions { M: 32, N: 48, K: 64 } Dataflow {\n"
        "  SpatialMap(5,5) M; TemporalMap(16,16) K; Cluster(4, P); SpatialMap(8,8) N;\n} } }\n"
    )
    source = str(ROOT / "benchmarks" / "marvel" / "gemm.c")
    done = run("transform", source, "--target", "spatial", "--mapping", str(mapping))
    assert done.returncode == 0, done.stderr
    for line in (
        "for (long s2s_i_1 = 0; s2s_i_1 < 32; s2s_i_1 += 5) { /* SpatialMap(5,5) M */",
        "if (s2s_i_1_end > 32) s2s_i_1_end = 32;",
        "for (long s2s_k_1 = 0; s2s_k_1 < 64; s2s_k_1 += 16) { /* TemporalMap(16,16) K */",
        "s2s_j_fold2 += 32) { /* SpatialMap(8,8) N: 4 clusters at a time */",
        "for (int k = (int)s2s_k_1; k < s2s_k_1 + 16; k++) {",
        "c[i][j] += a[i][k] * b[k][j];",
    ):
        assert line in done.stdout


GEMM = Path(__file__).with_name("mapped.c").read_text()
MAPPING = """\
Network n { Layer gemm { Type: GEMM Dimensions { M: 8, N: 9, K: 10 }
  Dataflow { TemporalMap(5,5) K; SpatialMap(4,4) M; } } }
"""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("M: 8", "M: 7"), "gemm.m:1:19: error: M of the layer is 7, in the nest of 'gemm' it"),
        (("(5,5)", "(50,5)"), "gemm.m:2:14: error: the tile of K is 50, larger than its extent 10"),
        (("Layer gemm", "Layer other {Type: GEMM Dimensions {M: 1 N: 1 K: 1}} Layer gemm"),
         "gemm.m:1:19: error: no function with a loop nest is named 'other'"),
        (("(4,4) M", "(4,4) Q"), "gemm.m:2:50: error: the layer has no dimension 'Q'"),
        (("SpatialMap", "TemporalMap"), "gemm.m:2:14: error: no SpatialMap"),
        (("Dataflow", "DataFlow"), "did you mean 'Dataflow'?"),
        (("Dataflow { TemporalMap(5,5) K; SpatialMap(4,4) M; }", ""), "has no mapping"),
    ],
)  # fmt: skip
def test_mistakes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    change: tuple[str, str], words: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("gemm.c").write_text(GEMM)
    Path("gemm.m").write_text(MAPPING.replace(*change))
    command = ("transform", "gemm.c", "--target", "spatial", "--mapping", "gemm.m", "-o", "out.c")
    done = run(*command)
    assert done.returncode == 1
    assert words in done.stderr
    assert done.stderr.count("error:") == 1
    assert not Path("out.c").exists()


def test_sums_of_floats_are_reordered_where_that_is_allowed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.c").write_text((_HERE / "mapped/sums_of_floats.c").read_text())
    Path("f.m").write_text(
        "Network n { Layer f { Type: CONTRACTION Dimensions { i: 9, j: 8, k: 8 }\n"
        "  Computation { o(k) += a(i, j) * w(i, k); }\n"
        "  Dataflow { SpatialMap(2,2) k; TemporalMap(4,4) j; } } }\n"
    )
    command = ["transform", "f.c", "--target", "spatial", "--mapping", "f.m"]
    done = run(*command)
    assert done.returncode == 1
    assert "f.c:6:9: error: the mapping adds up floating-point numbers" in done.stderr
    assert run(*command, "--spatial-reassociate").returncode == 0


def test_pointers_that_overlap_get_the_sources_own_loops(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sum of floating-point numbers is in its order, so nothing has to be allowed."""
    monkeypatch.chdir(tmp_path)
    Path("gemm.c").write_text(GEMM)
    Path("gemm.m").write_text(MAPPING)
    done = run("transform", "gemm.c", "--target", "spatial", "--mapping", "gemm.m")
    assert done.returncode == 0, done.stderr
    assert "} else {\n" in done.stdout


def test_a_nest_that_breaks_a_rule_is_refused_at_its_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gemm.m").write_text(MAPPING)
    Path("f.c").write_text((_PROGRAMS / "breaks_a_rule.c").read_text())
    done = run("transform", "f.c", "--target", "spatial", "--mapping", "gemm.m")
    assert done.returncode == 1
    assert "f.c:3:" in done.stderr
    assert "cannot be mapped: R2: flow dependence through 'a'" in done.stderr


def test_explain_prints_the_rules(run: Run) -> None:
    source = str(ROOT / "benchmarks" / "marvel" / "lstm_parametric_multi_cell.c")
    done = run("explain", source, "--target", "spatial")
    assert done.returncode == 0
    assert "R1 yes" in done.stdout
    assert "R2 no   line 4: flow dependence through 'state'" in done.stdout
    assert "R4 yes" in done.stdout
    assert "  not conformable\n" in done.stdout


@pytest.mark.parametrize("wrong", ["tail", "start", "twice"])
def test_a_text_that_was_made_wrong_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """Tiles that run past the end, a first iteration left out, and iterations done twice."""

    def spoiled(*given: Any) -> Any:
        nest = printed(*given)
        if wrong == "start":
            return replace(nest, first=(1, *nest.first[1:]))
        if wrong == "twice":
            return _twice(nest)
        first = replace(nest.loops[0], partial=False)
        inner = tuple(first if one == nest.loops[0] else one for one in nest.inner)
        return replace(nest, loops=(first, *nest.loops[1:]), inner=inner)

    printed = mapping._printed
    file = tmp_path / "gemm.m"
    file.write_text(
        "Network n { Layer gemm { Type: GEMM Dimensions { M: 32, N: 48, K: 64 }\n"
        "  Dataflow { SpatialMap(5,5) M; Cluster(2, P); SpatialMap(8,8) N; } } }\n"
    )
    text = (ROOT / "benchmarks" / "marvel" / "gemm.c").read_text()
    transformed(text, file)
    monkeypatch.setattr(mapping, "_printed", spoiled)
    with pytest.raises(Mismatch):
        transformed(text, file)


def _twice(nest: Any) -> Any:
    """The last tile loop runs over all iterations at each step of the loop around it."""
    last = replace(nest.loops[-1], around=None)
    inner = tuple(last if one == nest.loops[-1] else one for one in nest.inner)
    return replace(nest, loops=(*nest.loops[:-1], last), inner=inner)


def test_a_product_may_be_mapped_by_its_loops_names(run: Run, tmp_path: Path) -> None:
    mapping = tmp_path / "own.m"
    text = """\
Network n { Layer gemm { Type: CONTRACTION Dimensions { j: 48, i: 32, k: 64 }
  Computation { c(i, j) += a(i, k) * b(k, j); }
  Dataflow { SpatialMap(8,8) i; } } }
"""
    mapping.write_text(text)
    source = str(ROOT / "benchmarks" / "marvel" / "gemm.c")
    command = ("transform", source, "--target", "spatial", "--mapping", str(mapping))
    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert "/* SpatialMap(8,8) i */" in done.stdout
    mapping.write_text(text.replace("b(k, j)", "b(j, k)"))
    assert "the layer is c(i, j) += a(i, k) * b(j, k), the nest" in run(*command).stderr


def test_an_index_knows_its_width() -> None:
    assert Index((("Y'", 2), ("R", 3))).width({"Y'": 4, "R": 3}) == 13


def test_a_layer_counts_its_multiplications() -> None:
    assert Layer("l", Kind.GEMM, (("M", 2), ("N", 3), ("K", 4))).macs == 24
