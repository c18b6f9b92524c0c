"""Emitted kernels compute what their contraction says, bit for bit, as g++ runs them."""

from pathlib import Path

import numpy as np
import pytest

from s2s.scop.contraction import Contraction
from s2s.scop.layouts import windows
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.mapping import Mapping
from tests.transforms.aie.contractions import contraction, conv2d, expected, random_inputs, run

BYTES = conv2d(8, 3, 3, shift=4, slack=14, saturate=True)
PRODUCT = contraction(
    {"m": 4, "n": 32, "C": 16},
    ({"n": 1}, {"m": 1}),
    ({"c": 1}, {"m": 1}),
    ({"n": 1}, {"c": 1}),
    initial=({"n": 1},),
    out_bits=32,
)
CASES = {
    "3x3 of 16 bits, rounded": (
        conv2d(16, 3, 3, shift=4, initial=8, slack=14),
        Mapping("x", order=("y", "x")),
    ),
    "3x3 jammed, with a rest": (
        conv2d(16, 3, 3, y=5, shift=3, initial=77, slack=14),
        Mapping("x", order=("y", "x"), jam=(("y", 2),), window=2),
    ),
    "3x3 of 32 bits": (conv2d(32, 3, 3, shift=5, slack=14), Mapping("x", order=("y", "x"))),
    "3x3 of 8 bits": (
        BYTES,
        Mapping("x", order=("y", "x"), image=windows(BYTES.image.array.extents, 0, 2)),
    ),
    "a matrix product whose sum stays a loop": (
        PRODUCT,
        Mapping("n", order=("m", "n"), jam=(("m", 2),), keep=(("c", 8),)),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_values(name: str, tmp_path: Path) -> None:
    of, mapping = CASES[name]
    check(of, mapping, tmp_path)


def check(of: Contraction, mapping: Mapping, folder: Path) -> None:
    inputs = random_inputs(of, 1)
    kernel = compile_contraction(of, mapping).kernel
    found = run(kernel, inputs, folder)
    np.testing.assert_array_equal(found, expected(of, inputs))
