"""Pooling in C and Halide-like C++, as people write it: executed as kernels, or refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from s2s.cli.main import main

HERE = Path(__file__).parent
LAYERS = sorted((HERE / "layers").glob("*.c*"))
REFUSED = sorted((HERE / "refused").glob("*.c"))


def words_of(path: Path) -> list[str]:
    """The command line that the comments of a file ask for."""
    text = path.read_text()
    match = re.search(r"sizes: (.*)", text)
    sizes = [word for size in (match[1].split() if match else ()) for word in ("--size", size)]
    match = re.search(r"generator: (\w+)", text)
    return [*sizes, *(["--generator", match[1]] if match else [])]


@pytest.mark.parametrize("path", LAYERS, ids=lambda path: path.stem)
def test_a_layer_becomes_a_kernel_that_computes_the_same(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "kernel.cce.c"
    words = ["transform", str(path), "--target", "davinci", "-o", str(out), *words_of(path)]
    assert main(words) == 0  # the net has run both
    said = capsys.readouterr().err
    pools = re.search(r"// pools: (.*?)(; stays)?\n", path.read_text())
    assert pools is not None
    assert f"remark: {pools[1]} as " in said
    assert (pools[2] is not None) == ("arrays stay as they are" in said)
    assert (pools[2] is not None) == (".data()" not in out.read_text())
    assert "not compared" not in said


@pytest.mark.parametrize("name", ["plain.c", "max_backward.c", "argmax_members.c"])
def test_kernels_are_checked_and_simulated(name: str, tmp_path: Path) -> None:
    out, path = tmp_path / "kernel.cce.c", HERE / "layers" / name
    words = ["transform", str(path), "--target", "davinci", "-o", str(out), *words_of(path)]
    assert main([*words, "--no-check"]) == 0
    assert main(["check", str(out)]) == 0
    assert main(["simulate", str(out), "--machine", "ascend910-documented"]) == 0


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_what_is_no_pooling_is_refused_at_its_line(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = re.match(r"// refused: (\d+): (.*)\n", path.read_text())
    assert match is not None
    out = tmp_path / "kernel.cce.c"
    assert main(["transform", str(path), "--target", "davinci", "-o", str(out)]) == 1
    said = capsys.readouterr().err
    assert f"{path}:{match[1]}:" in said
    assert match[2] in said
    assert not out.exists()


@pytest.mark.parametrize(
    "variant", ["standard", "im2col", "expansion", "xy", "block-stride", "xy-block-stride"]
)
def test_every_variant_can_be_asked_for(
    variant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "kernel.cce.c"
    path = HERE / "layers" / "nhwc_average.c"
    words = ["transform", str(path), "--target", "davinci", "--variant", variant, "-o", str(out)]
    assert main(words) == 0
    assert f" as {variant}, " in capsys.readouterr().err
    assert f"variant {variant} (" in out.read_text()


def test_an_unknown_variant_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    path = HERE / "layers" / "plain.c"
    assert main(["transform", str(path), "--target", "davinci", "--variant", "fast"]) == 2
    assert "invalid choice: 'fast'" in capsys.readouterr().err


def test_explain_lists_all_variants_with_their_cycles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(HERE / "layers" / "plain.c"), "--target", "davinci"]) == 0
    said = capsys.readouterr().out
    assert "maximum over 3 x 3, stride 2 x 2, of 15 x 17 x 20" in said
    assert len(re.findall(r"^  [\w-]+: [\d,]+ cycles expected", said, re.M)) == 6
