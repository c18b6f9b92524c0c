"""Machines in files, and mappings that do not fit them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.simulators.spatial import fitting
from s2s.simulators.spatial.cuts import plan
from s2s.simulators.spatial.machine import OURS, load
from s2s.source import work_done
from s2s.source.diagnostics import UserError
from s2s.source.spatial.layers import Kind, Layer
from s2s.source.spatial.tiles import TileLevel, TileLoop

_FOLDER = Path(__file__).parent
_P1 = _FOLDER.parents[2] / "simulators" / "spatial" / "p1.toml"


@pytest.mark.parametrize("name", OURS)
def test_every_number_has_a_source_and_a_unit(name: str) -> None:
    machine = load(name)
    assert machine.name == name
    assert all(one.source and one.unit for one in machine.parameters.values())


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("[clock]", "[clok]", "[clok]", "has no number 'clok'; did you mean 'clock'?"),
        ("[l2]\nvalue = 110592", "[l2]", "[l2]", "the machine has no 'l2'"),
        ("value = 168", "value = 0", "[elements]", "0 is no value for 'elements'"),
        ("value = 168", "value = 1.5", "[elements]", "1.5 is no value for 'elements'"),
        ("value = 168", "value =", "value =", "Invalid value"),
        ('status = "assumed"', 'status = "sure"', "[dram_bandwidth]", "assumed, fitted"),
        ("value = 512", 'value = "512"', "[l1]", "'512' is no value for 'l1'"),
    ],
)
def test_a_machine_with_a_mistake_is_one_line(
    tmp_path: Path, old: str, new: str, line: str, said: str
) -> None:
    path = tmp_path / "machine.toml"
    path.write_text(_P1.read_text().replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        load(str(path))
    assert said in str(caught.value)
    (one,) = caught.value.diagnostics
    assert one.location is not None
    assert path.read_text().splitlines()[one.location.line - 1].startswith(line)


def test_a_machine_without_a_size_is_refused_at_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = _P1.read_text()
    start = text.index("[l2]")
    (tmp_path / "small.toml").write_text(text[:start] + text[text.index("[dram_block]") :])
    lines = len((tmp_path / "small.toml").read_text().splitlines())
    mapping = _FOLDER / "mappings" / "gemm_cluster_of_4.m"
    arguments = ["--machine", "p1", "--hardware", str(tmp_path / "small.toml")]
    assert cli.main(["simulate", str(mapping), *arguments]) == 1
    said = capsys.readouterr().err
    assert f"small.toml:{lines}:1: error: the machine has no 'l2'" in said
    assert said.count("error:") == 1


def test_what_overflows_and_by_how_much() -> None:
    layer = Layer("", Kind.GEMM, (("M", 64), ("N", 64), ("K", 8)))
    loops = (TileLoop("M", 16, 64, True), TileLoop("N", 16, 64))
    found = fitting.overflows(plan(layer, [TileLevel(loops, 4)]), load("p1"))
    assert found == [
        "L1 overflows by 512 bytes: the tile needs 1024 of 512 (twice I 128, W 128, O 256)"
    ]


def test_the_command_executes_and_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mapping, record = _FOLDER / "mappings" / "gemm_cluster_of_4.m", tmp_path / "record.json"
    arguments = ["simulate", str(mapping), "--machine", "p1", "--json", str(record)]
    with work_done.followed() as parts:
        assert cli.main(arguments) == 0
        iterations, every = parts()
    said = capsys.readouterr().out
    assert "values: all those of the plain loop nest" in said
    assert "energy, multiply-accumulates" in said
    (found,) = json.loads(record.read_text())
    models = found["models"]
    assert iterations == every == models["executed"]["macs"]  # what time left is told from
    assert models["exact"].keys() - {"model"} <= found["units"].keys()
    assert "DRAM byte 200" in found["units"]["energy"]
    assert models["executed"]["cycles"] == models["exact"]["cycles"] == 3972


def test_a_mapping_that_does_not_fit_is_refused_at_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "large.m"
    dataflow = "SpatialMap(32,32) M; TemporalMap(32,32) N;"
    sizes = "Dimensions { M: 64, N: 64, K: 8 }"
    path.write_text(f"Network n {{ Layer l {{ Type: GEMM {sizes} Dataflow {{ {dataflow} }} }} }}")
    assert cli.main(["simulate", str(path), "--machine", "p2"]) == 1
    assert "large.m:1:68: error: L1 overflows by 2560 bytes" in capsys.readouterr().err
