"""Each number of the machine says what it rests on, and is used."""

from pathlib import Path

import pytest

from s2s.simulators.emu.machine import CYCLES, SIZES, STATUSES, SWITCHES, load
from s2s.source.diagnostics import UserError
from tests.simulators.emu.running import run_text


def test_every_parameter_has_a_status_and_a_source() -> None:
    machine = load()
    assert set(machine.parameters) == {*CYCLES, *SIZES, *SWITCHES}
    for parameter in machine.parameters.values():
        assert parameter.status in STATUSES
        assert len(parameter.source) > 10
    documented = {n for n, one in machine.parameters.items() if one.status == "documented"}
    assert {"nodelets", "clock_hz", "threads_per_core"} <= documented


def test_values_that_make_no_machine() -> None:
    for values in (
        {"nodelets": 0},
        {"nodelets": 5000},
        {"first_thread_goes_home": 2},
        {"speed": 1},
    ):
        with pytest.raises(UserError):
            load().with_values(values)


WORK = "\n" + Path(__file__).with_name("machine_work.c").read_text()


def test_the_estimate_follows_the_parameters(tmp_path: Path) -> None:
    slow, fast = (run_text(tmp_path, WORK, ["4"], {"spawn": n}) for n in (5000, 3000))
    assert slow.cycles - fast.cycles == 64 * 2000  # one after another, and nothing else
    crowded = run_text(tmp_path, WORK, ["4"], {"spawn": 0, "engine": 0, "threads_per_core": 1})
    assert crowded.contexts > 0.9 * crowded.cycles
