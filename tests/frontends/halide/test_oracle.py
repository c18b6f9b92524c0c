"""The oracle itself: the cascade's four schedules give one image, which numpy gives too."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s.net.pipelines.arrays import Array
from tests.frontends.halide.applications import sources
from tests.frontends.halide.oracle import Job, build, needs_wheel, run
from tests.thorough import some


def _cascade(image: NDArray[Any]) -> NDArray[Any]:
    weights = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]
    rows, columns = image.shape
    total = np.zeros((rows - 2, columns - 2), np.uint16)
    for y, row in enumerate(weights):
        for x, weight in enumerate(row):
            total += np.uint16(weight) * image[y : y + rows - 2, x : x + columns - 2]
    return total // 16


@needs_wheel
def test_the_schedules_of_the_cascade() -> None:
    image = np.random.default_rng(1).integers(0, 256, (100, 700), np.uint8)
    program = build(sources())
    wanted = _cascade(_cascade(image.astype(np.uint16))).astype(np.uint8)
    jobs = [
        Job(
            "cascade",
            {"input": Array(image, (0, 0))},
            [([np.dtype("u1")], (0, 0), (696, 96))],
            {"version": version},
            lowered=True,
            loops=True,
        )
        for version in some((1, 2, 3, 4))
    ]
    for answer in run(program, jobs):
        assert answer.error is None
        assert np.array_equal(answer.outputs[0][0].values, wanted)
        assert "produce output" in answer.lowered
        assert "produce output" in answer.loops
