"""The steps one by one, on the running example of the paper and on what is refused."""

import numpy as np
import pytest

from s2s.scop.contraction import Contraction
from s2s.scop.layouts import Axis, Tiled
from s2s.scop.vector_kernel import LoadPart, Multiply
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.states import states
from tests.simulators.aie.simulated import simulate
from tests.transforms.aie.contractions import contraction, conv2d, expected, random_inputs

EXAMPLE = conv2d(16, 4, 3, slack=13)
PAPER = Mapping("x", order=("y", "x"), paper=True)


def count(of: Contraction, mapping: Mapping, kind: type) -> int:
    (nest,) = compile_contraction(of, mapping).kernel.nests
    return sum(isinstance(op, kind) for op in nest.body)


def test_tables_of_the_running_example() -> None:
    text = states(compile_contraction(EXAMPLE, PAPER))
    assert "O(x:x + 15, y)  W(1, 0)    I(x + 1:x + 16, y)" in text
    assert "I(x:x + 15, y) .. I(x + 3:x + 18, y)          I[0..31]    2" in text
    assert "O(x:x + 15, y)  SELECT(V2, {})  SELECT(V1, {})" in text
    assert "SELECT(V2, {j+2})   SELECT(V1, {i+j+2})  W(2, 0), W(3, 0)" in text


def test_vectors_of_a_row_are_loaded_once() -> None:
    assert count(EXAMPLE, PAPER, LoadPart) == 3 * 2
    assert count(EXAMPLE, PAPER, Multiply) == 3 * 2


def test_the_paper_pads_odd_rows() -> None:
    with pytest.raises(Unmappable, match="no multiple of the 2 columns, pad the weights"):
        compile_contraction(conv2d(16, 3, 3, slack=14), PAPER)
    padded = Mapping("x", order=("y", "x"), paper=True, pad=(("r", 4),))
    assert count(conv2d(16, 3, 3, slack=14), padded, Multiply) == 6


@pytest.mark.parametrize(("size", "instructions"), [(3, 5), (5, 13), (7, 25), (9, 41), (11, 61)])
def test_odd_rows_without_padding(size: int, instructions: int) -> None:
    """Rows share what is left over: half of an instruction is lost in all, not one per row."""
    of = conv2d(16, size, size, slack=17 - size)
    assert count(of, Mapping("x", order=("y", "x")), Multiply) == instructions


def test_jammed_rows_share_their_loads() -> None:
    of = conv2d(16, 3, 3, slack=14)
    rows = [count(of, Mapping("x", (("y", n),), ("y", "x"), window=n), LoadPart) for n in (1, 2, 4)]
    assert rows == [6, 8, 12]


def test_pointers_take_turns() -> None:
    (nest,) = compile_contraction(EXAMPLE, Mapping("x", order=("y", "x"))).kernel.nests
    used = [op.pointer for op in nest.body if isinstance(op, LoadPart)]
    assert used == ["I_0", "I_1"] * 3


def test_registers_go_around() -> None:
    """Two parts of each row are new in an iteration that does two vectors, not three."""
    of = conv2d(16, 4, 3, x=64, slack=13)
    jam = (("x", 2),)
    assert count(of, Mapping("x", jam, ("y", "x")), LoadPart) == 3 * 3
    around = Mapping("x", jam, ("y", "x"), wrap=True)
    assert count(of, around, LoadPart) == 3 * 2
    (nest,) = compile_contraction(of, around).kernel.nests
    assert sum(isinstance(op, LoadPart) for op in nest.hoisted) == 3 + 1  # and the weights


AROUND = {
    "a row": (conv2d(16, 5, 1, x=96, y=1, slack=12), (("x", 2),)),
    "rows, jammed": (conv2d(16, 2, 2, x=96, slack=15), (("x", 2), ("y", 2))),
    "four at a time": (conv2d(16, 4, 2, x=192, slack=13), (("x", 4),)),
    "32 bits": (conv2d(32, 3, 3, x=48, slack=6), (("x", 2),)),
    "what is left over": (conv2d(32, 3, 2, x=52, y=3, slack=6), (("x", 2),)),
    "mixed widths": (conv2d(32, 4, 3, x=48, slack=5, weight_bits=16), (("x", 2),)),
}


@pytest.mark.parametrize("name", AROUND)
def test_values_of_registers_that_go_around(name: str) -> None:
    of, jam = AROUND[name]
    order = tuple(loop.name for loop in of.output_loops)
    kernel = compile_contraction(of, Mapping("x", jam, order, wrap=True)).kernel
    inputs = random_inputs(of, 3)
    np.testing.assert_array_equal(simulate(kernel, inputs), expected(of, inputs))


FC = contraction({"k": 64, "C": 8}, ({"k": 1},), ({"c": 1},), ({"c": 1}, {"k": 1}), slack=8)
REFUSED = {
    "a loop of both operands": (
        contraction(
            {"k": 32, "R": 4}, ({"k": 1},), ({"r": 1}, {"k": 1}), ({"r": 1}, {"k": 1}), slack=4
        ),
        Mapping("k", order=("k",)),
        "reach over",
    ),
    "a reduction": (FC, Mapping("c", order=("k",)), "c is no loop of the output"),
    "an order that lacks a loop": (EXAMPLE, Mapping("x", order=("x",)), "does not name each"),
    "lanes far apart": (
        FC,
        Mapping("k", order=("k",)),
        "the lanes of W(0, k:k + 15) reach over 121",
    ),
    "an output across its rows": (
        EXAMPLE,
        Mapping("y", order=("x", "y"), image=Tiled((Axis(0, 1, 48), Axis(1, 1, 18)))),
        "the lanes of O(x, 0:15) are not contiguous",
    ),
    "a layout that is too small": (
        EXAMPLE,
        Mapping("x", order=("y", "x"), image=Tiled((Axis(1, 1, 2), Axis(0, 1, 48)))),
        "the layout of I has 2 places along dimension 1, 6 are used",
    ),
    "rows that do not go around": (
        conv2d(16, 4, 3, slack=13, x=64),
        Mapping("x", order=("y", "x"), wrap=True),
        "do not go around: the innermost loop moves them by 16 elements, a register has 32 or 64",
    ),
    "more rows than registers": (
        conv2d(16, 4, 4, slack=13, x=64),
        Mapping("x", (("x", 2),), ("y", "x"), wrap=True),
        "4 rows of I that go around need 8 parts in registers, there are 6",
    ),
    "a component larger than a register": (
        conv2d(16, 4, 3, slack=13, x=64),
        Mapping("x", (("x", 4),), ("y", "x"), paper=True),
        "need 5 parts of 16 elements in one register, the largest has 4",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_why(name: str) -> None:
    of, mapping, reason = REFUSED[name]
    with pytest.raises(Unmappable) as refused:
        compile_contraction(of, mapping)
    assert reason in str(refused.value)
