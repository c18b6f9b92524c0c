"""What is extracted computes, in program order, what the definitions say."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from s2s.bench.pipelines import applications as suite
from s2s.net.pipelines.arrays import Array
from s2s.net.pipelines.definitions import Direct
from s2s.scop.build import add, const, sub
from s2s.scop.expressions import Const, Expr
from s2s.scop.nest import Argument
from s2s.scop.pipeline import Pipeline
from s2s.scop.rewrite import substitute
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.clockwork.extract import Extracted, extract
from tests.emitters.c.nests.compiled import QUICK, run
from tests.frontends.halide.applications import data

APPLICATIONS = {a.name: a for a in suite.read("small", "clockwork")}


def _number(expr: Expr) -> int:
    found = Simplifier()(expr)
    assert isinstance(found, Const)
    return int(found.value)


def _extents(argument: Argument) -> tuple[int, ...]:
    assert argument.tensor is not None
    return tuple(_number(d.extent) for d in argument.tensor.dimensions)


def _wider(image: Array) -> Array:
    """With some elements more after each row: the rates of streams round up."""
    return Array(np.pad(image.values, [(0, 8)] * image.values.ndim, "wrap"), image.minima)


def check(
    pipeline: Pipeline,
    extracted: Extracted,
    images: Mapping[str, Array],
    scalars: Mapping[str, float],
) -> None:
    """The accelerator's first and last tile, streams filled by the definitions."""
    direct = Direct(pipeline, images, scalars)
    nest = extracted.accelerator.nest
    for last in (False, True):
        loops = {loop.name: _end(loop.minimum, loop.extent, last) for loop in extracted.around}
        wanted = {}
        for argument in nest.arguments:
            origin = extracted.streams[argument.name]
            minima = tuple(_number(substitute(low, loops)) for low in origin.first)
            made = direct.output(origin.func, minima, _extents(argument))
            wanted[argument.name] = made[origin.component]
        outputs = run(nest, {n: wanted[n] for n in extracted.accelerator.inputs}, flags=QUICK)
        for name, (given,) in zip(extracted.accelerator.outputs, outputs, strict=True):
            assert np.array_equal(given.values, wanted[name].values)


def _end(minimum: Expr, extent: Expr, last: bool) -> Expr:
    return add(minimum, sub(extent, const(1))) if last else minimum


# All of them run from their sources to images in tests/targets/clockwork/test_applications.py.
@pytest.mark.parametrize("name", [*APPLICATIONS][::3])
def test_accelerators_compute_the_definitions(name: str) -> None:
    application = APPLICATIONS[name]
    pipeline = application.pipeline()
    extracted = extract(pipeline, application.sizes(pipeline))
    images = {n: _wider(a) for n, a in data(application, pipeline).items()}
    check(pipeline, extracted, images, application.scalars)
