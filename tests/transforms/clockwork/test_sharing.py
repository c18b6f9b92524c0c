"""Kernels that several operations share: Table 5.1, and random pyramids against brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.analyses.cycles import check
from s2s.scop.accelerator import Accelerator
from s2s.transforms.clockwork.schedule import schedule
from s2s.transforms.clockwork.unified_buffers import unified_buffers
from tests.transforms.clockwork import brute
from tests.transforms.clockwork.programs import cascade, pyramid

CASCADE = {"op_hcompute_conv1": "op_hcompute_hw_output"}


def shared_cascade(granularity: str, rows: int = 64, columns: int = 64) -> Accelerator:
    axis = {"pixel": "x", "line": "y"}.get(granularity)
    coarse = frozenset(f"{f}_{axis}" for f in ("hw_input", "conv1", "hw_output") if axis)
    return cascade(rows, columns, shared=CASCADE, coarse=coarse)


def shared_pyramid(granularity: str, size: int = 64, levels: int = 3) -> Accelerator:
    axis = {"pixel": "x", "line": "y"}.get(granularity)
    names = ["hw_input", *(f"blur{k}" for k in range(levels))]
    last = f"op_hcompute_{names[-1]}"
    return pyramid(
        size,
        levels,
        shared={f"op_hcompute_{name}": last for name in names[1:-1]},
        coarse=frozenset(f"{name}_{axis}" for name in names if axis),
    )


def words(accelerator: Accelerator) -> tuple[int, int]:
    """Cycles and words of all buffers."""
    found = schedule(accelerator)
    buffers = unified_buffers(found.accelerator, found.schedule, found.turns)
    return found.schedule.cycles, sum(b.capacity for b in buffers)


@pytest.mark.parametrize(
    ("granularity", "published"),
    # The table has 33974 words for blocks: 130 + 62*62 with a digit too many.
    [("pixel", (8192, 256)), ("line", (8064, 316)), ("block", (7816, 3974))],
)
def test_cascade_as_in_table_5_1(granularity: str, published: tuple[int, int]) -> None:
    assert words(shared_cascade(granularity)) == published


@pytest.mark.parametrize(
    ("granularity", "cycles", "expected"),
    [("pixel", 4106, 115), ("line", 4244, 225), ("block", 4672, 1345)],
)
def test_pyramid_as_in_table_5_1(granularity: str, cycles: int, expected: int) -> None:
    found = words(shared_pyramid(granularity))
    assert found[0] <= cycles
    assert found[1] == expected


def test_terms_of_turns_by_line() -> None:
    found = schedule(shared_cascade("line")).schedule
    assert " + ".join(term.shown for term in found.total) == "4*126 + 64 + 2 + 59*126 + 59 + 1"


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["pixel", "line", "block"]),
    st.booleans(),
    st.integers(6, 9),
    st.integers(6, 11),
)
def test_kernels_are_used_once_in_a_cycle(
    granularity: str, halving: bool, rows: int, columns: int
) -> None:
    program = (
        shared_pyramid(granularity, 8 * (rows % 2 + 1), 2 + columns % 2)
        if halving
        else shared_cascade(granularity, rows, columns)
    )
    found = schedule(program)
    program, cycles = found.accelerator, found.schedule
    assert cycles.rule.startswith("shared kernels")
    assert check(program, cycles) is None
    assert next(brute.wrong_loads(program, cycles), None) is None
    functions = {o.name: o.function for o in program.operations}
    used = [(functions[s.operation], s.cycle) for s in brute.steps(program, cycles)]
    assert len(set(used)) == len(used)
    assert sum(t.cycles for t in cycles.total) == cycles.cycles
