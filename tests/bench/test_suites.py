"""The published suites: their descriptions and our drivers, on trees that the tests make.

No checkout is needed: files that a description names are empty, or a few lines of the tests' own.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from s2s.bench.programs import trial
from s2s.bench.programs.description import Case, Paper, find_suite, read_suite
from s2s.bench.programs.trial import Transformed
from s2s.cli import bench
from s2s.source.diagnostics import UserError
from tests.places import BENCHMARKS

_PROGRAMS = Path(__file__).parent / "suites"

SUITES = BENCHMARKS / "suites"
NAMES = ("kastors", "rodinia", "polybench")

LUD = (_PROGRAMS / "lud.c").read_text()
# As in PolyBench: the kernel's time on standard output, its results by fprintf.
GEMM = (_PROGRAMS / "gemm.c").read_text()


def checkout(suite: str, folder: Path) -> Path:
    """A tree with all files that a suite names, empty."""
    data = tomllib.loads((SUITES / f"{suite}.toml").read_text())
    files = [data["marker"], *data.get("support", ())]
    for case in data["cases"].values():
        files += [*case["sources"], *case.get("support", ())]
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).touch()
    return folder


def described(suite: str, folder: Path) -> dict[str, Case]:
    root = checkout(suite, folder)
    return {case.name: case for case in read_suite(find_suite(suite, root), root)}


def run(suite: str, root: Path, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    numbers = root / "numbers.json"
    fixed = [f"--root={root}", "--size=small", "--repeat=1", f"--json={numbers}"]
    status = bench.main(parser.parse_args([suite, *fixed, *arguments]))
    return status, json.loads(numbers.read_text())["records"]


def speedups(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {r["variant"]: r["value"] for r in records if r["metric"] == "speedup"}


@pytest.mark.parametrize("suite", NAMES)
def test_descriptions_are_understood(suite: str, tmp_path: Path) -> None:
    cases = described(suite, tmp_path)
    assert all(case.exact for case in cases.values())
    assert all(file.is_file() for case in cases.values() for file in case.drivers)
    assert not any("{" in flag for case in cases.values() for flag in case.flags)


def test_all_programs_are_there(tmp_path: Path) -> None:
    kastors, rodinia, polybench = (described(name, tmp_path / name) for name in NAMES)
    assert len(polybench) == 30
    assert sum(bool(case.peers) for case in polybench.values()) == 12
    assert all(case.sequential for case in polybench.values())
    published = tomllib.loads((BENCHMARKS / "published" / "popp.toml").read_text())
    for suite, cases in (("kastors", kastors), ("rodinia", rodinia)):
        found = {case.paper.found for case in cases.values() if case.paper}
        assert all(case.paper for case in cases.values())
        assert found == {row["found"] for row in published[suite].values()}
    assert kastors["sparselu-120x8"].paper == Paper(
        "sparselu", "FD", "depend variables delinearized, complex ifs outlined"
    )


DRIVERS = sorted(path for suite in NAMES for path in (SUITES / suite).glob("*.c*"))
# These use headers of their suites.
ALONE = [path for path in DRIVERS if not re.search(r'^#include "[^.]', path.read_text(), re.M)]


@pytest.mark.parametrize("driver", ALONE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_drivers_are_clean(driver: Path) -> None:
    command = ["gcc", "-fsyntax-only", "-O2", "-fopenmp", "-Wall", "-Wextra", "-Werror"]
    done = subprocess.run([*command, str(driver)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_driver_is_used(tmp_path: Path) -> None:
    cases = [case for name in NAMES for case in described(name, tmp_path / name).values()]
    assert {driver.resolve() for case in cases for driver in case.drivers} == set(DRIVERS)
    assert len(ALONE) > 7


def test_a_checkout_is_found_in_the_root_or_one_folder_below(tmp_path: Path) -> None:
    root = checkout("rodinia", tmp_path / "some" / "rodinia_3.0")
    description = find_suite("rodinia", root)
    for given in (root, root.parent):
        [*_, last] = read_suite(description, tmp_path / "nowhere", given)
        assert last.sources == (root / "openmp/cfd/euler3d_cpu.cpp",)
    with pytest.raises(UserError, match=r"no checkout of 'rodinia' in .*: openmp/backprop/"):
        read_suite(description, tmp_path)
    with pytest.raises(UserError, match="'rodinia' needs --root with a checkout of it"):
        read_suite(description)


def test_a_name_means_our_kernels_without_a_root(tmp_path: Path) -> None:
    assert find_suite("kastors", tmp_path).parts[-2:] == ("suites", "kastors.toml")
    assert find_suite("kastors", None).parts[-2:] == ("kastors", "suite.toml")
    assert find_suite("polybench", None).parts[-2:] == ("suites", "polybench.toml")


@pytest.mark.parametrize(
    ("text", "release"),
    [("void single_iteration(double *", "3.0"), ("void single_iteration(FLOAT *", "3.1"), ("", "")],
)
def test_the_release_is_told_by_the_sources(text: str, release: str, tmp_path: Path) -> None:
    root = checkout("rodinia", tmp_path)
    (root / "openmp/hotspot/hotspot_openmp.cpp").write_text(text)
    assert {case.release for case in read_suite(find_suite("rodinia", root), root)} == {release}


def test_a_kernel_is_called_by_our_driver(tmp_path: Path) -> None:
    root = checkout("rodinia", tmp_path)
    (root / "openmp/lud/omp/lud_omp.c").write_text(LUD)
    status, records = run("rodinia", root, "--only=lud", "--threads=1,2")
    assert status == 0
    expected = dict.fromkeys(("nohb-1t", "popp-1t", "nohb-2t", "popp-2t"), 1.0)
    assert speedups(records) == expected
    times = {r["variant"]: r["value"] for r in records if r["metric"] == "time"}
    assert set(times) == {"original-1t", "original-2t"}
    assert all(value > 0 for value in times.values())
    assert {r["published"] for r in records if r["metric"] == "transformations"} == {"P"}


@pytest.mark.parametrize(("new", "status"), [("a[i] + a[i]", 0), ("a[i] * 2.0000002f", 1)])
def test_results_in_memory_are_compared_bit_for_bit(
    new: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tool(
        sources: Sequence[Path], folder: Path, flags: Sequence[str], options: Sequence[str]
    ) -> Transformed:
        folder.mkdir()
        (folder / "lud_omp.c").write_text(LUD.replace("a[i] * 2.0f", new))
        return Transformed((folder / "lud_omp.c",), 0.1, "P", "said")

    monkeypatch.setattr(trial, "run_tool", tool)
    root = checkout("rodinia", tmp_path)
    (root / "openmp/lud/omp/lud_omp.c").write_text(LUD)
    found, records = run("rodinia", root, "--only=lud", "--threads=1")
    assert found == status
    assert (speedups(records)["popp-1t"] is None) == bool(status)


@pytest.mark.parametrize(("new", "status"), [("i * 0.125", 0), ("0.1250001 * i", 1)])
def test_dumps_are_compared_beyond_the_digits_that_are_printed(
    new: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def tool(
        sources: Sequence[Path], folder: Path, flags: Sequence[str], options: Sequence[str]
    ) -> Transformed:
        asked.append(tuple(options))
        folder.mkdir()
        (folder / "gemm.c").write_text(GEMM.replace("0.125 * i", new))
        return Transformed((folder / "gemm.c",), 0.1, "", "said")

    monkeypatch.setattr(trial, "run_tool", tool)
    root = checkout("polybench", tmp_path)
    (root / "linear-algebra/blas/gemm/gemm.c").write_text(GEMM)
    found, records = run("polybench", root, "--only=gemm", "--threads=1,2")
    assert found == status
    assert asked == [(), ("--parallel",)]
    ratio = None if status else 1.0
    assert speedups(records) == {
        "seq": ratio, "par-2t": ratio,
        "polly-1t": 4.51, "polly-2t": 4.44, "pluto-1t": 0.82, "pluto-2t": 1.46, "ppcg-2t": 0.45,
    }  # fmt: skip
    assert {r["variant"] for r in records if r["metric"] == "time"} >= {"original-1t"}


def test_the_makefiles_flags_can_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = checkout("polybench", tmp_path)
    text = GEMM.replace("int main(void)\n{", "int main(void)\n{\n#ifdef _OPENMP\nreturn 3;\n#endif")
    (root / "linear-algebra/blas/gemm/gemm.c").write_text(text)
    assert run("polybench", root, "--only=gemm", "--threads=1", "--flags=own")[0] == 0
    assert run("polybench", root, "--only=gemm", "--threads=1")[0] == 1
    assert "gemm: failed: gemm ended with status 3" in capsys.readouterr().out
