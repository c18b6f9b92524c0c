"""The applications as files: what is written, and that it runs as the definitions say."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from s2s.cli.main import main

Run = Callable[..., CompletedProcess[str]]

ROOT = Path(__file__).resolve().parents[3]
CASCADE = str(ROOT / "benchmarks" / "clockwork" / "cascade.cpp")
SIXTY_FOUR = ("width=60", "height=60", "rate=1", "glb=false", "tiles_x=1", "tiles_y=1")


def transform(out: Path, source: str, params: Sequence[str], *more: str) -> None:
    """Write a design's files to a folder that is not there yet."""
    out.mkdir()
    words = [word for param in params for word in ("--param", param)]
    command = ["transform", source, "--target", "clockwork", "-o", f"{out}/", *words, *more]
    assert main(command) == 0


@pytest.fixture(scope="module")
def cascade(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cascade") / "out"
    transform(out, CASCADE, SIXTY_FOUR)
    return out


def test_table_4_1(cascade: Path) -> None:
    """Delays 0, 130, 260, strides 64 and 1, capacities 130 and 126; all else is wires."""
    table = json.loads((cascade / "cascade.ub.json").read_text())
    capacities = {n: b["capacity"] for n, b in table["buffers"].items() if b["capacity"]}
    assert capacities == {"hw_input_global_wrapper_stencil": 130, "conv1_stencil": 126}
    ports = [port for buffer in table["buffers"].values() for port in buffer["ports"]]
    delays = {port["operation"]: port["delay"] for port in ports}
    assert list(delays.values()) == [0, 130, 130, 130, 260, 260, 260, 260]
    assert all(port["strides"] == [64, 1] for port in ports)
    assert table["cycles"] == 4096


def test_simulates_what_was_written(run: Run, cascade: Path) -> None:
    done = run("simulate", str(cascade), "--machine", "amber")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("cascade: 4096 cycles = ")
    assert "all outputs as in program order" in done.stdout


def test_a_single_file_is_too_few(run: Run, tmp_path: Path) -> None:
    for words in (("-o", str(tmp_path / "one.cpp")), ("-o", "-"), ()):
        done = run("transform", CASCADE, "--target", "clockwork", *words)
        assert done.returncode == 2
        assert done.stderr.endswith("'--target clockwork' writes several files: '-o DIRECTORY/'\n")
    assert not list(tmp_path.iterdir())
