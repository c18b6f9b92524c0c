"""Random sequential time loops through the product, compared bit for bit with what came in.

``S2S_TIME_LOOPS`` is the number of programs of a run, ``S2S_SEED`` the first part of their seeds.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.properties.examples import SEED
from tests.properties.harness import THREADS, build, run
from tests.properties.time_loops import Drawing, comparison
from tests.thorough import count

_LOOPS = count("S2S_TIME_LOOPS", 5, 40)
_EACH = 6
_TILES = (
    ":sizes=3x2:plane-sizes=2x3x2:line-sizes=3x5:pair-gain=1",
    ":sizes=2x5:plane-sizes=3x2x4:line-sizes=2x16:pair-gain=1",
)


@pytest.mark.parametrize("file", range(max(1, _LOOPS // _EACH)))
def test_time_loops_leave_the_same_bits(file: int, tmp_path: Path) -> None:
    loops = [Drawing(f"f{k}", f"{SEED}:time:{file}:{k}").time_loop() for k in range(_EACH)]
    original = "\n".join(loop.text for loop in loops)
    path = tmp_path / "loops.c"
    path.write_text(original)
    passes = (f"popp{_TILES[file // 2 % len(_TILES)]}", *Options().passes[1:])
    options = Options(force=True, passes=passes, parallel=bool(file % 2))
    outcome = transform_file(str(path), ["-O2", "-fopenmp"], options)
    assert not [d.text for d in outcome.diagnostics if d.id == "internal"]
    text = comparison(loops, original, outcome.text.decode())
    binary = build(text, tmp_path / "both.c", "-O1")
    for threads in THREADS if file % 2 else THREADS[:1]:
        assert run(binary, threads) == [], f"{threads} threads, {passes[0]}, {SEED}:{file}"
