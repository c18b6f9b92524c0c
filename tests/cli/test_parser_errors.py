"""Bad input that only the parser can see, from the real driver to the user."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

Run = Callable[..., CompletedProcess[bytes]]


def refused(spawn: Run, *argv: str, status: int = 1) -> list[str]:
    """Lines said about ``x.c``, after checking that nothing was written."""
    result = spawn("transform", *argv, "-o", "y.c")
    assert result.returncode == status, result.stderr
    assert not Path("y.c").exists()
    assert not [name for name in os.listdir() if name.startswith(".")]
    return result.stderr.decode().splitlines()


def test_syntax_error_has_its_place(spawn: Run) -> None:
    Path("x.c").write_bytes(b"int main(void) {\n  return 0\n}\n")
    said = refused(spawn, "x.c")
    assert said[0].startswith("x.c:2:11: error: expected ';'")
    assert said[1:] == ["  return 0", "          ^"]


def test_missing_header(spawn: Run) -> None:
    Path("x.c").write_bytes(b'#include "nosuch.h"\nint x;\n')
    said = refused(spawn, "x.c")
    assert said[0].startswith("x.c:1:10: error: ")
    assert "nosuch.h" in said[0]
    assert len([line for line in said if ": error: " in line]) == 1


def test_header_found_by_flag(spawn: Run) -> None:
    Path("include").mkdir()
    Path("include/there.h").write_bytes(b"typedef int number;\n")
    Path("x.c").write_bytes(b'#include "there.h"\nnumber x;\n')
    result = spawn("transform", "x.c", "--", "-Iinclude")
    assert (result.returncode, result.stdout) == (0, Path("x.c").read_bytes())


def test_header_beside_standard_input(spawn: Run) -> None:
    Path("there.h").write_bytes(b"typedef int number;\n")
    source = b'#include "there.h"\nnumber x;\n'
    result = spawn("transform", "-", input=source)
    assert (result.returncode, result.stdout) == (0, source)


def test_prose_is_not_c(spawn: Run) -> None:
    Path("x.c").write_bytes(b"This is not a program.\n")
    assert refused(spawn, "x.c")[0].startswith("x.c:1:")


def test_ten_megabytes_of_rubbish_in_one_line(spawn: Run) -> None:
    Path("x.c").write_bytes(b"(]" * 5_000_000)
    said = refused(spawn, "x.c")
    assert said[0].startswith("x.c:1:")
    assert max(map(len, said)) < 300
    assert len(said) <= 3 * 20


def test_unknown_pass(spawn: Run) -> None:
    Path("x.c").write_bytes(b"int x;\n")
    (line,) = refused(spawn, "x.c", "--passes=nosuchpass", status=2)
    assert "nosuchpass" in line
