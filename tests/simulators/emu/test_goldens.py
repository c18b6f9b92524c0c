"""Counts that Emu's own simulator is known to print, per nodelet of four."""

from pathlib import Path

import pytest

from s2s.simulators.emu.machine import load
from s2s.simulators.emu.program import build

OPTIMIZED = True

PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize(
    ("program", "arguments", "outbound"),
    [
        ("saxpy_1d.c", ["4", "32", "5"], (8, 8, 8, 8)),
        ("saxpy_2d_at.c", ["4", "8", "5.0"], (12, 5, 5, 5)),
    ],
)
def test_outbound_migrations(program: str, arguments: list[str], outbound: tuple[int, ...]) -> None:
    machine = load().with_values({"nodelets": 4})
    with build(PROGRAMS / program, machine) as built:
        run = built.run(arguments)
    assert run.status == 0
    assert run.outbound == outbound
    assert run.created == ((5, 0, 0, 0) if program == "saxpy_1d.c" else (2, 1, 1, 1))
    assert run.died == (5, 0, 0, 0)
