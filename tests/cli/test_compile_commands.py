"""Flags from a compilation database, as CMake, Meson, Bear and make-based builds write it."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from s2s.cli.compile_commands import compiler_for, flags_for, source_flags
from s2s.cli.main import main
from s2s.source.diagnostics import UserError

Run = Callable[..., CompletedProcess[bytes]]


@pytest.fixture(autouse=True)
def source(tmp_path: Path) -> Path:
    (tmp_path / "build").mkdir()
    path = tmp_path / "x.c"
    path.write_bytes(b"int x;\n")
    return path


def write(tmp_path: Path, *entries: object) -> None:
    (tmp_path / "build/compile_commands.json").write_text(json.dumps(entries))


def entry(tmp_path: Path, command: str, file: str = "../x.c", **more: Any) -> dict[str, Any]:
    return {"directory": str(tmp_path / "build"), "file": file, "command": command, **more}


def flags(tmp_path: Path, command: str) -> list[str]:
    """The flags from ``command``, with the temporary directory written as ``T``."""
    write(tmp_path, entry(tmp_path, command))
    return [flag.replace(str(tmp_path), "T") for flag in flags_for("build", "x.c")]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("gcc -c ../x.c", ""),
        ("/usr/bin/gcc-12 -O3 -fopenmp -o x.o -c ../x.c", "-O3 -fopenmp"),
        ("gcc -O2 -ox.o -c ../x.c", "-O2"),
        ("gcc -I../include -Isub -I /abs -c ../x.c", "-IT/include -IT/build/sub -I /abs"),
        ("gcc -isystem ../a -iquote b -idirafter c -c ../x.c",
         "-isystem T/a -iquote T/build/b -idirafter T/build/c"),
        ("gcc --sysroot=../root -I=/usr/x -c ../x.c", "--sysroot=T/root -I=/usr/x"),
        ("gcc -MD -MF x.d -MT x.o -MQ y.o -MP -MMD -MFx.d -c ../x.c", ""),
        ("gcc -Wp,-MD,x.d -DN=3 -D M -UX -c ../x.c", "-DN=3 -D M -UX"),
        ("gcc -D ../x.c -c ../x.c", "-D ../x.c"),
        ("gcc '-DNAME=\"a b\"' -c ../x.c", "'-DNAME=\"a b\"'"),
        ("gcc -std=gnu99 -x c -Wall -c -- ../x.c", "-std=gnu99 -x c -Wall"),
        ("ccache gcc -O1 -c ../x.c", "-O1"),
        ("s2s cc -- gcc -O1 -c ../x.c", "-O1"),
        ("gcc ../x.c -O1", "-O1"),
        ("gcc -include ../x.c -include gone.h -c ../x.c", "-include T/x.c -include gone.h"),
    ],
)  # fmt: skip
def test_what_is_kept(tmp_path: Path, command: str, expected: str) -> None:
    assert flags(tmp_path, command) == shlex.split(expected)


@pytest.mark.parametrize(
    ("command", "compiler"),
    [
        ("gcc -c ../x.c", "gcc"),
        ("ccache /opt/bin/clang-19 -O1 -c ../x.c", "/opt/bin/clang-19"),
        ("s2s cc -- clang -c ../x.c", "clang"),
        ("tcc -c ../x.c", "gcc"),
    ],
)
def test_the_compiler(tmp_path: Path, command: str, compiler: str) -> None:
    write(tmp_path, entry(tmp_path, command))
    assert compiler_for("build", "x.c") == compiler


@pytest.mark.parametrize(("words", "compiler"), [("", "clang"), ("--compiler=gcc-12", "gcc-12")])
def test_the_compiler_of_the_build_unless_the_user_names_one(
    tmp_path: Path, run: Run, driver: Any, words: str, compiler: str
) -> None:
    write(tmp_path, entry(tmp_path, "clang -c ../x.c"))
    run("transform", "-p", "build", *words.split(), "x.c", "-o", "y.c")
    assert driver.calls[-1][2].compiler == compiler


def test_source_by_its_absolute_name(tmp_path: Path) -> None:
    assert flags(tmp_path, f"gcc -O2 -c {tmp_path}/x.c") == ["-O2"]


def test_arguments_form(tmp_path: Path) -> None:
    arguments = ["gcc", "-DA=a b", "-Iinc", "-c", "x.c"]
    write(tmp_path, {"directory": str(tmp_path), "file": "x.c", "arguments": arguments})
    assert flags_for("build", "x.c") == ("-DA=a b", f"-I{tmp_path}/inc")


def test_relative_directory_is_below_the_build_directory(tmp_path: Path) -> None:
    write(tmp_path, {"directory": "..", "file": "x.c", "command": "gcc -Iinc -c x.c"})
    assert flags_for("build", "x.c") == (f"-I{tmp_path}/inc",)


def test_response_file(tmp_path: Path) -> None:
    (tmp_path / "build/x.rsp").write_text("-DA -I../inc")
    assert flags(tmp_path, "gcc @x.rsp -c ../x.c") == ["-DA", "-IT/inc"]


def test_files_are_matched_by_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/x.c").write_bytes(b"int other;\n")
    (tmp_path / "link.c").symlink_to("x.c")
    write(
        tmp_path,
        entry(tmp_path, "gcc -DOTHER -c ../sub/x.c", "../sub/x.c"),
        entry(tmp_path, "gcc -DTHIS -c ../x.c", "../x.c"),
    )
    assert flags_for("build", "link.c") == ("-DTHIS",)
    assert flags_for("./build/", "./sub/../x.c") == ("-DTHIS",)
    assert flags_for("build", "sub/x.c") == ("-DOTHER",)


def test_flags_of_the_command_line_are_cleaned_without_a_directory() -> None:
    given = ["-Iinc", "-c", "-o", "x.o", "-O3", "-MMD"]
    assert list(source_flags(given)) == ["-Iinc", "-O3"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "build/compile_commands.json: No such file"),
        (b"", "build/compile_commands.json:1:1: error: malformed JSON"),
        (b'[\n  {"file" 1}\n]', "build/compile_commands.json:2:11: error: malformed JSON"),
        (b"[" * 200_000, "malformed JSON"),
        (b'["\xff"]', "malformed JSON: not UTF-8"),
        (b"{}", "a list of objects is expected"),
        (b"[1]", "a list of objects is expected"),
        (b'[{"directory": "."}]', "an entry has no text 'file'"),
        (b'[{"directory": ".", "file": "../x.c"}]', "an entry has no text 'command'"),
        (b'[{"directory": ".", "file": "../x.c", "command": "gcc \'"}]', "cannot be split"),
        (b"[]", "no entry for 'x.c'"),
        (b'[{"directory": ".", "file": "../y.c", "command": "gcc"}]', "no entry for 'x.c'"),
    ],
)
def test_bad_database(run: Run, driver: Any, content: bytes | None, said: str) -> None:
    if content is not None:
        Path("build/compile_commands.json").write_bytes(content)
    result = run("transform", "-p", "build", "x.c", "-o", "y.c")
    assert result.returncode == 1
    headline, *rest = result.stderr.decode().splitlines()
    assert said in headline
    assert len(rest) in (0, 2), rest
    assert not Path("y.c").exists()
    assert driver.calls == []


def test_database_then_command_line(run: Run, driver: Any, tmp_path: Path) -> None:
    write(tmp_path, entry(tmp_path, "gcc -O1 -c ../x.c"))
    run("transform", "-p", "build", "x.c", "--", "-O3")
    assert driver.calls[0][1] == ("-O1", "-O3")


def test_an_editor_hears_of_a_missing_database(spawn: Run) -> None:
    """The server serves all the same: a build that is configured later brings it."""
    done = spawn("lsp", "-p", "missing", stdin=subprocess.DEVNULL)
    said = b"s2s: warning: missing/compile_commands.json: No such file"
    assert done.stderr.startswith(said) and done.returncode == 0


def test_no_database_is_a_user_error() -> None:
    with pytest.raises(UserError):
        flags_for("nosuch", "x.c")


def test_functions_of_the_other_files_of_a_build(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A call is what its only definition in the build does; with two it may do anything."""
    loops = "for (int j = 0; j < 64; j++) for (int i = 0; i < 64; i++) a[i][j] += scale(a[i][j]);"
    (tmp_path / "x.c").write_text(
        "extern double a[64][64]; double scale(double); void f(void)\n{\n" + loops + "\n}\n"
    )
    (tmp_path / "y.c").write_text("double a[64][64]; double scale(double x) { return 2 * x; }\n")
    (tmp_path / "z.c").write_text("double last; double scale(double x) { return last = x; }\n")
    command = ["transform", str(tmp_path / "x.c"), "-o", "-", "--force"]
    command += ["-p", str(tmp_path / "build")]
    write(tmp_path, *(entry(tmp_path, "gcc -O3 -c", f"../{name}.c") for name in "xy"))
    assert main(command) == 0 and "permuted" in capsys.readouterr().err
    write(tmp_path, *(entry(tmp_path, "gcc -O3 -c", f"../{name}.c") for name in "xyz"))
    assert main(command) == 0 and "'scale' may write any" in capsys.readouterr().err
