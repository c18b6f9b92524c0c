"""Programs of these tests on the machine."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from s2s.simulators.emu.machine import Machine, load
from s2s.simulators.emu.program import Program, Run, build
from tests.places import BENCHMARKS

PROGRAMS = Path(__file__).parent / "programs"
CODES = BENCHMARKS / "emu"


def machine(**values: int) -> Machine:
    return load().with_values(values)


@cache
def built(path: Path, flags: tuple[str, ...] = (), nodelets: int = 8) -> Program:
    """A program, compiled once for all tests."""
    return build(path, machine(nodelets=nodelets), flags=flags)


def run_text(
    folder: Path, text: str, arguments: Sequence[str] = (), values: Mapping[str, int] | None = None
) -> Run:
    """What a program given as text does; four nodelets unless ``values`` says otherwise."""
    path = folder / "program.c"
    path.write_text(text)
    with build(path, machine(**{"nodelets": 4, **(values or {})})) as program:
        return program.run(arguments, timeout=60)
