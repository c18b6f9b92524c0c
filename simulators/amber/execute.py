"""Compile what a design and its program have become, run it, and say what went wrong.

What the engine finds, it says by numbers; here these become names and places.
"""

from __future__ import annotations

import atexit
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.amber.faults import described
from s2s.simulators.amber.generate import cpp_text
from s2s.simulators.amber.problems import line_of, problem
from s2s.source.reading import read_source

if TYPE_CHECKING:
    import numpy as np

    from s2s.simulators.amber.netlist import Netlist
    from s2s.source.clockwork.programs import Program
    from s2s.source.diagnostics import UserError

    Words = np.ndarray[Any, np.dtype[np.uint32]]

INCLUDE = Path(__file__).parent / "include"
FLAGS = ("-std=c++17", "-O2", "-w")


@dataclass(frozen=True)
class Execution:
    """What a run counted, as the engine says it, and the words of the output streams."""

    counted: dict[str, Any]
    words: Words


def execute(
    program: Program,
    compute: str,
    netlist: Netlist | None,
    words: Words,
    *,
    check: bool = True,
    trace: int = 0,
    placed: Mapping[str, Sequence[str]] | None = None,
    compiler: str = "g++",
) -> Execution:
    """Run a netlist, compared with the program order if ``check``; without one, that alone.

    ``words`` are those of all input streams, one after another. ``placed`` as in ``cpp_text``.
    Raises UserError for what does not compile and for the first thing that goes wrong in the run.
    """
    with compiled(program, compute, netlist, placed=placed, compiler=compiler) as run:
        return run(words, check=check, trace=trace)


@contextmanager
def compiled(
    program: Program,
    compute: str,
    netlist: Netlist | None,
    *,
    placed: Mapping[str, Sequence[str]] | None = None,
    compiler: str = "g++",
) -> Iterator[Run]:
    """What runs a netlist on words as ``execute`` does, again and again. Raises UserError."""
    if shutil.which(compiler) is None:
        raise problem(
            f"cannot run '{compiler}': the machine amber needs a C++ compiler (package 'g++')"
        )
    with tempfile.TemporaryDirectory(prefix="s2s-amber-") as name:
        folder = Path(name)
        source = folder / "design.cpp"
        source.write_text(cpp_text(program, str(Path(compute).resolve()), netlist, placed))
        _missing_headers(compute, folder)
        _compile(
            compiler, f"-I{folder}", str(source), _engine(compiler), "-o", str(folder / "design")
        )
        yield Run(folder, program, netlist)


@dataclass(frozen=True)
class Run:
    """A compiled design in its folder."""

    folder: Path
    program: Program
    netlist: Netlist | None

    def __call__(self, words: Words, *, check: bool = True, trace: int = 0) -> Execution:
        """What comes of the words of all input streams. Raises UserError."""
        import numpy as np

        words.astype("<u4").tofile(self.folder / "in")
        mode = ("n" if self.netlist else "") + ("p" if check or not self.netlist else "")
        names = (str(self.folder / name) for name in ("design", "in", "out"))
        done = subprocess.run([*names, mode, str(trace)], capture_output=True, text=True)
        if done.returncode == 3:
            raise described(json.loads(done.stdout), self.netlist, self.program)
        if done.returncode:
            raise problem(f"the simulation ended with status {done.returncode}: {done.stderr}")
        return Execution(json.loads(done.stdout), np.fromfile(self.folder / "out", "<u4"))


def _missing_headers(compute: str, folder: Path) -> None:
    """Headers that a compute file includes and that are not there: ours has what they had."""
    beside = Path(compute).parent
    text = read_source(compute).decode("utf-8", "replace")
    for name in re.findall(r'^\s*#\s*include\s*"([\w./-]+)"', text, re.MULTILINE):
        if not (beside / name).exists() and not (INCLUDE / name).exists() and "/" not in name:
            (folder / name).write_text('#include "clockwork_standard_compute_units.h"\n')


@lru_cache(maxsize=4)
def _engine(compiler: str) -> str:
    """The engine, compiled once for all designs of a process."""
    folder = tempfile.mkdtemp(prefix="s2s-amber-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    compiled = f"{folder}/engine.o"
    _compile(compiler, "-c", str(INCLUDE / "engine.cpp"), "-o", compiled)
    return compiled


def _compile(compiler: str, *arguments: str) -> None:
    command = [compiler, *FLAGS, f"-I{INCLUDE}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise _refused(done.stderr)


def _refused(said: str) -> UserError:
    """What the compiler says first, at the line of the memory or compute file it comes from."""
    first = next((line for line in said.splitlines() if "error: " in line), said.strip())
    match = re.match(r"(.+?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)", first)
    if match is None or match[1].startswith(tempfile.gettempdir() + "/s2s-amber-"):
        return problem(f"g++ refuses the program: {first}")
    return problem(f"g++: {match[3]}", line_of(match[1], int(match[2])))
