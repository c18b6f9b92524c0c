"""The applications for arrays, on the processor: C, definitions and the real Halide agree."""

from __future__ import annotations

from functools import cache

import pytest

from s2s.bench.pipelines import applications as suite
from s2s.net.pipelines.arrays import Array
from s2s.net.pipelines.definitions import Direct
from s2s.transforms.halide.lower import lower
from tests.emitters.c.nests.compiled import QUICK
from tests.emitters.c.nests.compiled import run as run_compiled
from tests.emitters.c.nests.test_applications import same
from tests.frontends.halide.applications import data, job
from tests.frontends.halide.oracle import Answer, build, needs_wheel, run
from tests.places import BENCHMARKS
from tests.thorough import some

APPLICATIONS = {a.name: a for a in suite.read("small", "clockwork")}
WITH_HALIDE = {n: APPLICATIONS[n] for n in some(APPLICATIONS, 3) if not n.endswith("_declarative")}
"""Declared levels do nothing in the header for the real Halide; test_levels.py compares them."""


def test_all_sources_are_tried() -> None:
    sources = {p.name for p in (BENCHMARKS / "clockwork").glob("*.cpp")}
    assert sources == {a.path.name for a in APPLICATIONS.values()}
    assert len(sources) == 20


@cache
def _results(name: str) -> list[list[Array]]:
    application = APPLICATIONS[name]
    pipeline = application.pipeline()
    nest = lower(pipeline, application.sizes(pipeline))
    return run_compiled(nest, data(application, pipeline), application.scalars, flags=QUICK)


@cache
def _answers() -> dict[str, Answer]:
    jobs = []
    for application in WITH_HALIDE.values():
        pipeline = application.pipeline()
        jobs.append(job(application, pipeline, data(application, pipeline)))
    program = build(sorted({a.path for a in WITH_HALIDE.values()}))
    return dict(zip(WITH_HALIDE, run(program, jobs), strict=True))


@pytest.mark.parametrize("name", some(APPLICATIONS))
def test_emitted_code_computes_the_definitions(name: str) -> None:
    application = APPLICATIONS[name]
    pipeline = application.pipeline()
    direct = Direct(pipeline, data(application, pipeline), application.scalars)
    (extents,) = application.outputs
    wanted = [direct.output(pipeline.outputs[0], (0,) * len(extents), extents)]
    assert same(_results(name), wanted)


@needs_wheel
@pytest.mark.parametrize("name", WITH_HALIDE)
def test_emitted_code_computes_what_halide_does(name: str) -> None:
    answer = _answers()[name]
    assert answer.error is None
    assert same(_results(name), answer.outputs)
