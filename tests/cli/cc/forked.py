"""Commands done by forks of a process that has loaded what they need, as in processes of their own.

To start Python, and to load ``s2s cc`` there, takes several times as long as what is tested.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path

_LOADED = (
    "tests.cli.cc.forked", "s2s.cli.cc", "s2s.cli.cc_units", "s2s.cli.compile_transformed",
    "s2s.driver.options", "s2s.source.diagnostics",
)  # fmt: skip
_STREAMS = ("stdin", "stdout", "stderr")


@dataclass(frozen=True)
class Command:
    """A Python file and its arguments, and where it runs; ``streams`` has the standard ones."""

    argv: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    streams: Path


def run(
    argv: Sequence[str], folder: Path, environment: Mapping[str, str], stdin: str | None
) -> subprocess.CompletedProcess[str]:
    """What ``subprocess.run`` gives of ``python ARGV``, within a minute."""
    with tempfile.TemporaryDirectory() as name:
        streams = Path(name)
        (streams / "stdin").write_text(stdin or "")
        child = _context().Process(
            target=_become, args=(Command(argv, folder, environment, streams),)
        )
        child.start()
        child.join(60)
        if child.exitcode is None:
            child.kill()
            raise subprocess.TimeoutExpired(list(argv), 60)
        out, err = ((streams / stream).read_text() for stream in _STREAMS[1:])
    return subprocess.CompletedProcess(list(argv), child.exitcode, out, err)


@cache
def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_LOADED))
    return context


def _become(command: Command) -> None:
    """Do as an interpreter that was started so; this is a process of the command's own."""
    os.chdir(command.folder)
    os.environ.clear()
    os.environ.update(command.environment)
    tempfile.tempdir = None
    for number, stream in enumerate(_STREAMS):
        mode = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT
        opened = os.open(command.streams / stream, mode)
        os.dup2(opened, number)
        os.close(opened)
        file = open(number, "w" if number else "r", errors="surrogateescape", closefd=False)  # noqa: SIM115
        setattr(sys, stream, file)
    sys.argv = list(command.argv)
    runpy.run_path(sys.argv[0], run_name="__main__")
