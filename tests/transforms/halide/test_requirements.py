"""What a pipeline requires of its arguments' sizes is checked as it begins."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from s2s.emitters.c.nests import emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.compiled import QUICK, library

_SOURCE = Path(__file__).with_name("requirements.cpp").read_text()
GOOD = {"n": 3, "input.extent.0": 8, "input.extent.1": 8, "output.extent.0": 6}


@pytest.mark.parametrize(
    ("wrong", "status"),
    [({}, 0), ({"input.extent.0": 7}, 2), ({"input.extent.1": 9}, 3), ({"n": 10}, 4),
     ({"input.extent.0": 5, "output.extent.0": 3}, 3), ({"output.extent.1": 9}, 6)],
)  # fmt: skip
def test_requirements_on_extents(wrong: dict[str, int], status: int) -> None:
    nest = lower(evaluate("g.cpp", _SOURCE.encode()))
    emitted = emit(prepare(nest))
    memory = {name: np.arange(200, dtype=np.int32) for name in ("input", "output")}
    numbers = {"input.min.0": 0, "input.min.1": 0, "output.extent.1": 5, **GOOD, **wrong}
    given = [
        ctypes.c_int(numbers[a.name]) if a.tensor is None
        else ctypes.c_void_p(memory[a.name].ctypes.data)
        for a in nest.arguments
    ]  # fmt: skip
    assert getattr(library(emitted.source, QUICK), emitted.name)(*given) == status
    done = [y * 8 + x + 3 for y in range(5) for x in range(6)]
    assert (memory["output"][:30].tolist() == done) == (status == 0)


def test_known_sizes_are_no_arguments() -> None:
    pipeline = evaluate("g.cpp", _SOURCE.encode())
    nest = lower(pipeline, {"input": (8, 8), "output": (6, 5)})
    assert [a.name for a in nest.arguments] == ["n", "input", "output"]
