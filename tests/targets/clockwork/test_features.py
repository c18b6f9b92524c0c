"""Programs that choose their schedule by what the target has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from s2s.cli.main import main

_SOURCES = Path(__file__).resolve().parents[2] / "transforms" / "clockwork" / "sources"
_SOURCE = Path(__file__).with_name("features.cpp").read_text()


def _transform(folder: Path, feature: str) -> int:
    source = folder / "chosen.cpp"
    source.write_text(_SOURCE.replace("FEATURE", feature))
    (folder / "out").mkdir()
    return main(["transform", str(source), "--target", "clockwork", "-o", f"{folder}/out/"])


@pytest.mark.parametrize("feature", ["Clockwork", "CoreIR", "HLS"])
def test_the_schedule_for_arrays_is_taken(tmp_path: Path, feature: str) -> None:
    assert _transform(tmp_path, feature) == 0
    assert (tmp_path / "out" / "chosen_design.json").exists()


def test_none_for_arrays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _transform(tmp_path, "CUDA") == 1
    assert "no Func of the pipeline is accelerated" in capsys.readouterr().err
    assert not list((tmp_path / "out").iterdir())


_RUN = ["rounded", "edges", "looked_up", "nearest", "unlike", "unsized"]


@pytest.mark.parametrize("name", _RUN)
def test_designs_of_sources_run_as_defined(tmp_path: Path, name: str) -> None:
    """The driver executes what it writes: an error where that differs from the definitions."""
    source = _SOURCES / f"{name}.cpp"
    words = ["transform", str(source), "--target", "clockwork", "-o", f"{tmp_path}/"]
    assert main(words) == 0
    assert (tmp_path / f"{name}_design.json").exists()


def test_words_that_only_wait_are_in_the_global_buffer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = _SOURCES / "waiting.cpp"
    assert main(["transform", str(source), "--target", "clockwork", "-o", f"{tmp_path}/"]) == 0
    design = json.loads((tmp_path / "waiting_design.json").read_text())["instances"]
    memories = {i["buffer"]: i["mode"] for i in design.values() if i["type"] == "memory"}
    assert memories["hw_input_global_wrapper_glb_stencil"] == "global_buffer"
    assert memories["more_stencil"] == "sram"
    assert main(["simulate", str(tmp_path)]) == 0
    assert "128 words of the global buffer" in capsys.readouterr().out
