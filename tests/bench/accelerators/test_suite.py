"""``s2s bench clockwork`` at a small size: figures from a simulated run, remembered."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from s2s.bench.accelerators.description import read
from s2s.bench.accelerators.tuned import tuned
from s2s.bench.harness import run
from s2s.bench.suite import Request
from s2s.tuning.clockwork import store


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_the_table_of_unified_buffers_and_its_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = Request(
        suites=("clockwork",), only=("4.1",), size="small", json=str(tmp_path / "first.json"),
        plot=str(tmp_path / "figures.svg"), out=tmp_path / "kept",
    )  # fmt: skip
    assert run(request) == 0
    assert "Table 4.1" in capsys.readouterr().out
    records = json.loads((tmp_path / "first.json").read_text())["records"]
    width = 16  # of the input: 12 and two windows of 3
    wanted = {
        ("hw_input", "first_read"): 2 * width + 2,
        ("conv1", "first_read"): 2 * (2 * width + 2),
        ("hw_input", "capacity"): 2 * width + 2,
        ("conv1", "capacity"): 2 * (width - 2) + 2,
        ("output", "capacity"): 0,
    }
    for (label, metric), figure in wanted.items():
        (found,) = [
            r["value"]
            for r in records
            if r["case"] == f"table 4.1: {label}" and r["metric"] == metric
        ]
        assert found == figure, (label, metric)
    cycles = [r for r in records if r["metric"] == "cycles" and r["case"].startswith("table 5.1")]
    assert [r["value"] for r in cycles] == [width * width]
    assert (tmp_path / "figures.svg").stat().st_size > 1000
    names = {path.name for path in (tmp_path / "kept" / "cascade-spatial").iterdir()}
    assert {"cascade_memory.cpp", "cascade_compute.h", "cascade_design.json"} <= names

    def never(*_: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(store, "measure", never)
    assert run(Request(suites=("clockwork",), only=("4.1",), size="small")) == 0


def test_a_search_that_finds_nothing_names_the_nearest_design(tmp_path: Path) -> None:
    case = next(d for d in read().designs if d.name == "cascade-spatial")
    case = replace(case, search={"pes": 1, "memories": 9, "effort": 10**6})
    found = tuned(case, "small", store.Store(str(tmp_path / "designs")), seconds=1e-9)
    assert found.measured.failure.startswith("nothing found within 1 PEs and 9 MEMs; nearest ")
    assert " cycles, 30 PEs, " in found.measured.failure
    assert found.measured.failure.endswith("(mapped): the source's own")
