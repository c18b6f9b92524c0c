"""Designs made by hand run: each type of instance, values against numpy, cycles of the run."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.cli.main import main
from tests.simulators.amber.netlists import WEIGHTS, Files, blur, controller, element, product

Array = np.ndarray[Any, np.dtype[np.uint16]]

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def simulate(folder: Path, *words: str) -> dict[str, Any]:
    """The record of a run that has to succeed."""
    record = folder / "record.json"
    assert main(["simulate", str(folder), "--machine", "amber", "--json", str(record), *words]) == 0
    found: dict[str, Any] = json.loads(record.read_text())
    return found


def run(files: Files, folder: Path, **inputs: Array) -> tuple[dict[str, Any], Array]:
    files.write(folder)
    words = []
    for name, values in inputs.items():
        np.save(folder / f"{name}.npy", values)
        words += ["--input", f"{name}={folder / name}.npy"]
    out = folder / "out.npy"
    return simulate(folder, *words, "--output", str(out)), np.load(out)


def random(*shape: int) -> Array:
    return np.random.default_rng(1).integers(0, 65536, shape, np.uint16)


def blurred(image: Array) -> Array:
    height, width = image.shape[0] - 2, image.shape[1] - 2
    total = np.zeros((height, width), np.int64)
    for k, weight in enumerate(WEIGHTS):
        total += image[k // 3 : k // 3 + height, k % 3 : k % 3 + width].astype(np.int64) * weight
    return (total >> 4).astype(np.uint16)


@pytest.mark.parametrize(("width", "height", "lanes"), [(64, 64, 1), (20, 5, 1), (36, 9, 4)])
def test_a_blur_by_rows_and_registers(tmp_path: Path, width: int, height: int, lanes: int) -> None:
    image = random(height, width)
    record, result = run(blur(width, height, lanes), tmp_path, image=image)
    assert (result == blurred(image)[:, : result.shape[1]]).all()
    start = 2 * (width // lanes) + (1 if lanes > 1 else 2)
    assert record["cycles"] == start + (height - 3) * (width // lanes) + (width - 2) // lanes
    assert record["kernels"] == lanes
    memories = [row for row in record["instances"] if row["type"] == "memory"]
    assert {row["live"] for row in memories} == {2 * (width // lanes)}


def test_the_published_tile_of_gaussian_takes_the_published_cycles(tmp_path: Path) -> None:
    record, _ = run(blur(1008, 801, 16), tmp_path)
    assert record["cycles"] == 50463
    assert round(100 * record["compute_occupancy"], 1) == 98.2
    assert int(100 * record["pe_occupancy"]) == 79


def test_a_product_by_accumulators(tmp_path: Path) -> None:
    a, b = random(12, 12), random(12, 12)[::-1]
    record, result = run(product(12, 4), tmp_path, a=a, b=b)
    assert (result == (a.astype(np.int64) @ b.astype(np.int64)).astype(np.uint16)).all()
    assert record["cycles"] == 12 * 9 + 1
    assert record["compute_occupancy"] == 108 / 109


def copying(words: int = 32, name: str = "copied") -> Files:
    """A stream with an operation that copies it; what lies between is to be added."""
    files = Files(name)
    files.stream("input", "source")
    files.stream("output", "target")
    files.loop("x", "prg", words)
    files.operation("op", "x", "same", [["source", "x"]], ["target", "x"])
    files.function("same", [("source", 1)], "return source[0];")
    files.add("in", "input", buffer="source", controller=controller([words], [1], 0),
              element=element((0, [1])))  # fmt: skip
    return files


def finished(files: Files, source: str, start: int, words: int = 32, stride: int = 1) -> Files:
    fires = controller([words], [stride], start)
    files.add("k", "kernel", operation="op", function="same", controller=fires, latency=0, pes=1)
    files.add("out", "output", buffer="target", controller=fires, element=element((0, [1])))
    files.connect(source, "k.in0")
    files.connect("k.out", "out.in")
    files.cycles = start + (words - 1) * stride + 1
    return files


def wide(files: Files, delay: int, words: int = 32) -> None:
    """A memory of one port: fetches of four go in in the cycle after their last word, and out two
    cycles before their first one is due."""
    fetch = controller([words // 4], [4], 4, [1])
    files.add(
        "m", "memory", buffer="source", mode="sram", capacity=delay + 8, modulo=64,
        in2agg=[controller([words], [1], 0, [1])],
        agg2sram=[fetch | {"agg_stride": [1], "agg_start": 0}],
        sram2tb=[controller([words // 4], [4], delay - 1, [1]) | {"tb_stride": [1]}],
        tb2out=[controller([words], [1], delay, [1])],
    )  # fmt: skip
    files.connect("in.out", "m.in0")


def test_a_memory_of_wide_fetches(tmp_path: Path) -> None:
    files = copying()
    wide(files, 14)
    values = random(32)
    record, result = run(finished(files, "m.out0", 14), tmp_path, source=values)
    assert (result == values).all()
    memory = next(row for row in record["instances"] if row["type"] == "memory")
    assert memory["ports"] == {"in2agg0": 32, "tb2out0": 32, "agg2sram0": 8, "sram2tb0": 8}
    assert memory["live"] == 14
    assert record["memory_tiles"] == 1


def test_memories_pass_on_words(tmp_path: Path) -> None:
    """Words alternate between two memories, the second of which ends a chain."""
    files = copying()
    files.instances["in"]["controller"] = controller([32], [2], 0)
    for name, start in (("even", 0), ("odd", 2)):
        ports = {
            "in": [controller([16], [4], start, [1])],
            "out": [controller([16], [4], start + 3, [1])],
        }
        files.add(name, "memory", buffer="source", mode="dual_port", capacity=16, **ports)
        files.connect("in.out", f"{name}.in0")
    files.connect("even.out0", "odd.chain0")
    values = random(32)
    _, result = run(finished(files, "odd.out0", 3, stride=2), tmp_path, source=values)
    assert (result == values).all()


def test_a_queue(tmp_path: Path) -> None:
    files = copying()
    files.add("m", "memory", buffer="source", mode="fifo", capacity=17,
              **{"in": [controller([32], [1], 0)], "out": [controller([32], [2], 3)]})  # fmt: skip
    files.connect("in.out", "m.in0")
    values = random(32)
    record, result = run(finished(files, "m.out0", 3, stride=2), tmp_path, source=values)
    assert (result == values).all()
    assert record["instances"][1]["live"] == 17


def test_delays_kernels_with_a_latency_tables_and_constants(tmp_path: Path) -> None:
    files = Files("parts")
    files.stream("input", "source")
    files.stream("output", "target")
    files.buffer("twice")
    files.buffer("table")
    files.loop("t", "prg", 8)
    files.operation("fill", "t", "filled", [], ["table", "t"], ("t",))
    files.loop("x", "prg", 16)
    files.function("double_it", [("source", 1)], "return (uint16_t)(2 * source[0]);")
    files.function("sum", [("twice", 1), ("table", 1)], "return (uint16_t)(twice[0] + table[0]);")
    files.compute.append("hw_uint<16> filled(const int t) { return 7; }")
    files.operation("a", "x", "double_it", [["source", "x"]], ["twice", "x"])
    files.operation("b", "x", "sum", [["twice", "x"], ["table", "(x % 8)"]], ["target", "x"])
    fires = controller([16], [2], 5)
    files.add("in", "input", buffer="source", controller=controller([16], [2], 0),
              element=element((0, [1])))  # fmt: skip
    files.add("ka", "kernel", operation="a", function="double_it", latency=3,
              controller=controller([16], [2], 0))  # fmt: skip
    files.add("kt", "kernel", operation="fill", function="filled", latency=0,
              controller=controller([8], [1], 0))  # fmt: skip
    files.add("d", "delay", buffer="twice", cycles=2)
    files.add("seven", "constant", value=1)
    files.add("rom", "rom", init=[3, 7, 9])
    files.add("kb", "kernel", operation="b", function="sum", latency=1, controller=fires)
    files.add("out", "output", buffer="target", controller=controller([16], [2], 6),
              element=element((0, [1])))  # fmt: skip
    for source, target in (
        ("in.out", "ka.in0"), ("ka.out", "d.in"), ("d.out", "kb.in0"),
        ("seven.out", "rom.address"), ("rom.out", "kb.in1"), ("kb.out", "out.in"),
    ):  # fmt: skip
        files.connect(source, target)
    files.cycles = 37
    values = random(16)
    _, result = run(files, tmp_path, source=values)
    assert (result == (2 * values.astype(int) + 7).astype(np.uint16)).all()


def test_long_pauses_cost_no_time(tmp_path: Path) -> None:
    files = copying(4)
    files.instances["in"]["controller"] = controller([4], [10**10], 0)
    record, _ = run(finished(files, "in.out", 0, 4, 10**10), tmp_path, source=random(4))
    assert record["cycles"] == 3 * 10**10 + 1
