"""Lanes that look up elements at computed places: apart from the vectors, with the same values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from s2s.emitters.c.nests import emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.net.pipelines.arrays import Array
from s2s.net.pipelines.definitions import Direct
from s2s.scop.nest import Nest
from s2s.scop.pipeline import Pipeline
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.compiled import run

_SOURCE = Path(__file__).with_name("lookups.cpp").read_text()

_WORK = "i * 3 + max(i, 7) - min(i * i, 50) + (i ^ 21) + (i & 5) * (i | 8)"
_ALL = f"""
    Expr i = clamp(input(x, y) * 2 - 3, 0, 30);
    f(x, y) = t(i, y) * t(i + 1, 0) + {_WORK};
    Expr once = clamp(t(i, y) % 32, 0, 30);
    g(x, y) = t(once + x % 2, y) * once + {_WORK};
    h(x, y) = cast<int>(small(i, y)) * 5 + small(30 - i, x) - {_WORK};
    output(x, y) = f(x, y) + 3 * g(x, y) - h(x, y);
    f.compute_root().vectorize(x, 8);
    g.compute_root().vectorize(x, 16);
    h.compute_root().vectorize(x, 16, TailStrategy::GuardWithIf);
    output.vectorize(x, 8);
"""


def _made(body: str, extents: tuple[int, int]) -> tuple[Pipeline, Nest, dict[str, Array]]:
    pipeline = evaluate("g.cpp", _SOURCE.replace("BODY", body).encode())
    random = np.random.default_rng(3)
    shape = (extents[1] + 8, extents[0] + 8)
    data = {"input": Array(random.integers(-9, 40, shape).astype(np.int16), (0, 0))}
    return pipeline, lower(pipeline, {"output": extents, "input": (shape[1], shape[0])}), data


@pytest.mark.parametrize("extents", [(64, 3), (37, 2)])
def test_lookups_have_the_same_values(extents: tuple[int, int]) -> None:
    pipeline, nest, data = _made(_ALL, extents)
    wanted = Direct(pipeline, data).output("output", (0, 0), extents)[0].values
    assert np.array_equal(run(nest, data)[0][0].values, wanted)
    text = emit(prepare(nest)).source
    assert text.count("#pragma GCC unroll") >= 3  # g: a place is looked up, then another


_FEW = "output(x, y) = t(clamp(input(x, y), 0, 30), y);"
_OWN = f"""
    Expr i = clamp(input(x, y), 0, 30);
    output(x, y) = x;
    output(x, y) += t(i, y) * x + {_WORK};
    output.update(0).vectorize(x, 8);
"""
_SCATTER = """
    RDom r(0, 32);
    Expr j = clamp(input(r, y), 0, 30);
    output(x, y) = x;
    output(j, y) += t(j, y) + j * 5 - (j ^ 3) + (j & 6) * (j | 9) + min(j, 4) * max(j, 9);
    output.update(0).atomic().vectorize(r, 8);
"""


@pytest.mark.parametrize(("body", "apart"), [(_FEW, False), (_OWN, True), (_SCATTER, False)])
def test_lookups_that_are_no_gain_or_stores_stay(body: str, apart: bool) -> None:
    extra = "" if "update" in body else "output.vectorize(x, 8);"
    pipeline, nest, data = _made(body + extra, (32, 2))
    wanted = Direct(pipeline, data).output("output", (0, 0), (32, 2))[0].values
    assert np.array_equal(run(nest, data)[0][0].values, wanted)
    assert ("#pragma GCC unroll" in emit(prepare(nest)).source) == apart


_SUM_OF_LANES = "\n" + Path(__file__).with_name("lookups_sum_of_lanes.cpp").read_text()


def test_memory_that_begins_at_a_place_of_each_lane() -> None:
    """A sum of each lane lies outside of the loops into which lookups split the lanes."""
    pipeline = evaluate("g.cpp", _SUM_OF_LANES.encode())
    random = np.random.default_rng(7)
    data = {
        "frames": Array(random.integers(0, 900, (3, 32, 48)).astype(np.uint16), (0, 0, 0)),
        "offsets": Array(random.integers(-12, 12, (3, 2, 3)).astype(np.int16), (0, 0, 0)),
    }
    sizes = {"output": (48, 32), "frames": (48, 32, 3), "offsets": (3, 2, 3)}
    wanted = Direct(pipeline, data).output("output", (0, 0), (48, 32))[0].values
    assert np.array_equal(run(lower(pipeline, sizes), data)[0][0].values, wanted)
