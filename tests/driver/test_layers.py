"""Layers of files, whatever they are written in."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.layers import read_layers
from s2s.source.diagnostics import UserError
from tests.places import ROOT

MARVEL = ROOT / "benchmarks" / "marvel"


def test_layers_of_c_files_and_layer_files(tmp_path: Path) -> None:
    network, left = read_layers(str(MARVEL / "conv2d.c"))
    (layer,) = network.layers
    assert not left
    (tmp_path / "one.m").write_text(
        "Network n { Layer conv2d { Type: CONV Dimensions { K: 8 C: 3 R: 3 S: 3 Y: 16 X: 16 } } }"
    )
    assert read_layers(str(tmp_path / "one.m"))[0].layers == (layer,)


def test_a_file_without_a_layer_says_why_at_the_line() -> None:
    with pytest.raises(UserError) as raised:
        read_layers(str(MARVEL / "lstm_parametric_multi_cell.c"))
    (said,) = raised.value.diagnostics
    assert "R2: flow dependence through 'state'" in said.text
    assert said.location is not None
    assert said.location.line == 4


def test_a_model_needs_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    (tmp_path / "m.onnx").write_bytes(b"x")
    with pytest.raises(UserError, match="pip install"):
        read_layers(str(tmp_path / "m.onnx"))
