"""Random loops that build graphs, emitted for Emu: they print what the plain C prints.

``S2S_BUILD_PROGRAMS=200`` tries that many, from seed ``S2S_SEED`` on.
"""

import os
from pathlib import Path
from subprocess import run

import pytest

from tests.rewriters.emu.build_programs import program
from tests.rewriters.emu.emitted import emitted, plain
from tests.thorough import count

MANY = count("S2S_BUILD_PROGRAMS", 2, 30)
FIRST = int(os.environ.get("S2S_SEED", "4"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + MANY))
def test_values_stay(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(program(seed))
    wanted = run([plain(source)], capture_output=True, text=True)
    assert wanted.returncode == 0
    found = emitted(source).run(timeout=60)
    assert (found.status, found.stdout) == (0, wanted.stdout)
