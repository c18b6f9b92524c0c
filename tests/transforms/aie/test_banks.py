"""Arguments lie in banks such that accesses of one cycle do not meet; copies where they pay."""

from pathlib import Path

import numpy as np
import pytest

from s2s.emitters.aie.kernel import emit
from s2s.scop.contraction import Contraction
from s2s.scop.vector_kernel import Kernel, Multiply
from s2s.simulators.aie.program import Array
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.timing.cycles import Cycles
from s2s.simulators.aie.timing.estimate import estimate
from s2s.simulators.aie.timing.machine import load
from s2s.transforms.aie.banks import BANK, REACH, placed
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.space import Limits, mappings
from tests.analyses.contractions import programs
from tests.simulators.aie.simulated import simulate
from tests.transforms.aie.contractions import expected, random_inputs

_HERE = Path(__file__).parent

AIE1 = load()


def conv(bits: int, size: int, width: int = 256) -> Contraction:
    return programs.from_c(f"""
#include <stdint.h>
void f(const int{bits}_t I[{15 + size}][{width + 16}], const int{bits}_t W[{size}][{size}],
       int{bits}_t O[16][{width}]) {{
  for (int y = 0; y < 16; y++) for (int x = 0; x < {width}; x++) {{
    int32_t s = 0;
    for (int r = 0; r < {size}; r++) for (int c = 0; c < {size}; c++)
      s += I[y + r][x + c] * W[r][c];
    O[y][x] = s >> 8;
  }}
}}""")


def kernel(contraction: Contraction, copies: int, jam: int, pointers: int = 2) -> Kernel:
    mapping = Mapping(
        "x", jam=(("y", jam),), order=("y", "x"), pointers=pointers, copies=copies, window=1
    )
    return compile_contraction(contraction, mapping).kernel


def cycles(one: Kernel, stalls: object = "placed") -> Cycles:
    return estimate(read(emit(one)), AIE1.replace(banks__stalls=stalls))


@pytest.mark.parametrize(("size", "width"), [(3, 256), (5, 256), (3, 64), (2, 512)])
def test_copies_of_an_image_keep_its_pointers_apart(size: int, width: int) -> None:
    contraction = conv(16, size, width)
    twice, once = (kernel(contraction, copies, 2) for copies in (2, 1))
    free = cycles(twice, stalls=False).total
    assert cycles(twice).total == free == cycles(once, stalls=False).total
    assert cycles(once).total > free
    image = twice.array("I")
    assert not image.is_natural and image.size == 2 * (image.size // 2)
    assert image.size // 2 * 2 > BANK
    assert image.layout.describe(["x", "y"]) == "(2)yx"
    assert "memory: I at 0x0, W at " in emit(twice)


def test_an_image_that_is_multiplied_long_enough_lies_once() -> None:
    found = kernel(conv(32, 3), 2, 4)
    assert found.array("I").is_natural
    assert {p.name for p in found.nests[0].pointers if p.array == "I"} == {"I_0"}
    assert cycles(found).total == cycles(found, stalls=False).total


def test_arrays_start_in_banks_of_their_own_while_there_are_enough() -> None:
    arrays = kernel(conv(16, 3), 1, 2).arrays
    places = [array.place for array in arrays]
    assert all(place is not None and place % BANK == 0 for place in places)
    assert len(set(places)) == len(places)
    crowded = placed(arrays * 6)
    assert max(array.place or 0 for array in crowded) < REACH
    assert any((array.place or 0) % BANK for array in crowded)


def test_the_papers_kernels_lie_anywhere() -> None:
    """Whether the simulator of the published figures charges for banks is not known."""
    of = conv(32, 3)
    paper = compile_contraction(of, next(mappings(of, limits=Limits(paper=True)))).kernel
    assert "memory:" not in emit(paper)
    assert cycles(paper).total == cycles(paper, stalls=False).total
    assert {m.copies for m in mappings(conv(16, 3))} == {2}


def test_text_says_where_arrays_lie() -> None:
    text = emit(kernel(conv(16, 3), 1, 2))
    there = read(text)
    places = {p.name: p.place for p in there.parameters if isinstance(p, Array)}
    assert places == {"I": 0, "W": 0x4000, "O": 0x6000}
    moved = text.replace("O at 0x6000", "O at 0x0")
    stalls = [sum(loop.waits for loop in estimate(read(one), AIE1).loops) for one in (text, moved)]
    assert stalls[0] < stalls[1]


@pytest.mark.parametrize(("channels", "filters"), [(8, 12), (3, 5), (16, 33)])
def test_layers_of_eight_bits_have_a_mapping_along_their_filters(
    channels: int, filters: int
) -> None:
    """Weights in pairs of lanes and columns: eight channels in one instruction."""
    layer = programs.from_c(f"""
#include <stdint.h>
void f(const int8_t in[{channels}][6][6], const int8_t w[{filters}][{channels}][3][3],
       int8_t out[{filters}][4][4]) {{
  for (int k = 0; k < {filters}; k++) for (int y = 0; y < 4; y++) for (int x = 0; x < 4; x++) {{
    int a = 0;
    for (int c = 0; c < {channels}; c++) for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++)
      a += in[c][y + i][x + j] * w[k][c][i][j];
    out[k][y][x] = a >> 8;
  }}
}}""")
    one = next(
        m
        for m in mappings(layer)
        if m.image
        and not m.jam
        and not m.keep
        and m.weight
        and m.weight.describe("0123").endswith("(4)(8)(2)(2)")
    )
    found = compile_contraction(layer, one).kernel
    products = sum(isinstance(op, Multiply) for op in found.nests[0].body)
    assert products == 9 * -(-channels // 8)
    inputs = random_inputs(layer, channels)
    np.testing.assert_array_equal(simulate(found, inputs), expected(layer, inputs))


def test_long_bodies_of_eight_bits_leave_a_loop_over_the_filter() -> None:
    """Four loads of weights for each product: 36 products of a body are too many with them."""
    layer = programs.from_c((_HERE / "eight_bits.c").read_text())
    kept = [m for m in mappings(layer) if m.vector == "k" and dict(m.jam) == {"x": 4} and m.keep]
    assert {name for m in kept for name, _ in m.keep} >= {"r", "s"}
    one = next(m for m in kept if m.weight and m.weight.describe("0123").endswith("(2)(2)"))
    found = compile_contraction(layer, one).kernel
    assert found.array("w").half == found.array("w").size // 2 == 16 * 9 * 8 // 2
    assert cycles(found).total == cycles(found, stalls=False).total
    inputs = random_inputs(layer, 3)
    np.testing.assert_array_equal(simulate(found, inputs), expected(layer, inputs))
