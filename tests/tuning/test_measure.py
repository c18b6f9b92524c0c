import re
from pathlib import Path

import pytest

from s2s.tuning import measure
from s2s.tuning.measure import MeasurementError, Program, same_output

TIME = re.compile(r"^time: ([0-9.]+) s$", re.MULTILINE)


def script(folder: Path, body: str) -> Program:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return Program(path, ("7",), TIME)


def test_runs_with_arguments_threads_and_bound_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_PROC_BIND", raising=False)
    monkeypatch.setenv("OMP_PLACES", "sockets")
    body = "echo $1 $OMP_NUM_THREADS $OMP_PROC_BIND $OMP_PLACES; echo 'time: 0.50 s' >&2"
    assert measure.run(script(tmp_path, body), 3) == measure.Run("7 3 close sockets\n", 0.5)


@pytest.mark.parametrize(
    ("body", "message"),
    [("exit 4", "program ended with status 4"), ("echo time: 1 s later", "printed no time")],
)
def test_a_run_that_fails_is_said(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(MeasurementError, match=message):
        measure.run(script(tmp_path, body), 1)


def test_a_run_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "RUN_LIMIT_SECONDS", 0.2)
    with pytest.raises(MeasurementError, match="took more than 0 s"):
        measure.run(script(tmp_path, "exec sleep 20"), 1)


def test_programs_take_turns_and_the_warm_up_does_not_count(tmp_path: Path) -> None:
    log = tmp_path / "log"
    programs = []
    for name in "ab":
        folder = tmp_path / name
        folder.mkdir()
        body = f"echo {name} >> {log}; echo time: 0.$(wc -l < {log}) s >&2"
        programs.append(script(folder, body))
    first, second = measure.interleave(programs, 1, 2)
    assert log.read_text().split() == list("ababab")
    assert [run.seconds for run in first] == [0.3, 0.5]
    assert [run.seconds for run in second] == [0.4, 0.6]
    assert measure.fastest(second) == 0.4


def test_a_failing_build_gives_the_first_error(tmp_path: Path) -> None:
    source = tmp_path / "x.c"
    source.write_text("int main(void) {\n    return nothing;\n}\n")
    with pytest.raises(MeasurementError, match=r"does not compile: .*x\.c:2:12: error: "):
        measure.build("gcc", [], [source], tmp_path / "x")
    with pytest.raises(MeasurementError, match="no-such-cc: No such file"):
        measure.build("no-such-cc", [], [source], tmp_path / "x")


@pytest.mark.parametrize(
    ("left", "right", "tolerance", "same"),
    [
        ("a 1.0\n", "a 1.0\n", 0.0, True),
        ("a 1.0\n", "a 1.00\n", 0.0, False),
        ("a 1.0\n", "a 1.00\n", 1e-9, True),
        ("a 1.0\n", "a 1.001\n", 1e-2, True),
        ("a 1.0\n", "a 1.001\n", 1e-4, False),
        ("a 1.0\n", "b 1.0\n", 1e-2, False),
        ("a 1.0\n", "a 1.0 2.0\n", 1e-2, False),
        ("a 1.0\n", "a 1.0\na 1.0\n", 1e-2, False),
        ("nan\n", "1.0\n", 1e-2, False),
    ],
)
def test_compares_words_and_numbers(left: str, right: str, tolerance: float, same: bool) -> None:
    assert same_output(left, right, tolerance=tolerance) is same


def test_ignored_lines_do_not_count() -> None:
    ignore = [re.compile("^bits"), re.compile("^time")]
    assert same_output("x\nbits 1\ntime 3\n", "x\nbits 2\ntime 4\n", ignore=ignore)
    assert not same_output("x\nbits 1\n", "y\nbits 1\n", ignore=ignore)
