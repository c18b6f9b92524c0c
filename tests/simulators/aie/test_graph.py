"""A graph of two kernels: values, who waits for whom, and what an array does not have."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.cli import main as cli
from s2s.simulators.aie.graph.command import GraphRun, run_folder
from s2s.simulators.aie.timing.machine import load
from s2s.source import work_done

FOLDER = Path(__file__).with_name("graph")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "graph"
    shutil.copytree(FOLDER, copy)
    (copy / "data").mkdir()
    generator = np.random.default_rng(3)
    for name, count in (("a0", 96), ("a1", 96), ("w", 16)):
        values = generator.integers(-9, 10, count)
        (copy / "data" / f"{name}.txt").write_text("\n".join(map(str, values)) + "\n")
    return copy


def numbers(folder: Path, name: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.loadtxt(folder / "data" / f"{name}.txt", dtype=np.int64).ravel()


def ran(folder: Path, **numbers: object) -> GraphRun:
    return run_folder(str(folder), load().replace(**numbers))


def test_values_over_streams_and_a_cascade(folder: Path) -> None:
    """The output has 64 bits in a line, and what a kernel keeps lives on."""
    with work_done.followed() as parts:
        done = ran(folder)
        told = sum(usage.calls for usage in done.ran.usage.values())
        assert parts() == (told, told)
    products = numbers(folder, "a0").reshape(-1, 16) * numbers(folder, "w")
    calls = np.repeat(np.arange(3), 32)
    wanted = products.ravel() + numbers(folder, "a1") + 256 * calls
    np.testing.assert_array_equal(numbers(folder, "c"), wanted)
    assert len((folder / "data" / "c.txt").read_text().splitlines()) == 96 // 4


def test_a_port_sets_the_pace(folder: Path) -> None:
    """32 bits at 250 MHz are a byte in each cycle: three windows of 64 bytes, then the rest."""
    slow = ran(folder).ran.cycles
    graph = folder / "graph.h"
    graph.write_text(graph.read_text().replace("250.0", "1000.0"))
    fast = ran(folder)
    assert slow >= 3 * 64 > 3 * 64 / 4
    assert fast.ran.cycles < slow
    assert fast.ran.usage["last"].calls == 3
    slower = ran(folder, array__lock=200).ran.cycles
    assert slower > fast.ran.cycles + 3 * 200


WRONG = {
    "dimensions(first.in[0]) = {32}": ("dimensions(first.in[0]) = {9000}", "first needs"),
    "adf::tile(2, 1)": ("adf::tile(0, 1)", "no cascade goes from tile 3, 1 to 0, 1"),
    "adf::connect<>(a[1].out[0], last.in[0]);": ("", "last.in[0], 'a', is not connected"),
    "adf::kernel::create(add)": ("adf::kernel::create(addition)", "there is no function"),
    "adf::single_buffer": ("adf::repetition_count", "'repetition_count' is not simulated"),
}


@pytest.mark.parametrize("text", WRONG)
def test_what_does_not_fit_is_said_at_its_line(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = folder / "graph.h"
    new, words = WRONG[text]
    graph.write_text(graph.read_text().replace(text, new))
    assert cli.main(["simulate", str(folder), "--machine", "aie1"]) == 1
    said = capsys.readouterr().err
    assert "error: " in said and words in said
    assert not (folder / "data" / "c.txt").exists()


def test_data_that_does_not_come_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "data" / "a1.txt").write_text("1 2 3\n")
    assert cli.main(["simulate", str(folder), "--machine", "aie1"]) == 1
    assert "a1.txt has 6 bytes, 192 are needed" in capsys.readouterr().err


def test_options_of_single_kernels_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["simulate", str(folder), "--machine", "aie1", "--check"]) == 2
    assert "'--check' has no effect on a graph" in capsys.readouterr().err
