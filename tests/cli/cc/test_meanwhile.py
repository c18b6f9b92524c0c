"""The compiler works while the server finds out: a build sees what it would see without."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from s2s import entry
from s2s.cli import ask_server, remembered
from s2s.cli.meanwhile import Meanwhile, can_be_repeated
from tests.cli.cc.test_build_server import folder as folder  # a fixture
from tests.cli.cc.test_remembered import LOOPS, QUIET


def _forked(work: Callable[[], object]) -> tuple[int, str, str]:
    """How a process ends that does ``work``, and what it writes."""
    if not (child := os.fork()):
        try:
            for number, name in ((1, "out"), (2, "err")):
                os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
            work()
        finally:
            os._exit(99)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), Path("out").read_text(), Path("err").read_text()


def _compiler(folder: Path, script: str) -> str:
    path = folder / "gcc"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def _adopt(command: Sequence[str]) -> NoReturn:
    compiler = Meanwhile(command)
    compiler.begin()
    compiler.take_place()


@pytest.mark.parametrize("end, status", [("exit 3", 3), ("kill -TERM $$", -signal.SIGTERM)])
def test_the_compiler_s_end_and_words_are_ours(folder: Path, end: str, status: int) -> None:
    compiler = _compiler(folder, f"echo one; echo two >&2; {end}")
    assert _forked(lambda: _adopt([compiler, "-c", "a.c"])) == (status, "one\n", "two\n")


def test_what_is_ended_leaves_nothing(folder: Path) -> None:
    """Those that the compiler starts end with it, so that nobody else writes its object."""
    begun = "touch begun; sleep 1; touch late"
    compiler = Meanwhile([_compiler(folder, f"echo one; ({begun}) & wait"), "-c", "a.c"])
    compiler.begin()
    while not (folder / "begun").exists():
        time.sleep(0.01)
    compiler.stop()
    assert not compiler.child
    time.sleep(1.5)
    assert not (folder / "late").exists()


def test_who_is_ended_ends_the_compiler(folder: Path) -> None:
    compiler = _compiler(folder, "(touch begun; sleep 1; touch late) & wait")
    script = (
        "from s2s.cli.meanwhile import Meanwhile; m = Meanwhile({!r}); m.begin(); m.take_place()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script.format([compiler, "-c", "a.c"])],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while not (folder / "begun").exists():
        time.sleep(0.01)
    process.terminate()
    assert process.wait() == -signal.SIGTERM
    time.sleep(1.5)
    assert not (folder / "late").exists()


@pytest.mark.parametrize(
    "command, repeated",
    [
        ("gcc -O2 -MD -MF a.d -c a.c -o a.o", True),
        ("gcc -O2 -c a.c -oa.o", True),
        ("gcc -O2 a.c -o a", False),
        ("gcc -c @words", False),
        ("gcc -c a.c -o /dev/null", False),
        ("gcc -c a.c -o/dev/null", False),
        ("gcc -c a.c -o -", False),
        ("gcc -save-temps -c a.c", False),
        ("gcc -flto=jobserver -c a.c", False),
    ],
)
def test_what_can_be_repeated(command: str, repeated: bool) -> None:
    assert can_be_repeated(command.split()) == repeated


@pytest.mark.parametrize("name", ["changes", "stays", "wrong"])
def test_objects_and_warnings_are_those_of_commands_that_wait(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text = {"changes": LOOPS, "stays": QUIET, "wrong": QUIET.replace("return", "retrun")}[name]
    (folder / "x.c").write_text(f"{text}\nstatic int unused(void) {{ return 3; }}\n")
    argv = ["gcc", "-O2", "-Wall", "-MD", "-c", "x.c"]
    seen = []
    real = Meanwhile.begin

    def begin(compiler: Meanwhile) -> None:
        real(compiler)
        Path("began").write_text(str(compiler.child))

    monkeypatch.setattr(Meanwhile, "begin", begin)
    for soon in (1e-6, 30.0):
        monkeypatch.setattr(ask_server, "_SOON", soon)
        monkeypatch.setattr(sys, "argv", ["s2s", "cc", "--", *argv])
        place = Path(remembered.find_place(argv))
        place.unlink(missing_ok=True)
        ended = _forked(lambda: os._exit(entry.main()))
        files = [Path(f).read_bytes() if os.path.exists(f) else b"" for f in ("x.o", "x.d")]
        for made in ("x.o", "x.d"):
            Path(made).unlink(missing_ok=True)
        seen.append((*ended, files))
        assert int(Path("began").read_text()) if soon < 1 else not os.path.exists("began")
        Path("began").unlink(missing_ok=True)
    assert seen[0] == seen[1]
    status, _, said, files = seen[0]
    assert (status == 0) == (name != "wrong") == bool(files[0])
    assert said.count("defined but not used") == 1
