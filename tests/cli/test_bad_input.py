"""Each kind of bad input: one clear line, status 1, and nothing written."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[bytes]]

HEADLINE = re.compile(r"^(s2s|[^\s:]+:\d+:\d+): (error|warning|remark|missed): .* \[[\w-]+\]$")


@pytest.fixture(autouse=True)
def source() -> Path:
    path = Path("x.c")
    path.write_bytes(b"int main(void) { return 0; }\n")
    return path


def refused(run: Run, *argv: str) -> str:
    """Run ``s2s transform``; the one line that it says, after the checks all cases share."""
    before = sorted(Path().rglob("*"))
    result = run("transform", *argv)
    said = result.stderr.decode()
    headlines = [line for line in said.splitlines() if HEADLINE.match(line)]
    assert result.returncode == 1, said
    assert result.stdout == b""
    assert len(headlines) == 1, said
    assert len(said.splitlines()) <= 3, said
    assert max(map(len, said.splitlines())) < 400
    assert sorted(Path().rglob("*")) == before
    return headlines[0]


def test_no_such_file(run: Run) -> None:
    assert "missing.c: No such file" in refused(run, "missing.c", "-o", "y.c")


def test_directory_as_input(run: Run) -> None:
    Path("sub.c").mkdir()
    assert "sub.c: is a directory" in refused(run, "sub.c", "-o", "y.c")


@pytest.mark.parametrize(
    "words",
    [
        "transform pipe.c -o y.c",
        "check pipe.c",
        "simulate pipe.c --machine emu-chick",
        "simulate x.c --machine emu-chick --graph pipe.c",
        "simulate x.c --machine ascend910-documented --input data=pipe.c",
    ],
)
def test_pipe_as_input(run: Run, words: str) -> None:
    os.mkfifo("pipe.c")
    done = run(*words.split())
    said = b"s2s: error: pipe.c: not a regular file, but a pipe\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", said)
    assert not Path("y.c").exists()


def test_file_below_a_file(run: Run) -> None:
    assert "x.c/y.c: Not a directory" in refused(run, "x.c/y.c")


@pytest.mark.parametrize("name", ["x.f90", "x.o", "x.py", "Makefile"])
def test_not_c_by_name(run: Run, name: str) -> None:
    Path(name).write_bytes(b"all: x\n")
    assert f"{name}: not a C source file" in refused(run, name, "-o", "y.c")


def test_a_stated_language_overrides_the_name(run: Run) -> None:
    Path("kernel.txt").write_bytes(b"int x;\n")
    assert run("transform", "kernel.txt", "--", "-x", "c").returncode == 0


def test_binary(run: Run) -> None:
    Path("x.c").write_bytes(b"\x7fELF\x1b[31m\n\x02\x01\0\0\0" * 1000)
    line = refused(run, "x.c", "-o", "y.c")
    assert line.startswith("x.c:2:3: error: ") and "NUL" in line


def test_binary_is_shown_without_control_characters(run: Run) -> None:
    Path("x.c").write_bytes(b"\x1b[31m\0")
    assert b"\x1b" not in run("transform", "x.c").stderr


def test_file_name_with_control_characters(run: Run) -> None:
    assert r"evil\n\x1b.c: No such file" in refused(run, "evil\n\x1b.c")


def test_file_name_that_is_not_utf8(run: Run) -> None:
    """libclang takes none; what is said of such files is said with an escape."""
    name = os.fsdecode(b"n\xff.c")
    Path(name).write_bytes(b"void f(int n, int *a) { for (int i = 0; i < n; i++) a[i] = i; }\n")
    assert r"n\udcff.c: a name that is not UTF-8 cannot" in refused(run, name, "-o", "y.c")
    done = run("report", name, "-o", "page.html", "--summary")
    assert (done.returncode, done.stdout[:22]) == (1, b"s2s: 1 unit (1 failed)")
    assert Path("page.html").exists()
    assert run("check", name).stderr.startswith(b"n\\udcff.c:1:1: error: no kernel")


def test_output_directory_missing(run: Run) -> None:
    assert "nosuch/y.c: the directory does not exist" in refused(run, "x.c", "-o", "nosuch/y.c")


@pytest.mark.parametrize("files", [["x.c"], ["x.c", "y.c"]])
def test_output_directory_to_fill_missing(run: Run, files: list[str]) -> None:
    assert "new/deep/: the directory does not exist" in refused(run, *files, "-o", "new/deep/")


def test_output_below_a_file(run: Run) -> None:
    assert "Not a directory" in refused(run, "x.c", "-o", "x.c/y.c")


def test_output_is_a_directory(run: Run) -> None:
    Path("out").mkdir()
    assert "out: is a directory" in refused(run, "x.c", "-o", "out")


def test_output_name_too_long(run: Run) -> None:
    assert "File name too long" in refused(run, "x.c", "-o", "y" * 260)


def test_output_is_a_socket(run: Run) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        assert refused(run, "x.c", "-o", "s").startswith("s2s: error: s: ")


def test_unreadable_input(unprivileged: tuple[Path, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    directory, spawn = unprivileged
    monkeypatch.chdir(directory)
    Path("x.c").write_bytes(b"int x;\n")
    Path("x.c").chmod(0)
    assert "x.c: Permission denied" in refused(spawn, "x.c", "-o", "y.c")


@pytest.mark.parametrize("mode", [0o000, 0o555])
def test_output_directory_without_permission(
    unprivileged: tuple[Path, Run], monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    directory, spawn = unprivileged
    monkeypatch.chdir(directory)
    Path("x.c").write_bytes(b"int x;\n")
    Path("x.c").chmod(0o644)
    Path("out").mkdir()
    Path("out").chmod(mode)
    assert "out/y.c: " in refused(spawn, "x.c", "-o", "out/y.c")
    assert "out/" in refused(spawn, "x.c", "-o", "out/")


def test_write_protected_output(
    unprivileged: tuple[Path, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, spawn = unprivileged
    monkeypatch.chdir(directory)
    Path("x.c").write_bytes(b"int x;\n")
    Path("x.c").chmod(0o644)
    Path("y.c").write_bytes(b"precious\n")
    Path("y.c").chmod(0o444)
    assert "y.c: Permission denied" in refused(spawn, "x.c", "-o", "y.c")
    assert Path("y.c").read_bytes() == b"precious\n"


def test_ten_megabytes_in_one_line(spawn: Run) -> None:
    content = b"/*" + b" x" * 5_000_000 + b"*/\n"
    Path("x.c").write_bytes(content)
    result = spawn("transform", "x.c", "-o", "y.c")
    assert (result.returncode, result.stderr) == (0, b"")
    assert Path("y.c").read_bytes() == content
