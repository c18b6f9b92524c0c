"""Compile what a design and its program have become, run it, and say what went wrong.

What the engine finds, it says by numbers; here these become names and places.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.amber.compile import INCLUDE, compile_design, work_folder
from s2s.simulators.amber.faults import described
from s2s.simulators.amber.generate import cpp_text
from s2s.simulators.amber.problems import problem
from s2s.source import work_done
from s2s.source.reading import read_source
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    from s2s.simulators.amber.netlist import Netlist
    from s2s.source.clockwork.programs import Program

    Words = np.ndarray[Any, np.dtype[np.uint32]]


FAULT = 3
"""The status of a run in which something went wrong, which it says."""
LONG = 2_000_000
"""Cycles from which on a design is compiled with a cycle of its own (``cycles.py``): that takes
some seconds more for a hundred instances, and a third of the time to run.
"""


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
    own = netlist is not None and netlist.last_cycle >= LONG
    where = str(Path(compute).resolve())
    numbers = netlist.numbers if netlist else [0]
    own_of = netlist if own else None
    text = cpp_text(program, where, numbers, placed, own=own_of)
    with compiled_text(text, compute, compiler) as folder:
        yield Run(folder, program, netlist)


@contextmanager
def compiled_text(text: str, compute: str, compiler: str = "g++") -> Iterator[Path]:
    """A folder with what the text of ``cpp_text`` is compiled to. Raises UserError."""
    if shutil.which(compiler) is None:
        raise problem(
            f"cannot run '{compiler}': the machine amber needs a C++ compiler (package 'g++')"
        )
    with work_folder() as folder:
        source = folder / "design.cpp"
        source.write_text(text)
        _missing_headers(compute, folder)
        compile_design(compiler, folder, source, folder / "design")
        yield folder


def run_compiled(
    folder: Path, words: Words, mode: str, number: int, cycles: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run what was compiled on the words of all input streams: ``mode`` and ``number`` are those of
    ``include/engine.cpp``, ``cycles`` what whoever follows the run is told. Raises UserError where
    it neither ends well nor says what went wrong.
    """
    words.astype("<u4").tofile(folder / "in")
    names = (str(folder / name) for name in ("design", "in", "out"))
    told = work_done.begin_outside(cycles) if cycles else ()
    command = [*names, mode, str(number), *map(str, told)]
    done = subprocess.run(command, capture_output=True, text=True, pass_fds=told)
    if done.returncode not in (0, FAULT):
        raise problem(f"the simulation ended with status {done.returncode}: {done.stderr}")
    return done


@dataclass(frozen=True)
class Run:
    """A compiled design in its folder."""

    folder: Path
    program: Program
    netlist: Netlist | None

    def __call__(
        self, words: Words, *, check: bool = True, trace: int = 0, own: bool = True
    ) -> Execution:
        """What comes of the words of all input streams, without a cycle of the design's ``own`` if
        that is not wanted. Raises UserError.
        """
        import numpy as np

        mode = ("n" if self.netlist else "") + ("p" if check or not self.netlist else "")
        mode += "" if own else "e"
        cycles = self.netlist.last_cycle + 1 if self.netlist else 0
        done = run_compiled(self.folder, words, mode, trace, cycles)
        if done.returncode == FAULT:
            design = self.netlist.design if self.netlist else None
            raise described(json.loads(done.stdout), design, self.program)
        return Execution(json.loads(done.stdout), np.fromfile(self.folder / "out", "<u4"))


def _missing_headers(compute: str, folder: Path) -> None:
    """Headers that a compute file includes and that are not there: ours has what they had."""
    beside = Path(compute).parent
    text = read_source(compute).decode("utf-8", "replace")
    for name in re.findall(r'^\s*#\s*include\s*"([\w./-]+)"', text, re.MULTILINE):
        if not (beside / name).exists() and not (INCLUDE / name).exists() and "/" not in name:
            (folder / name).write_text('#include "clockwork_standard_compute_units.h"\n')
