"""Small generators over one input of two dimensions, checked against their definitions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from s2s.emitters.c.nests import emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.net.pipelines.arrays import Array
from s2s.net.pipelines.definitions import Direct
from s2s.scop.pipeline import Pipeline
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.compiled import run

_SOURCE = Path(__file__).with_name("small_generator.cpp").read_text()
KINDS = {"int16_t": np.int16, "float": np.float32, "uint8_t": np.uint8, "int32_t": np.int32}
"""Types of input and output."""


def pipeline_of(body: str, type: str) -> Pipeline:
    """The generator whose ``generate`` is ``body``."""
    return evaluate("g.cpp", _SOURCE.replace("TYPE", type).replace("BODY", body).encode())


def checked(body: str, type: str, extents: tuple[int, int]) -> str:
    """The C of a generator, which computes what its definitions say."""
    pipeline = pipeline_of(body, type)
    shape = (2 * extents[1] + 8, 2 * extents[0] + 40)
    values = np.random.default_rng(5).integers(0, 99, shape).astype(KINDS[type])
    if type == "float":
        values = values * np.float32(0.37)
    data = {"input": Array(values, (-2, -2))}
    nest = lower(pipeline, {"output": extents, "input": [(-2, e) for e in reversed(shape)]})
    wanted = Direct(pipeline, data).output("output", (0, 0), extents)[0].values
    assert np.array_equal(run(nest, data)[0][0].values, wanted)
    return emit(prepare(nest)).source
