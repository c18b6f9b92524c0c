"""Random functions through the house: the net says nothing of what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.net.functions import program

_HERE = Path(__file__).parent


@pytest.mark.parametrize(("seed", "flags"), [(3, "-O3 -ffast-math"), (4, "-O2 -fopenmp")])
def test_no_false_alarms(tmp_path: Path, seed: int, flags: str) -> None:
    path = tmp_path / "file.c"
    path.write_text(program(seed, 12))
    done = transform_file(str(path), flags.split(), Options())
    assert done.changed
    assert not [d for d in done.diagnostics if "internal error" in d.text]


def test_loads_of_a_loop_that_runs_down(tmp_path: Path) -> None:
    """Locals that take over elements hold data: no integer of the loops that are followed."""
    path = tmp_path / "file.c"
    path.write_text((_HERE / "runs_down.c").read_text())
    done = transform_file(str(path), ["-O2", "-fopenmp"], Options(strict=True))
    assert done.changed
