"""What the tables say of made-up results."""

from __future__ import annotations

import re
from pathlib import Path

from s2s.bench.programs import tables
from s2s.bench.programs.description import Case, Paper
from s2s.bench.programs.result import Result
from s2s.bench.records import Outcome

SETTING = {"date": "d", "cores": 2}


def case(name: str, paper: Paper | None = None, **more: object) -> Case:
    fixed = {"sources": (Path("a.c"),), "sizes": {}, "time": re.compile("x")}
    return Case(suite="s", name=name, paper=paper, **{**fixed, **more})  # type: ignore[arg-type]


def result(name: str, transformed: float, **more: object) -> Result:
    fixed = {
        "variant": "popp-2t", "threads": 2, "outcome": Outcome.CHANGED,
        "baseline": "original-2t", "original": 8.0, "transformed": transformed,
    }  # fmt: skip
    return Result(suite="s", case=name, **{**fixed, **more})  # type: ignore[arg-type]


def test_sizes_of_one_program_count_once_in_the_mean_of_the_paper() -> None:
    cases = [
        case("a-1", Paper("a", "FD")),
        case("a-2", Paper("a", "FD")),
        case("b", Paper("b", "P")),
        case("c", Paper("c", "none")),
        case("d"),
    ]
    times = {"a-1": 4.0, "a-2": 1.0, "b": 0.25, "c": 8.0, "d": 8.0}
    text = tables.render([result(name, time) for name, time in times.items()], cases, SETTING)
    # The square root of 2 * 8 for a, 32 for b.
    wanted = "popp-2t: geometric mean of the 2 programs here that the paper transforms: 11.31"
    assert wanted in text.splitlines()


def test_the_best_of_the_other_tools_on_as_many_threads() -> None:
    described = case("a", peers={"x-1t": 3.0, "x-2t": 1.5, "y-2t": 2.5}, sequential=True)
    text = tables.render([result("a", 4.0, variant="par-2t")], [described], SETTING)
    head, _, row = (line.split() for line in text.splitlines()[2:5])
    assert "peers-2t" in head and "peers-1t" not in head
    assert row[row.index("2.00") :][:3] == ["2.00", "y", "2.50"]


def test_one_bad_variant_is_the_outcome_of_the_row() -> None:
    rows = [
        result("a", 4.0, variant="nohb-2t", outcome=Outcome.DIFFERENT, note="tiled"),
        result("a", 2.0),
    ]
    text = tables.render(rows, [case("a", baseline="on one thread")], SETTING)
    row = next(line for line in text.splitlines() if line.split()[:1] == ["a"])
    assert row.split()[-2:] == ["outputs", "differ"]
    assert row.split()[1:4] == ["8", "-", "4.00"]
    assert "a: outputs differ: tiled [nohb-2t]" in text
    assert "a: original: on one thread" in text
