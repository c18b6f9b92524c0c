"""Several settings of a machine's numbers in one run take the cycles that each takes alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.simulators.davinci.command import execute_text
from s2s.simulators.davinci.machine import Chip, load

CLEAN = sorted((Path(__file__).parent / "clean").glob("*.cce.c"))


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.name.split(".")[0])
def test_settings_together_are_settings_alone(path: Path) -> None:
    chip = load("ascend910-paper")
    random = np.random.default_rng(5)
    settings = [
        {name: chip[name] * factor for name, factor in zip(chip.times, factors, strict=True)}
        for factors in random.uniform(0.2, 3, (6, len(chip.times)))
    ]

    def cycles(machine: Chip) -> Any:
        return execute_text(str(path), path.read_text(), machine).execution.cores[0].clock.cycles

    alone = [cycles(chip.with_values(one)) for one in settings]
    assert np.allclose(cycles(chip.sweep(settings)), alone, rtol=1e-12)
