"""Programs that choose their schedule by what the target has."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.cli.main import main

_SOURCES = Path(__file__).resolve().parents[2] / "transforms" / "clockwork" / "sources"
_SOURCE = """
#include "Halide.h"
using namespace Halide;

class Chosen : public Generator<Chosen> {
public:
    Input<Buffer<uint16_t>> input{"input", 2};
    Output<Buffer<uint16_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        Func hw_input("hw_input"), hw_output("hw_output");
        hw_input(x, y) = input(x, y);
        hw_output(x, y) = hw_input(x, y) + hw_input(x + 1, y);
        output(x, y) = hw_output(x, y);
        if (get_target().has_feature(Target::FEATURE)) {
            output.bound(x, 0, 8).bound(y, 0, 4);
            hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 8, 4).hw_accelerate(xi, xo);
            hw_input.stream_to_accelerator();
        }
    }
};
HALIDE_REGISTER_GENERATOR(Chosen, chosen)
"""


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
