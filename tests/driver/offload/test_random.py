"""Random programs on the host, and with a device that fails at random: the same comes out.

They are functions of a file, which run with four sets of arguments each, and others each time;
S2S_RANDOM_PROGRAMS says how many functions are drawn.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from s2s.cli import main as cli
from s2s.source.offload import read_manifest
from tests.driver.offload.programs import WAYS, program
from tests.places import ROOT
from tests.targets.installing import install
from tests.thorough import count

_HERE = Path(__file__).parent

FUNCTIONS = 38
FILES = -(-count("S2S_RANDOM_PROGRAMS", 150, 600) // FUNCTIONS)


@pytest.fixture(scope="module")
def flaky(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    site = install("flaky", tmp_path_factory.mktemp("site"))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        yield site


def build(folder: Path, *sources: str) -> Path:
    command = ["gcc", "-O1", "-w", "-fwrapv", *sources, "-o", "program", "-lm", "-lpthread"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "program"


@given(seed=st.integers(0, 2**32))
@settings(max_examples=FILES, deadline=None, phases=[Phase.generate])
def test_offloaded_programs_compute_the_same(
    tmp_path_factory: pytest.TempPathFactory, flaky: Path, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("random")
    source, out = folder / "x.c", folder / "out"
    source.write_text(program(seed, FUNCTIONS))
    assert cli.main(["transform", str(source), "--offload", "flaky", "-o", f"{out}/"]) == 0
    regions = read_manifest(out).regions
    assert len(regions) >= FUNCTIONS
    assert any(len(region.operations) > 1 for region in regions)
    wanted = subprocess.run([build(folder, "x.c")], capture_output=True, text=True).stdout
    assert wanted.count("\n") == WAYS * FUNCTIONS
    made = build(out, "x.c", "s2s_regions.c", "s2s_devices.c")
    for chances in ("0:0", f"{seed}:20"):
        environment = {
            **os.environ, "S2S_PYTHON": sys.executable, "S2S_FLAKY": chances,
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(flaky)]),
        }  # fmt: skip
        ran = subprocess.run([made], capture_output=True, text=True, env=environment)
        assert ran.stdout == wanted, ran.stderr
        assert ("the host runs its own text" in ran.stderr) or chances == "0:0"


def test_a_device_that_does_not_end_is_left(tmp_path: Path, flaky: Path) -> None:
    source, out = tmp_path / "x.c", tmp_path / "out"
    source.write_text((_HERE / "sums_of_calls.c").read_text())
    assert cli.main(["transform", str(source), "--offload", "flaky", "-o", f"{out}/"]) == 0
    made = build(out, "x.c", "s2s_regions.c", "s2s_devices.c")
    environment = {
        **os.environ, "S2S_PYTHON": sys.executable, "S2S_FLAKY_SLEEPS": "1", "S2S_TIMEOUT": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(flaky)]),
    }  # fmt: skip
    ran = subprocess.run([made], capture_output=True, text=True, env=environment, timeout=50)
    assert ran.stdout == "3\n6\n9\n"
    assert ran.stderr == "s2s: region_0 on flaky: takes too long; the host runs its own text\n"


def test_what_a_loop_that_never_runs_assigns_to(tmp_path: Path, flaky: Path) -> None:
    source, out = tmp_path / "x.c", tmp_path / "out"
    source.write_text(
        "static short a[8], b[8];\nvoid f(void)\n{\n    for (int i = 0; i < 8; i++) {\n"
        "        for (int j = 0; j < 0; j++) b[j] = 1;\n        a[i] = (short)(b[i] + 1);\n"
        "    }\n}\n"
    )
    assert cli.main(["transform", str(source), "--offload", "flaky", "-o", f"{out}/"]) == 0
    built = ["gcc", "-std=c11", "-c", str(out / "region_0" / "region_0.c"), "-o", "region.o"]
    subprocess.run(built, cwd=tmp_path, check=True)
