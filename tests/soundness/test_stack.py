"""Emitted code on stacks that are aligned to 16 bytes only, for several machines.

gcc 12 takes arrays for aligned that are not (``s2s.scop.stack``). What it makes of new code has to
run from every place of a stack; a call may leave it at any multiple of 16 bytes.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.emitters.c.nests import emit
from s2s.scop.stack import ALIGNMENT, on_stack
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.test_random_sources import prepared

SEEDS = (31, 37, 42)
"""Random generators with arrays on the stack; the first needs them aligned."""
LEVELS = ("-O1", "-O2", "-O3")
MACHINES = ("x86-64-v2", "x86-64-v3", "x86-64-v4")
FLAGS = ("-fopenmp", "-ffp-contract=off", "-w", "-pthread")
FUNCTIONS = ["rows", "copies", "of_threads", "hidden", "renamed", "picked", "largest"]
SOURCE = "\n" + Path(__file__).with_name("stack.c").read_text()

# Each function from four places of the stack, and a sum of the bytes that it has written.
_MAIN = Path(__file__).with_name("stack_main.c").read_text()


@cache
def _sources(folder: Path) -> tuple[str, ...]:
    """Files of emitted code of all doors, and of a program that calls it."""
    (folder / "source.c").write_text(SOURCE)
    done = transform_file(
        str(folder / "source.c"), ("-O2", "-fopenmp", "-march=x86-64-v3"), Options(strict=True)
    )
    texts = [done.text.decode()]
    names = list(FUNCTIONS)
    for seed in SEEDS:
        drawn = prepared(seed)
        assert drawn.nest is not None
        emitted = emit(prepare(drawn.nest))
        texts.append(emitted.source)
        names.append(emitted.name)
    declared = "\n".join(f"extern int {name}();" for name in names)
    calls = "\n    ".join(f'each("{name}", (int (*)(void *, void *)){name});' for name in names)
    texts.append(_MAIN.replace("DECLARED", declared).replace("CALLS", calls))
    for number, text in enumerate(texts):
        (folder / f"part{number}.c").write_text(text)
    return tuple(str(folder / f"part{number}.c") for number in range(len(texts)))


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    return _sources(tmp_path_factory.mktemp("stack"))


@pytest.fixture(scope="module")
def wanted(sources: tuple[str, ...]) -> str:
    return _output(sources, "-O0")


def _output(sources: tuple[str, ...], *flags: str) -> str:
    program = _compiled(sources, *flags)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"status {done.returncode} after {done.stdout[-200:]}"
    return done.stdout


def _compiled(sources: tuple[str, ...], *flags: str) -> str:
    program = str(Path(sources[0]).with_suffix(".x"))
    done = subprocess.run(
        ["gcc", *FLAGS, *flags, *sources, "-o", program, "-lm"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return program


@cache
def _runs(machine: str) -> bool:
    """Whether this machine has what a level of x86-64 asks for."""
    features = set()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            features = set(line.split())
            break
    needs = {"x86-64-v2": {"sse4_2"}, "x86-64-v3": {"avx2", "fma", "bmi2"}}
    return needs.get(machine, {"avx512f", "avx512bw", "avx512vl", "avx512dq"}) <= features


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("level", LEVELS)
def test_emitted_code_runs_from_every_place_of_the_stack(
    sources: tuple[str, ...], wanted: str, level: str, machine: str
) -> None:
    flags = (level, f"-march={machine}")
    if _runs(machine):
        assert _output(sources, *flags) == wanted
    else:
        _compiled(sources, *flags)


def test_local_arrays_are_aligned_by_every_door(sources: tuple[str, ...]) -> None:
    first, *emitted = (Path(source).read_text() for source in sources[:-1])
    assert f"sums[5][20] {ALIGNMENT}, *first" in first
    assert f"kept {ALIGNMENT} = {{0}};" in first
    assert f"own_rows[4][24] {ALIGNMENT};" in first
    assert f"s2s_b_S1_1[256] {ALIGNMENT};" in first  # a renamed source
    assert f"s2s_most_lane[64] {ALIGNMENT};" in first
    assert f"s2s_value0[256] {ALIGNMENT};" in first
    assert all(ALIGNMENT in text for text in emitted)


def test_what_no_declaration_aligns_is_left_to_the_compiler(sources: tuple[str, ...]) -> None:
    text = Path(sources[0]).read_text()
    for array in ("shared_rows", "thread_rows", "rows"):
        lines = text[: text.index(f" {array}[i][j] =")].splitlines()
        assert "#pragma omp simd" not in lines[-2:], array


@pytest.mark.parametrize("standard", ["c99", "c11", "gnu17"])
def test_alignment_gives_no_warning(standard: str, tmp_path: Path) -> None:
    text = (
        "int f(void);\nint f(void)\n{\n    "
        + on_stack("float row[24]", 96)
        + "\n    return 0;\n}\n"
    )
    (tmp_path / "f.c").write_text(text.replace("return 0", "row[0] = 1;\n    return (int)row[0]"))
    done = subprocess.run(
        ["gcc", f"-std={standard}", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-c",
         str(tmp_path / "f.c"), "-o", "/dev/null"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
