"""Random schedules on random pipelines, against the real Halide.

The same directives are refused, by s2s and by Halide, and ``print_loop_nest`` shows the same:
loops with their ranges, what is computed, used and stored in them.
"""

import importlib
import re
from typing import Any

import pytest

from s2s.driver.explain.loop_nest import print_loop_nest
from s2s.scop.errors import Illegal
from s2s.transforms.halide.environment import environment
from s2s.transforms.halide.lower import lower
from tests.frontends.halide.oracle import needs_wheel
from tests.frontends.halide.twin import Twin
from tests.transforms.halide.random_programs import RandomProgram

SEEDS = 60
FOUND_LATER = ("its schedule computes", "its extent is not a constant")
"""What Halide finds out after ``print_loop_nest``, or as the program runs."""


def halide() -> Any:
    return importlib.import_module("halide")


def without_numbers(text: str) -> str:
    """A printed nest with one name for all variables that directives made up."""
    return re.sub(r"\b([vr])\d+\b", r"\1", text)


def is_internal(message: str | None) -> bool:
    """Whether Halide itself failed: there is no sentence."""
    return message is not None and re.search(r"Error: \S*\s*$", message) is not None


def stricter(message: str | None) -> bool:
    """What s2s refuses though Halide does not: its check misses the split that it is made in."""
    return message is not None and "blends" in message


@needs_wheel
@pytest.mark.parametrize("start", range(0, SEEDS, 20))
def test_same_nests_and_refusals(start: int) -> None:
    accepted = 0
    for seed in range(start, start + 20):
        program = RandomProgram(seed, halide())
        output = program.build()
        ours, theirs = program.schedule(10)
        if program.twin.renamed or is_internal(theirs) or stricter(ours):
            continue
        log = "\n".join([f"seed {seed}", *program.log])
        assert (ours is None) == (theirs is None), f"{ours}\n{theirs}\n{log}"
        if ours is None:
            accepted += same_nest(program.twin, output, log)
    assert accepted > 3


def same_nest(twin: Twin, output: str, log: str) -> bool:
    """Compare the nests; whether there is one (to compare: Halide may have numbered a name)."""
    if twin.renamed:
        return False
    ours = refusal = None
    try:
        pipeline = twin.pipeline(output)
        body = lower(pipeline).body
        ours = print_loop_nest(body, environment(pipeline), pipeline.outputs)
    except Illegal as error:
        refusal = str(error)
    try:
        theirs = twin.their_nest(output)
    except Exception as error:
        assert ours is None or is_internal(str(error)), f"{error}\n{log}"
        return False
    if refusal is not None and any(late in refusal for late in FOUND_LATER):
        return False
    assert ours is not None, f"{refusal}\n{log}"
    assert without_numbers(ours) == without_numbers(theirs), log
    return True
