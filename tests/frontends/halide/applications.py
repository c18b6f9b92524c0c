"""The applications under benchmarks/halide with inputs made for them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s.bench.pipelines import applications as suite
from s2s.bench.pipelines.applications import Application
from s2s.net.pipelines.arrays import Array, dtype
from s2s.scop.pipeline import Pipeline
from tests.frontends.halide.oracle import Job


def data(application: Application, pipeline: Pipeline) -> dict[str, Array]:
    """Random images."""
    random = np.random.default_rng(3)
    return {
        name: Array(
            _elements(random, dtype(pipeline.images[name].type), extents), (0,) * len(extents)
        )
        for name, extents in application.inputs.items()
    }


def job(
    application: Application, pipeline: Pipeline, data: dict[str, Array], **options: Any
) -> Job:
    """What the real Halide has to run."""
    outputs = [
        ([dtype(t) for t in pipeline.funcs[name].types], (0,) * len(extents), extents)
        for name, extents in zip(pipeline.outputs, application.outputs, strict=True)
    ]
    given = application.params, application.scalars
    return Job(application.generator, data, outputs, *given, **options)


def _elements(
    random: np.random.Generator, kind: np.dtype[Any], extents: tuple[int, ...]
) -> NDArray[Any]:
    shape = tuple(reversed(extents))
    if kind.kind == "f":
        return random.random(shape, kind)
    info = np.iinfo(kind)
    most = min(info.max, 1023)
    return random.integers(max(info.min, -1023), most, shape, kind, endpoint=True)


@cache
def applications() -> dict[str, Application]:
    """By name, at their small sizes; ``name-plain`` is the same without a schedule."""
    found: dict[str, Application] = {}
    for application in suite.read("small"):
        found[application.name] = application
        if application.has_plain:
            plain = replace(application.plain, name=f"{application.name}-plain")
            found[plain.name] = plain
    return found


def sources() -> list[Path]:
    return sorted({a.path for a in applications().values()})
