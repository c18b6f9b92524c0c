"""The same source gives the same files, byte for byte, however Python orders its sets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1] / "transforms" / "clockwork" / "sources" / "unlike.cpp"


def files(source: Path, words: list[str], folder: Path, seed: str) -> dict[str, bytes]:
    out = folder / seed
    out.mkdir()
    command = [sys.executable, "-m", "s2s", "transform", str(source), "--target", "clockwork"]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    words = [*command, "-o", f"{out}/", "--no-check", *words]
    subprocess.run(words, check=True, env=environment, capture_output=True)
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.parametrize(
    ("source", "words"),
    [(SHARED, ["--clockwork-place"]), (HERE / "c" / "histogram.c", [])],
    ids=["shared and placed", "c"],
)
def test_files_are_the_same(source: Path, words: list[str], tmp_path: Path) -> None:
    first, second = (files(source, words, tmp_path, seed) for seed in ("1", "77"))
    assert len(first) >= 7
    assert first == second
