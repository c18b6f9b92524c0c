"""The applications of Table 4.5 as files, run on whole pictures: bit for bit the definitions.

Their memory files have only what is documented of the format.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest

from s2s.bench.pipelines import applications as suite
from s2s.net.pipelines.definitions import Direct
from tests.frontends.halide.applications import data
from tests.targets.clockwork.documented import check_documented
from tests.thorough import some

Run = Callable[..., CompletedProcess[str]]

APPLICATIONS = {a.name: a for a in suite.read("small", "clockwork")}


def _named(name: str, extents: tuple[int, ...]) -> tuple[str, str]:
    return "--size", f"{name}={'x'.join(map(str, extents))}"


@pytest.mark.parametrize("name", some(APPLICATIONS, 3))
def test_whole_pictures_are_as_defined(name: str, run: Run, tmp_path: Path) -> None:
    application = APPLICATIONS[name]
    pipeline = application.pipeline()
    sizes = application.sizes(pipeline)
    out = tmp_path / "out"
    out.mkdir()
    words = ["--generator", application.generator, "--no-check"]
    words += [w for key, value in application.params.items() for w in ("--param", f"{key}={value}")]
    words += [word for size in sizes.items() for word in _named(*size)]
    path = str(application.path)
    done = run("transform", path, "--target", "clockwork", "-o", f"{out}/", *words)
    assert done.returncode == 0, done.stderr
    (memory,) = out.glob("*_memory.cpp")
    check_documented(memory.read_text())
    images = data(application, pipeline)
    files: list[str] = []
    for key, image in images.items():
        np.save(tmp_path / f"{key}.npy", image.values)
        files += ["--input", f"{key}={tmp_path / key}.npy"]
    (output,) = pipeline.outputs
    files += ["--output", str(tmp_path / "result.npy")]
    done = run("simulate", str(out), "--machine", "amber", *files)
    assert done.returncode == 0, done.stderr
    assert "all outputs as in program order" in done.stdout
    made = np.load(tmp_path / "result.npy")
    direct = Direct(pipeline, images, application.scalars)
    extents = sizes[output]
    (wanted,) = direct.output(output, (0,) * len(extents), extents)
    assert np.array_equal(made, wanted.values.view(made.dtype))
