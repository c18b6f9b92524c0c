"""Outputs smaller than a tile that is moved inwards: refused, or found as the program runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.emitters.c.nests import emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.scop.errors import Illegal
from s2s.scop.nest import Check, walk
from s2s.scop.pipeline import Pipeline
from s2s.transforms.halide import lower
from s2s.transforms.nest.prepare import prepare

PROGRAM = Path(__file__).with_name("small_outputs.cpp").read_bytes()


@pytest.fixture
def pipeline() -> Pipeline:
    return evaluate("small.cpp", PROGRAM)


def test_a_size_below_a_tile(pipeline: Pipeline) -> None:
    with pytest.raises(Illegal, match="g has 0 to 4 in dimension 0, its schedule computes -3 to 4"):
        lower(pipeline, {"g": (5, 5)})


def test_a_size_above_it_needs_no_check(pipeline: Pipeline) -> None:
    nest = lower(pipeline, {"g": (9, 5)})
    assert not [n for n in walk(nest.body) if isinstance(n, Check)]


def test_an_unknown_size_is_checked(pipeline: Pipeline) -> None:
    nest = lower(pipeline, {})
    assert [n.message for n in walk(nest.body) if isinstance(n, Check)] == [
        "g is too small in dimension 0 for its schedule"
    ]
    assert "return 2;" in emit(prepare(nest)).source
