"""Random chains of delays of all kinds: what comes out is the input, as many cycles later, by
both engines."""

import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulators.amber.engines import both_engines
from tests.simulators.amber.netlists import Files, controller, element
from tests.simulators.amber.test_designs import random, run

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

STAGES = st.lists(
    st.tuples(
        st.sampled_from(["register", "delay", "dual_port", "fifo", "sram", "kernel", "mux"]),
        st.integers(1, 30),
    ),
    max_size=6,
)


def memory(
    kind: str, loops: tuple[list[int], list[int]], start: int, later: int
) -> dict[str, object]:
    """A memory that gives the words of a stream again some cycles later."""
    extent, stride = loops
    linear = [int(np.prod(extent[:k])) for k in range(len(extent))]
    write = controller(extent, stride, start, linear)
    read = controller(extent, stride, start + later, linear)
    words = int(np.prod(extent))
    if kind == "fifo":
        return {"mode": "fifo", "capacity": words, "in": [write], "out": [read]}
    return {
        "mode": "dual_port",
        "capacity": words,
        "modulo": words + 3,
        "in": [write],
        "out": [read],
    }


def wide(words: int, start: int, later: int) -> dict[str, object]:
    """The same by wide fetches, for a stream without gaps: the SRAM takes in one cycle of four and
    gives in another one."""
    fetches = controller([words // 4], [4], start + 4, [1]) | {"agg_stride": [1]}
    leave = start + later - 1 - (later - 1) % 4 + 2
    back = controller([words // 4], [4], leave, [1]) | {"tb_stride": [1]}
    return {
        "mode": "sram", "capacity": words, "modulo": words,
        "in2agg": [controller([words], [1], start, [1])], "agg2sram": [fetches],
        "sram2tb": [back], "tb2out": [controller([words], [1], leave + 1, [1])],
    }  # fmt: skip


@settings(max_examples=5, deadline=None)
@given(STAGES, st.integers(1, 5), st.integers(1, 4), st.integers(0, 3), st.integers(0, 9))
def test_random_chains(
    stages: list[tuple[str, int]], rows: int, fours: int, gap: int, start: int
) -> None:
    row = 4 * fours
    loops = ([row, rows], [1, row + gap])
    whole = gap == 0
    files = Files("chain")
    files.stream("input", "source")
    files.stream("output", "target")
    files.loop("y", "prg", rows)
    files.loop("x", "y", row)
    files.function("next", [("source", 1)], "return (uint16_t)(3 * source[0] + 1);")
    at, source, buffer, kernels = start, "in.out", "source", 0
    files.add("in", "input", buffer="source", controller=controller(*loops, at),
              element=element((0, [0, 1]), (0, [1, 0])))  # fmt: skip
    for k, (kind, amount) in enumerate([*stages, ("kernel", 0)]):
        name, later = f"i{k}", amount
        target = f"{name}.in0"
        if kind == "register":
            files.add(name, "register", buffer=buffer)
            later, target = 1, f"{name}.in"
        elif kind == "delay":
            files.add(name, "delay", buffer=buffer, cycles=amount)
            target = f"{name}.in"
        elif kind == "mux":
            files.add(name, "mux", select=[controller(*loops, at)])
            later = 0
        elif kind == "kernel":
            last = k == len(stages)
            after = "target" if last else f"b{k}"
            files.buffer(after)
            files.operation(f"op{k}", "x", "next", [[buffer, "y", "x"]], [after, "y", "x"])
            files.add(name, "kernel", operation=f"op{k}", function="next", latency=amount,
                      controller=controller(*loops, at))  # fmt: skip
            buffer, kernels = after, kernels + 1
        elif kind == "sram" and whole:
            later = max(amount, 8)
            fields = wide(rows * row, at, later)
            later = fields["tb2out"][0]["start"] - at  # type: ignore[index]
            files.add(name, "memory", buffer=buffer, **fields)
        else:
            other = "dual_port" if kind == "sram" else kind
            files.add(name, "memory", buffer=buffer, **memory(other, loops, at, later))
        files.connect(source, target)
        source = f"{name}.out0" if files.instances[name]["type"] == "memory" else f"{name}.out"
        at += later
    files.add("out", "output", buffer="target", controller=controller(*loops, at),
              element=element((0, [0, 1]), (0, [1, 0])))  # fmt: skip
    files.connect(source, "out.in")
    values = random(rows, row)
    with tempfile.TemporaryDirectory() as folder, both_engines():
        record, result = run(files, Path(folder), source=values)
    expected = values.astype(np.int64)
    for _ in range(kernels):
        expected = 3 * expected + 1
    assert (result == expected.astype(np.uint16)).all()
    assert record["cycles"] == at + (rows - 1) * (row + gap) + row
