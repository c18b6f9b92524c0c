"""Our applications, scheduled and not: emitted C, definitions and the real Halide agree.

Bit for bit, floating point included: Halide runs with ``strict_float``, C without contraction.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from s2s.net.pipelines.arrays import Array
from s2s.net.pipelines.definitions import Direct
from s2s.transforms.halide.lower import lower
from tests.emitters.c.nests.compiled import QUICK
from tests.emitters.c.nests.compiled import run as run_compiled
from tests.frontends.halide.applications import applications, data, job, sources
from tests.frontends.halide.oracle import Answer, build, needs_wheel, run

NAMES = list(applications())
WITH_HALIDE = [name for name in NAMES if not name.endswith("-plain")]
"""What a pipeline without its schedule gives are the definitions, which Halide's outputs equal."""


def same(ours: list[list[Array]], others: list[list[Array]]) -> bool:
    """Whether all components are equal bit for bit; any NaN equals any other."""
    pairs = [pair for a, b in zip(ours, others, strict=True) for pair in zip(a, b, strict=True)]
    return all(
        np.array_equal(a.values, b.values, equal_nan=a.values.dtype.kind == "f") for a, b in pairs
    )


@cache
def results(name: str) -> list[list[Array]]:
    """What the emitted C computes."""
    application = applications()[name]
    pipeline = application.pipeline()
    nest = lower(pipeline, application.sizes(pipeline))
    return run_compiled(nest, data(application, pipeline), application.scalars, flags=QUICK)


@cache
def answers() -> dict[str, Answer]:
    """What the real Halide computes, all applications with their schedules in one program."""
    jobs = []
    for name in WITH_HALIDE:
        application = applications()[name]
        pipeline = application.pipeline()
        jobs.append(job(application, pipeline, data(application, pipeline)))
    return dict(zip(WITH_HALIDE, run(build(sources()), jobs), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_emitted_code_computes_the_definitions(name: str) -> None:
    application = applications()[name]
    pipeline = application.pipeline()
    direct = Direct(pipeline, data(application, pipeline), application.scalars)
    wanted = [
        direct.output(output, (0,) * len(extents), extents)
        for output, extents in zip(pipeline.outputs, application.outputs, strict=True)
    ]
    assert same(results(name), wanted)


@needs_wheel
@pytest.mark.parametrize("name", WITH_HALIDE)
def test_emitted_code_computes_what_halide_does(name: str) -> None:
    answer = answers()[name]
    assert answer.error is None
    assert same(results(name), answer.outputs)
