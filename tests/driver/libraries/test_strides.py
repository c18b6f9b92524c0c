"""Strides that layers are given, and helpers that count down: what is read as something else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.driver.libraries.needs import needs_blas, needs_onednn
from tests.driver.libraries.test_random_programs import build, offload, output

SOURCE = Path(__file__).with_name("strides.c")
DOWN = SOURCE.with_name("countdowns.c")
HEADS = SOURCE.with_name("heads.c")


@needs_blas
@needs_onednn
@pytest.mark.parametrize("libraries", [("blas", "onednn"), ("blas",)])
def test_each_number_has_its_call(tmp_path: Path, libraries: tuple[str, ...]) -> None:
    outcome = offload(SOURCE, *libraries)
    text = outcome.text.decode()
    for first, second in ((1, 1), (2, 1), (1, 2)):
        assert text.count(f"l->stride == {first} &&\n        l->dilation == {second}") == 1
        assert text.count(f"step == {first} &&\n        gap == {second}") == 1
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", "-w", SOURCE, "-o", host], check=True)
    assert output(build(tmp_path / "out", outcome)) == output(host)


@needs_blas
def test_heads_of_attention(tmp_path: Path) -> None:
    outcome = offload(HEADS, "blas")
    text = outcome.text.decode()
    assert text.count("/* s2s: cblas_sgemm */") == 2
    assert text.count("C >= (long)hs + (h*hs)") == 2
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", "-w", HEADS, "-o", host], check=True)
    assert output(build(tmp_path / "out", outcome)) == output(host)


@needs_blas
def test_helpers_that_count_down(tmp_path: Path) -> None:
    outcome = offload(DOWN, "blas")
    text = outcome.text.decode()
    assert [text.count(f"/* s2s: {name} */") for name in ("cblas_sgemv", "cblas_sger")] == [2, 1]
    host = tmp_path / "host"
    subprocess.run(["gcc", "-O1", "-w", DOWN, "-o", host], check=True)
    assert output(build(tmp_path / "out", outcome)) == output(host)
