"""Random sweeps through the product, in every form, compared bit for bit with what came in.

``S2S_SWEEPS`` is the number of programs of a run, ``S2S_SEED`` the first part of their seeds.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.properties.examples import SEED
from tests.properties.harness import THREADS, build, run
from tests.properties.stencils import FORMS, comparison, draw, source
from tests.thorough import count

_SWEEPS = count("S2S_SWEEPS", 8, 64)
_EACH = 8
_TILES = (
    "",
    ":plane-sizes=2x3x4:sizes=3x2:chunk=3",
    ":chunk=2",
    ":plane-sizes=3x2x2:sizes=2x5:pair-gain=1",
)


def _passes(file: int) -> tuple[str, ...]:
    popp = f"popp:emit={FORMS[file % len(FORMS)]}{_TILES[file // 2 % len(_TILES)]}"
    return (popp, *Options().passes[1:])


@pytest.mark.parametrize("file", range(max(1, _SWEEPS // _EACH)))
def test_sweeps_leave_the_same_bits(file: int, tmp_path: Path) -> None:
    sweeps = [draw(number, f"{SEED}:{file}") for number in range(_EACH)]
    original = source(sweeps)
    path = tmp_path / "sweeps.c"
    path.write_text(original)
    options = Options(force=True, passes=_passes(file))
    outcome = transform_file(str(path), ["-O2", "-fopenmp"], options)
    assert not [d.text for d in outcome.diagnostics if d.id == "internal"]
    binary = build(comparison(sweeps, original, outcome.text.decode()), tmp_path / "both.c", "-O1")
    for threads in THREADS:
        assert run(binary, threads) == [], f"{threads} threads, {_passes(file)[0]}, {SEED}:{file}"
