"""What updates leave alone, and what they may not touch."""

from __future__ import annotations

import numpy as np
import pytest

from s2s.emitters.c.nests import emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.scop.errors import Illegal
from s2s.scop.pipeline import Pipeline
from s2s.transforms.halide import lower
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.compiled import QUICK, run

_HEAD = """
#include "Halide.h"
using namespace Halide;
int main() { Var x("x"); Func f("f"), out("out"); RVar outer("outer"), inner("inner");
"""


def pipeline(text: str) -> Pipeline:
    return evaluate("test.cpp", f"{_HEAD}{text} out.realize({{24}}); return 0; }}".encode())


def test_undefined_values_leave_elements_as_they_are() -> None:
    made = pipeline(
        "f(x) = {x, cast<float>(x)}; f(x) = Tuple(f(x)[0] * 3, undef<float>());"
        "f(x) = {undef<int>(), select(x % 3 == 0, 7.0f, undef<float>())};"
        "f.compute_root(); f.update(0).vectorize(x, 8); f.update(1).vectorize(x, 4);"
        "out(x) = undef<int>(); RDom r(0, 12); out(x) = f(x)[0];"
        "out(2 * r) = select(r > 3, cast<int>(f(2 * r)[1]), undef<int>()) + 1;"
    )
    ((values,),) = run(lower(made, {"out": (24,)}), {}, flags=QUICK)
    whole = [3 * i if i % 2 or i < 8 else (7 if i % 3 == 0 else i) + 1 for i in range(24)]
    assert values.values.tolist() == whole


@pytest.mark.parametrize("more", ["", ".parallel(r.y)"])
def test_lanes_that_update_one_element(more: str) -> None:
    """Vectorized atomic updates are no ``simd`` loop: lanes meet."""
    made = pipeline(
        "RDom r(0, 64, 0, 20); out(x) = {0, 1}; Expr b = (r.x * r.x + r.y) % 3 + r.x / 50;"
        "out(b) = {out(b)[0] + 1, max(out(b)[1], r.y)};"
        f"out.update().atomic(){more}.split(r.x, outer, inner, 8).vectorize(inner);"
    )
    ((counts, largest),) = run(lower(made, {"out": (24,)}), {}, flags=QUICK)
    places = [((x * x + y) % 3 + x // 50, y) for x in range(64) for y in range(20)]
    wanted = np.bincount([b for b, _ in places], minlength=24)
    assert counts.values.tolist() == wanted.tolist()
    assert largest.values.tolist() == [
        max([1, *(y for b, y in places if b == i)]) for i in range(24)
    ]


def test_elements_that_only_data_tells() -> None:
    """An output must have all elements that an update may store to."""
    made = pipeline(
        "f(x) = (x * 7) % 29; f.compute_root(); RDom r(0, 64); out(x) = 0; out(f(r)) += 1;"
    )
    with pytest.raises(Illegal, match="has 0 to 23 in dimension 0, its schedule computes 0 to 28"):
        lower(made, {"out": (24,)})
    assert lower(made, {"out": (29,)})


def test_updates_of_memory_that_each_thread_has() -> None:
    """Lanes that stay apart in a thread's own memory are a ``simd`` loop without ``critical``."""
    made = pipeline(
        "RDom r(0, 5); f(x) = x; f(x) += r; f.update().atomic().vectorize(x, 8);"
        'out(x) = f(x) + f(x + 1); out.split(x, Var("o"), x, 8).parallel(Var("o"));'
        'f.compute_at(out, Var("o"));'
    )
    nest = lower(made, {"out": (24,)})
    assert "critical" not in emit(prepare(nest)).source
    ((values,),) = run(nest, {}, flags=QUICK)
    assert values.values.tolist() == [2 * i + 21 for i in range(24)]
