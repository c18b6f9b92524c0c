"""``s2s profile``: lines of the source, hottest loops first, and what is said about them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from s2s.cli.profiler.samples import Place, run_sampled
from s2s.driver.loop_nests import loop_nests
from s2s.source.diagnostics import UserError

_HERE = Path(__file__).parent

SOURCE = Path(__file__).with_name("two_loops.c")
HOT, COLD = 10, 29
TIMES = "1500"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("profile")
    source = folder / "two_loops.c"
    source.write_bytes(SOURCE.read_bytes())
    command = ["gcc", "-g", "-O1", str(source), "-o", str(folder / "two"), "-lm", "-pthread"]
    subprocess.run(command, check=True)
    return str(folder / "two")


def run(*words: str, cwd: str) -> "subprocess.CompletedProcess[bytes]":
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-m", "s2s", "profile", *words]
    return subprocess.run(command, capture_output=True, cwd=cwd, env=environment, check=False)


def test_the_hottest_nest_comes_first_with_what_is_done_there(program: str) -> None:
    folder = os.path.dirname(program)
    found = run("--json", "times.json", "--cflags=-O3", "--", "./two", TIMES, cwd=folder)
    assert (found.returncode, found.stdout) == (7, b"2 0\n")
    said = found.stderr.decode()
    first, second = (said.index(f"two_loops.c:{line}-") for line in (HOT, COLD))
    assert first < second
    assert "in hot\n" in said[first:second] and "remark: " in said[first:second]
    loops = json.loads(Path(folder, "times.json").read_bytes())["loops"]
    assert [loop["line"] for loop in loops[:2]] == [HOT, COLD]
    assert loops[0]["seconds"] > loops[1]["seconds"] > 0
    assert {loop["file"] for loop in loops} == {os.path.join(folder, "two_loops.c")}


def test_samples_survive_a_signal_and_are_those_of_threads(program: str) -> None:
    profile = run_sampled([program, TIMES, "abort"])
    assert profile.status == 128 + 6
    hot = sum(n for place, n in profile.samples.items() if HOT <= place.line <= HOT + 3)
    assert hot > profile.count / 2
    assert sum(map(profile.seconds_of, profile.samples.values())) == pytest.approx(profile.seconds)


def test_without_lines_the_program_is_named(program: str) -> None:
    bare = program + "_bare"
    subprocess.run(["strip", "-o", bare, program], check=True)
    profile = run_sampled([bare, TIMES])
    assert {p for p in profile.samples if p.path == bare} == {Place(bare, 0)}


@pytest.mark.parametrize(
    ("command", "said"),
    [(["./no-such-program"], "No such file"), (["true"], "true: no samples: it took")],
)
def test_what_cannot_be_sampled(command: list[str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        run_sampled(command)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), b"a program is needed: s2s profile -- ./program"),
        (("-p", "build", "--cflags=-O3", "--", ".rue"), b"'--cflags' has no effect with '-p'"),
        (("--json", "no/such/folder/x.json", "--", "true"), b"no/such/folder"),
    ],
)
def test_wrong_command_lines(words: tuple[str, ...], said: bytes, tmp_path: Path) -> None:
    found = run(*words, cwd=str(tmp_path))
    assert found.returncode in (1, 2) and said in found.stderr


def test_a_loop_around_several_is_a_nest_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_text((_HERE / "around_several.c").read_text())
    nests = loop_nests(str(path), ())
    assert [(nest.first, nest.last, nest.function) for nest in nests] == [
        (3, 10, "f"), (5, 7, "f"), (8, 9, "f")
    ]  # fmt: skip
    outer = nests[0]
    assert [line for line in range(1, 12) if outer.has(line)] == [3, 4, 10]
