"""The loops of our applications as s2s lowers them and as the real Halide does.

``python -m tests.halide.application_loops [NAME...]`` prints a table of both.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from s2s.frontends.halide.evaluate import evaluate
from s2s.frontends.halide.lowering import lower
from s2s.frontends.halide.pipeline import Pipeline
from tests.halide.compiled import dtype
from tests.halide.loop_traces import Trace, lowered_text, ours, theirs
from tests.halide.oracle import Array, Job, build, script

_FOLDER = Path(__file__).parents[2] / "benchmarks" / "halide"

Sizes = dict[str, tuple[int, ...]]


@cache
def applications() -> dict[str, dict[str, Any]]:
    """What is known of each application, by name."""
    return tomllib.loads((_FOLDER / "applications.toml").read_text())


def _source(name: str) -> Path:
    return _FOLDER / str(applications()[name].get("file", f"{name}.cpp"))


def evaluated(name: str) -> tuple[Pipeline, Sizes]:
    """The pipeline of an application and the small sizes of its tensors."""
    known, path = applications()[name], _source(name)
    parameters = {key: str(value) for key, value in known.get("params", {}).items()}
    pipeline = evaluate(
        str(path), path.read_bytes(), [], generator=_generator(name), parameters=parameters
    )
    small = known["small"]
    sizes = dict(zip(pipeline.outputs, small["outputs"], strict=True)) | small.get("inputs", {})
    return pipeline, {key: tuple(value) for key, value in sizes.items()}


def _generator(name: str) -> str:
    return str(applications()[name].get("generator", name))


def traces(name: str) -> tuple[Trace, Trace]:
    """The loops that s2s makes of an application, and those that Halide makes."""
    pipeline, sizes = evaluated(name)
    names = dict(applications()[name].get("scalars", {}))
    for tensor, extents in sizes.items():
        for place, extent in enumerate(extents):
            names |= {f"{tensor}.min.{place}": 0, f"{tensor}.extent.{place}": extent}
    nest = lower(pipeline, sizes)
    return ours(nest, names), theirs(_halide_text(name, pipeline, sizes), names)


def _halide_text(name: str, pipeline: Pipeline, sizes: Sizes) -> str:
    known = applications()[name]
    program = build(sorted({_source(other) for other in applications()}))
    inputs = {
        image.name: Array(np.zeros(sizes[image.name][::-1], dtype(image.type)), (0,) * image.rank)
        for image in pipeline.images.values()
        if image.name in sizes and image.name not in pipeline.outputs
    }
    outputs = []
    for output in pipeline.outputs:
        func = pipeline.funcs[output]
        outputs.append(([dtype(t) for t in func.types], (0,) * len(func.vars), sizes[output]))
    given = known.get("params", {}), known.get("scalars", {})
    job = Job(_generator(name), inputs, outputs, *given, lowered=True)
    environment = {**os.environ, "HL_DEBUG_CODEGEN": "2", "HL_NUM_THREADS": "2"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [str(program)],
            input=script(job, Path(folder) / "0"),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    return lowered_text(done.stderr)


def table(names: Sequence[str]) -> str:
    """A row for each loop: the numbers of iterations that it has in s2s and in Halide."""
    lines = ["| application | loop | s2s | Halide |", "|---|---|---|---|"]
    for name in names:
        sides = [_extents(trace) for trace in traces(name)]
        for loop in dict.fromkeys([*sides[0], *sides[1]]):
            cells = (_shown(side.get(loop, set())) for side in sides)
            lines.append("| " + " | ".join((name, f"`{loop}`", *cells)) + " |")
    return "\n".join(lines)


def _extents(trace: Trace) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for loop, _, extent in trace:
        found.setdefault(loop, set()).add(extent)
    return found


def _shown(extents: set[int]) -> str:
    ordered = sorted(extents)
    if len(ordered) > 3:
        return f"{ordered[0]} to {ordered[-1]}"
    return ", ".join(map(str, ordered)) if ordered else "1"


if __name__ == "__main__":
    print(table(sys.argv[1:] or list(applications())))
