"""What neighbouring lanes compute alike is computed once for each place, with the same values."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest

from s2s.emitters.c.tensors import emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.frontends.halide.lowering.lower import lower
from tests.halide.compiled import run
from tests.halide.direct import Direct
from tests.halide.oracle import Array

_SOURCE = """
#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {{
public:
    Input<Buffer<{type}, 2>> input{{"input"}};
    Output<Buffer<{type}, 2>> output{{"output"}};
    Var x{{"x"}}, y{{"y"}};
    Func f{{"f"}}, g{{"g"}}, h{{"h"}}, k{{"k"}};
    RDom r{{0, 3, 0, 3, "r"}};
    void generate() {{
        {body}
    }}
}};
HALIDE_REGISTER_GENERATOR(G, g)
"""

_SUMS = """
    f(x, y) = input(x, y) * input(x, y + 1) + cast<{type}>(x) * input(x + 2, y) / 3;
    g(x, y) = cast<{type}>(0);
    g(x, y) += f(x + r.x, y + r.y);
    h(x, y) = (f(x - 1, y) - f(x, y)) * f(x + 1, y);
    output(x, y) = h(x, y) + g(x, y) * (f(x, y) + f(x + 3, y));
    g.compute_at(output, x).vectorize(x, 8);
    g.update().reorder(x, r.x, r.y).vectorize(x, 8).unroll(r.x).unroll(r.y);
    h.compute_root().vectorize(x, 8);
    output.vectorize(x, 8);
"""


def _check(body: str, type: str, extents: tuple[int, int]) -> str:
    """The C of a pipeline, which computes what its definitions say."""
    pipeline = evaluate("g.cpp", _SOURCE.format(type=type, body=body).encode())
    random = np.random.default_rng(5)
    shape = (extents[1] + 8, extents[0] + 40)
    kind = {"int16_t": np.int16, "float": np.float32, "uint8_t": np.uint8}[type]
    values = random.integers(0, 99, shape).astype(kind)
    if kind == np.float32:
        values = values * np.float32(0.37)
    data = {"input": Array(values, (-2, -2))}
    sizes: dict[str, Sequence[int | tuple[int, int]]] = {
        "output": extents,
        "input": [(-2, e) for e in reversed(shape)],
    }
    nest = lower(pipeline, sizes)
    wanted = Direct(pipeline, data).output("output", (0, 0), extents)[0].values
    assert np.array_equal(run(nest, data)[0][0].values, wanted)
    return emit(nest).source


@pytest.mark.parametrize("extents", [(700, 2), (83, 3)])
@pytest.mark.parametrize("type", ["int16_t", "float"])
def test_values_of_windows(type: str, extents: tuple[int, int]) -> None:
    text = _check(_SUMS.format(type=type), type, extents)
    assert len(re.findall(r"window_\d\[\d+\];", text)) >= 4  # a row of g's each, and h's


_APART = """
    f(x, y) = input(x, y) * input(x, y) * 3 - input(x, y + 1) / 2;
    output(x, y) = f(x, y) + f(x + 2, y) + f(x + 4, y);
    output.vectorize(x, 8);
"""
_CHEAP = """
    f(x, y) = input(x, y) * 2;
    output(x, y) = f(x, y) + f(x + 1, y) + f(x + 2, y);
    output.vectorize(x, 8);
"""
_WRITTEN = """
    output(x, y) = input(x, y);
    Expr left = output(x, y), right = input(x + 1, y);
    output(x, y) += left * left * 3 - left / 2 + (right * 3 - right / 2);
    output.vectorize(x, 8);
    output.update().vectorize(x, 8);
"""
_SHORT = """
    f(x, y) = input(x, y) * input(x, y) * 3 - input(x, y + 1) / 2;
    g(x, y) = f(x, y) + f(x + 1, y) + f(x + 2, y);
    output(x, y) = g(x, y) + g(x + 1, y);
    output.vectorize(x, 8);
    g.compute_at(output, x).vectorize(x, 8);
"""


@pytest.mark.parametrize("body", [_APART, _CHEAP, _WRITTEN, _SHORT])
def test_what_gains_nothing_stays(body: str) -> None:
    assert "window" not in _check(body, "uint8_t", (64, 2))
