"""Mutated programs: a message with a place, or a pipeline; no other exception, no endless loop."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from s2s.frontends.halide.evaluate import evaluate
from s2s.scop.pipeline import Pipeline
from s2s.source.diagnostics import UserError
from tests.places import BENCHMARKS
from tests.thorough import count

_FOLDER = BENCHMARKS / "halide"
PROGRAMS = sorted(p for p in _FOLDER.glob("*.cpp") if "HALIDE_REGISTER_GENERATOR(" in p.read_text())
COUNT = count("S2S_MUTATIONS", 150, 2000)
"""Mutated programs in all; of short programs there are more."""
LONGEST = 20.0
"""Seconds for one program; far more than it takes on a busy machine."""
_TOKEN = re.compile(r"\w+|\s+|\"[^\"\n]*\"|[^\w\s]")


def mutated(text: str, pick: random.Random) -> str:
    """One to three characters, tokens or lines dropped, doubled, swapped or replaced."""
    for _ in range(pick.choice((1, 1, 1, 2, 3))):
        splitter = pick.choice((list, _TOKEN.findall, _TOKEN.findall, str.splitlines))
        parts = splitter(text, True) if splitter is str.splitlines else splitter(text)
        places = [i for i, p in enumerate(parts) if p.strip() and "#include" not in p]
        if len(places) < 2:
            continue
        one, other = pick.sample(places, 2)
        match pick.randrange(4):
            case 0:
                parts[one] = ""
            case 1:
                parts[one] *= 2
            case 2:
                parts[one], parts[other] = parts[other], parts[one]
            case 3:
                parts[one] = parts[other]
        text = "".join(parts)
    return text


def _share(path: Path) -> int:
    """How many mutations a program gets."""
    weights = {p: 1 / p.stat().st_size for p in PROGRAMS}
    return 1 + round(COUNT * weights[path] / sum(weights.values()))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_mutated_programs_end_in_a_pipeline_or_a_message(path: Path) -> None:
    pick = random.Random(path.name)
    text = path.read_text()
    for _ in range(_share(path)):
        changed = mutated(text, pick)
        start = time.monotonic()
        try:
            made = evaluate(str(path), changed.encode(), steps=200_000)
        except UserError as error:
            found = error.diagnostics[0]
            assert found.location is not None, found.text
            assert found.text
        except Exception as error:
            pytest.fail(f"{type(error).__name__}: {error}\n{changed}")
        else:
            assert isinstance(made, Pipeline)
        assert time.monotonic() - start < LONGEST, changed
