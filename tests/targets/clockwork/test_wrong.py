"""What the array cannot run: one message, where it is, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]

FOLDER = Path(__file__).parent / "wrong"
MESSAGES = {
    "no_accelerate": "1:1: error: '--target clockwork' has no use for this file: no Func of the"
    " pipeline is accelerated; legal: to call hw_accelerate on one [clockwork]",
    "no_bounds": "10:55: error: loop 'x' of blur has no constant number of iterations, which the"
    " array needs; legal: to bound it [halide]",
    "non_affine": "15:9: error: 'blur' cannot be mapped: op_hcompute_hw_output_stencil loads"
    " blur_stencil(hw_output_s0_y_yi * hw_output_s0_x_xi % 16, hw_output_s0_y_yi): that is not"
    " affine; legal: sums of loops' variables times constants, and their quotients and remainders"
    " by constants [clockwork]",
    "not_closed": "15:9: error: the accelerator reads blur in hw_output, which is computed outside"
    " of it; legal: blur.stream_to_accelerator(), or compute_at one of the array's loops [halide]",
}


def test_all_have_a_message() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.cpp")) == sorted(MESSAGES)


@pytest.mark.parametrize("name", MESSAGES)
def test_one_message_at_its_line(name: str, run: Run, tmp_path: Path) -> None:
    source = str(FOLDER / f"{name}.cpp")
    done = run("transform", source, "--target", "clockwork", "-o", f"{tmp_path}/")
    assert done.returncode == 1
    said = [line for line in done.stderr.splitlines() if ": error: " in line]
    assert said == [f"{source}:{MESSAGES[name]}"]
    assert not list(tmp_path.iterdir())
