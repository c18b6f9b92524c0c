"""Random programs, others each time: nests on libraries compute what the host alone does."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from s2s.driver.offload.settings import OffloadOptions
from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file
from tests.driver.libraries.needs import needs_blas
from tests.driver.libraries.programs import Writer, program
from tests.thorough import count

FUNCTIONS = 50
ROUNDS = -(-count("S2S_RANDOM_PROGRAMS", 150, 600) // FUNCTIONS)


def offload(path: Path, *libraries: str, force: bool = True) -> Outcome:
    """What becomes of a program whose nests may go to libraries whatever their sizes."""
    return transform_file(str(path), (), Options(offload=OffloadOptions(libraries), force=force))


_RUNTIMES: dict[tuple[bytes, ...], bytes] = {}
"""The runtime as it was compiled, by its sources and the libraries that it calls."""


def build(folder: Path, outcome: Outcome) -> Path:
    """The program of what was written, made by its own Makefile."""
    folder.mkdir()
    for name, data in ((outcome.name, outcome.text), *outcome.companions):
        (folder / name).write_bytes(data)
    files, runtime = dict(outcome.companions), folder / "s2s_libraries.o"
    with_ = [line for line in files["Makefile"].splitlines() if line.startswith(b"LIBRARIES ")]
    key = (*(files[name] for name in sorted(files) if name.startswith("s2s_")), *with_)
    if key in _RUNTIMES:
        runtime.write_bytes(_RUNTIMES[key])
    subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-O1 -w"], check=True)
    _RUNTIMES[key] = runtime.read_bytes()
    return folder / Path(outcome.name).stem


def output(program: Path) -> str:
    done = subprocess.run([program], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout


@needs_blas
@given(seed=st.integers(0, 2**32))
@settings(max_examples=ROUNDS, deadline=None, phases=[Phase.generate])
def test_offloaded_equals_host_only(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    writer = Writer(Random(seed))
    bodies = [writer.body() for _ in range(FUNCTIONS)]
    folder = tmp_path_factory.mktemp("random")
    source = folder / "random.c"
    source.write_text(program(bodies))
    host = folder / "host"
    subprocess.run(["gcc", "-O1", "-w", source, "-o", host, "-lm"], check=True)
    outcome = offload(source, "blas")
    assert outcome.text.count(b"s2s_has_blas()") > FUNCTIONS // 2
    made = build(folder / "out", outcome)
    before, after = output(host).splitlines(), output(made).splitlines()
    assert len(before) == 3 * FUNCTIONS
    assert sum("large" in line for line in before) < FUNCTIONS // 2
    different = [b for b, a in zip(before, after, strict=True) if a != b]
    assert not different, bodies[int(different[0].split()[0])]
