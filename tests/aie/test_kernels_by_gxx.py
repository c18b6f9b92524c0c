"""Emitted kernels compute what their contraction says, bit for bit, as g++ runs them."""

from pathlib import Path

import numpy as np
import pytest

from s2s.scop.contraction import Contraction
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.mapping import Mapping
from tests.aie.contractions import conv2d, expected, random_inputs, run

CASES = {
    "3x3 of 16 bits": (conv2d(16, 3, 3, slack=14), Mapping("x", order=("y", "x"))),
    "3x3 jammed": (
        conv2d(16, 3, 3, shift=3, slack=14),
        Mapping("x", order=("y", "x"), jam=(("y", 2),), window=2),
    ),
    "3x3 of 32 bits": (conv2d(32, 3, 3, shift=5, slack=14), Mapping("x", order=("y", "x"))),
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
