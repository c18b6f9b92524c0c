"""Mapped designs: each port of each kernel gets the words that its loads name."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import Start
from s2s.scop.nest import Allocate, Block
from s2s.scop.netlist import Kernel, Memory, Netlist
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.mapping import map_design
from s2s.transforms.clockwork.schedule import schedule
from s2s.transforms.clockwork.taps import _in_flight
from tests.transforms.clockwork.netlists import Run
from tests.transforms.clockwork.pipelines import enlarged, pipelines
from tests.transforms.clockwork.programs import (
    accelerator,
    cascade,
    chain,
    halves,
    load,
    loops,
    product,
    pyramid,
    stage,
    store,
    tensor,
    times,
    total,
    var,
)
from tests.transforms.clockwork.test_sequential import rows
from tests.transforms.clockwork.test_sharing import shared_cascade, shared_pyramid


def mapped(accelerator: Accelerator) -> Netlist:
    """The netlist, executed."""
    found = schedule(accelerator)
    netlist = map_design(found.accelerator, found.schedule)
    run = Run(found.accelerator, found.schedule, netlist)
    assert list(run.wrong())[:3] == []
    assert list(run.sram_conflicts())[:3] == []
    assert list(run.overfull()) == []
    return netlist


def test_cascade_has_the_registers_and_memories_of_table_5_3() -> None:
    netlist = mapped(cascade(16, 20))
    assert netlist.registers == 12
    memories = [m for m in netlist.instances.values() if isinstance(m, Memory)]
    assert [(m.mode, m.buffer, m.capacity) for m in memories] == [
        ("sram", "hw_input", 40),
        ("sram", "conv1", 36),
    ]


def test_wide_fetches_of_cascade_move_when_they_are_full() -> None:
    found = schedule(cascade())
    netlist = map_design(found.accelerator, found.schedule)
    tile = netlist.instances["hw_input_mem"]
    assert isinstance(tile, Memory)
    # As in the published collateral: in2agg from 0, agg2sram from 4, tb2out from 64 and 128.
    assert [c.start for (c,) in (*tile.writes, *tile.to_sram, *tile.reads)] == [0, 4, 64, 128]


@pytest.mark.parametrize(
    "program",
    [
        chain("lanes", ["a", "b", "c"], [(9, 6), (7, 5), (5, 4)], [1, 3, 3], 4),
        pyramid(16, 2),
        product(4, 2, 2),
        rows(4, 8, 3, 0),
        rows(3, 8, 3, 2),
        rows(3, 8, 2, 0, inside=False),
        *(shared_cascade(g, 9, 11) for g in ("pixel", "line", "block")),
        *(shared_pyramid(g, 16, 2) for g in ("pixel", "line", "block")),
    ],
    ids=lambda each: f"{each.name}-{'-'.join(sorted(each.coarse))}",
)
def test_words_arrive(program: Accelerator) -> None:
    mapped(program)


def test_a_buffer_larger_than_a_tile_is_in_a_chain_of_tiles() -> None:
    """A picture turned, all of it kept: 64 * 48 words, of which a tile has 2048."""
    body = [
        stage("f", (48, 64), lambda y, x: load("input", x, y)),
        stage("turned", (64, 48), lambda y, x: load("f", y, x)),
    ]
    stream, f, turned = tensor("input", (64, 48)), tensor("f", (64, 48)), tensor("turned", (48, 64))
    netlist = mapped(accelerator("turn", [stream], [turned], [f], body))
    (memory,) = (m for m in netlist.instances.values() if isinstance(m, Memory))
    assert (memory.buffer, memory.tiles) == ("f", 2)
    assert memory.capacity > 2048


def test_values_that_are_now_and_then_taken_as_they_are_made() -> None:
    """A picture without its enlarged half: each fourth value of that is a wire's."""
    body = [
        stage("half", (6, 8), lambda y, x: load("input", times(x, 2), times(y, 2))),
        stage("rest", (12, 16), lambda y, x: total([load("half", halves(x, 2), halves(y, 2))] * 2)),
    ]
    stream, half, rest = tensor("input", (16, 12)), tensor("half", (8, 6)), tensor("rest", (16, 12))
    mapped(accelerator("laplacian", [stream], [rest], [half], body))


def test_elements_that_depend_on_the_loops_around_a_buffer() -> None:
    """A plane of "f" for each iteration of a loop around it: the first comes after the last."""
    i, z, again, w, r, p = (var(name) for name in ("i", "z", "again", "w", "r", "p"))
    fill = loops(["z", "i"], [4, 4], store("f", [z, i], load("input", z, i, p, w)))
    use = loops(["again", "i"], [2, 4], store("sums", [i, again, p, r, w], load("f", r, i)))
    inner = Allocate(tensor("f", (4, 4)), Block((fill, use)))
    body = loops(["w", "r", "p"], [2, 4, 3], inner)
    stream, sums = tensor("input", (4, 4, 3, 2)), tensor("sums", (4, 2, 3, 4, 2))
    mapped(accelerator("planes", [stream], [sums], [], [body]))


def test_values_that_nothing_loads_take_no_place_of_others() -> None:
    """The diagonal of a picture, whose other values are written to the memory, too."""
    body = [
        stage("f", (8, 8), lambda y, x: load("input", x, y)),
        stage("diagonal", (8, 1), lambda y, x: load("f", y, y)),
    ]
    stream, f = tensor("input", (8, 8)), tensor("f", (8, 8))
    diagonal = tensor("diagonal", (1, 8))
    mapped(accelerator("diagonal", [stream], [diagonal], [f], body))


@settings(max_examples=32, deadline=None)
@given(pipelines())
@example(enlarged())
def test_words_of_random_pipelines_arrive(pipeline: Accelerator) -> None:
    try:
        netlist = mapped(pipeline)
    except MappingError:
        assume(False)
    assert netlist.count(Kernel) == len(pipeline.operations)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 4)), min_size=1, max_size=3), st.data())
def test_words_under_way_are_the_most_that_start_within_a_delay(
    loops: list[tuple[int, int]], data: st.DataObject
) -> None:
    strides, times = [], [0]
    for extent, pause in loops:
        strides.append(times[-1] + 1 + pause)
        times = [i * strides[-1] + t for i in range(extent) for t in times]
    delay = data.draw(st.integers(1, times[-1] + 5))
    start = Start(7, tuple(strides[::-1]), tuple(extent for extent, _ in loops[::-1]))
    most = max(sum(t <= other < t + delay for other in times) for t in times)
    assert _in_flight(start, delay) == most
