"""``s2s transform``: what goes where, and the exit status."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

import s2s
from s2s.source.diagnostics import Diagnostic, InternalError, Location, Severity, UserError

Run = Callable[..., CompletedProcess[bytes]]

SOURCE = b"int main(void) { return 0; }\n"
CHANGED = SOURCE + b"/* transformed */\n"


@pytest.fixture(autouse=True)
def source() -> Path:
    path = Path("x.c")
    path.write_bytes(SOURCE)
    return path


def remark(severity: Severity = Severity.REMARK, text: str = "tiled") -> Diagnostic:
    return Diagnostic(severity, text, "popp", Location("x.c", 1, 5, 1, 9))


@pytest.mark.parametrize("where", [[], ["-o", "-"]])
def test_result_on_standard_output(run: Run, driver: Any, where: list[str]) -> None:
    result = run("transform", "x.c", *where)
    assert (result.returncode, result.stdout, result.stderr) == (0, CHANGED, b"")


@pytest.mark.parametrize("content", [b"", b"int x;", b"int x; /* \xff\xfe */\x0c\r\n", SOURCE])
def test_nothing_to_do_keeps_the_bytes(spawn: Run, source: Path, content: bytes) -> None:
    source.write_bytes(content)
    result = spawn("transform", "x.c", "-o", "y.c")
    assert result.returncode == 0, result.stderr
    assert Path("y.c").read_bytes() == content
    assert spawn("transform", "x.c").stdout == content


def test_output_file(run: Run, driver: Any, source: Path) -> None:
    assert run("transform", "x.c", "-o", "y.c").stdout == b""
    assert Path("y.c").read_bytes() == CHANGED
    assert source.read_bytes() == SOURCE
    assert sorted(os.listdir()) == ["x.c", "y.c"]


def test_output_may_be_the_input(run: Run, driver: Any, source: Path) -> None:
    source.chmod(0o640)
    assert run("transform", "x.c", "-o", "./x.c").returncode == 0
    assert source.read_bytes() == CHANGED
    assert stat.S_IMODE(source.stat().st_mode) == 0o640
    assert os.listdir() == ["x.c"]


def test_unchanged_input_over_itself_keeps_its_time(run: Run, driver: Any, source: Path) -> None:
    driver.added = b""
    os.utime(source, (1, 1))
    assert run("transform", "x.c", "-o", "x.c").returncode == 0
    assert source.stat().st_mtime == 1


def test_several_files_into_a_directory(run: Run, driver: Any) -> None:
    Path("y.c").write_bytes(b"int y;\n")
    Path("out").mkdir()
    assert run("transform", "x.c", "y.c", "-o", "out").returncode == 0
    assert Path("out/x.c").read_bytes() == CHANGED
    assert Path("out/y.c").read_bytes().startswith(b"int y;\n")


def test_one_file_into_a_directory(run: Run, driver: Any) -> None:
    Path("out").mkdir()
    assert run("transform", "x.c", "-o", "out/").returncode == 0
    assert Path("out/x.c").read_bytes() == CHANGED


def test_a_bad_file_does_not_keep_the_others(run: Run, driver: Any) -> None:
    Path("out").mkdir()
    assert run("transform", "missing.c", "x.c", "-o", "out/").returncode == 1
    assert os.listdir("out") == ["x.c"]


def test_standard_input(spawn: Run) -> None:
    result = spawn("transform", "-", input=SOURCE)
    assert (result.returncode, result.stdout) == (0, SOURCE)


def test_standard_input_is_a_file_to_the_driver(
    run: Run, driver: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with open("x.c") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        run("transform", "-")
    path, flags, _ = driver.calls[-1]
    assert path.endswith(".c")
    assert flags == ("-iquote", str(tmp_path))
    assert not Path(path).exists()


def test_what_is_said_of_standard_input_names_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: str, *_: object) -> None:
        place = Location(path, 1, 5, 1, 9)
        raise UserError(Diagnostic(Severity.ERROR, f"{path}: bad", "parse", place))

    monkeypatch.setattr("s2s.driver.transform.transform_file", fail)
    with open("x.c") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        result = run("transform", "-")
    assert result.stderr.decode().splitlines() == [
        "<stdin>:1:5: error: <stdin>: bad [parse]",
        "int main(void) { return 0; }",
        "    ^~~~",
    ]


def test_options_reach_the_driver(run: Run, driver: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("s2s.driver.passes.DEFAULT", {"fuse": "", "tile": ""})
    run(
        *("transform", "--passes=fuse,tile", "--strict", "--reassociate", "--parallel"),
        *("--compiler", "clang-19", "--target", "cpu", "x.c"),
        *("--", "-Iinclude", "-DN=3", "-c", "-o", "x.o", "-MD"),
    )
    path, flags, options = driver.calls[-1]
    assert path == "x.c"
    assert flags == ("-Iinclude", "-DN=3")
    assert options.passes == ("fuse", "tile")
    assert options.strict and options.reassociate and options.parallel
    assert options.compiler == "clang-19"


def test_what_is_no_compiler_is_refused(run: Run) -> None:
    result = run("transform", "--compiler=tcc", "x.c")
    assert result.returncode == 2
    assert b"'tcc' is no compiler like gcc or clang" in result.stderr


def test_options_have_the_drivers_defaults(run: Run, driver: Any) -> None:
    from s2s.driver.options import Options
    from s2s.targets.registry import find

    run("transform", "x.c")
    own = find("cpu").options
    assert driver.calls == [("x.c", (), Options(of_target=own and own()))]


def test_remarks_as_text(run: Run, driver: Any) -> None:
    driver.outcome["diagnostics"] = (remark(), remark(Severity.MISSED, "call"))
    assert run("transform", "x.c", "-v").stderr.decode().splitlines() == [
        "x.c:1:5: remark: tiled [popp]",
        "int main(void) { return 0; }",
        "    ^~~~",
        "x.c:1:5: missed: call [popp]",
        "int main(void) { return 0; }",
        "    ^~~~",
    ]


def test_remarks_over_the_input_show_the_input(run: Run, driver: Any, source: Path) -> None:
    source.write_bytes(b"int before;\n")
    driver.outcome["diagnostics"] = (remark(),)
    result = run("transform", "x.c", "-v", "-o", "x.c")
    assert b"int before;" in result.stderr


def test_remarks_as_json(run: Run, driver: Any) -> None:
    driver.outcome["diagnostics"] = (remark(),)
    (said,) = json.loads(run("transform", "x.c", "--remarks=json").stderr)
    assert said["severity"] == "remark"
    assert said["location"]["end_column"] == 9


def test_errors_as_json(run: Run) -> None:
    result = run("transform", "missing.c", "--remarks=json")
    (said,) = json.loads(result.stderr)
    assert result.returncode == 1
    assert said["severity"] == "error"


def test_no_remarks_keeps_warnings(run: Run, driver: Any) -> None:
    driver.outcome["diagnostics"] = (remark(), remark(Severity.WARNING, "data race"))
    said = run("transform", "x.c", "--remarks=none").stderr.decode()
    assert "data race" in said and "tiled" not in said


def test_sarif_file(run: Run, driver: Any) -> None:
    driver.outcome["diagnostics"] = (remark(),)
    assert run("transform", "x.c", "--sarif", "log.sarif").returncode == 0
    log = json.loads(Path("log.sarif").read_bytes())
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["popp"]


def test_sarif_file_tells_of_errors(run: Run) -> None:
    assert run("transform", "missing.c", "--sarif", "log.sarif").returncode == 1
    log = json.loads(Path("log.sarif").read_bytes())
    assert [result["level"] for result in log["runs"][0]["results"]] == ["error"]


def test_sarif_file_that_cannot_be_written(run: Run, driver: Any) -> None:
    result = run("transform", "x.c", "-o", "y.c", "--sarif", "nosuch/log.sarif")
    assert result.returncode == 1
    assert b"nosuch/log.sarif" in result.stderr
    assert not Path("y.c").exists()


@pytest.mark.parametrize(("added", "status"), [(b"", 3), (b"//", 0)])
def test_require_change(run: Run, driver: Any, added: bytes, status: int) -> None:
    driver.added = added
    assert run("transform", "x.c", "--require-change").returncode == status
    assert run("transform", "x.c").returncode == 0


def test_require_change_is_met_by_one_of_several(
    run: Run, driver: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = driver.transform_file

    def only_y(path: str, *rest: Any) -> Any:
        driver.added = b"//" if path == "y.c" else b""
        return original(path, *rest)

    monkeypatch.setattr("s2s.driver.transform.transform_file", only_y)
    Path("y.c").write_bytes(b"int y;\n")
    assert run("transform", "x.c", "y.c", "-o", "./", "--require-change").returncode == 0
    assert run("transform", "x.c", "-o", "./", "--require-change").returncode == 3


@pytest.mark.parametrize("error", [InternalError("lost"), ZeroDivisionError("lost"), KeyError()])
def test_internal_error_leaves_the_file_as_it_was(run: Run, driver: Any, error: Exception) -> None:
    driver.raised = error
    result = run("transform", "x.c", "-o", "y.c")
    assert result.returncode == 0
    assert Path("y.c").read_bytes() == SOURCE
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith("x.c: internal error: ")


@pytest.mark.parametrize("error", [InternalError("lost"), ZeroDivisionError("lost")])
def test_internal_error_under_strict(run: Run, driver: Any, error: Exception) -> None:
    driver.raised = error
    result = run("transform", "x.c", "-o", "y.c", "--strict")
    assert result.returncode == 70
    assert len(result.stderr.splitlines()) == 1
    assert not Path("y.c").exists()


def crash(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.in_child
def test_crash_of_the_parser_leaves_the_file_as_it_was(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("s2s.driver.transform.transform_file", crash)
    result = run("transform", "x.c", "-o", "y.c")
    assert result.returncode == 0
    assert result.stderr == b"x.c: internal error: the parser crashed\n"
    assert Path("y.c").read_bytes() == SOURCE
    assert run("transform", "x.c", "-o", "z.c", "--strict").returncode == 70
    assert not Path("z.c").exists()


@pytest.mark.in_child
def test_crash_on_what_is_not_c_is_the_users_error(
    run: Run, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("s2s.driver.transform.transform_file", crash)
    source.write_bytes(b"int x;\nint 3;\n")
    result = run("transform", "x.c", "-o", "y.c")
    assert result.returncode == 1
    assert result.stderr.decode().splitlines()[1:] == ["int 3;", "    ^"]
    assert not Path("y.c").exists()


@pytest.mark.in_child
@pytest.mark.parametrize("error", [UserError(remark(Severity.ERROR, "bad")), ValueError("bad")])
def test_what_the_driver_raises_comes_out_of_its_process(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("s2s.driver.transform.transform_file", fail)
    result = run("transform", "x.c")
    if isinstance(error, UserError):
        assert result.returncode == 1
        assert result.stderr.startswith(b"x.c:1:5: error: bad [popp]\n")
    else:
        assert result.returncode == 0
        assert result.stderr == b"x.c: internal error: ValueError: bad\n"


def test_interrupt(run: Run, driver: Any) -> None:
    driver.raised = KeyboardInterrupt()
    result = run("transform", "x.c", "-o", "y.c")
    assert (result.returncode, result.stderr) == (130, b"")
    assert os.listdir() == ["x.c"]


def test_reader_of_standard_output_goes_away(spawn: Run, source: Path) -> None:
    source.write_bytes(b"// a long comment\n" * 100_000)
    read_end, write_end = os.pipe()
    os.close(read_end)
    result = spawn("transform", "x.c", stdout=write_end)
    os.close(write_end)
    assert (result.returncode, result.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("argv", [("transform", "x.c"), ("--help",), ("transform", "--help")])
def test_full_disk_on_standard_output(spawn: Run, argv: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        result = spawn(*argv, stdout=full)
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["nosuch"],
        ["transform"],
        ["transform", "x.c", "--nosuch"],
        ["transform", "x.c", "--target", "abacus"],
        ["transform", "x.c", "--remarks=xml"],
        ["transform", "x.c", "--passes=a,,b"],
        ["transform", "x.c", "--requ"],
        ["transform", "x.c", "x.c"],
        ["transform", "x.c", "y.c", "-o", "nosuch"],
        ["transform", "x.c", "sub/x.c", "-o", "./"],
        ["transform", "x.c", "-o", ""],
        ["transform", "-", "-o", "./"],
        ["transform", "x.c", "--sarif", "x.c"],
        ["cc"],
        ["cc", "--"],
        ["explain"],
    ],
)
def test_usage_errors_are_one_line(run: Run, driver: Any, argv: list[str]) -> None:
    result = run(*argv)
    assert result.returncode == 2
    assert result.stdout == b""
    assert len(result.stderr.splitlines()) == 1
    assert Path("x.c").read_bytes() == SOURCE
    assert os.listdir() == ["x.c"]


def test_targets(run: Run) -> None:
    listed = run("targets").stdout.decode()
    assert [line.split("\t")[0] for line in listed.splitlines()] == [
        "cpu",
        "cuda",
        "emu",
        "aie",
        "clockwork",
        "davinci",
        "spatial",
    ]


def test_version(run: Run) -> None:
    assert run("--version").stdout.decode() == f"s2s {s2s.__version__}\n"


@pytest.mark.parametrize("argv", [["--help"], ["transform", "--help"], ["explain", "-h"]])
def test_help(run: Run, argv: list[str]) -> None:
    result = run(*argv)
    assert result.returncode == 0
    assert b"usage: s2s" in result.stdout


def test_start_up_imports_nothing_heavy() -> None:
    script = (
        "import sys; from s2s.cli.main import main; main(['--version']); main(['targets']);"
        "print(sorted({'islpy', 'clang', 'numpy', 'matplotlib', 's2s.driver.transform'}"
        " & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(s2s.__file__).parent.parent)}
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert result.stdout.splitlines()[-1] == b"[]"


HALIDE = Path(__file__).with_name("transform.cpp").read_bytes()


@pytest.mark.parametrize("error", [InternalError("lost"), KeyError("stacked.s0.i")])
def test_internal_error_on_a_pipeline_writes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """There is no C that could stand for it, and the C++ is none."""

    def fails(*_: object) -> None:
        raise error

    Path("g.cpp").write_bytes(HALIDE)
    Path("old.c").write_bytes(b"int old;\n")
    monkeypatch.setattr("s2s.driver.pipelines.transform", fails)
    for output in ("new.c", "old.c"):
        result = run("transform", "g.cpp", "-o", output)
        assert result.returncode == 70
        (line,) = result.stderr.decode().splitlines()
        assert line.startswith("g.cpp: internal error: ")
    assert run("transform", "g.cpp").stdout == b""
    assert not Path("new.c").exists()
    assert Path("old.c").read_bytes() == b"int old;\n"


def test_a_directory_for_the_results_is_made(run: Run) -> None:
    Path("plain.c").write_text("int one(void) { return 1; }\n")
    assert run("transform", "plain.c", "-o", "made/").returncode == 0
    assert Path("made/plain.c").is_file()
    result = run("transform", "plain.c", "-o", "missing/made/")
    assert result.returncode == 1
    assert b"the directory does not exist" in result.stderr
    assert not Path("missing").exists()
