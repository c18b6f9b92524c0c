"""Random reductions: loops in any order, initialized before or inside, with several updates."""

from __future__ import annotations

from hypothesis import strategies as st

from s2s.scop.accelerator import Accelerator
from s2s.scop.expressions import Binary, Expr
from s2s.scop.nest import Allocate, Block, Node
from tests.transforms.clockwork.programs import (
    U16,
    accelerator,
    load,
    loops,
    number,
    plus,
    store,
    tensor,
    times,
    var,
)


@st.composite
def reductions(draw: st.DrawFn) -> Accelerator:
    """For each group of channels: sums over channels and a window, then what is made of them.

    The sums' loops come in any order, reduced ones inside or outside of the others; ``copied``
    streams go through a buffer of the array first.
    """
    groups, width, channels = (draw(st.integers(1, 3)) for _ in range(3))
    taps, stride, updates = (
        draw(st.integers(1, 3)),
        draw(st.integers(1, 2)),
        draw(st.integers(1, 2)),
    )
    length = stride * (width - 1) + taps
    inside, copied = draw(st.booleans()), draw(st.booleans())
    order = draw(st.permutations(["x", "c", "r"]))
    extents = {"x": width, "c": channels, "r": taps}
    g = var("g")
    body: list[Node] = []
    source = "input"
    if copied:
        source = "row"
        row = store("row", (var("i"), var("j")), load("input", var("i"), var("j")))
        body.append(loops(["j", "i"], [channels, length], row))
    body.append(loops(["x0"], [width], store("sum", (var("x0"),), number(0, U16))))
    for k in range(updates):
        x, c, r = (var(f"{name}{k + 1}") for name in "xcr")
        at: Expr = Binary(x.type, "add", times(x, stride), r)
        value = Binary(U16, "add", load("sum", x), load(source, at, c))
        if draw(st.booleans()):
            value = Binary(U16, "add", value, load("weights", r, c, g))
        names = [f"{name}{k + 1}" for name in order]
        body.append(loops(names, [extents[name] for name in order], store("sum", (x,), value)))
    out = store("output", (var("o"), g), load("sum", var("o")))
    body.append(loops(["o"], [width], out))
    node: Node = Block(tuple(body))
    buffers = [tensor("sum", [width]), *([tensor("row", [length, channels])] if copied else [])]
    if inside:
        for buffer in buffers:
            node = Allocate(buffer, node)
    latency = draw(st.integers(0, 2))
    return accelerator(
        "reduction",
        [tensor("input", [length, channels]), tensor("weights", [taps, channels, groups])],
        [tensor("output", [width, groups])],
        [] if inside else buffers,
        [loops(["g"], [groups], node)],
        latencies={"op_hcompute_sum": 0, "op_hcompute_sum_1": latency},
    )


def window(rows: int, taps: int) -> Accelerator:
    """A sum in a register: the loops of the reduction are the innermost ones."""
    y, p, q = (var(name) for name in "ypq")
    zero = number(0)
    value = Binary(U16, "add", load("sum", zero), load("input", Binary(y.type, "add", y, p), q))
    body: Node = Block(
        (
            store("sum", (zero,), number(0, U16)),
            loops(["p", "q"], [taps, taps], store("sum", (zero,), value)),
            store("output", (y,), load("sum", plus(zero, 0))),
        )
    )
    return accelerator(
        "window",
        [tensor("input", [rows + taps - 1, taps])],
        [tensor("output", [rows])],
        [],
        [loops(["y"], [rows], Allocate(tensor("sum", [1]), body))],
    )
