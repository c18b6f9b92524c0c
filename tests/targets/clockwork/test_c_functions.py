"""Designs of C functions do what gcc makes of these: the driver executes both."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from s2s.cli.main import main
from tests.targets.clockwork.stencils import Stencils

Run = Callable[..., CompletedProcess[str]]

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""Without shrinking: an example takes a second."""

SOURCES = Path(__file__).parent / "c"


def transform(source: Path, out: Path, *words: str) -> int:
    out.mkdir(exist_ok=True)
    return main(["transform", str(source), "--target", "clockwork", "-o", f"{out}/", *words])


@pytest.mark.parametrize(
    ("name", "words", "cycles"),
    [
        # A pixel in a cycle, its nine taps unrolled: 66 x 66 words come in.
        ("convolution", [], 66 * 66),
        # Each product of a row and a column in a cycle, after the two matrices have come in.
        ("product", ["--param", "n=8"], 128),
        ("relaxation", [], None),
        ("histogram", [], 256 + 128 + 256),
        ("conditions", [], 20),
        ("triangle", [], None),
        ("floats", [], None),
    ],
)
def test_functions(name: str, words: list[str], cycles: int | None, tmp_path: Path) -> None:
    assert transform(SOURCES / f"{name}.c", tmp_path, *words) == 0
    design = json.loads((tmp_path / f"{name}_design.json").read_text())
    assert cycles is None or design["cycles"] == cycles
    assert (tmp_path / "host.c").exists()


@settings(
    max_examples=3,
    deadline=None,
    phases=PHASES,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(stencils=Stencils.strategy(), seed=st.integers(0, 1 << 20))
def test_random_stencils(stencils: Stencils, seed: int, tmp_path: Path, run: Run) -> None:
    """Values by an interpreter of the test's own, through the host's program, image in and out."""
    source, out = tmp_path / "stencils.c", tmp_path / "out"
    source.write_text(stencils.text())
    assert transform(source, out, "--no-check") == 0, stencils.text()
    before = stencils.arrays(seed)
    arguments = json.loads((out / "host.json").read_text())["arguments"]
    outputs = [a["name"] for a in arguments if a["output"]]
    words = []
    for name in [a["name"] for a in arguments if a.get("input") or not a["output"]]:
        np.save(tmp_path / f"{name}.npy", before[name])
        words += ["--input", f"{name}={tmp_path / name}.npy"]
    for name in outputs:
        words += ["--output", f"{name}={tmp_path / name}_out.npy"]
    done = run("simulate", str(out), "--machine", "amber", *words)
    assert done.returncode == 0, done.stderr + stencils.text()
    after = stencils.executed(before)
    for name in outputs:
        made = np.load(tmp_path / f"{name}_out.npy")
        wanted = after[name][: len(made)]
        assert np.array_equal(made.view(wanted.dtype), wanted), stencils.text()


def test_a_wrong_design_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from s2s.targets.clockwork import design

    printed = design.print_files

    def wrong(*words: object) -> dict[str, str]:
        files = printed(*words)  # type: ignore[arg-type]
        name = "conditions_compute.h"
        assert "* 3" in files[name]
        return {**files, name: files[name].replace("* 3", "* 5")}

    monkeypatch.setattr(design, "print_files", wrong)
    assert transform(SOURCES / "conditions.c", tmp_path / "out") != 0
    assert "gives" in capsys.readouterr().err
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("void f(int n, int a[], int b[]) { for (int i = 0; i < n; i++) b[i] = a[i]; }",
         "f.c:1:63: error: 'f' is nothing for the array: loop 'i' has no constant number"),
        ("void f(int s, int a[8]) { for (int i = 0; i < 8; i++) a[i] *= s; }",
         "f.c:1:55: error: 'f' is nothing for the array: 's' is no number"),
        ("int g(int); void f(int a[8]) { for (int i = 0; i < 8; i++) a[i] = g(i); }",
         "no loop nest for 'f'"),
    ],
)  # fmt: skip
def test_refused(text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "f.c").write_text(text)
    assert transform(tmp_path / "f.c", tmp_path / "out") == 1
    error = capsys.readouterr().err
    assert said in error
    assert "f.c:1:" in error
