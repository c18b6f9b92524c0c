"""How the tests of the command line run it: in this process, or as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

import s2s
import s2s.driver.guarded
import s2s.driver.transform
from s2s.cli.main import main
from s2s.driver.options import Options, Outcome

_NOBODY = 65534


def environment() -> dict[str, str]:
    """Ours, with output that waits in buffers as it does for most users."""
    package = Path(s2s.__file__).resolve().parent
    own = {"PYTHONPATH": str(package.parent)}
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**kept, **own}


@pytest.fixture(autouse=True)
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names in the tests are relative, as people type them."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., CompletedProcess[bytes]]:
    """Run the command line in this process, where the driver can be replaced."""

    def run(*argv: str) -> CompletedProcess[bytes]:
        capsysbinary.readouterr()
        status = main(argv)
        out, err = capsysbinary.readouterr()
        return CompletedProcess(argv, status, out, err)

    return run


@pytest.fixture
def spawn() -> Callable[..., CompletedProcess[bytes]]:
    """Run ``python -m s2s`` as a process of its own."""

    def spawn(*argv: str, **options: Any) -> CompletedProcess[bytes]:
        command = [sys.executable, "-m", "s2s", *argv]
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.run(command, stderr=subprocess.PIPE, env=environment(), **options)

    return spawn


class FakeDriver:
    """Stands for ``transform_file``: appends a comment, says what it is told to, or raises."""

    def __init__(self) -> None:
        self.added = b"/* transformed */\n"
        self.raised: BaseException | None = None
        self.outcome: dict[str, Any] = {}
        self.calls: list[tuple[str, tuple[str, ...], Options]] = []

    def transform_file(
        self, path: str, flags: Sequence[str] = (), options: Options | None = None
    ) -> Outcome:
        self.calls.append((path, tuple(flags), options or Options()))
        if self.raised:
            raise self.raised
        data = Path(path).read_bytes()
        return Outcome(path, data, data + self.added, **self.outcome)


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    fake = FakeDriver()
    monkeypatch.setattr(s2s.driver.transform, "transform_file", fake.transform_file)
    monkeypatch.setattr(s2s.driver.guarded, "in_child", lambda work, limit: work())
    return fake


@pytest.fixture
def unprivileged() -> Iterator[tuple[Path, Callable[..., CompletedProcess[bytes]]]]:
    """A directory and a way to run s2s there without the super-user's rights."""
    identity: dict[str, Any] = {}
    if os.geteuid() == 0:
        identity = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}

    def start(interpreter: str, *argv: str) -> CompletedProcess[bytes]:
        command = [interpreter, "-m", "s2s", *argv]
        return subprocess.run(
            command, cwd=directory, env=environment(), capture_output=True, **identity
        )

    def works(interpreter: str) -> bool:
        try:
            return start(interpreter, "--version").returncode == 0
        except OSError:
            return False

    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o777)
        interpreter = next(filter(works, (sys.executable, "/usr/bin/python3")), None)
        if interpreter is None:
            pytest.skip("no interpreter can be run without the super-user's rights")
        yield directory, partial(start, interpreter)
        for inside in directory.iterdir():
            inside.chmod(0o700)
