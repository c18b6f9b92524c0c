"""Random functions through the house: the net says nothing of what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.net.functions import program


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
    path.write_text(
        "void f(int n, unsigned *a, unsigned *b, unsigned *c, int k)\n{\n"
        "    for (int i = n - 3; i > 0; i--) {\n"
        "        if (c[i] > k + c[i]) c[i] = c[i] * 2;\n        a[i] = c[i] - a[i + 2];\n    }\n}\n"
    )
    done = transform_file(str(path), ["-O2", "-fopenmp"], Options(strict=True))
    assert done.changed
