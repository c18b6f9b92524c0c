"""The kernels themselves: clean C, defined behaviour, the same bits for any number of threads."""

import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from s2s.bench.programs.description import Case, read_suite
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.tuning import measure
from s2s.tuning.measure import Program
from tests.places import BENCHMARKS
from tests.thorough import some

SUITES = [BENCHMARKS / "suite.toml", *sorted(BENCHMARKS.glob("*/suite.toml"))]
CASES = [case for suite in SUITES for case in read_suite(suite)]
KERNEL = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.suite}-{case.name}")
SOME = pytest.mark.parametrize("case", some(CASES), ids=lambda case: f"{case.suite}-{case.name}")

FLAGS = ("-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror")

Build = Callable[[Case], Program]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds a case, once."""
    programs: dict[tuple[str, str], Program] = {}

    def built(case: Case) -> Program:
        key = (case.suite, case.name)
        if key not in programs:
            folder = tmp_path_factory.mktemp(case.name)
            programs[key] = _build(case, case.sources, folder, FLAGS)
        return programs[key]

    return built


@KERNEL
def test_prints_the_same_for_any_number_of_threads(case: Case, build: Build) -> None:
    program = build(case)
    first, *others = (measure.run(program, threads).output for threads in (1, 2, 3))
    assert all(_same(case, first, other) for other in others)
    assert any(line.startswith("bits: ") for line in first.splitlines())


@SOME
def test_has_defined_behaviour(case: Case, tmp_path: Path) -> None:
    sanitizers = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    program = _build(case, case.sources, tmp_path, ("-O0", *sanitizers))
    command = [str(program.path), *program.arguments]
    environment = {"ASAN_OPTIONS": "detect_leaks=0", "OMP_NUM_THREADS": "2"}
    result = subprocess.run(command, capture_output=True, env=environment, text=True, check=False)
    assert (result.returncode, result.stderr.count("\n")) == (0, 1), result.stderr


@KERNEL
def test_depends_on_its_sizes(case: Case, build: Build) -> None:
    program = build(case)
    smaller = (str(int(program.arguments[0]) - 1), *program.arguments[1:])
    other = Program(program.path, smaller, program.time)
    assert not _same(case, measure.run(program, 1).output, measure.run(other, 1).output)


@KERNEL
def test_refuses_a_senseless_size(case: Case, build: Build) -> None:
    program = build(case)
    command = [str(program.path), "-1"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.startswith("usage: ")


@SOME
def test_computes_the_same_when_transformed(case: Case, build: Build, tmp_path: Path) -> None:
    flags = FLAGS[:2]
    texts = [_transformed(case, source, tmp_path, flags) for source in case.sources]
    program, other = build(case), _build(case, texts, tmp_path, flags)
    for threads in (1, 2):
        before, after = measure.run(program, threads).output, measure.run(other, threads).output
        assert _same(case, before, after)


def test_every_kernel_is_in_a_suite() -> None:
    described = {source for case in CASES for source in case.sources}
    sources = {path for kind in ("c", "cpp") for path in BENCHMARKS.glob(f"*/*.{kind}")}
    loops = {path for path in sources if (path.parent / "loops.toml").exists()}
    pipelines = {path for path in sources if (path.parent / "applications.toml").exists()}
    machines = ("emu", "vyasa", "marvel", "offload")
    other_machines = {path for path in sources if path.parent.name in machines}
    assert loops
    assert described == sources - loops - pipelines - other_machines


def test_the_published_transformations_stand_beside_each_case() -> None:
    found = {case.name: case.paper.found for case in CASES if case.paper}
    assert set(found) == {case.name for case in CASES if case.suite != "s2s"}
    assert (found["jacobi"], found["sparselu-120x8"], found["nw"]) == ("FSTD", "FD", "PTD")


def _build(case: Case, sources: Sequence[Path], folder: Path, flags: Sequence[str]) -> Program:
    includes = [f"-iquote{source.parent}" for source in case.sources]
    command = [*flags, "-fopenmp", *case.flags, *includes]
    measure.build("gcc", command, sources, folder / case.name, case.libraries)
    return Program(folder / case.name, case.sizes["small"], case.time)


def _transformed(case: Case, source: Path, folder: Path, flags: Sequence[str]) -> Path:
    path = folder / source.name
    path.write_bytes(_new_text(source, (*flags, "-fopenmp", *case.flags)))
    return path


@cache
def _new_text(source: Path, flags: tuple[str, ...]) -> bytes:
    """The new text of a source, with the new code used for all sizes."""
    return transform_file(str(source), flags, Options(force=True)).text


def _same(case: Case, left: str, right: str) -> bool:
    return measure.same_output(left, right, ignore=[case.ignore] if case.ignore else [])
