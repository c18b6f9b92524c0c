"""Suites of single loops, with a transformer of ours that replaces text."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from s2s.bench.programs.trial import Transformed
from s2s.bench.records import Outcome
from s2s.bench.single_loops import description as suites
from s2s.bench.single_loops import trial
from s2s.bench.single_loops.description import functions
from s2s.bench.single_loops.result import LoopResult, records, summaries
from s2s.cli.main import main
from s2s.source.diagnostics import UserError
from s2s.tuning import measure
from tests.places import BENCHMARKS

_HERE = Path(__file__).parent

SOURCE = Path(__file__).with_name("loops.c").read_text()
DRIVER = f"""\
#include "{BENCHMARKS}/suites/loops.h"
extern float a[1000], b[1000];
#define LOOP(name, argument) void name(argument);
#include "calls.h"
#undef LOOP
static int loops_arrays(loops_array arrays[MOST_ARRAYS])
{{
    arrays[0] = (loops_array){{a, 1000}};
    arrays[1] = (loops_array){{b, 1000}};
    return 2;
}}
static int loops_call(const char *wanted, double *result)
{{
    *result = 0;
#define LOOP(name, argument) if (!strcmp(wanted, #name)) {{ name(); loops_swept(0); return 1; }}
#include "calls.h"
    return 0;
}}
static int loops_time(const char *wanted, int sweeps, double *seconds, double *result)
{{
    loops_fill_with_ones();
    double start = loops_now();
    for (int k = 0; k < sweeps; k++)
        if (!loops_call(wanted, result))
            return 0;
    *seconds = loops_now() - start;
    *result = a[500];
    return 1;
}}
int main(void) {{ return loops_serve(); }}
"""
DESCRIPTION = r"""
suite = "own"
about = "three loops"
source = "loops.c"
driver = "driver.c"
sweeps = { small = 50, default = 60 }
libraries = ["-lm"]
function = '^void (\w+)\(void\)$'
calls = '^void (\w+)\((void)\)$'
"""
Run = Callable[..., dict[str, dict[str, Any]]]
_QUICK = "--flags=-O1 -ftree-vectorize"
"""The driver takes most of the time with more; loops are still vectorized."""


@pytest.fixture(autouse=True)
def _short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are asked for, but nobody looks at what they are."""
    monkeypatch.setattr(trial, "_SECONDS", 0.003)


@pytest.fixture
def loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> suites.LoopSuite:
    (tmp_path / "loops.c").write_text(SOURCE)
    (tmp_path / "driver.c").write_text(DRIVER)
    (tmp_path / "loops.toml").write_text(DESCRIPTION)
    loops = suites.read(tmp_path / "loops.toml", [])
    monkeypatch.setattr(suites, "find", lambda roots, name: loops)
    return loops


