"""Stencil pipelines: published cycles and capacities, and random pipelines against brute force."""

from __future__ import annotations

import islpy as isl
import pytest
from hypothesis import given, settings

from s2s.analyses.cycles import check, dependences
from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import CycleSchedule
from s2s.transforms.clockwork.schedule import schedule
from s2s.transforms.clockwork.stencil import RULES, schedule_stencil
from s2s.transforms.clockwork.unified_buffers import unified_buffers
from tests.transforms.clockwork import brute
from tests.transforms.clockwork.pipelines import pipelines, reversed_rows
from tests.transforms.clockwork.programs import cascade, chain, pyramid


def shown(found: CycleSchedule) -> str:
    return " + ".join(term.shown for term in found.total)


def capacities(accelerator: Accelerator, found: CycleSchedule) -> dict[str, int]:
    buffers = unified_buffers(accelerator, found)
    return {b.name: b.capacity for b in buffers if b.capacity}


def test_cascade_as_in_table_4_1() -> None:
    found = schedule(cascade()).schedule
    starts = {name.removeprefix("op_hcompute_"): s for name, s in found.starts.items()}
    assert [s.offset for s in starts.values()] == [0, 130, 260]
    assert {s.strides for s in starts.values()} == {(64, 1)}
    assert shown(found) == "4*64 + 4 + 59*64 + 59 + 1"
    assert sum(term.cycles for term in found.total) == found.cycles == 4096
    assert capacities(cascade(), found) == {"hw_input": 130, "conv1": 126}


def test_pyramid_as_in_table_5_1() -> None:
    found = schedule(pyramid()).schedule
    assert shown(found) == "7*64 + 7 + 7*512 + 7*8 + 1"
    assert found.cycles == 4096
    assert sum(capacities(pyramid(), found).values()) == 115


TABLE_6_7 = [
    # Sizes are rows and steps of each stage after rounding up, as Halide computes them.
    ("gaussian", 16, [(801, 63), (799, 62)], [1, 3], 50463),
    ("cascade", 12, [(803, 51), (801, 51), (799, 50)], [1, 3, 3], 41755),
    ("harris", 4, [(325, 76), (325, 76), (323, 75), (321, 75), (319, 74)], [1, 1, 3, 3, 3], 24700),
    ("unsharp", 3, [(325, 128), (325, 128), (319, 126)], [1, 1, 7], 41601),
]


@pytest.mark.parametrize(("name", "lanes", "sizes", "windows", "published"), TABLE_6_7)
def test_table_6_7(
    name: str, lanes: int, sizes: list[tuple[int, int]], windows: list[int], published: int
) -> None:
    stages = [f"f{k}" for k in range(len(sizes))]
    program = chain(name, stages, sizes, windows, lanes)
    rules = {rule: schedule_stencil(program, dependences(program), rule).cycles for rule in RULES}
    assert min(abs(cycles - published) for cycles in rules.values()) <= 1
    # Harris is published as its last start: an input of 325 rows of 76 takes as long.
    taken = schedule(program).schedule
    assert taken.cycles == min(rules.values()) <= published + (name == "harris")
    assert taken.rule == "stencil, longest stage per row"
    if name == "gaussian":
        assert taken.cycles == published


def test_ports_of_a_unified_buffer() -> None:
    found = schedule(cascade()).schedule
    buffer = next(b for b in unified_buffers(cascade(), found) if b.name == "conv1")
    assert (len(buffer.inputs), len(buffer.outputs)) == (1, 9)
    last = buffer.outputs[-1]
    assert str(last.access.reset_tuple_id(isl.dim_type.in_)).startswith(
        "{ [i0, i1] -> conv1[2 + i0, 2 + i1] :"
    )
    assert "[260 + 64i0 + i1]" in str(last.schedule)


def test_kernels_with_latency_delay_what_follows() -> None:
    late = {"op_hcompute_conv1": 3}
    found = schedule(cascade(latencies=late)).schedule
    assert [s.offset for s in found.starts.values()] == [0, 130, 263]
    assert found.cycles == 4099
    assert ("latency", 3) in {(t.name, t.cycles) for t in found.total}


@settings(max_examples=40, deadline=None)
@given(pipelines())
def test_random_pipelines(pipeline: Accelerator) -> None:
    found = schedule(pipeline).schedule
    assert check(pipeline, found) is None
    assert next(brute.wrong_loads(pipeline, found), None) is None
    outputs = [o.name for o in pipeline.operations if o.store.tensor in pipeline.outputs]
    ended = max(found.starts[name].last for name in outputs) + 1
    assert sum(term.cycles for term in found.total) == ended <= found.cycles
    for name, start in found.starts.items():
        assert sum(term.cycles for term in found.terms[name]) == start.offset
    for buffer in unified_buffers(pipeline, found):
        inside = buffer.name not in (*pipeline.inputs, *pipeline.outputs)
        assert buffer.capacity == (brute.capacity(pipeline, found, buffer.name) if inside else 0)


def test_a_reversed_walk_is_no_stencil() -> None:
    found = schedule(reversed_rows())
    assert found.schedule.rule == "sequential nests"
    assert next(brute.wrong_loads(reversed_rows(), found.schedule), None) is None
    assert any("op_hcompute_flip: a subscript walks backwards" in r for r in found.declined)
