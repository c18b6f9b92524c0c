"""What ``verify --offload`` says of programs on libraries: their shares, and how exact they are."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.driver.libraries import files, offloading
from s2s.driver.offload.counting import read_count, with_counts
from tests.driver.libraries.needs import needs_blas, needs_onednn

SOURCE = str(Path(__file__).with_name("shares.c"))
SUMS = str(Path(__file__).with_name("sums.c"))


def test_each_product_of_a_sum_counts_once(tmp_path: Path) -> None:
    counted, program, counts = (tmp_path / name for name in ("x.c", "x", "counts"))
    counted.write_bytes(with_counts(SOURCE, (), str(counts)))
    subprocess.run(["gcc", "-w", counted, "-o", program], check=True)
    subprocess.run([program], check=True, capture_output=True)
    assert read_count(str(counts)) == 40**3 + 16 + 2


@needs_blas
@needs_onednn
def test_verify_says_what_libraries_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", SUMS, "--offload", "blas,onednn", "--shares"]) == 0
    said = capsys.readouterr().out
    assert "from the program in double precision by" in said
    within = re.search(r"3 calls of libraries: 3,656 results within (\S+) of their bound", said)
    assert within is not None
    assert 0 < float(within[1]) < 1
    assert "devices do 30 % of its operations and 94.75 % of its 76,816 MACs" in said


@needs_blas
def test_results_out_of_bounds_are_different(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_less(name: str, data: bytes) -> tuple[str, bytes]:
        return name, data.replace(b"alpha, a, (int)lda, b", b"alpha * (T)0.999999, a, (int)lda, b")

    made = [with_less(*one) for one in files.runtime_files()]
    monkeypatch.setattr(offloading, "runtime_files", lambda: made)
    assert cli.main(["verify", SOURCE, "--offload", "blas", "--tolerance", "1"]) == 1
    assert "different (2 calls of libraries: 1,604 results within" in capsys.readouterr().out
