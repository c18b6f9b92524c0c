"""Maxima of windows become kernels that compute the same, or are refused at their line."""

import re
from pathlib import Path

import pytest

from s2s.cli.main import main

EVERY = sorted((Path(__file__).parent / "maxima").iterdir())


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_what_becomes_of_a_program(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = path.read_text().splitlines()[:2]
    out = tmp_path / "kernel.cc"
    sizes = ["--size", second[len("// sizes: ") :]] if second.startswith("// sizes: ") else []
    status = main(["transform", str(path), "--target", "aie", "-o", str(out), *sizes])
    said = capsys.readouterr().err
    if wanted := re.fullmatch(r"// refused: (\d+): (.*)", first):
        assert status == 1
        assert f"{path}:{wanted[1]}:1: error: {wanted[2]} [aie]" in said
    else:
        assert status == 0  # the net has run both
        assert f"becomes a kernel: {first[len('// kernel: ') :]}" in said
        assert "not compared" not in said
