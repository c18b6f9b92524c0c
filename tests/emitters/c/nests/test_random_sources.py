"""Random generators: the emitted C against the definitions, and against the real Halide.

A schedule that s2s refuses is one that Halide refuses, at compile time or as the program starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

from s2s.emitters.c.nests import Emitted, emit
from s2s.frontends.halide.evaluate import evaluate
from s2s.net.pipelines.arrays import Array, Values, dtype
from s2s.net.pipelines.definitions import Direct
from s2s.scop.errors import Illegal
from s2s.scop.nest import Nest
from s2s.scop.pipeline import Pipeline
from s2s.source.diagnostics import UserError
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.compiled import QUICK, run, together
from tests.frontends.halide.oracle import Job, build, needs_wheel
from tests.frontends.halide.oracle import run as run_halide
from tests.frontends.halide.random_sources import MARGIN, Source, draw
from tests.thorough import count

PER_TEST = 8
TESTS = count("S2S_SOURCES", 44, 208) // PER_TEST
WITH_WHEEL = count("S2S_WITH_WHEEL", 10, 40)
MOST_REFUSED = 0.4


@dataclass
class Drawn:
    """A source, what s2s makes of it, and an input for it."""

    source: Source
    pipeline: Pipeline
    nest: Nest | None
    refusal: str
    data: dict[str, Array]

    @cached_property
    def emitted(self) -> Emitted:
        assert self.nest is not None
        return emit(prepare(self.nest))

    @property
    def job(self) -> Job:
        types = [dtype(t) for t in self.pipeline.funcs["output"].types]
        return Job(self.source.name, self.data, [(types, (0, 0), self.source.extents)])


def prepared(seed: int) -> Drawn:
    source = draw(seed)
    pipeline = evaluate(f"{source.name}.cpp", source.text.encode(), generator=source.name)
    kind = dtype(pipeline.images["input"].type)
    extents = tuple(e + 2 * MARGIN for e in source.extents)
    random = np.random.default_rng(seed)
    shape = tuple(reversed(extents))
    if kind.kind == "f":
        values = random.normal(0, 20, shape).astype(kind)
    else:
        values = random.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, kind, True)
    data = {"input": Array(values, (-MARGIN, -MARGIN))}
    sizes: dict[str, Sequence[int | tuple[int, int]]] = {
        "output": source.extents,
        "input": [(-MARGIN, e) for e in extents],
    }
    try:
        return Drawn(source, pipeline, lower(pipeline, sizes), "", data)
    except (Illegal, UserError) as error:
        return Drawn(source, pipeline, None, str(error), data)


def several(seeds: Iterable[int]) -> list[Drawn]:
    """Programs of these seeds, compiled together."""
    programs = [prepared(seed) for seed in seeds]
    together([drawn.emitted.source for drawn in programs if drawn.nest is not None], QUICK)
    return programs


def computed(drawn: Drawn) -> Values:
    assert drawn.nest is not None
    return run(drawn.nest, drawn.data, flags=QUICK, emitted=drawn.emitted)[0][0].values


def equal(one: Values, other: Values) -> bool:
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


@pytest.mark.parametrize("first", [PER_TEST * k for k in range(TESTS)])
def test_emitted_code_computes_the_definitions(first: int) -> None:
    refused = 0
    for seed, drawn in enumerate(several(range(first, first + PER_TEST)), first):
        if drawn.nest is None:
            refused += 1
            continue
        direct = Direct(drawn.pipeline, drawn.data)
        wanted = direct.output("output", (0, 0), drawn.source.extents)[0].values
        assert equal(computed(drawn), wanted), f"seed {seed}\n{drawn.source.text}"
    assert refused <= MOST_REFUSED * PER_TEST + 2


@needs_wheel
def test_emitted_code_computes_what_halide_does(tmp_path: Path) -> None:
    programs = several(range(1000, 1000 + WITH_WHEEL))
    paths = []
    for drawn in programs:
        paths.append(tmp_path / f"{drawn.source.name}.cpp")
        paths[-1].write_text(drawn.source.text)
    answers = run_halide(build(paths), [drawn.job for drawn in programs])
    compared = 0
    for drawn, answer in zip(programs, answers, strict=True):
        text = drawn.source.text
        if drawn.nest is None:
            assert answer.error is not None, f"refused: {drawn.refusal}\n{text}"
            continue
        assert answer.error is None, f"{answer.error}\n{text}"
        assert equal(computed(drawn), answer.outputs[0][0].values), text
        compared += 1
    assert compared >= 3 * WITH_WHEEL // 4
