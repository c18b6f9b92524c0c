"""Compiles and runs many programs at a time, before and after, and says which differ."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.properties.printer import HEADER, function_text, main_text
from tests.properties.program import Program

THREADS = (1, 2, 3)
_FLAGS = ("-w", "-std=gnu11", "-fopenmp", "-ffp-contract=off", "-fno-tree-vectorize")
_TIME_LIMIT = 60.0


class Broken(Exception):
    """A file does not compile, crashes or does not end."""


@dataclass(frozen=True)
class Case:
    """A program, and the text that is to do the same."""

    program: Program
    text: str

    @property
    def original(self) -> str:
        return function_text(self.program)


def failures(cases: Sequence[Case], directory: Path) -> dict[int, str]:
    """What is wrong with which program, by its number."""
    if not cases:
        return {}
    try:
        return _differences(cases, directory)
    except Broken as problem:
        if len(cases) == 1:
            return {cases[0].program.number: str(problem)}
    half = len(cases) // 2
    return failures(cases[:half], directory) | failures(cases[half:], directory)


def whole_file(cases: Sequence[Case], *, original: bool) -> str:
    parts = [case.original if original else case.text for case in cases]
    return "".join([HEADER, *parts, main_text([case.program for case in cases])])


def _differences(cases: Sequence[Case], directory: Path) -> dict[int, str]:
    before = build(whole_file(cases, original=True), directory / "original.c", "-O0")
    after = build(whole_file(cases, original=False), directory / "transformed.c", "-O1")
    expected = run(before, 1)
    found: dict[int, str] = {}
    if run(before, THREADS[-1]) != expected:
        raise AssertionError(f"the generator made a program with a race: {before}")
    for threads in THREADS:
        for wanted, got in zip(expected, run(after, threads), strict=True):
            if wanted != got:
                number = int(wanted.split(".")[0])
                text = f"with {threads} threads '{got}' and not '{wanted}'"
                found.setdefault(number, text)
    return found


def build(text: str, source: Path, level: str) -> Path:
    """Compile a file. Raises Broken with the first errors."""
    source.write_text(text)
    binary = source.with_suffix("")
    done = subprocess.run(
        ["gcc", level, *_FLAGS, str(source), "-o", str(binary)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Broken(f"does not compile: {done.stderr[:600]}")
    return binary


def run(binary: Path, threads: int) -> list[str]:
    """The lines that a program prints. Raises Broken when it does not end well."""
    environment = {
        **os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive",
        "GOMP_SPINCOUNT": "0", "OMP_DYNAMIC": "false",
    }  # fmt: skip
    try:
        done = subprocess.run(
            [str(binary)], env=environment, capture_output=True, text=True, check=False,
            timeout=_TIME_LIMIT,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Broken(f"does not end with {threads} threads") from None
    if done.returncode:
        raise Broken(f"exit status {done.returncode} with {threads} threads")
    return done.stdout.splitlines()


def saved(case: Case, why: str, name: str) -> Path:
    """Write a failing program, before and after, to a directory of its own."""
    place = Path(tempfile.gettempdir()) / "s2s-failures" / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "original.c").write_text(whole_file([case], original=True))
    (place / "transformed.c").write_text(whole_file([case], original=False))
    (place / "why.txt").write_text(why + "\n")
    return place
