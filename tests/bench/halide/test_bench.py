"""``s2s bench halide``: the table and the records of two small applications."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from s2s.bench.pipelines import real, trial
from s2s.bench.pipelines.applications import read
from s2s.bench.pipelines.extents import compare
from s2s.bench.pipelines.suite import render as table
from s2s.bench.pipelines.trial import Row
from s2s.cli.main import main
from s2s.scop.expressions import INT32, Const
from s2s.scop.nest import Block, For, Nest, Node
from tests.frontends.halide.oracle import header_folder


@pytest.fixture
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short runs, and the real Halide with the header and the driver that all tests share."""
    monkeypatch.setattr(trial, "SECONDS", 0.02)
    if real.wheel() is not None:
        include = header_folder()
        build = partial(real.build, include=include, made=include / "real.o")
        monkeypatch.setattr(real, "build", build)


@pytest.mark.usefixtures("_quickly")
def test_small_applications(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    numbers = tmp_path / "numbers.json"
    options = ["--size", "small", "--repeat", "1", "--json", str(numbers)]
    assert main(["bench", "halide", "--only", "upsample,maxpool", *options]) == 0
    printed = capsys.readouterr().out
    assert "upsample" in printed
    written = json.loads(numbers.read_text())
    assert {"cpu", "compiler", "flags", "threads", "halide", "plain"} <= written["setting"].keys()
    assert "flags" in printed
    records = written["records"]
    found = {(r["case"], r["variant"], r["metric"]): r["value"] for r in records}
    assert found["maxpool", "s2s", "time"] > 0
    assert found["maxpool", "no schedule", "time"] > 0
    if real.wheel() is not None:
        assert found["upsample", "halide", "time"] > 0
        loops = found["maxpool", "s2s", "loops"]
        assert found["maxpool", "s2s", "loops with equal extents"] == loops > 0


def test_schedules_of_one_generator_are_compared() -> None:
    rows = [Row("a_1", "a", ours=3.0), Row("a_2", "a", ours=0.5), Row("b", "b", ours=7.0)]
    last = table(rows, 1).splitlines()[-1]
    assert last == "  a: 6.0 between the slowest and the fastest schedule"


def test_every_application_has_both_sizes() -> None:
    assert [a.name for a in read("small")] == [a.name for a in read("large")]


def test_extents_count_the_copies_of_unrolled_loops() -> None:
    def loop(name: str, extent: int, kind: str, body: Node) -> For:
        return For(name, Const(INT32, 0), Const(INT32, extent), kind, body)

    inner = loop("f$1.s0.x", 7, "serial", Block(()))
    nest = Nest("f", (), loop("f$1.s0.c", 3, "unrolled", inner))
    text = " for (f.s0.x, 0, 7) {\n" * 3 + " parallel (f.s0.y, 0, 5) {\n"
    assert compare(nest, text).loops == {"f.s0.x": (21, 21)}
    assert compare(nest, " for (f.s0.x, a + b, 8) {\n").loops == {"f.s0.x": (21, 8)}
