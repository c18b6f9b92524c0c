"""Sources as users write them: accelerators, definitions and the real Halide agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from s2s.frontends.halide.evaluate import evaluate
from s2s.net.pipelines.arrays import Array, dtype
from s2s.net.pipelines.definitions import Direct
from s2s.net.pipelines.noise import Noise
from s2s.scop.accelerator import constant
from s2s.scop.pipeline import Pipeline
from s2s.transforms.clockwork.extract import Extracted, extract
from tests.frontends.halide import oracle
from tests.transforms.clockwork.test_extract import check

HERE = Path(__file__).parent / "sources"


@dataclass(frozen=True)
class Case:
    """A generator with extents of its outputs and inputs, first dimension first."""

    name: str
    output: tuple[int, ...]
    inputs: dict[str, tuple[int, ...]]
    params: dict[str, object] = field(default_factory=dict)
    operations: int = 0
    """How many there are."""

    @property
    def path(self) -> Path:
        return HERE / f"{self.name}.cpp"

    def pipeline(self) -> Pipeline:
        given = {name: str(value) for name, value in self.params.items()}
        given["target"] = "x86-64-linux-clockwork"
        return evaluate(str(self.path), self.path.read_bytes(), parameters=given)

    def extracted(self) -> tuple[Pipeline, Extracted]:
        pipeline = self.pipeline()
        return pipeline, extract(pipeline, {pipeline.outputs[0]: self.output})

    def images(self, pipeline: Pipeline, margin: int) -> dict[str, Array]:
        """Made up, with some elements more on each side where the array reads ahead."""
        found = {}
        for name, extents in self.inputs.items():
            wider = tuple(e + 2 * margin for e in extents)
            noise = Noise(pipeline.images[name].type, (-margin,) * len(extents), wider, seed=5)
            found[name] = Array(noise.bits(), noise.minima)
        return found


CASES = [
    Case("left_out", (6, 3), {"input": (15, 4)}, operations=5),
    Case("boundary", (16, 8), {"input": (17, 9)}, {"variant": 0}, operations=6),
    Case("boundary", (16, 8), {"input": (17, 9)}, {"variant": 1}, operations=3),
    Case("boundary", (16, 8), {"input": (17, 9)}, {"variant": 2}, operations=3),
    Case("nearest", (8, 4), {"left": (8, 4), "right": (12, 4)}, operations=7),
    Case("looked_up", (8, 4), {"input": (8, 4)}, operations=8),
    *(
        Case("edges", (16, 8), {"input": (16, 8)}, {"variant": k}, operations=n)
        for k, n in enumerate((8, 8, 8))
    ),
    Case("rounded", (7, 4), {"input": (9, 4)}, operations=5),
    Case("enlarged", (16, 8), {"input": (8, 4)}, operations=3),
    Case("shifted", (8, 4), {"input": (10, 7)}, operations=2),
]


def _label(case: Case) -> str:
    return "-".join([case.name, *map(str, case.params.values())])


@pytest.mark.parametrize("case", CASES, ids=_label)
def test_accelerators_compute_the_definitions(case: Case) -> None:
    pipeline, extracted = case.extracted()
    assert len(extracted.accelerator.operations) == case.operations
    check(pipeline, extracted, case.images(pipeline, margin=8), {})


def test_an_image_begins_with_its_first_element() -> None:
    """Not with the first that is needed, as Halide's do: who passes one has a whole picture."""
    (case,) = [case for case in CASES if case.name == "shifted"]
    _, extracted = case.extracted()
    assert extracted.host is not None
    (image,) = [a for a in extracted.host.arguments if a.tensor is not None and not a.output]
    assert image.tensor is not None
    sides = [(constant(d.minimum), constant(d.extent)) for d in image.tensor.dimensions]
    assert sides == [(0, 10), (0, 7)]


@oracle.needs_wheel
def test_the_definitions_are_those_of_halide() -> None:
    program = oracle.build(sorted({case.path for case in CASES}))
    jobs, wanted = [], []
    for case in CASES:
        pipeline = case.pipeline()
        images = case.images(pipeline, margin=0)
        (name,) = pipeline.outputs
        minima = (0,) * len(case.output)
        types = [dtype(t) for t in pipeline.funcs[name].types]
        jobs.append(oracle.Job(case.name, images, [(types, minima, case.output)], case.params))
        wanted.append(Direct(pipeline, images).output(name, minima, case.output))
    for answer, arrays in zip(oracle.run(program, jobs), wanted, strict=True):
        assert answer.error is None
        for (made,), array in zip(answer.outputs, arrays, strict=True):
            assert np.array_equal(made.values, array.values)
