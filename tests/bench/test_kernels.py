"""The kernels themselves: clean C, defined behaviour, the same bits for any number of threads."""

import subprocess
from pathlib import Path

import pytest

from s2s import measure
from s2s.measure import Program
from s2s.suite import Case, read_suite

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CASES = read_suite(BENCHMARKS / "suite.toml")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_prints_the_same_for_any_number_of_threads(case: Case, tmp_path: Path) -> None:
    program = _build(case, tmp_path, "-O2", "-fopenmp", "-Wall", "-Wextra", "-Werror")
    outputs = {measure.run(program, threads).output for threads in (1, 2, 3)}
    assert len(outputs) == 1
    assert outputs.pop().startswith("bits: ")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_has_defined_behaviour(case: Case, tmp_path: Path) -> None:
    sanitizers = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    program = _build(case, tmp_path, "-O1", "-fopenmp", *sanitizers)
    command = [str(program.path), *program.arguments]
    environment = {"ASAN_OPTIONS": "detect_leaks=0", "OMP_NUM_THREADS": "2"}
    result = subprocess.run(command, capture_output=True, env=environment, text=True, check=False)
    assert (result.returncode, result.stderr.count("\n")) == (0, 1), result.stderr


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_depends_on_its_sizes(case: Case, tmp_path: Path) -> None:
    program = _build(case, tmp_path, "-O2", "-fopenmp")
    smaller = (str(int(program.arguments[0]) - 1), *program.arguments[1:])
    other = Program(program.path, smaller, program.time)
    assert measure.run(program, 1).output != measure.run(other, 1).output


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_refuses_a_senseless_size(case: Case, tmp_path: Path) -> None:
    program = _build(case, tmp_path, "-O0", "-fopenmp")
    command = [str(program.path), "-1"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.startswith("usage: ")


def test_every_kernel_is_in_the_suite() -> None:
    described = {source for case in CASES for source in case.sources}
    assert described == set(BENCHMARKS.glob("*/*.c"))


def _build(case: Case, folder: Path, *flags: str) -> Program:
    measure.build("gcc", flags, case.sources, folder / case.name, case.libraries)
    return Program(folder / case.name, case.sizes["small"], case.time)
