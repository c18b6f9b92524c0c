"""Random functions through the house: the net says nothing of what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver import Options, transform_file
from tests.net.functions import program


@pytest.mark.parametrize("seed", [3, 4])
def test_no_false_alarms(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "file.c"
    path.write_text(program(seed, 12))
    for flags in (["-O2", "-fopenmp"], ["-O3", "-ffast-math"]):
        done = transform_file(str(path), flags, Options())
        assert done.changed
        assert not [d for d in done.diagnostics if "internal error" in d.text]
