"""A computation in C and in Halide-like C++ becomes the same kernel, character by character."""

from dataclasses import replace

import pytest

from s2s.emitters.aie.kernel import emit
from s2s.emitters.aie.packing import packing
from s2s.scop.contraction import Contraction
from s2s.transforms.aie.choose import candidates
from tests.analyses.contractions import programs
from tests.targets.aie.pairs import PAIRS


@pytest.mark.parametrize("name", PAIRS)
def test_both_roads_give_the_same_text(name: str) -> None:
    c, halide, size = PAIRS[name]
    found = [programs.from_c(c), programs.from_halide(halide, size)]
    assert found[0] == found[1]
    first, second = map(text, found)
    assert first == second and "chess_prepare_for_pipelining" in first


def text(of: Contraction) -> str:
    """The kernel and its header, but for how much of a pointer's memory the C program reaches."""
    kernel = candidates(of, tried=1)[0].compiled.kernel
    arrays = (replace(a, source=replace(a.source, reached=None)) for a in kernel.arrays)
    return emit(kernel) + packing(replace(kernel, arrays=tuple(arrays)))
