"""Strips are not made where arrays have no elements for them: gcc warns of what cannot run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

SOURCE = Path(__file__).with_name("room.c")


@pytest.mark.parametrize(("elements", "changed"), [(50, 0), (200, 3), (300, 4)])
def test_loops_over_arrays(elements: int, changed: int, tmp_path: Path) -> None:
    outcome = transform_file(str(SOURCE), (f"-DN={elements}",), Options(passes=("idioms",)))
    assert outcome.text.count(b"/* s2s: ") == changed
    new = tmp_path / "new.c"
    new.write_bytes(outcome.text)
    command = ["gcc", f"-DN={elements}", "-O2", "-Wall", "-Wextra", "-Werror", "-c", str(new)]
    done = subprocess.run([*command, "-o", str(tmp_path / "new.o")], capture_output=True, text=True)
    assert not done.stderr
