"""Hardware around shared kernels: Table 5.3 of Setter's dissertation from our own netlists."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.scop.accelerator import Accelerator
from s2s.scop.netlist import Kernel, Memory, Mux, Netlist
from s2s.transforms.clockwork.fit_design import SHARING, MappingOptions
from s2s.transforms.clockwork.mapping import map_design
from s2s.transforms.clockwork.schedule import schedule
from tests.transforms.clockwork.netlists import Run
from tests.transforms.clockwork.programs import cascade
from tests.transforms.clockwork.test_sharing import shared_cascade, shared_pyramid


def mapped(accelerator: Accelerator, sharing: str) -> Netlist:
    """The netlist, executed."""
    found = schedule(accelerator)
    netlist = map_design(found.accelerator, found.schedule, MappingOptions(sharing=sharing))
    run = Run(found.accelerator, found.schedule, netlist)
    assert list(run.wrong())[:3] == []
    assert list(run.sram_conflicts())[:3] == []
    return netlist


def components(netlist: Netlist) -> tuple[int, int, int, int]:
    """Kernels with PEs, stencil registers, multiplexers, memory tiles."""
    kernels = sum(i.pes > 0 for i in netlist.instances.values() if isinstance(i, Kernel))
    return kernels, netlist.registers, netlist.count(Mux), netlist.count(Memory)


def test_a_cascade_without_sharing() -> None:
    assert components(mapped(cascade(16, 20), "memories")) == (2, 12, 0, 2)


@pytest.mark.parametrize(
    ("sharing", "expected"),
    [
        # The table has 10 multiplexers: one for the sum's first value, which is no load here.
        ("muxes", (1, 12, 9, 3)),
        # The table counts multiplexers per port of the kernel; before shared registers there is
        # one for each row.
        ("registers", (1, 6, 3, 3)),
        ("chaining", (1, 6, 0, 3)),
        # The table has 1 tile. The kernel takes three rows of conv1 in a cycle, all of them from
        # memory, and a tile has two ports out.
        ("memories", (1, 6, 0, 2)),
    ],
)
def test_table_5_3(sharing: str, expected: tuple[int, int, int, int]) -> None:
    assert components(mapped(shared_cascade("line", 16, 20), sharing)) == expected


def test_rows_of_a_block_have_registers_too() -> None:
    """The second convolution reads a buffer of the whole block: a memory for each of three rows."""
    assert components(mapped(shared_cascade("block", 16, 20), "muxes")) == (1, 12, 9, 4)
    assert components(mapped(shared_cascade("block", 16, 20), "memories")) == (1, 6, 0, 3)


def test_registers_between_turns_of_a_pixel_have_room_for_both() -> None:
    """A tap is as many cycles after the one before it as there are turns."""
    own = mapped(shared_cascade("pixel", 9, 11), "muxes").registers
    assert mapped(shared_cascade("pixel", 9, 11), "registers").registers < own


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(["pixel", "line", "block"]),
    st.sampled_from(SHARING),
    st.booleans(),
    st.integers(6, 9),
    st.integers(6, 17),
)
def test_each_kind_of_sharing_gives_the_same_words(
    granularity: str, sharing: str, halving: bool, rows: int, columns: int
) -> None:
    program = (
        shared_pyramid(granularity, 8 * (rows % 2 + 1), 2 + columns % 2)
        if halving
        else shared_cascade(granularity, rows, columns)
    )
    assert mapped(program, sharing).count(Kernel) <= len(program.operations)
