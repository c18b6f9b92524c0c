"""The levels that are legal, as the refusal of another one lists them: those of Halide's list."""

from __future__ import annotations

import random
import re

import pytest

from s2s.scop.errors import Illegal
from s2s.transforms.halide.initial import initial_nest
from tests.frontends.halide.oracle import needs_wheel
from tests.frontends.halide.twin import Tree
from tests.transforms.halide.random_programs import RandomProgram
from tests.transforms.halide.test_against_halide_schedules import halide


def ours(program: RandomProgram, output: str) -> list[str]:
    with pytest.raises(Illegal) as caught:
        initial_nest(program.twin.pipeline(output))
    legal = [text for text, _ in caught.value.notes if text.startswith("legal: ")]
    return [text.removeprefix("legal: ") for text in legal]


def theirs(program: RandomProgram, output: str) -> list[str]:
    with pytest.raises(Exception, match="Legal locations") as caught:
        program.twin.their_nest(output)
    text = str(caught.value).replace(program.twin.tag, "")
    listed = text.partition("Legal locations for this function are:\n")[2].split('"')[0]
    return [line.strip().rstrip(";") for line in listed.splitlines() if line.strip()]


def plain(levels: list[str]) -> list[str]:
    """Levels without the numbers and prefixes of names, which other tests' Funcs count up."""
    bare = [re.sub(r"\$\d+(?=[.,])", "", level) for level in levels]
    return [re.sub(r"\b([vr])\d+\b", r"\1", re.sub(r"\br\d+[.$]", "", level)) for level in bare]


@needs_wheel
@pytest.mark.parametrize("seed", range(12))
def test_same_list(seed: int) -> None:
    program = RandomProgram(seed, halide())
    program.build()
    rng = random.Random(seed)
    funcs = list(program.rdom_of)
    value: Tree = ("const", 1)
    for func in funcs:
        value = ("add", value, ("load", func, *[("var", "x")] * program.ranks["in"]))
    program.twin.define("out", ["x"], value)
    output = "out"
    for func in funcs[1:]:
        program.twin.directive(func, 0, rng.choice(("compute_root", "compute_inline")))
        program.twin.directive(func, 0, "split", "x", "xo", "xi", 4)
    program.twin.directive(funcs[0], 0, "compute_at", output, "nowhere")
    assert plain(ours(program, output)) == plain(theirs(program, output)), program.log
