"""Any legal schedule of any program prints what the program prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.properties.examples import EXAMPLES, ONLY, SEED, Example, example, transformed
from tests.properties.generate import draw_program
from tests.properties.harness import Case, failures, saved
from tests.properties.program import Assign, If, Omp, Program, walk
from tests.properties.shrink import shrunk

_BATCH = 25
_BATCHES = max(1, -(-EXAMPLES // _BATCH))
# Programs for which no legal schedule other than the source's order turns up are drawn again.
_MOST_DRAWS = 3 * _BATCH
_SHRINK_SECONDS = 40.0
_SHRINK_SCHEDULES = 4


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
    told += [_shrunk(by_number[number], tmp_path) for number in sorted(wrong)[:1]]
    assert not told, "\n".join(["", *told])


def _tell(failed: Example, why: str) -> str:
    case = failed.case or Case(failed.program, "/* not rewritten */\n")
    place = saved(case, why, failed.seed.replace(":", "-"))
    return f"S2S_ONLY={failed.seed} (sources in {place}): {why}"


def _shrunk(failed: Example, directory: Path) -> str:
    """Try to tell the same with a smaller program, under a few schedules each."""

    def fails(program: Program) -> str | None:
        for attempt in range(_SHRINK_SCHEDULES):
            smaller = transformed(program, failed.seed + "'" * attempt)
            found = smaller.problems[:1]
            if smaller.case is not None and not found:
                found = list(failures([smaller.case], directory).values())
            if found:
                last.append(smaller)
                return found[0]
        return None

    last: list[Example] = []
    result = shrunk(failed.program, fails, _SHRINK_SECONDS)
    if result is None:
        return "no smaller program fails"
    told = _tell(replace(last[-1], seed=f"{failed.seed}:small"), result[1])
    return "smaller: " + told.partition(" ")[2]


def test_the_shrinker_keeps_what_fails() -> None:
    """With "has a subtraction" for a failure, little more than the subtraction is left."""

    def fails(program: Program) -> str | None:
        found = any(isinstance(n, Assign) and n.op == "-=" for n in walk(program.body))
        return "subtracts" if found else None

    program = next(p for p in (draw_program(n, f"shrink:{n}") for n in range(100)) if fails(p))
    result = shrunk(program, fails, _SHRINK_SECONDS)
    assert result is None or fails(result[0])
    smallest = program if result is None else result[0]
    assert sum(isinstance(n, Assign) for n in walk(smallest.body)) == 1
    assert not any(isinstance(n, Omp | If) for n in walk(smallest.body))
