"""Any legal schedule of any program prints what the program prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.properties.examples import EXAMPLES, ONLY, SEED, Example, example
from tests.properties.harness import Case, failures, saved

_BATCH = 25
_BATCHES = max(1, -(-EXAMPLES // _BATCH))
# Programs for which no legal schedule other than the source's order turns up are drawn again.
_MOST_DRAWS = 3 * _BATCH


def _examples(batch: int) -> list[Example]:
    if ONLY:
        return [example(0, ONLY)]
    found: list[Example] = []
    for position in range(_MOST_DRAWS):
        found.append(example(batch * 1000 + position, f"{SEED}:{batch}:{position}"))
        if sum(e.case is not None for e in found) == _BATCH:
            return found
    raise AssertionError(
        f"only {sum(e.case is not None for e in found)} of {_MOST_DRAWS} rewritten"
    )


@pytest.mark.parametrize("batch", range(1 if ONLY else _BATCHES))
def test_legal_schedules_keep_the_output(
    batch: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    examples = _examples(batch)
    by_number = {e.program.number: e for e in examples}
    wrong = {e.program.number: e.problems[0] for e in examples if e.problems}
    cases = [e.case for e in examples if e.case is not None]
    wrong |= failures([c for c in cases if c.program.number not in wrong], tmp_path)
    counts = sum((e.counts for e in examples), Counter({"examples": len(cases)}))
    record_property("s2s schedules", dict(counts))
    told = [_tell(by_number[number], why) for number, why in sorted(wrong.items())]
    assert not told, "\n".join(["", *told])


def _tell(failed: Example, why: str) -> str:
    case = failed.case or Case(failed.program, "/* not rewritten */\n")
    place = saved(case, why, failed.seed.replace(":", "-"))
    return f"S2S_ONLY={failed.seed} (sources in {place}): {why}"
