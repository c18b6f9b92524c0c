"""Compile and run a program before and after its regions are prepared."""

from __future__ import annotations

import subprocess
from pathlib import Path

from s2s.frontends.c.prepare import Callees, prepare, prepared_text
from s2s.frontends.c.regions import candidates, functions
from s2s.frontends.c.unit import Unit
from tests.lifting import parse_text

_FLAGS = ("-O1", "-w", "-fopenmp", "-ffp-contract=off")


def prepared_texts(unit: Unit) -> list[str]:
    """The file with each of its regions prepared, one after the other."""
    texts = []
    for function in functions(unit, every=True):
        for attempt in candidates(function):
            text = prepared_text(attempt)
            if text is not None:
                texts.append(text.decode())
    return texts


def prepared(text: str, name: str = "program.c") -> str:
    """The only prepared region of a file."""
    unit = parse_text(text, name)
    found = []
    for function in functions(unit, every=True):
        for attempt in candidates(function):
            result = prepare(attempt, Callees(unit), every=True)
            if result is not None:
                found.append(result.text.decode())
    (only,) = found
    return only


def reasons(text: str, name: str = "program.c") -> list[str]:
    """Why calls stay calls."""
    unit = parse_text(text, name)
    said = []
    for function in functions(unit, every=True):
        for attempt in candidates(function):
            prepare(attempt, Callees(unit), every=True)
            said += [text for _, text in attempt.lifter.notes]
    return said


def output(text: str, folder: Path, name: str) -> str:
    """What a program prints; its exit status comes last."""
    source, program = folder / name, folder / f"{name}.out"
    source.write_text(text)
    compiler = "g++" if name.endswith(".cpp") else "gcc"
    command = [compiler, *_FLAGS, str(source), "-o", str(program), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}\n{text}"
    run = subprocess.run([str(program)], capture_output=True, text=True, timeout=20, check=False)
    return f"{run.stdout}\n{run.returncode}"
