"""Estimates stand beside what the mapping makes of the same designs."""

from __future__ import annotations

import tomllib
from pathlib import Path

from s2s.tuning.clockwork.estimate import corrected, estimate
from s2s.tuning.clockwork.measured import measure
from s2s.tuning.clockwork.space import Program

FOLDER = Path(__file__).parents[3] / "benchmarks" / "clockwork"
APPLICATIONS = tomllib.loads((FOLDER / "applications.toml").read_text())


def test_cycles_and_pes_are_those_of_the_design() -> None:
    path = FOLDER / "resnet.cpp"
    parameters = tuple((k, str(v)) for k, v in APPLICATIONS["resnet"]["params"].items())
    steps = Program(str(path), path.read_bytes(), parameters, memory="ponds").steps
    found, mapped = estimate(steps), measure(steps, simulate=False)
    assert (found.failure, found.cycles, found.pes) == ("", mapped.cycles, mapped.pes)
    assert mapped.memories / 2 <= found.memories <= 2 * mapped.memories


def test_an_estimate_is_as_far_off_as_that_of_another_design() -> None:
    assert corrected(30, 20, 10) == 20
    assert corrected(30, 40, 20) == 15
    assert corrected(16, 8, 16) == 24
    assert corrected(8, 16, 20) == 10
    assert corrected(3, 0, 4) == 7
    assert corrected(4, 20, 5, 0.5) == 2
