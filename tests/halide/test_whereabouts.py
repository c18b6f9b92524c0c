"""Refusals name the line that they are about."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s import cli

_SOURCE = """\
#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    Input<Buffer<bool, 2>> input{"input"};
    Output<Buffer<int32_t, 2>> output{"output"};
    Var x{"x"}, y{"y"};
    Func f{"f"}, g{"g"};
    void generate() {
        f(x, y) = cast<int32_t>(input(x, y));
        g(x, y) = FIRST + 1;
        g(x, y) += f(x, y) + SECOND;
        output(x, y) = g(x, y);
        f.compute_root();
        g.compute_root().vectorize(x, 8);
    }
};
HALIDE_REGISTER_GENERATOR(G, g)
"""
# There is no C type for the two bits in which halves of booleans are.
_BAD = "cast<int32_t>(halving_add(input({}), input(0, 0)))"


@pytest.mark.parametrize("places", ["x, y", "0, 1"])
@pytest.mark.parametrize(("which", "line"), [("FIRST", 11), ("SECOND", 12)])
def test_values_without_c_have_a_line(
    which: str, line: int, places: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = _SOURCE.replace(which, _BAD.format(places)).replace("FIRST", "7").replace("SECOND", "7")
    said = _refused(text, [], tmp_path, capfd)
    assert f"g.cpp:{line}:9: error: no C for this pipeline" in said


def test_sizes_of_another_rank_have_a_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = _SOURCE.replace("FIRST", "7").replace("SECOND", "7")
    said = _refused(text, ["--size", "output=4x5x6"], tmp_path, capfd)
    assert "error: output has 2 dimensions, 3 sizes are given" in said
    assert "g.cpp:1:1" not in said


def _refused(text: str, flags: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> str:
    path = tmp_path / "g.cpp"
    path.write_text(text)
    assert cli.main(["transform", *flags, str(path), "-o", str(tmp_path / "g.c")]) == 1
    return capfd.readouterr().err
