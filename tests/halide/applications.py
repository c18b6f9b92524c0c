"""The applications under benchmarks/halide: their sizes and inputs made for them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s.frontends.halide.evaluate import evaluate
from s2s.frontends.halide.pipeline import Pipeline
from tests.halide.compiled import dtype
from tests.halide.oracle import Array, Job

FOLDER = Path(__file__).parents[2] / "benchmarks" / "halide"


@dataclass(frozen=True)
class Application:
    """One generator with parameters, and sizes of its images, first dimension first."""

    name: str
    path: Path
    generator: str
    params: dict[str, str]
    scalars: dict[str, float]
    outputs: tuple[tuple[int, ...], ...]
    inputs: dict[str, tuple[int, ...]]

    def pipeline(self) -> Pipeline:
        return evaluate(
            str(self.path),
            self.path.read_bytes(),
            generator=self.generator,
            parameters=self.params,
        )

    def sizes(self, pipeline: Pipeline) -> dict[str, tuple[int, ...]]:
        return {**dict(zip(pipeline.outputs, self.outputs, strict=True)), **self.inputs}

    def data(self, pipeline: Pipeline) -> dict[str, Array]:
        random = np.random.default_rng(3)
        return {
            name: Array(
                _elements(random, dtype(pipeline.images[name].type), extents), (0,) * len(extents)
            )
            for name, extents in self.inputs.items()
        }

    def job(self, pipeline: Pipeline, data: dict[str, Array], **options: Any) -> Job:
        outputs = [
            ([dtype(t) for t in pipeline.funcs[name].types], (0,) * len(extents), extents)
            for name, extents in zip(pipeline.outputs, self.outputs, strict=True)
        ]
        return Job(self.generator, data, outputs, self.params, self.scalars, **options)


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
def applications(size: str = "small") -> dict[str, Application]:
    """By name; ``name-plain`` is the same without a schedule."""
    found: dict[str, Application] = {}
    described = tomllib.loads((FOLDER / "applications.toml").read_text(encoding="utf-8"))
    for name, entry in described.items():
        sized = entry[size]
        params = {**entry.get("params", {}), **sized.get("params", {})}
        words = {key: str(value) for key, value in params.items()}
        made = Application(
            name,
            FOLDER / entry.get("file", f"{name}.cpp"),
            entry.get("generator", name),
            words,
            entry.get("scalars", {}),
            tuple(map(tuple, sized["outputs"])),
            {key: tuple(extents) for key, extents in sized["inputs"].items()},
        )
        found[name] = made
        if entry.get("plain") != "none" and "version" not in params:
            plain = {**words, "scheduled": "false"}
            found[f"{name}-plain"] = Application(
                *(f"{name}-plain", made.path, made.generator, plain),
                *(made.scalars, made.outputs, made.inputs),
            )
    return found


def sources() -> list[Path]:
    return sorted({a.path for a in applications().values()})
