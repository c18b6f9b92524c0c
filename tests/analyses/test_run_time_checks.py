"""What gcc compares before vectors, as the model counts it and as gcc does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from s2s.analyses.loop_carried import bodies, inner_loop
from s2s.analyses.run_time_checks import LIMIT, compared_pairs
from tests.lifting import analysed, lifted, parse_text

LOOPS = Path(__file__).parent / "places" / "loops.c"


@pytest.fixture(scope="module")
def counted() -> dict[str, int]:
    """The pairs of each function's innermost loop."""
    found = {}
    for name, scop in lifted(parse_text(LOOPS.read_text())):
        (body,) = bodies(scop)
        found[name] = compared_pairs(inner_loop(scop, body, analysed(scop).pruned))
    return found


def test_the_pairs_are_those_of_the_names(counted: dict[str, int]) -> None:
    assert counted == {name: int(name.rsplit("_", 1)[1]) for name in counted}
    assert len(counted) == 9


def test_gcc_gives_up_where_there_are_too_many(counted: dict[str, int], tmp_path: Path) -> None:
    command = ["gcc", "-O3", "-mavx2", "-fopenmp", "-c", str(LOOPS), "-fopt-info-vec-optimized"]
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "loops.o")], capture_output=True, text=True, check=True
    )
    lines = LOOPS.read_text().splitlines()
    starts = {i: n for n in counted for i, line in enumerate(lines, 1) if f"void {n}(" in line}
    places = {int(p) for p in re.findall(r":(\d+):\d+: optimized: *loop vectorized", done.stderr)}
    vectorized = {starts[max(s for s in starts if s <= place)] for place in places}
    assert vectorized == {name for name, pairs in counted.items() if pairs <= LIMIT}
