"""Pairs of rows share what both read, with the values of single rows."""

from __future__ import annotations

import ctypes
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from s2s.emitters.c.nests import emit
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.compiled import library
from tests.transforms.nest.small_generators import KINDS, checked, pipeline_of

_SHARED = r"const \w+ (?:input|f)_\d+ = "


_COLUMN = "input(x, y) * 3 + input(x, y + 1) * input(x, y + 2)"


@pytest.mark.parametrize(
    ("body", "extents", "shared"),
    [
        (f"output(x, y) = {_COLUMN}; output.vectorize(x, 8);", (40, 8), 2),
        (f"output(x, y) = {_COLUMN}; output.vectorize(x, 8);", (40, 9), 2),
        (f"output(x, y) = {_COLUMN}; output.vectorize(x, 8).parallel(y);", (16, 128), 2),
        (
            f"output(x, y) = {_COLUMN}; output.tile(x, y, xi, yi, 16, 6).vectorize(xi, 8);",
            (37, 13),
            2,
        ),
        (
            "Expr sum = cast<int32_t>(input(x, y)) + input(x, y + 1) + input(x, y + 2);"
            "output(x, y) = cast<int16_t>(sum >> 1); output.vectorize(x, 8);",
            (40, 8),
            4,
        ),
        (
            "f(x, y) = input(x, y); f(x, y) += input(x, y + 1) * 2;"
            "output(x, y) = f(x, y) + f(x, y + 1) * f(x, y + 2);"
            "f.compute_root().vectorize(x, 8); f.update().vectorize(x, 8); output.vectorize(x, 8);",
            (32, 6),
            2,
        ),
    ],
)
def test_pairs_of_rows(body: str, extents: tuple[int, int], shared: int) -> None:
    text = checked(body, "int16_t", extents)
    assert len(re.findall(_SHARED, text)) >= shared


def test_extents_that_the_program_knows() -> None:
    """Every number of rows, and none."""
    body = f"output(x, y) = {_COLUMN}; output.vectorize(x, 8, TailStrategy::RoundUp);"
    pipeline = pipeline_of(body, "int16_t")
    text = emit(prepare(lower(pipeline, {}))).source
    assert re.search(_SHARED, text)
    call = library(text).g

    def at(elements: NDArray[np.int16]) -> ctypes.c_void_p:
        return ctypes.c_void_p(elements.ctypes.data)

    random = np.random.default_rng(5)
    for rows in range(-3, 10):
        read = random.integers(0, 99, (max(rows, 0) + 2, 16)).astype(np.int16)
        written = np.full((max(rows, 0) + 8, 16), 7, np.int16)
        behind = written[4:]
        assert call(16, rows, at(read), at(behind)) == 0
        wanted = read[:-2] * 3 + read[1:-1] * read[2:]
        assert np.array_equal(behind[: max(rows, 0)], wanted)
        assert (written[:4] == 7).all() and (behind[max(rows, 0) :] == 7).all()


_APART = "output(x, y) = input(x, y) + input(x + 1, y) * 3; output.vectorize(x, 8);"
_STRIDED = """
    output(x, y) = input(2 * x, y) + input(2 * x, y + 1) * input(2 * x, y + 2);
    output.vectorize(x, 8);
"""
_BELOW = """
    RDom rows{0, 200, "rows"};
    f(x, y) = input(x, y);
    f(x, rows + 1) = f(x, rows) * 3 + input(x, rows) + input(x, rows + 1) * input(x, rows + 2);
    output(x, y) = f(x, y);
    f.compute_root().bound(x, 0, 16).bound(y, 0, 201);
    f.update().vectorize(x, 8, TailStrategy::GuardWithIf);
"""
_FOLDED = f"""
    f(x, y) = {_COLUMN};
    output(x, y) = f(x, y) + f(x, y + 1);
    output.split(y, yo, yi, 4);
    f.store_root().compute_at(output, yo).fold_storage(y, 8).vectorize(x, 8);
"""
_MANY = """
    Expr sum = cast<uint8_t>(0);
    for (int j = 0; j < 3; j++) for (int i = 0; i < 8; i++) sum += input(x + i, y + j);
    output(x, y) = sum;
    output.vectorize(x, 8);
"""


@pytest.mark.parametrize("body", [_APART, _STRIDED, _BELOW, _FOLDED, _MANY])
def test_rows_that_gain_nothing_or_depend_stay(body: str) -> None:
    assert not re.search(_SHARED, checked(body, "uint8_t", (16, 100)))


_PLACES = st.tuples(st.integers(-1, 2), st.integers(-1, 2))
_STENCILS = st.lists(_PLACES, min_size=2, max_size=6, unique=True)


@settings(max_examples=12, deadline=None)
@given(
    first=_STENCILS,
    second=_STENCILS,
    type=st.sampled_from(sorted(KINDS)),
    extents=st.tuples(st.integers(8, 40), st.integers(1, 11)),
    rows=st.integers(1, 5),
    level=st.sampled_from(["compute_root()", "compute_at(output, yo)", "compute_at(output, yi)"]),
    tail=st.sampled_from(["GuardWithIf", "ShiftInwards", "RoundUp"]),
)
def test_random_stencils(
    first: list[tuple[int, int]],
    second: list[tuple[int, int]],
    type: str,
    extents: tuple[int, int],
    rows: int,
    level: str,
    tail: str,
) -> None:
    def stencil(of: str, places: list[tuple[int, int]]) -> str:
        return " + ".join(f"{of}(x + {dx}, y + {dy})" for dx, dy in places)

    body = f"""
        f(x, y) = {stencil("input", first)} * 2;
        output(x, y) = {stencil("f", second)};
        output.split(y, yo, yi, {rows}, TailStrategy::GuardWithIf);
        output.vectorize(x, 8, TailStrategy::GuardWithIf);
        f.{level}.vectorize(x, 8, TailStrategy::{tail});
    """
    checked(body, type, extents)
