"""Which ratios the spread of their runs supports, and what is said of the others."""

from __future__ import annotations

import io
import signal
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s.bench import harness, tables
from s2s.bench.journal import Journal
from s2s.bench.spread import is_supported, load_warning, ratio_range, ratio_words, spread_lines
from s2s.bench.suite import Request
from s2s.driver.child import SignalledError


@pytest.mark.parametrize(
    ("original", "transformed", "words"),
    [
        ([2.0, 2.01, 2.02], [1.0, 1.01, 1.02], "2.00"),
        ([1.0, 1.4, 1.5], [0.95, 1.3, 1.5], "noise"),  # either may be the faster one
        ([1.0, 1.01, 1.02], [1.0, 1.01, 1.02], "1.00"),  # known to be the same
        ([3.0, 6.0, 7.0], [1.0, 1.5, 1.9], ">2.00"),  # faster, but by how much?
        ([1.0, 1.5, 1.9], [3.0, 6.0, 7.0], "<0.50"),
        ([1.0, 9.0], [0.5, 7.0], "2.00"),  # two runs tell nothing of a spread
    ],
)
def test_a_ratio_is_told_as_far_as_its_runs_go(
    original: list[float], transformed: list[float], words: str
) -> None:
    found = ratio_range(original, transformed)
    assert ratio_words(min(original) / min(transformed), found) == words


times = st.lists(st.floats(0.01, 100), min_size=3, max_size=9)


@given(times, times)
def test_the_range_holds_the_ratio_of_the_fastest(one: list[float], other: list[float]) -> None:
    found = ratio_range(one, other)
    assert found is not None
    low, high = found
    assert low * (1 - 1e-9) <= min(one) / min(other) <= high * (1 + 1e-9)
    back = ratio_range(other, one)
    assert back is not None and back[0] == pytest.approx(1 / high)
    assert is_supported(found) == is_supported(back) or abs(high / low - 1.05) < 1e-6


def test_what_is_said_of_all_ratios() -> None:
    assert spread_lines([None]) == []
    lines = spread_lines([(1.0, 1.02), (0.8, 1.3), None])
    assert lines[0] == "spread: ratios are known to 32 % (median), at worst to 62 %"
    assert lines[1].startswith("noise: 1 of 2 ratios are not told")


def test_a_busy_machine_is_warned_of() -> None:
    assert load_warning(0.0) == ""
    assert "load of 99.0" in load_warning(99.0)


class Case:
    def __init__(self, name: str) -> None:
        self.name = name


class Suite:
    """Cases whose rows are their names; the third one is ended once by a signal, after a row."""

    setting = MappingProxyType({"date": "d"})

    def __init__(self, measured: list[str], ended: bool) -> None:
        self.cases = [Case(name) for name in "abcd"]
        self.measured, self.ended = measured, ended

    def measure(self, case: Case, folder: Path) -> Iterator[str]:
        self.measured.append(case.name)
        yield f"{case.name}{len(self.measured)}"
        if self.ended and case.name == "c":
            raise SignalledError(signal.SIGTERM)
        yield f"{case.name}{len(self.measured)}'"

    def text(self, rows: list[str]) -> str:
        return " ".join(rows)

    def is_good(self, rows: list[str]) -> bool:
        return True


def test_a_bench_that_was_ended_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    measured: list[str] = []
    suite: Any = Suite(measured, ended=True)
    monkeypatch.setattr(harness, "_suite", lambda request: suite)
    assert harness.run(Request()) == 128 + signal.SIGTERM
    said = capsys.readouterr()
    assert "--resume" in said.err
    assert said.out.startswith("a1 a1' b2 b2' c3\n") and "ended        by signal 15" in said.out
    suite.ended = False
    assert harness.run(Request(resume=True, json=None)) == 0
    assert measured == ["a", "b", "c", "c", "d"]  # what was reported of c stays nevertheless
    said = capsys.readouterr()
    assert said.out.startswith("a1 a1' b2 b2' c3 c4' d5 d5'\n") and "no run of" not in said.err
    assert harness.run(Request(resume=True)) == 0  # there is nothing left to go on with
    assert "no run of the same" in capsys.readouterr().err
    assert measured[5:] == ["a", "b", "c", "d"]


def test_a_run_of_something_else_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    small, large = Request(size="small"), Request(size="large")
    Journal(small, resume=False).add("0 a", 1)
    assert Journal(small, resume=True).known == {"0 a": [1]}
    assert Journal(large, resume=True).known == {}
    (entry,) = (tmp_path / "s2s" / "bench").iterdir()
    entry.write_bytes(entry.read_bytes() + b"half")
    again = Journal(small, resume=True)
    again.add("0 a", 2)
    again.add("1 b", lambda: 3)  # that cannot be kept, nor what comes after it
    again.add("1 b", 4)
    for name in ("0 a", "1 b", "2 c"):
        again.finish(name)
    third = Journal(small, resume=True)
    assert (third.known, third.finished) == ({"0 a": [1, 2], "2 c": []}, {"0 a", "2 c"})


def test_columns_come_in_groups_where_a_line_is_too_short() -> None:
    head = ["program", *(f"column {k}" for k in range(12))]
    rows = [["a", *("1234567" for _ in range(12))]]
    found = tables.groups(head, rows, 60)
    assert [k for group in found for k in group[1:]] == list(range(1, 13))
    for group in found:
        assert group[0] == 0
        assert sum(max(len(head[k]), len(rows[0][k])) + 2 for k in group) <= 60
    assert tables.groups(head, rows, 10_000) == [list(range(13))]


@pytest.mark.parametrize("ruled", [True, False])
def test_all_fits_a_terminal_of_60_columns(monkeypatch: pytest.MonkeyPatch, ruled: bool) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdout", Terminal())
    words = "why a program is as it was in words that are longer than the line of a terminal"
    head = ["program", *(f"column {k}" for k in range(7)), "why"]
    rows = [["a", *map(str, range(7)), words], ["b", *map(str, range(10**9, 10**9 + 7)), ""]]
    text = tables.table(head, rows, left=(0, "why"), ruled=ruled)
    assert max(map(len, text.splitlines())) <= 60
    assert set(words.split()) <= set(text.split()) and text.count("program") > 2
