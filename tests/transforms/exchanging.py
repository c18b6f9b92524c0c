"""Functions with copies between arrays, before and after the pass, run on many sizes."""

from __future__ import annotations

import os
import subprocess
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file
from s2s.scop.allowance import Allowance

# Sizes around the smallest that the pass acts on; arrays apart, the same, and overlapping.
_MAIN = Path(__file__).with_name("exchanging.c").read_text()
_HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#define MOST 3000\n"
HEADER = "int n, int m, int steps, T *a_, T *b_, T *c_"
ROWS = (
    "T (*a)[m] = (T (*)[m])a_; T (*b)[m] = (T (*)[m])b_; T (*c)[m] = (T (*)[m])c_;"
    " (void)a; (void)b; (void)c;"
)


@dataclass(frozen=True)
class Compared:
    """Which functions were changed, which give other results, and what was said of each."""

    outcome: Outcome
    changed: frozenset[str]
    different: frozenset[str]
    remarks: dict[str, list[str]]


def compared(
    folder: Path, functions: dict[str, str], *, kind: str = "double", flags: tuple[str, ...] = (),
    before: str = "", passes: tuple[str, ...] = ("copies",), threads: int = 1,
) -> Compared:  # fmt: skip
    """Transform and run functions, given by name as the text of their bodies.

    With several threads arrays do not overlap: that would be a race.
    """
    texts = [
        f"/*@{name}@*/\nstatic void f{i}({HEADER})\n{{\n{body}\n}}"
        for i, (name, body) in enumerate(functions.items())
    ]
    table = ",\n".join(f'    {{"{name}", f{i}}}' for i, name in enumerate(functions))
    places = 4 if threads == 1 else 1
    head = f"{_HEAD}#define T {kind}\n#define PLACES {places}"
    text = "\n".join([head, before, *texts, "/*@@*/"])
    source = folder / "before.c"
    source.write_text(text + _MAIN.replace("TABLE", table))
    options = ["-O1", "-fopenmp", "-ffp-contract=off", "-w", *flags]
    with _alone():
        asked = Options(strict=True, force=True, passes=passes)
        outcome = transform_file(str(source), options, asked)
    changed_file = folder / "after.c"
    changed_file.write_bytes(outcome.text)
    old, new = _parts(outcome.original.decode()), _parts(outcome.text.decode())
    outputs = [_run(p, options, threads).splitlines() for p in (source, changed_file)]
    assert len(outputs[0]) == len(outputs[1]) > 0
    different = {a.partition("\t")[0] for a, b in zip(*outputs, strict=True) if a != b}
    changed = {name for name in functions if old[name] != new[name]}
    return Compared(outcome, frozenset(changed), frozenset(different), _remarks(outcome, functions))


def _alone() -> AbstractContextManager[object]:
    """Each region may use as much of isl as if it were alone in the file."""
    return patch.object(Allowance, "limit", Allowance().limit)


def _parts(text: str) -> dict[str, str]:
    pieces = text.split("/*@")[1:]
    return {p.partition("@*/")[0]: p.partition("@*/")[2] for p in pieces}


def _remarks(outcome: Outcome, functions: dict[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in functions}
    lines = outcome.original.decode().splitlines()
    for said in outcome.diagnostics:
        assert said.location is not None
        above = "\n".join(lines[: said.location.line]).split("/*@")
        name = above[-1].partition("@*/")[0]
        if name in found:
            found[name].append(said.text)
    return found


def _run(source: Path, options: list[str], threads: int) -> str:
    binary = source.with_suffix(".x")
    done = subprocess.run(
        ["gcc", *options, str(source), "-o", str(binary)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[:2000]
    ran = subprocess.run(
        [str(binary)], capture_output=True, text=True, timeout=120,
        env={**os.environ, "OMP_NUM_THREADS": str(threads)},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[:2000]
    return ran.stdout
