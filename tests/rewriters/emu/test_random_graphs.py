"""Random programs over graphs, emitted for Emu: they print what the plain C prints.

``S2S_GRAPH_PROGRAMS=200`` tries that many, from seed ``S2S_SEED`` on.
"""

import os
from pathlib import Path
from subprocess import run

import pytest

from s2s.targets.emu.options import STEPS
from tests.rewriters.emu.emitted import NONE, emitted, plain
from tests.rewriters.emu.graph_programs import graph, program
from tests.thorough import count

MANY = count("S2S_GRAPH_PROGRAMS", 3, 30)
FIRST = int(os.environ.get("S2S_SEED", "7"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + MANY))
def test_values_stay(seed: int, tmp_path: Path) -> None:
    text, what = program(seed)
    source, edges = tmp_path / "program.c", tmp_path / "graph.wel"
    source.write_text(text)
    edges.write_text(graph(seed, 60 + seed % 7))
    wanted = run([plain(source), edges], capture_output=True, text=True)
    assert wanted.returncode == 0, what
    steps = NONE if seed % 5 == 0 else STEPS
    found = emitted(source, (), steps).run([str(edges)], timeout=60)
    assert (found.status, found.stdout) == (0, wanted.stdout), what
