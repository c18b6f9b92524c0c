"""What each machine shows of a run: pages and traces are made of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from s2s.cli.main import main
from s2s.simulators.machine import find_machine
from s2s.source.pictures import Picture, Slice, Timeline
from s2s.source.trace_events import trace_text

HERE = Path(__file__).parent
EMU = Path(__file__).with_name("pictures.c").read_text()
MAPPING = """\
Network small {
  Layer product {
    Type: GEMM
    Dimensions { M: 8, N: 8, K: 8 }
    Dataflow { SpatialMap(1,1) M; TemporalMap(4,4) N; TemporalMap(8,8) K; }
  }
}
"""


def simulate(folder: Path, machine: str, *words: str) -> tuple[Any, Any]:
    """The page's data and the trace of a run."""
    page, trace = folder / "page.html", folder / "trace.json"
    command = ["simulate", *words, "--machine", machine, "--report", str(page)]
    assert main([*command, "--trace", str(trace)]) == 0
    text = page.read_text()
    start = text.index('id="data">') + len('id="data">')
    return json.loads(text[start : text.index("</script>", start)]), json.loads(trace.read_bytes())


def kinds(data: Any) -> list[str]:
    return [part["kind"] for _, parts in data["views"] for part in parts]


def check_trace(trace: Any) -> list[dict[str, Any]]:
    """Threads have names and an order, and what runs on one of them nests."""
    events = trace["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    sorted_ = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_sort_index"}
    assert {(e["pid"], e["tid"]) for e in slices} <= named == sorted_
    assert {e["pid"] for e in events} == {e["pid"] for e in events if e["name"] == "process_name"}
    ends: dict[tuple[int, int], float] = {}
    for one in sorted(slices, key=lambda e: e["ts"]):
        key = one["pid"], one["tid"]
        assert one["dur"] > 0 and one["ts"] >= ends.get(key, 0)
        ends[key] = one["ts"] + one["dur"]
    return slices


def test_slots_and_registers_of_an_ai_engine(tmp_path: Path) -> None:
    file = str(HERE / "aie" / "hand_written_gemm.c")
    data, trace = simulate(tmp_path, "aie1", file, "--size", "4096")
    assert {"timeline", "roofline", "listing", "table"} <= set(kinds(data))
    slots = data["views"][0][1][0]
    assert slots["tracks"] == ["alu", "lng", "mv0", "mv1", "lda", "ldb", "st", "vec"]
    assert all(length == 1 for _, _, length, _, _ in slots["slices"])
    assert len({(track, start) for track, start, *_ in slots["slices"]}) == len(slots["slices"])
    assert check_trace(trace)


def test_pipes_of_a_davinci_core(tmp_path: Path) -> None:
    file = str(HERE / "davinci" / "clean" / "add.cce.c")
    data, trace = simulate(tmp_path, "ascend910-documented", file)
    assert {"timeline", "bars", "listing"} <= set(kinds(data))
    assert any(e["name"] == "vadd" for e in check_trace(trace))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_levels_of_a_spatial_accelerator(tmp_path: Path) -> None:
    (tmp_path / "small.m").write_text(MAPPING)
    data, trace = simulate(tmp_path, "p1", str(tmp_path / "small.m"))
    assert {"timeline", "bars", "grid", "table"} <= set(kinds(data))
    cycles = sum(e["dur"] for e in check_trace(trace))
    assert f"{cycles:,.0f}" == data["numbers"][0][0]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_migrations_of_an_emu_program(tmp_path: Path) -> None:
    (tmp_path / "walk.c").write_text(EMU)
    data, trace = simulate(tmp_path, "emu-chick", str(tmp_path / "walk.c"))
    assert {"listing", "grid", "bars", "timeline"} <= set(kinds(data))
    counts = dict(data["views"][0][1][0]["counts"])
    grid = next(part for _, parts in data["views"] for part in parts if part["kind"] == "grid")
    assert counts[9][0] > 0  # the threads follow the array
    assert sum(map(sum, grid["values"])) == float(data["numbers"][1][0].replace(",", ""))
    check_trace(trace)


def test_what_overlaps_goes_to_further_threads() -> None:
    slices = (Slice(0, 0, 4, "a"), Slice(0, 2, 4, "b"), Slice(0, 4, 1, "c"), Slice(1, 0, 1, "d"))
    trace = json.loads(trace_text([Timeline("t", ("one", "two"), slices, 6)]))
    assert len(check_trace(trace)) == 4
    names = {
        e["tid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"
    }
    assert names == {0: "one", 1: "one (2)", 2: "two"}


def test_no_picture_is_drawn_unasked(tmp_path: Path) -> None:
    from s2s.cli.simulate import read_options

    machine = find_machine("ascend910-documented")
    file = str(HERE / "davinci" / "clean" / "add.cce.c")
    args = read_options(machine, file, [], {})
    assert machine.run(args).picture is None
    args.trace = str(tmp_path / "t.json")
    drawn = machine.run(args).picture
    assert isinstance(drawn, Picture) and drawn.timelines[0].slices
