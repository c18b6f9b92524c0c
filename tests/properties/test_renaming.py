"""Any feasible renaming of any loop leaves the same bits in memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.properties.bitwise import differences
from tests.properties.covering import variants
from tests.properties.cyclic import CyclicLoop, draw_loop
from tests.thorough import count

VARIANTS = count("S2S_VARIANTS", 34, 168)
SEED = os.environ.get("S2S_SEED", "loops")
_BATCH = 42
_MOST_VARIANTS = 10
# Loops of a batch: were there more, most would have no variants worth the name.
_MOST_LOOPS = 16


def _drawn(batch: int) -> dict[CyclicLoop, list[str]]:
    """Loops with their variants, at least ``_BATCH`` of these together."""
    made: dict[CyclicLoop, list[str]] = {}
    for number in range(_MOST_LOOPS):
        loop = draw_loop(f"{SEED}:{batch}:{number}", f"loop{number}")
        made[loop] = list(dict.fromkeys(variants(loop, _MOST_VARIANTS)))
        if sum(map(len, made.values())) >= _BATCH:
            return made
    raise AssertionError(f"only {sum(map(len, made.values()))} variants of {_MOST_LOOPS} loops")


@pytest.mark.parametrize("batch", range(-(-VARIANTS // _BATCH)))
def test_renamed_loops_do_the_same(
    batch: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    made = _drawn(batch)
    count = sum(map(len, made.values()))
    record_property("s2s renamed loops", {"loops": len(made), "variants": count})
    wrong = differences(made, tmp_path)
    assert not wrong, "\n".join(wrong[:3])
