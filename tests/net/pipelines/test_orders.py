"""The net sees what threads and lanes share and should not.

One thread computes the right values of all these texts; the mutations are in what they declare.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from s2s.emitters.c.nests import emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.net import Mismatch
from s2s.net.pipelines import check as checking
from s2s.net.pipelines.building import compiler
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import prepare
from tests.net.pipelines.test_check import Made

_SOURCE = Path(__file__).with_name("ordered.cpp").read_text()

SOURCES = {
    "columns": 'RDom r(1, 30, "r"); f(x, y) = read; f(x, r) += f(x, r - 1);'
    "output(x, y) = f(x, min(y, 30)) + f(x, 30); f.compute_root().bound(y, 0, 64);",
    "rows": 'RDom r(1, 30, "r"); f(x, y) = read; f(r, y) += f(r - 1, y);'
    "output(x, y) = f(min(x, 30), y) + f(30, y); f.compute_root();",
    "scratch": "f(x, y) = read * 3; output(x, y) = f(x, y) + f(x + 1, y);"
    "output.split(x, xo, xi, 8).parallel(y); f.compute_at(output, xo).vectorize(x, 9);",
    "heap": "f(x, y) = read * 3; output(x, y) = f(x, y) + f(x + 1, y) - f(0, y);"
    "output.parallel(y); f.compute_at(output, y);",
    "votes": 'RDom q(0, input.width(), 0, input.height(), "q");'
    "g(x) = 0; g(cast<int32_t>(input(q.x, q.y))) += 1; output(x, y) = g((x + y + 96) % 256);"
    "g.compute_root(); g.update().atomic().parallel(q.y);",
    "tuple": 'RDom r(0, 20, "r"); f(x, y) = Tuple(read, 0); f(x, y) = Tuple(f(x, y)[0] + r,'
    "f(x, y)[1] + f(x, y)[0]); output(x, y) = f(x, y)[1];"
    "f.compute_root().vectorize(x, 8).parallel(y); f.update().vectorize(x, 8).parallel(y);",
    "last vector": "f(x, y) = read * read; output(x, y) = f(x, y) + f(x, y + 1);"
    "f.compute_root().split(x, xo, xi, 8, TailStrategy::ShiftInwards).parallel(xo).vectorize(xi);"
    "output.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::ShiftInwards).vectorize(xi, 8)"
    ".fuse(xo, yo, xo).parallel(xo);",
    "any order": 'RDom r(0, 30, "r"); f(x, y) = read; f(0, y) = (f(0, y) * 3 + r) % 1001;'
    "output(x, y) = f(x, y); f.compute_root();"
    "f.update().allow_race_conditions().parallel(r);",
}


@cache
def made(name: str) -> Made:
    source = _SOURCE.replace("BODY", SOURCES[name])
    pipeline = evaluate("g.cpp", source.encode())
    nest = lower(pipeline, {})
    return Made(pipeline, nest, emit(prepare(nest)))


def concurrent(clause: str) -> Callable[[str], str]:
    """A pragma before the loop over a reduction variable."""
    return lambda text: re.sub(
        r"^([ \t]*)(for \(int r_x\b)", rf"\1{clause}\n\1\2", text, flags=re.M
    )


def shared(text: str) -> str:
    """Memory that each iteration has for itself is taken before the loop."""
    array = re.search(r"^[ \t]*\w+ f\[[^;]*;\n", text, re.M)
    assert array
    without = text.replace(array[0], "")
    return without.replace("    #pragma omp parallel", f"{array[0]}    #pragma omp parallel", 1)


def shared_by_a_team(text: str) -> str:
    """Memory that each thread gets is gotten, and given back, once for all."""
    get = re.search(
        r"^(?:[ \t]*const int f_stride_1.*\n)?[ \t]*\w+ \*restrict f = malloc.*\n", text, re.M
    )
    assert get
    without = re.sub(r"^[ \t]*free\(f\);\n", "", text.replace(get[0], ""), flags=re.M)
    before = without.replace("    #pragma omp parallel", f"{get[0]}    #pragma omp parallel", 1)
    return before.replace("    return status;", "    free(f);\n    return status;")


def divisible(text: str) -> str:
    return text.replace("#pragma omp critical", "")


MUTATIONS = [
    ("columns", concurrent("#pragma omp parallel for")),
    ("columns", concurrent("#pragma omp simd")),
    ("rows", concurrent("#pragma omp parallel for")),
    ("rows", concurrent("#pragma omp simd")),
    ("scratch", shared),
    ("heap", shared_by_a_team),
    ("votes", divisible),
]


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_right_in_any_order_passes(name: str) -> None:
    assert made(name).checked().calls >= 2


@pytest.mark.skipif(compiler() is None or "gcc" not in str(compiler()), reason="gcc's OpenMP")
@pytest.mark.parametrize(("name", "mutation"), MUTATIONS)
def test_what_is_wrong_in_another_order_does_not_leave(
    name: str, mutation: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = made(name)
    wrong = replace(one.emitted, source=mutation(one.emitted.source))
    assert wrong.source != one.emitted.source
    with pytest.raises(Mismatch, match="in another order"):
        one.checked(wrong)
    monkeypatch.setattr(checking, "reorder_text", lambda pipeline, text: None)
    assert one.checked(wrong).calls >= 2  # one thread computes what is right
