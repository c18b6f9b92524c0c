"""Unmodified generators of the Halide-to-Hardware repository, where a copy of it is at hand.

They are brought for trying and are no part of this project: S2S_H2H is the copy's folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from s2s.frontends.halide.evaluate import evaluate
from s2s.source.diagnostics import UserError

_COPY = os.environ.get("S2S_H2H", "")
ACCEPTED = (
    *("apps/cascade", "apps/gaussian", "apps/harris", "apps/harris_color", "apps/unsharp"),
    *("apps/camera_pipeline", "apps/camera_pipeline_2x2", "apps/nlmeans", "apps/bilateral_grid"),
    *("apps/pyramid_blur", "apps/laplacian_pyramid", "apps/exposure_fusion", "apps/stereo"),
    *("apps/lucas_kanade", "apps/gemm", "apps/resnet_output_stationary", "apps/unet/up_sample"),
    *("apps/unet/down_sample", "apps/unet/conv_3_3", "tests/histogram", "tests/up_sample"),
)


@pytest.mark.skipif(not _COPY, reason="S2S_H2H names no copy of Halide-to-Hardware")
@pytest.mark.parametrize("target", ["host", "x86-64-linux-clockwork"])
@pytest.mark.parametrize("name", ACCEPTED)
def test_a_public_generator_is_accepted(name: str, target: str) -> None:
    folder = Path(_COPY) / "apps" / "hardware_benchmarks" / name
    (path,) = folder.glob("*_generator.cpp")
    flags = ["-I", str(folder)]
    try:
        made = evaluate(str(path), path.read_bytes(), flags, parameters={"target": target})
    except UserError as error:
        pytest.fail(error.diagnostics[0].text)
    assert made.outputs