@pytest.fixture
def run(loops: suites.LoopSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run with a transformer that replaces text; the speedup records of variant gcc-ieee."""

    def run(old: str, new: str, *arguments: str, status: int = 0) -> dict[str, dict[str, Any]]:
        def tool(
            sources: Sequence[Path], folder: Path, flags: Sequence[str], options: Sequence[str]
        ) -> Transformed:
            assert options[:2] == ("--compiler", "gcc")
            folder.mkdir()
            text = sources[0].read_text()
            place = folder / "loops.c"
            place.write_text(text.replace(old, new))
            line = text[: text.find(old)].count("\n") + 1
            said = {"severity": "remark", "text": "done", "id": "p", "location": {"line": line}}
            return Transformed((place,) if old in text else None, 0.1, said=[said])

        monkeypatch.setattr(trial, "run_tool", tool)
        path = tmp_path / "out.json"
        words = ["bench", "tsvc", "--size=small", "--cc=gcc", _QUICK, f"--json={path}", *arguments]
        assert main(words) == status
        found = json.loads(path.read_text())["records"]
        chosen = [r for r in found if r["metric"] == "speedup" and r["variant"] == "gcc-ieee"]
        return {record["case"]: record for record in chosen}

    return run


def test_loops_are_compared_one_by_one(run: Run) -> None:
    found = run("b[i] * 2", "b[i] + b[i]")
    assert list(found) == ["twice", "halves", "recurrence"]
    assert found["twice"]["value"] > 0
    assert found["twice"]["note"] == "changed; done [p]; vectorized V -> V"
    assert [found[name]["value"] for name in ("halves", "recurrence")] == [1.0, 1.0]
    assert found["recurrence"]["note"] == "unchanged; vectorized - -> -"


def test_a_change_of_a_callee_is_one_of_its_callers(run: Run) -> None:
    found = run("return x / 2", "return x * 0.5f")
    assert found["halves"]["note"].startswith("changed; done [p]")
    assert found["twice"]["value"] == 1.0


def test_nothing_changed(run: Run) -> None:
    found = run("nothing like this", "")
    assert {record["value"] for record in found.values()} == {1.0}


@pytest.mark.parametrize(
    ("new", "outcome"),
    [
        ("b[i] * 2 + (i == 977) * 1e-3f", "outputs differ"),
        ("i == 977 ? *(volatile float *)8 : b[i] * 2", "the new program fails"),
        ("b[i] * (b[i] == 1 && b[0] == 1 && b[1] == 1 ? 3 : 2)", "timed outputs differ"),
    ],
)
def test_a_wrong_loop_has_no_ratio_and_the_others_are_measured(
    run: Run, new: str, outcome: str
) -> None:
    found = run("b[i] * 2", new, status=1)
    assert found["twice"]["value"] is None
    assert found["twice"]["note"].startswith(outcome)
    assert found["halves"]["value"] == 1.0


def test_rounding_is_for_variants_that_may_reassociate(run: Run, tmp_path: Path) -> None:
    found = run("b[i] * 2", "b[i] * 1.999999f", status=1)
    assert found["twice"]["note"].startswith("outputs differ")
    numbers = json.loads((tmp_path / "out.json").read_text())["records"]
    fast = next(r for r in numbers if (r["case"], r["variant"]) == ("twice", "gcc"))
    assert fast["value"] is not None and "agrees within rounding" in fast["note"]


def test_numbers_too_small_to_have_digits_agree() -> None:
    close = trial._close
    assert close(7.0e-44, 0.0, 1e-6) and close(float("nan"), float("nan"), 0.0)
    assert close(float("inf"), float("inf"), 0.0) and not close(float("inf"), 1.0, 0.1)
    assert close(1.0, 1.0005, 1e-3) and not close(1.0, 1.002, 1e-3)
    assert not close(1e-30, 2e-30, 1e-3)


def test_what_does_not_compile_ends_its_variants(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("b[i] * 2", "b[i] * @", status=1) == {}
    assert "gcc-ieee: does not compile: " in capsys.readouterr().err


def test_only_some_loops_and_compilers_that_are_there(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "out.csv"
    plot = tmp_path / "out.svg"
    words = ("--only=twice,recurrence", f"--csv={table}", f"--plot={plot}")
    found = run("b[i] * 2", "b[i] + b[i]", *words, "--cc=gcc,gcc-of-nobody")
    assert list(found) == ["twice", "recurrence"]
    written = capsys.readouterr()
    assert "'gcc-of-nobody' is not installed and left out" in written.err
    assert "gcc-ieee: 2 loops, 1 changed" in written.out
    rows = list(csv.DictReader(line for line in table.open() if not line.startswith("#")))
    assert {row["case"] for row in rows} >= {"twice", "recurrence", "all loops"}
    assert xml.etree.ElementTree.parse(plot).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--only=thrice"], 2, "no loop is named 'thrice'; did you mean 'twice'?"),
        (["--cc=gcc-of-nobody"], 1, "no compiler is installed"),
        (["rodinia"], 1, "'tsvc' and 'rodinia' have to be measured apart"),
    ],
)
def test_mistakes_are_said(
    loops: suites.LoopSuite, words: list[str], status: int, message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert main(["bench", "tsvc", *words]) == status
    assert message in capsys.readouterr().err


def test_a_suite_as_published_is_read_from_its_checkout(tmp_path: Path) -> None:
    folder = tmp_path / "checkouts" / "TSVC_2" / "src"
    folder.mkdir(parents=True)
    (folder / "common.c").touch()
    (folder / "dummy.c").touch()
    (folder / "tsvc.c").write_text((_HERE / "tsvc_main.c").read_text())
    found = suites.find([tmp_path / "checkouts"], "tsvc")
    assert found.loops == ("s2", "s1")
    assert found.calls == "LOOP(s2, &(struct{int a;int b;}){1, 2})\nLOOP(s1, NULL)\n"
    assert f"-I{folder.parent}/src" in found.flags
    with pytest.raises(UserError, match=r"src/tsvc\.c is missing there"):
        suites.find([tmp_path / "nowhere"], "tsvc")


def test_functions_of_a_text() -> None:
    found = functions(SOURCE)
    assert list(found.lines) == ["half", "twice", "halves", "recurrence"]
    assert found.lines["twice"] == range(6, 12)
    assert found.with_callees("halves") == ("halves", "half")


def test_names_in_comments_are_no_calls() -> None:
    body = "{\n    a[0] = 1; /* not\n half */\n}\n// void half(void)\n"
    found = functions(f"void first(void)\n{body}void half(void)\n{body}")
    assert found.with_callees("first") == ("first",)


def result(loop: str, before: str, ratio: float | None) -> LoopResult:
    outcome = Outcome.CHANGED if ratio else Outcome.DIFFERENT
    return LoopResult(
        suite="s", case=loop, variant="gcc", outcome=outcome, original=ratio, transformed=1.0,
        before=before, after="V",
    )  # fmt: skip


def test_the_figures_over_all_loops() -> None:
    loops = [result("a", "-", 4.0), result("b", "V", 0.5), result("c", "-", None)]
    (summary,) = summaries(loops)
    assert (summary.left, summary.left_gained, summary.left_mean) == (2, 1, 2.0)
    assert summary.mean == pytest.approx(2 ** (1 / 3))
    assert summary.slower == ("b 0.50",) and summary.bad == ("c",)
    assert summary.vectorized == (1, 3)
    totals = {(r.case, r.metric): r.value for r in records(loops) if r.case.startswith("not")}
    assert totals == {
        ("not vectorized before", "geometric mean"): 2.0,
        ("not vectorized before", "at least 1.3"): 1,
    }


def test_our_own_sources_have_no_warnings(tmp_path: Path) -> None:
    for name in ("kernels.c", "driver.c"):
        measure.compile_object(
            "gcc",
            ["-O2", "-Wall", "-Wextra", "-Werror"],
            BENCHMARKS / "polysimd" / name,
            tmp_path / f"{name}.o",
        )


def test_our_own_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They answer all requests, and are the loops of Table 4.4."""
    out = tmp_path / "k.json"
    words = ["bench", "tsvc", "--size=small", "--repeat=1", "--cc=gcc", f"--json={out}"]
    assert main([*words, "--flags=-O1"]) == 0
    found = json.loads(out.read_text())["records"]
    speedups = [r for r in found if r["metric"] == "speedup" and r["variant"] == "gcc-ieee"]
    cycles = {r["case"]: (r["value"], r["published"]) for r in found if r["metric"] == "cycles"}
    assert {r["case"] for r in speedups} == {*cycles, "running_example"}
    assert all(r["value"] for r in speedups)
    assert cycles["s243"] == (2, 2) and cycles["s255"][1] == 3
    mean = next(r for r in found if r["case"] == "loops of Table 4.4")
    assert mean["value"] > 0 and mean["published"] == 4.61
    row = next(r for r in capsys.readouterr().out.splitlines() if r.startswith("s255 "))
    assert "  3  6  5 (3)" in re.sub(" {2,}", "  ", row)
