"""The executing machine: what happens when a mapping runs, element by element.

The machine itself is ``include/spatial.c``; it is compiled once and remembered. It is given the
cuts of a mapping and data, moves tiles from DRAM to L2 and from there to the processing elements,
multiplies what lies in their L1, and compares the output with that of the plain loop nest.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from s2s.simulators.spatial.costs.figures import Figures, Traffic
from s2s.simulators.spatial.cuts import Plan
from s2s.simulators.spatial.machine import Machine
from s2s.source.compiler_answers import version_of
from s2s.source.diagnostics import Diagnostic, InternalError, Severity, UserError
from s2s.source.folders import cache_folder
from s2s.source.records import dataclass
from s2s.source.spatial.layers import Tensor

_SOURCE = Path(__file__).parent / "include" / "spatial.c"
_FLAGS = ("-std=c11", "-O2", "-fwrapv", "-w")
_COMBINES = ("+", "max", "min")
MOST = 1 << 33
"""Iterations that one run may have: about a minute."""
_ELEMENTS = 1 << 28
_LIMITS = {"dimensions": 12, "axes": 8, "terms": 4, "tensors": 5, "cuts": 96}


@dataclass(frozen=True)
class Execution:
    """What one run counted; ``busy``: cycles in which each processing element multiplied.

    ``wrong``: elements of the output that are not those of the plain loop nest. ``l1``, ``l2`` of
    ``figures`` are twice what was held at once, as both halves of a buffer have to have room.
    """

    figures: Figures
    busy: tuple[int, ...]
    wrong: int
    tiles: int


def execute(
    plan: Plan, machine: Machine, seed: int = 1, followed: tuple[int, ...] = ()
) -> Execution:
    """Run one mapping on random data. As ``execute_all``."""
    return execute_all([plan], machine, seed, followed)[0]


def execute_all(
    plans: Sequence[Plan], machine: Machine, seed: int = 1, followed: tuple[int, ...] = ()
) -> list[Execution]:
    """Run mappings on random data, one after the other.

    ``followed``: a file descriptor of ``work_done.begin_outside`` and the iterations that were done
    before, if somebody follows the run.

    Raises UserError for what is too large to execute, and where there is no C compiler.
    """
    for plan in plans:
        _check_size(plan)
    words = array("q")
    for plan in plans:
        words.extend(_numbers(plan, machine, seed))
    with _program() as program:
        command = [program, *map(str, followed)]
        done = subprocess.run(
            command, input=words.tobytes(), capture_output=True, pass_fds=followed[:1]
        )
    lines = done.stdout.decode().splitlines()
    if done.returncode or len(lines) != len(plans):
        said = lines[-1] if lines else f"status {done.returncode}"
        raise _error(f"the machine stopped: {said}")
    return [_execution(plan, json.loads(line)) for plan, line in zip(plans, lines, strict=True)]


def _check_size(plan: Plan) -> None:
    computation = plan.computation
    elements = sum(_volume(tensor, plan) for tensor in computation.tensors)
    if plan.macs > MOST or elements > _ELEMENTS:
        said = f"{plan.macs} multiplications and {elements} elements are too many to execute"
        raise _error(f"{said} (at most {MOST} and {_ELEMENTS})")
    axes = [axis for tensor in computation.tensors for axis in tensor.axes]
    numbers = {
        "dimensions": len(plan.extents),
        "axes": max(len(tensor.axes) for tensor in computation.tensors),
        "terms": max((len(axis.terms) for axis in axes), default=0),
        "tensors": len(computation.tensors),
        "cuts": len(plan.cuts),
    }
    for what, most in _LIMITS.items():
        if numbers[what] > most:
            raise _error(f"{numbers[what]} {what} are too many to execute (at most {most})")


def _volume(tensor: Tensor, plan: Plan) -> int:
    return tensor.volume(plan.extents)


def _numbers(plan: Plan, machine: Machine, seed: int) -> Iterator[int]:
    """A mapping as ``include/spatial.c`` reads it."""
    dims = list(plan.extents)
    yield from (1, len(dims))
    for dim in dims:
        yield from (plan.extents[dim], int(dim in plan.accumulating))
    yield len(plan.computation.tensors)
    for tensor, inner in zip(plan.computation.tensors, plan.layouts, strict=True):
        yield from (max(1, len(tensor.axes)), max(0, inner))
        for axis in tensor.axes:
            yield from (axis.constant, len(axis.terms))
            for dim, factor in axis.terms:
                yield from (dims.index(dim), factor)
        if not tensor.axes:
            yield from (0, 0)
    yield len(plan.cuts)
    for cut in plan.cuts:
        yield from (dims.index(cut.dim), cut.tile, cut.units, cut.outer + cut.deep)
    yield _COMBINES.index(plan.computation.combine)
    yield from (machine.noc_bandwidth, machine.dram_bandwidth, machine.dram_block)
    yield from (machine.l3_bandwidth, seed)


def _execution(plan: Plan, found: dict[str, Any]) -> Execution:
    if found["absent"]:
        raise InternalError(f"{found['absent']} elements were used where they had not been brought")
    names = [tensor.name for tensor in plan.computation.tensors]
    traffic = tuple(Traffic(name, **one) for name, one in zip(names, found["tensors"], strict=True))
    figures = Figures(
        "executed", found["cycles"], found["compute"],
        found["fill_noc"] + found["fill_l3"] + found["fill_dram"],
        found["stall_noc"], found["stall_dram"], found["steps"], sum(found["busy"]),
        2 * found["l1"], 2 * found["l2"], len(names) - 1, traffic, 2 * found["l3"],
        found["stall_l3"],
    )  # fmt: skip
    return Execution(figures, tuple(found["busy"]), found["wrong"], found["tiles"])


class _program:
    """The compiled machine: in the user's cache, else in a folder that goes."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> str:
        compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
        if compiler is None:
            raise _error("there is no C compiler for the machine (gcc, cc or clang)")
        kept = _kept(compiler)
        if kept is not None:
            return kept
        self._folder = tempfile.TemporaryDirectory(prefix="s2s-spatial-")
        return _compile(compiler, Path(self._folder.name))

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()


@lru_cache(maxsize=4)
def _kept(compiler: str) -> str | None:
    """The machine in the user's cache, compiled if it is not there yet; None without a cache."""
    home = cache_folder()
    if not home:
        return None
    about = f"{version_of([compiler])} {_FLAGS}".encode()
    name = hashlib.sha256(_SOURCE.read_bytes() + about).hexdigest()[:24]
    kept = Path(home, "spatial", f"machine-{name}")
    if kept.is_file():
        return str(kept)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            Path(_compile(compiler, Path(folder))).replace(kept)
    except OSError:
        return None
    return str(kept)


def _compile(compiler: str, folder: Path) -> str:
    to = folder / "machine"
    command = [compiler, *_FLAGS, str(_SOURCE), "-o", str(to)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        first = (done.stderr.strip().splitlines() or ["no message"])[0]
        raise _error(f"the C compiler refuses the machine: {first}")
    return str(to)


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "machine"))
