"""Nests one after the other, reductions, and coarse-grained pipelines."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.analyses.cycles import check
from s2s.scop.accelerator import Accelerator
from s2s.scop.expressions import Binary, Expr
from s2s.scop.nest import Allocate, Block, Node
from s2s.transforms.clockwork.schedule import schedule
from tests.transforms.clockwork import brute
from tests.transforms.clockwork.programs import (
    U16,
    accelerator,
    load,
    loops,
    number,
    plus,
    product,
    store,
    tensor,
    var,
)


def test_gemm_as_in_table_6_7() -> None:
    found = schedule(product(512)).schedule
    assert found.cycles == 2162688
    assert found.rule == "sequential nests"
    assert [t.cycles for t in found.total] == [32768, 2097152, 511 * 64, 63, 1]


def rows(count: int, length: int, taps: int, latency: int, *, inside: bool = True) -> Accelerator:
    """For each row: load it, reduce windows of it in a loop over ``taps``, give out the sums.

    The row's buffers live in the loop over rows (``inside``), or around it.
    """
    y = var("y")
    x, z, r, w = (var(name) for name in ("x", "z", "r", "w"))
    windows = length - taps + 1
    into = loops(["x"], [length], store("row", (x,), load("input", x, y)))
    clear = loops(["w"], [windows], store("sum", (w,), number(0, U16)))
    value: Expr = Binary(U16, "add", load("sum", z), load("row", Binary(z.type, "add", z, r)))
    reduce = loops(["r", "z"], [taps, windows], store("sum", (z,), value))
    out = loops(["o"], [windows], store("output", (var("o"), y), load("sum", var("o"))))
    body: Node = Block((into, clear, reduce, out))
    buffers = [tensor("row", [length]), tensor("sum", [windows])]
    for buffer in buffers if inside else []:
        body = Allocate(buffer, body)
    names = ("op_load", "op_clear", "op_add", "op_out")
    return accelerator(
        "rows",
        [tensor("input", [length, count])],
        [tensor("output", [windows, count])],
        [] if inside else buffers,
        [loops(["y"], [count], body)],
        names=names,
        latencies={"op_add": latency},
    )


def test_rows_are_a_coarse_grained_pipeline() -> None:
    found = schedule(rows(5, 10, 3, 0)).schedule
    assert found.rule == "coarse-grained pipeline"
    # The interval is the reduction's, 3*8 cycles; the first row is loaded in 10, the last given
    # out in 8.
    assert found.starts["op_add"].strides == (24, 8, 1)
    assert found.cycles == 10 + 5 * 24 + 8


def test_a_buffer_outside_of_the_loop_is_overwritten_word_by_word() -> None:
    """The next row's words come in the cycles in which the last taps read those before them."""
    program = rows(5, 10, 3, 0, inside=False)
    found = schedule(program).schedule
    assert found.rule == "coarse-grained pipeline"
    assert found.cycles == 10 + 5 * 24 + 8
    assert check(program, found) is None
    assert next(brute.wrong_loads(program, found), None) is None


@settings(max_examples=40, deadline=None)
@given(
    *(st.integers(*ends) for ends in ((1, 4), (3, 8), (1, 3), (0, 4))),
    st.booleans(),
)
def test_random_rows(count: int, length: int, taps: int, latency: int, inside: bool) -> None:
    program = rows(count, length, taps, latency, inside=inside)
    found = schedule(program).schedule
    assert check(program, found) is None
    assert next(brute.wrong_loads(program, found), None) is None
    assert sum(t.cycles for t in found.total) == found.cycles
    for name, start in found.starts.items():
        assert sum(t.cycles for t in found.terms[name]) == start.offset


def test_a_reduction_waits_for_its_own_value() -> None:
    n = var("n")
    value = Binary(U16, "add", load("sum", number(0)), load("input", n))
    body = [
        store("sum", (number(0),), number(0, U16)),
        loops(["n"], [6], store("sum", (number(0),), value)),
        store("output", (number(0),), load("sum", plus(number(0), 0))),
    ]
    program = accelerator(
        "sum",
        [tensor("input", [6])],
        [tensor("output", [1])],
        [tensor("sum", [1])],
        body,
        names=("op_clear", "op_add", "op_out"),
        latencies={"op_add": 3},
    )
    found = schedule(program).schedule
    assert found.starts["op_add"].strides == (3,)
    assert check(program, found) is None
