"""The loops of our applications as s2s lowers them and as the real Halide does.

``python -m tests.transforms.halide.application_loops [NAME...]`` prints a table of both.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from s2s.bench.pipelines import real
from s2s.bench.pipelines.applications import Application
from s2s.scop.pipeline import Pipeline
from s2s.transforms.halide import lower
from tests.frontends.halide.applications import applications, data, job, sources
from tests.frontends.halide.oracle import build, on_files
from tests.transforms.halide.loop_traces import Trace, lowered_text, ours, theirs


def traces(name: str) -> tuple[Trace, Trace]:
    """The loops that s2s makes of an application, and those that Halide makes."""
    application = applications()[name]
    pipeline = application.pipeline()
    sizes = application.sizes(pipeline)
    names: dict[str, Any] = dict(application.scalars)
    for tensor, extents in sizes.items():
        for place, extent in enumerate(extents):
            names |= {f"{tensor}.min.{place}": 0, f"{tensor}.extent.{place}": extent}
    nest = lower(pipeline, sizes)
    return ours(nest, names), theirs(_halide_text(application, pipeline), names)


def _halide_text(application: Application, pipeline: Pipeline) -> str:
    images = data(application, pipeline)
    asked = job(application, pipeline, images, lowered=True, unrun=True)
    debug = {"HL_DEBUG_CODEGEN": "2"}
    with tempfile.TemporaryDirectory() as folder:
        files = on_files(asked, Path(folder) / "0")
        said = real.run(build(sources()), [files], threads=2, environment=debug)
    return lowered_text(said.errors)


def table(names: Sequence[str]) -> str:
    """A row for each loop: the numbers of iterations that it has in s2s and in Halide."""
    lines = ["| application | loop | s2s | Halide |", "|---|---|---|---|"]
    for name in names:
        lines += rows(name, *traces(name))
    return "\n".join(lines)


def rows(name: str, *sides: Trace) -> list[str]:
    """The table's rows of an application."""
    found = [_extents(trace) for trace in sides]
    return [
        "| " + " | ".join((name, f"`{loop}`", *(_shown(s.get(loop, set())) for s in found))) + " |"
        for loop in dict.fromkeys(loop for side in found for loop in side)
    ]


def scheduled() -> list[str]:
    """The applications with a schedule."""
    return [name for name in applications() if not name.endswith("-plain")]


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
    print(table(sys.argv[1:] or scheduled()))
