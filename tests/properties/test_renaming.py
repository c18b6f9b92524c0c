"""Any feasible renaming of any loop leaves the same bits in memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.properties.bitwise import differences
from tests.properties.covering import variants
from tests.properties.cyclic import draw_loop

LOOPS = int(os.environ.get("S2S_LOOPS", "90"))
SEED = os.environ.get("S2S_SEED", "loops")
_BATCH = 10
_MOST_VARIANTS = 20


@pytest.mark.parametrize("batch", range(-(-LOOPS // _BATCH)))
def test_renamed_loops_do_the_same(
    batch: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    loops = [draw_loop(f"{SEED}:{batch}:{i}", f"loop{i}") for i in range(_BATCH)]
    made = {loop: list(dict.fromkeys(variants(loop, _MOST_VARIANTS))) for loop in loops}
    count = sum(map(len, made.values()))
    assert count > 5 * _BATCH, f"only {count} variants"
    record_property("s2s renamed loops", {"loops": len(loops), "variants": count})
    wrong = differences(made, tmp_path)
    assert not wrong, "\n".join(wrong[:3])
