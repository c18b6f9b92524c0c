"""Random nests whose loops carry dependences, pipelined in small tiles, against what came in.

``S2S_PIPELINES`` is the number of programs of a run, ``S2S_SEED`` the first part of their seeds.
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
from tests.properties.recurrences import program
from tests.thorough import count

_FORMS = ("auto", "wavefront", "tasks")


@pytest.mark.parametrize("file", range(count("S2S_PIPELINES", 1, 8)))
def test_pipelines_leave_the_same_bits(file: int, tmp_path: Path) -> None:
    text = program(f"{SEED}:{file}", 12)
    path = tmp_path / "nests.c"
    path.write_text(text)
    shutil.copy(ROOT / "tests" / "soundness" / "numbers.h", tmp_path)
    named = f"pipeline:sizes=3x4:plane-sizes=2x3:emit={_FORMS[file % len(_FORMS)]}"
    options = Options(force=True, parallel=True, passes=(named,))
    outcome = transform_file(str(path), ["-O1", "-fopenmp"], options)
    assert not [d.text for d in outcome.diagnostics if d.id == "internal"]
    assert sum(d.id == "pipeline" and "tiled" in d.text for d in outcome.diagnostics) >= 3
    wanted = run(build(text, tmp_path / "old.c", "-O1"), 1)
    binary = build(outcome.text.decode(), tmp_path / "new.c", "-O1")
    for threads in (1, 3):
        assert run(binary, threads) == wanted, f"{threads} threads, {named}, {SEED}:{file}"
