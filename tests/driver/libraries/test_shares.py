"""Node and MAC shares: what programs count themselves, and what ``verify --shares`` says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.driver.offload.counting import read_count, with_counts
from tests.driver.libraries.needs import needs_blas

SOURCE = str(Path(__file__).with_name("shares.c"))


def test_each_product_of_a_sum_counts_once(tmp_path: Path) -> None:
    counted, program, counts = (tmp_path / name for name in ("x.c", "x", "counts"))
    counted.write_bytes(with_counts(SOURCE, (), str(counts)))
    subprocess.run(["gcc", "-w", counted, "-o", program], check=True)
    subprocess.run([program], check=True, capture_output=True)
    assert read_count(str(counts)) == 40**3 + 16 + 2


@needs_blas
def test_verify_says_what_libraries_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", SOURCE, "--offload", "blas", "--shares"]) == 0
    said = capsys.readouterr().out
    assert "same (equal); devices do 33 % of its operations and 99.97 % of its 64,018 MACs" in said
