"""A target and a machine of a package outside of s2s: listed, run and checked as ours are."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.targets.installing import OUTSIDE
from tests.targets.test_contract import FILTER, PIPELINE

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture(autouse=True)
def inputs(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.c").write_text(FILTER)
    Path("x.cpp").write_text(PIPELINE)


@pytest.mark.parametrize("words", [("x.c",), ("x.cpp", "--size", "out=48x24")])
def test_what_it_prints_runs(run: Run, words: tuple[str, ...]) -> None:
    Path("out").mkdir()
    result = run("transform", *words, "--target", "toy", "-o", "out/", "--toy-indent", "2")
    assert result.returncode == 0, result.stderr
    assert "becomes Python [toy]" in result.stderr
    assert "not executed" not in result.stderr
    command = [sys.executable, "out/x.py"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b""
    simulated = run("simulate", "out/x.py", "--machine", "toy", "--toy-seed", "3", "--json", "j")
    assert simulated.returncode == 0
    assert f"out: {24 * 48} stores" in simulated.stdout
    assert json.loads(Path("j").read_text())["out"]["stores"] == 24 * 48


def test_both_doors_compute_the_same(run: Run) -> None:
    sums = []
    for words in (("x.c",), ("x.cpp", "--size", "out=48x24")):
        run("transform", *words, "--target", "toy", "-o", "x.py")
        lines = run("simulate", "x.py", "--machine", "toy").stdout.splitlines()
        assert [line.partition(":")[0] for line in sorted(lines)] == ["in", "out", "taps"]
        sums.append(sorted(lines))
    assert sums[0] == sums[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"mul": "*"', '"mul": "+"'),
        ("return shl(a, -b)", "return a"),
        ("{low} + {count}", "{count}"),
    ],
)
def test_the_net_finds_a_wrong_text(run: Run, toy: Path, old: str, new: str) -> None:
    path = toy / "s2s_toy" / "printing.py"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    Path("y.c").write_text(FILTER.replace("y = 0", "y = 1"))
    result = run("transform", "y.c", "--target", "toy", "-o", "x.py")
    assert result.returncode == 70
    assert "the Python leaves" in result.stderr
    assert not Path("x.py").exists()


def test_what_it_cannot_print_is_the_users_error(run: Run) -> None:
    Path("f.c").write_text("void f(float a[8]) { for (int i = 0; i < 8; i++) a[i] = 1; }\n")
    result = run("transform", "f.c", "--target", "toy", "-o", "f.py")
    assert result.returncode == 1
    assert "f.c:1:1: error: no Python for this nest: 'a' has other elements" in result.stderr
    assert not Path("f.py").exists()


@pytest.mark.parametrize("words", [("x.c",), ("x.cpp", "--size", "out=48x24")])
def test_it_explains_what_it_was_given(run: Run, words: tuple[str, ...]) -> None:
    result = run("explain", *words, "--target", "toy")
    assert result.returncode == 0, result.stderr
    assert "out (passed): [0, +48) x [0, +" in result.stdout
    assert "execution: the Python gave what the source gives" in result.stdout
    assert "becomes Python [toy]" in result.stdout


def test_a_package_that_cannot_be_loaded_says_so(run: Run, toy: Path) -> None:
    (toy / "s2s_toy" / "target.py").write_text("import nosuch\n")
    listed = run("targets")
    assert listed.returncode == 0
    assert "target 'toy' of s2s-toy 1.0 cannot be loaded: ModuleNotFoundError: " in listed.stdout
    assert "cpu\t" in listed.stdout
    assert run("transform", "--help").returncode == 0
    assert run("transform", "x.c").returncode == 0
    assert run("transform", "x.c", "--target", "toy").returncode == 1


def test_it_needs_its_own_folder_only() -> None:
    """Nothing of the product knows of it."""
    root = OUTSIDE.parents[1]
    for folder in ("s2s", "frontends", "analyses", "emitters", "simulators"):
        for path in (root / folder).rglob("*.py"):
            assert "s2s_toy" not in path.read_text()
