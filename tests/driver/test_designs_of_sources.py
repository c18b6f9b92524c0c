"""Designs of sources step by step: sums of cycles, words of shared kernels, where buffers lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from s2s.driver.designs import Steps, steps
from s2s.scop.netlist import Memory
from s2s.source.diagnostics import UserError

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "clockwork"


def design(name: str, memory: str = "", **params: object) -> Steps:
    path = FOLDER / f"{name}.cpp"
    given = {key: str(value) for key, value in params.items()}
    return steps(str(path), path.read_bytes(), given, memory=memory)


def test_terms_add_up_where_lanes_go_on_after_the_last_output() -> None:
    netlist = design("camera", width=16, height=6, rate=4, tiles_x=1, tiles_y=1).netlist
    assert netlist.cycles == sum(term.cycles for term in netlist.terms)


def test_first_values_of_a_kernel_shared_by_pixel_wait_for_no_turn() -> None:
    own: dict[str, Any] = {
        "width": 8,
        "height": 8,
        "tiles_x": 1,
        "tiles_y": 1,
        "rate": 1,
        "glb": "false",
    }
    made = design("cascade", sharing="pixel", **own).compiled
    words = {each.name: each.capacity for each in made.buffers if each.capacity}
    # Two rows of the input and of the first convolution, and two elements each.
    assert words == {"hw_input_global_wrapper_stencil": 26, "conv1_stencil": 22}


def test_the_global_buffer_is_no_tile_and_a_pond_none_either() -> None:
    made = design("gemm", "ponds", size=16, macs=4, io_rate=4, glb="true").netlist
    memories = [m for m in made.instances.values() if isinstance(m, Memory)]
    modes = {m.buffer: m.mode for m in memories}
    assert modes == {
        "hw_a_global_wrapper_glb_stencil": "global_buffer",
        "hw_b_global_wrapper_stencil": "register_file",
        "sum_stencil": "register_file",
    }
    assert all(m.capacity <= 32 for m in memories if m.mode == "register_file")


def test_lanes_that_do_not_divide_a_reduction_are_refused() -> None:
    """The last iteration adds in some of its lanes alone, and others have no words to load."""
    with pytest.raises(UserError, match="lanes that do not divide the reduction"):
        _ = design("gemm", size=14, macs=4, io_rate=2, glb="false").program


def test_lanes_of_a_stream_that_are_more_than_its_words_are_not_a_reduction() -> None:
    """Sixteen channels come in at a time where eight are added at a time."""
    small: dict[str, Any] = {"width": 4, "height": 4, "in_channels": 8, "out_channels": 8}
    tile: dict[str, Any] = {"tile_width": 4, "tile_height": 4, "in_unroll": 4, "out_unroll": 4}
    assert design("jitnet", **small, **tile, io_rate=8).netlist.cycles


@pytest.mark.parametrize("again", ["some", "all"])
def test_what_is_computed_anew_takes_a_cycle_for_each_pixel(again: str) -> None:
    size: dict[str, Any] = {"width": 10, "height": 6, "tiles_x": 1, "tiles_y": 1, "rate": 1}
    assert design("harris", **size, glb="false", recompute=again).netlist.cycles == 16 * 12
