"""Emitted C, compiled as it is with a program around it.

The address sanitizer stands around every array, memory begins as a pattern that is no plausible
value, and nothing is optimized away. Only what takes too long so is built without these.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from s2s.net import Mismatch
from s2s.net.pipelines.harness import program
from s2s.scop.nest import Argument
from s2s.source.records import dataclass

_PLAIN = ("-std=gnu99", "-w", "-fwrapv", "-ffp-contract=off")
_SECONDS = 2
"""Processor time for all calls of a program."""
_BUILD_SECONDS = 30


class NotRun(Exception):
    """There is no result; the text says why."""


@dataclass(frozen=True)
class Way:
    """How a text is compiled: with which flags, beside which file of ``runtime``; ``or_fast``: a
    compiler may not have what it needs. ``seconds``: processor time for all calls.
    """

    flags: Sequence[str]
    runtime: str = ""
    or_fast: bool = False
    seconds: int = _SECONDS


FAST = Way(("-O1",))
GUARDED = Way(("-O0", "-fsanitize=address", "-ftrivial-auto-var-init=pattern"), or_fast=True)
IN_TURNS = Way(("-O0", "-fopenmp"), "turns.c")
_RUNTIME = Path(__file__).parent / "runtime"


@dataclass(frozen=True)
class Text:
    """What was emitted, with the arguments of its function; ``header`` is included by name."""

    function: str
    source: str
    header: tuple[str, str]
    arguments: Sequence[Argument]


class Build:
    """A compilation that goes on beside what its process does meanwhile."""

    def __init__(self, text: Text, folder: Path, way: Way) -> None:
        self._folder, self._way = folder, way
        self._write(text)
        self._process = self._start(way)

    def _write(self, text: Text) -> None:
        name, header = text.header
        main = program(text.function, text.arguments, self._way.seconds)
        files = {name: header} if name else {}
        for name, content in {**files, "emitted.c": text.source, "main.c": main}.items():
            (self._folder / name).write_text(content, encoding="utf-8")

    def _start(self, way: Way) -> subprocess.Popen[str]:
        found = compiler()
        if found is None:
            raise NotRun("no C compiler was found")
        beside = [str(_RUNTIME / way.runtime)] if way.runtime else []
        words = [found, *_PLAIN, *way.flags, "emitted.c", "main.c", *beside]
        try:
            return subprocess.Popen(
                [*words, "-o", "program", "-lm"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                cwd=self._folder,
                env={**os.environ, "LC_ALL": "C"},
            )
        except OSError as error:
            raise NotRun("the C compiler does not run") from error

    def program(self) -> Path:
        """The program, when it is ready; raises NotRun, and Mismatch for what is no C."""
        said = self._said()
        if self._process.returncode and self._way.or_fast:
            self._way, self._process = FAST, self._start(FAST)
            said = self._said()
        if self._process.returncode and self._way.runtime:
            raise NotRun("the C compiler has no OpenMP of this kind")
        if self._process.returncode:
            raise Mismatch(f"the C does not compile: {_first_error(said)}")
        return self._folder / "program"

    def _said(self) -> str:
        try:
            return self._process.communicate(timeout=_BUILD_SECONDS)[1]
        except subprocess.TimeoutExpired as error:
            raise NotRun("the C compiler takes too long") from error

    def stop(self) -> None:
        """End what still runs."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()


@contextmanager
def building(text: Text, way: Way = GUARDED) -> Iterator[Build]:
    """A compilation that has begun, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="s2s-") as name:
        build = Build(text, Path(name), way)
        try:
            yield build
        finally:
            build.stop()


def compiler() -> str | None:
    """A C compiler of this machine, None if there is none."""
    return next(filter(None, map(shutil.which, ("gcc", "clang", "cc"))), None)


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if "error" in line or "undefined" in line]
    return lines[0] if lines else text.strip()[-200:]
