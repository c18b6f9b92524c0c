"""From a file to a choice: regions outlined, built and run on this machine, and remembered."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file
from s2s.frontends.c.regions import candidates, functions
from s2s.tuning import harness, sizes
from s2s.tuning.cache import Cache
from s2s.tuning.choice import newest_first
from s2s.tuning.errors import NotMeasurable
from s2s.tuning.measuring import Measuring
from s2s.tuning.meter import RegionMeter
from s2s.tuning.settings import Tuning
from s2s.tuning.surroundings import outline
from tests.lifting import parse_text, scop_of
from tests.places import BENCHMARKS
from tests.programs import read_programs

_HERE = Path(__file__).parent

FLAGS = ("-O1", "-fopenmp")
STRIDED = Path(__file__).with_name("measuring.c").read_text()
SMALL = sizes.Limits(1 << 16, 1 << 12, most_instances=1e4)


@pytest.fixture
def tuned(tmp_path: Path) -> Callable[..., Outcome]:
    def run(text: str, passes: tuple[str, ...] = ("permute",), **more: object) -> Outcome:
        path = tmp_path / "program.c"
        path.write_text(text)
        settings = {"cache": str(tmp_path / "tune.sqlite"), "sizes": {"n": 300}} | more
        tuning = Measuring(Tuning(flags=FLAGS, **settings))  # type: ignore[arg-type]
        return transform_file(str(path), FLAGS, Options(passes=passes, strict=True, tune=tuning))

    return run


def timed(monkeypatch: pytest.MonkeyPatch, seconds: Sequence[float]) -> list[int]:
    """Replace the clock of regions: the first texts take these seconds. Counts its uses."""
    uses: list[int] = []

    def measure(self: RegionMeter, texts: Sequence[bytes], limit: float) -> list[float]:
        uses.append(len(texts))
        return [*seconds, *[9.0] * len(texts)][: len(texts)]

    monkeypatch.setattr(RegionMeter, "measure", measure)
    return uses


def said(outcome: Outcome) -> list[str]:
    return [f"{d.severity.value}: {d.text} [{d.id}]" for d in outcome.diagnostics]


def test_a_region_is_measured_once(tuned: Callable[..., Outcome], tmp_path: Path) -> None:
    first = tuned(STRIDED)
    (record,) = newest_first(Cache(str(tmp_path / "tune.sqlite")))
    assert record.failure == "" and record.original_seconds > 0 and record.sizes == "n = 300"
    assert "measured now" in said(first)[0]
    again = tuned("/* an edit elsewhere */\n" + STRIDED.replace("a[j][i];", "a[j][i]; "))
    assert "remembered from" in said(again)[0]
    assert first.changed == again.changed == bool(record.spec)


def test_the_measured_pass_is_taken(
    tuned: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    uses = timed(monkeypatch, [4.0, 1.0])
    outcome = tuned(STRIDED)
    assert outcome.changed
    assert "4.00 times as fast as the original, best of 2 (permute" in said(outcome)[0]
    tuned(STRIDED)
    assert uses == [2]


def test_passes_that_need_scalars_kept_apart_compete(
    tuned: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, [4.0, 1.0])
    text = (BENCHMARKS / "lu/lu.c").read_text()
    untuned = tuned(text, budget=1e-3, passes=("interchange",))
    assert untuned.changed
    assert "times as fast" in said(tuned(text, passes=("interchange",)))[0]


def test_the_original_stays_where_it_is_the_fastest(
    tuned: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, [1.0, 1.0])
    outcome = tuned(STRIDED)
    assert not outcome.changed
    assert said(outcome)[0].startswith("missed: left as it is: the original is the fastest of 2")


def test_a_winner_is_proved_and_guarded_as_any(
    tuned: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, [4.0, 1.0])
    text = STRIDED.replace("double b[n][n]", "double *b").replace("b[j][i]", "b[j * n + i]")
    assert b"} else {" in tuned(text).text
    backwards = STRIDED.replace("+ b[j][i]", "+ a[j + 1][i - 1]")
    assert tuned(backwards).text == backwards.encode()


def test_what_cannot_be_outlined_is_left_to_the_cost_model(tuned: Callable[..., Outcome]) -> None:
    text = STRIDED.replace("double b[n][n]", "double b[n][n], int *at").replace(
        "a[j][i] = a[j][i]", "a[at[0]][0] = a[j][i]"
    )
    outcome = tuned(text)
    assert not any("measured now" in line for line in said(outcome))


def test_without_time_the_cost_model_decides(tuned: Callable[..., Outcome], tmp_path: Path) -> None:
    outcome = tuned(STRIDED, budget=1e-3)
    assert outcome.changed
    assert said(outcome)[0] == "missed: not measured: the time for measuring is over [tune]"
    assert newest_first(Cache(str(tmp_path / "tune.sqlite"))) == []


def test_a_damaged_cache_is_a_warning(
    tuned: Callable[..., Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, [4.0, 1.0])
    (tmp_path / "tune.sqlite").write_bytes(b"garbage" * 1000)
    outcome = tuned(STRIDED)
    assert outcome.changed
    assert "is damaged" in said(outcome)[0] and said(outcome)[0].startswith("warning")


def test_the_users_own_program_is_measured(tuned: Callable[..., Outcome], tmp_path: Path) -> None:
    log = tmp_path / "log"
    outcome = tuned(
        STRIDED + "int main(void) { return 0; }\n",
        build=f"echo build >> {log}; gcc {{}} -o {{dir}}/a.out -fopenmp",
        run=f"echo run >> {log}; {{dir}}/a.out",
    )
    lines = log.read_text().split()
    assert lines.count("build") == 2 and lines.count("run") == 8
    assert "at the given command" in said(outcome)[0]


def test_a_program_that_fails_is_no_measurement(tuned: Callable[..., Outcome]) -> None:
    outcome = tuned(STRIDED, run="echo 'error: no data' >&2; exit 7")
    assert said(outcome)[0] == (
        "missed: not measured: sh ended with status 7: error: no data [tune]"
    )


SURROUNDINGS = read_programs(Path(__file__).parent / "surroundings")


@pytest.mark.parametrize("text", SURROUNDINGS.values(), ids=SURROUNDINGS)
def test_regions_run_on_their_own(text: str, tmp_path: Path, name: str = "program.c") -> None:
    unit = parse_text(text, str(tmp_path / name))
    found = [f for f in functions(unit, every=True) if f.node.name == "f"]
    attempt = next(iter(candidates(found[0])))
    scop = attempt.scop()
    around = outline(found[0], attempt, scop)
    meter = RegionMeter(around, scop, Tuning(flags=FLAGS), tmp_path)
    meter._limits = SMALL
    region = unit.buffer.data[scop.span.start : scop.span.end]
    assert all(seconds > 0 for seconds in meter.measure([region, region], 60.0))


def test_regions_in_cxx_run_on_their_own(tmp_path: Path) -> None:
    text = (_HERE / "cells.cpp").read_text()
    test_regions_run_on_their_own(text, tmp_path, "program.cpp")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("void g(int); void f(int n, int *a) { for (int i = 0; i < n; i++) "
         "for (int j = 0; j < n; j++) { g(i); a[j] = i; } }", "calls what is not known"),
        ("void f(int n, double ***a) { for (int i = 0; i < n; i++) "
         "for (int j = 0; j < n; j++) a[j][i][0] = i; }", "several pointers"),
    ],
)  # fmt: skip
def test_regions_that_cannot_run_on_their_own(text: str, reason: str) -> None:
    unit = parse_text(text)
    function = next(iter(functions(unit, every=True)))
    attempt = next(iter(candidates(function)))
    with pytest.raises(NotMeasurable, match=reason):
        outline(function, attempt, attempt.scop())


NEST = (
    "void f(int from, int to, int steps, int n, double a[n][n]) { for (int t = from; t < to; t++)\
 for (int s = 0; s < steps; s++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)\
 a[j][i] += 1.0; }"
)


def test_sizes_go_beyond_the_caches_within_the_limits() -> None:
    scop = scop_of(NEST)
    limits = sizes.Limits(8 << 20, 1 << 20, most_instances=1e9)
    point = sizes.choose(scop, limits, {})
    assert point["from"] == 0 and point["to"] in (4, 16, 64) and point["steps"] == point["to"]
    total = sizes.memory(scop, sizes.extents(scop, point), point)
    assert (1 << 20) <= total <= (8 << 20)


def test_loops_inside_statements_count() -> None:
    scop = scop_of(
        "void f(int n, double a[n][n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"
        " { double rest = a[i][j]; for (int k = 0; k < i; k++) rest -= a[i][k] * a[k][j];"
        " a[i][j] = rest; } }"
    )
    limits = sizes.Limits(1 << 30, 1 << 30, most_instances=1e6)
    assert 40 <= sizes.choose(scop, limits, {})["n"] <= 200


def test_sizes_stay_within_declared_arrays() -> None:
    scop = scop_of(
        "double a[40][50]; void f(int n, int m) { for (int i = 0; i < n; i++) "
        "for (int j = 0; j < m; j++) a[i][j] += 1.0; }"
    )
    limits = sizes.Limits(8 << 20, 1 << 20, most_instances=1e9)
    assert sizes.choose(scop, limits, {}) == {"n": 40, "m": 50}


def test_given_sizes_are_kept() -> None:
    scop = scop_of(NEST)
    point = sizes.choose(scop, SMALL, {"n": 77, "steps": 3, "unknown": 4})
    assert (point["n"], point["steps"]) == (77, 3)
    every = {"n": 5, "steps": 2, "from": 1, "to": 9}
    assert sizes.choose(scop, SMALL, every) == every
    with pytest.raises(NotMeasurable, match="MiB"):
        sizes.choose(scop, SMALL, every | {"n": 50000})


def test_progress_is_for_a_terminal_only(
    tuned: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, [4.0, 1.0])
    monkeypatch.setenv("COLUMNS", "300")
    reader, terminal = os.openpty()
    tuned(STRIDED, progress=terminal)
    assert b"measuring permute" in os.read(reader, 10_000)
    os.close(terminal)
    os.close(reader)


def test_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    Path("x.c").write_text(STRIDED)
    command = ["transform", "--tune", "--tune-size", "n=64", "x.c", "-o", "y.c", "--", *FLAGS]
    assert cli.main(command) == 0
    assert capfd.readouterr().err.count("measur") == 1
    assert (tmp_path / "home" / "s2s" / "tune.sqlite").exists()
    assert cli.main(["tune"]) == 0
    assert "x.c:3" in capfd.readouterr().out
    assert cli.main(["tune", "--clear"]) == 0
    assert capfd.readouterr().out == "1 choices forgotten\n"
    assert cli.main(["transform", "--tune-size", "n", "x.c"]) == 2
    assert cli.main(["transform", "--tune-budget", "never", "x.c"]) == 2


def test_the_harness_is_c() -> None:
    import subprocess

    command = ["gcc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", "-"]
    subprocess.run(command, input=harness.TEXT.encode(), check=True)
