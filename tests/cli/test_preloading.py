"""What is loaded before processes are copied is all that a copy takes for a file with loops."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.places import ROOT

PROGRAM = """
import sys
from s2s.cli.preloading import load_for
from s2s.driver.options import Options
from s2s.driver.transform import transform_file

load_for([name := sys.argv[1]], explained=True)
assert "islpy" not in sys.modules  # a single file loads what it takes
load_for([name, name], explained=True)
before = set(sys.modules)
assert transform_file(name, (), Options(explain=True, record=True)).changed
print(*(set(sys.modules) - before))
"""


def test_a_copy_loads_hardly_anything() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(ROOT / "tests" / "jacobi.c")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    more = [name for name in done.stdout.split() if name.startswith(("s2s.", "networkx"))]
    assert len(more) < 5, more  # some depend on the file
