"""Random nests over tables of rows, against what came in: every result has its bits.

``S2S_TABLES`` is the number of programs of a run, ``S2S_SEED`` the first part of their seeds.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.places import ROOT
from tests.properties.examples import SEED
from tests.properties.harness import build, run
from tests.properties.tables import program
from tests.thorough import count


@pytest.mark.parametrize("file", range(count("S2S_TABLES", 1, 10)))
@pytest.mark.parametrize("parallel", [False, True])
def test_nests_over_tables_leave_the_same_bits(file: int, parallel: bool, tmp_path: Path) -> None:
    text = program(f"{SEED}:{file}:{parallel}", 2)
    path = tmp_path / "tables.c"
    path.write_text(text)
    shutil.copy(ROOT / "tests" / "soundness" / "numbers.h", tmp_path)
    options = Options(force=True, parallel=parallel)
    outcome = transform_file(str(path), ["-O3", "-fopenmp"], options)
    assert not [d.text for d in outcome.diagnostics if d.id == "internal"]
    assert b"do not overlap */" in outcome.text
    wanted = run(build(text, tmp_path / "old.c", "-O1"), 1)
    binary = build(outcome.text.decode(), tmp_path / "new.c", "-O1")
    for threads in (1, 3):
        assert run(binary, threads) == wanted, f"{threads} threads, {SEED}:{file}"
