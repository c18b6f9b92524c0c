"""The harness with a transformer of ours, on programs whose times are made up."""

import argparse
import csv
import json
import os
import signal
import xml.etree.ElementTree
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from s2s.bench.programs import trial
from s2s.bench.programs.trial import Transformed
from s2s.cli import bench
from s2s.source.diagnostics import UsageError, UserError
from s2s.tuning.measure import MeasurementError

PROGRAM = Path(__file__).with_name("bench.c").read_text()
SUITE = """\
suite = "own"
time = '^time: ([0-9.]+) s$'
exact = '^bits:'
[cases.one]
sources = ["one.c"]
sizes.small = ["s"]
sizes.default = ["d"]
published = { "popp-2t" = 1.62 }
"""
Bench = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "one.c").write_text(PROGRAM)
    (tmp_path / "suite.toml").write_text(SUITE)
    return tmp_path


@pytest.fixture
def run(suite: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Run the suite with a transformer that replaces text; the status and the JSON records."""

    def run(old: str, new: str, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
        def tool(
            sources: Sequence[Path], folder: Path, flags: Sequence[str], options: Sequence[str]
        ) -> Transformed:
            folder.mkdir(exist_ok=True)
            if "--no-happens-before" in options:
                return Transformed(None, 0.25, "", "in order")
            texts = [source.read_text().replace(old, new) for source in sources]
            for source, text in zip(sources, texts, strict=True):
                (folder / source.name).write_text(text)
            if texts == [source.read_text() for source in sources]:
                return Transformed(None, 0.25, "", "a call (and 1 more)")
            paths = tuple(folder / source.name for source in sources)
            return Transformed(paths, 0.75, "FT", "tiled")

        monkeypatch.setattr(trial, "run_tool", tool)
        numbers = suite / "numbers.json"
        arguments = (str(suite), "--repeat=1", "--flags=-O1", f"--json={numbers}", *arguments)
        status = bench.main(parse(*arguments))
        return status, json.loads(numbers.read_text())["records"]

    return run


def numbers(records: list[dict[str, Any]], variant: str) -> list[tuple[Any, ...]]:
    keys = ("metric", "value", "unit", "published")
    mine = [r for r in records if r["variant"] == variant and r["metric"] != "compile time ratio"]
    return [tuple(record[key] for key in keys) for record in mine]


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return parser.parse_args(arguments)


def test_a_ratio_is_original_over_transformed(
    run: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    status, records = run("0.50", "0.20", "--threads=1,2")
    assert status == 0
    assert numbers(records, "original-1t") == [("time", 0.5, "s", None)]
    for variant, published in (("popp-1t", None), ("popp-2t", 1.62)):
        assert numbers(records, variant) == [
            ("speedup", 2.5, "x", published),
            ("time", 0.2, "s", None),
            ("tool time", 0.75, "s", None),
        ]
    popp = [record for record in records if record["variant"].startswith("popp")]
    assert {(r["suite"], r["case"], r["note"]) for r in popp} == {("own", "one", "changed: tiled")}
    assert any(r["metric"] == "compile time ratio" and r["value"] > 0 for r in popp)
    table = capsys.readouterr().out.splitlines()
    head = next(line.split() for line in table if "program" in line)
    row = next(line.split() for line in table if line.split()[:1] == ["one"])
    assert head[-5:] == ["tool", "s", "gcc", "x", "outcome"]
    assert row[1:7] == ["0.5", "same", "2.50", "0.5", "same", "2.50"]
    assert row[7:9] == ["1.62", "FT"]
    assert "own popp-2t: geometric mean of 1, 1 changed: 2.50" in table


def test_without_happens_before_is_a_variant_of_its_own(run: Bench) -> None:
    _, records = run("0.50", "0.25", "--threads=2")
    assert numbers(records, "nohb-2t")[0] == ("speedup", 1.0, "x", None)
    [note] = {r["note"] for r in records if r["variant"] == "nohb-2t"}
    assert note == "unchanged (no byte changed, so the ratio is 1): in order"


def test_what_is_unchanged_is_not_built_again(
    run: Bench, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, records = run("no such text", "", "--threads=1", f"--out={suite / 'kept'}")
    assert status == 0
    assert numbers(records, "popp-1t") == [
        ("speedup", 1.0, "x", None),
        ("tool time", 0.25, "s", None),
    ]
    assert not (suite / "kept" / "own" / "one" / "s2s.build").exists()
    assert "one: unchanged: a call (and 1 more) [popp-1t]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('sum: %.9g %s\\n", ', 'sum: %.9g %s!\\n", '),
        ("argc + 0.1", "argc + 0.1001"),
        ("a * b + c, a", "a * b + c + 1e-300, a"),
    ],
    ids=["text", "number", "bits"],
)
def test_different_outputs_fail_and_have_no_ratio(run: Bench, old: str, new: str) -> None:
    status, records = run(old, new, "--threads=1")
    assert status == 1
    assert numbers(records, "popp-1t")[0] == ("speedup", None, "x", None)
    assert numbers(records, "nohb-1t")[0] == ("speedup", 1.0, "x", None)
    assert next(r["note"] for r in records if r["variant"] == "popp-1t") == "outputs differ: tiled"


def test_a_new_program_that_fails_is_said(run: Bench) -> None:
    status, records = run("return 0", "return 7", "--threads=1")
    assert status == 1
    [note] = {r["note"] for r in records if r["variant"] == "popp-1t"}
    assert note == "the new program fails: tiled"


def test_outputs_without_what_they_are_compared_by_fail(run: Bench, suite: Path) -> None:
    (suite / "one.c").write_text(PROGRAM.replace("bits: ", "hash: "))
    status, records = run("0.50", "0.25", "--threads=1")
    assert status == 1
    assert records[0]["note"] == "failed: the original prints no line with '^bits:'"


@pytest.mark.parametrize(("line", "status"), [("bad", 1), ("bits: 0", 0)])
def test_timed_runs_must_agree_but_for_their_rounding(
    run: Bench, suite: Path, line: str, status: int
) -> None:
    """The third run of the transformed program, which is the timed one, prints one line more."""
    more = f'FILE *f = fopen("{suite}/runs", "a"); fputs("x", f); if (ftell(f) == 3) puts("{line}")'
    found, records = run("return 0", f"{more}; return 0", "--threads=1")
    assert found == status
    said = {r["note"] for r in records if r["variant"] == "popp-1t"}
    assert said == {"timed outputs differ: tiled" if status else "changed: tiled"}
    assert (suite / "runs").read_text() == "xxx"


def test_what_does_not_compile_fails_alone(run: Bench, suite: Path) -> None:
    with (suite / "suite.toml").open("a") as stream:
        stream.write(SUITE[SUITE.index("[cases") :].replace("one", "two"))
    (suite / "two.c").write_text(PROGRAM.replace("int argc", "int argc /**/"))
    status, records = run("/**/", "?", "--threads=1")
    assert status == 1
    two = [r for r in records if (r["case"], r["variant"]) == ("two", "popp-1t")]
    assert two[0]["value"] is None
    assert "failed: does not compile: " in two[0]["note"]
    rest = [r["value"] for r in records if r["metric"] == "speedup" and r not in two]
    assert rest == [1.0, 1.0, 1.0]


def test_a_source_that_cannot_be_transformed_fails(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> Transformed:
        raise MeasurementError("not transformed: expected ';'")

    monkeypatch.setattr(trial, "run_tool", refuse)
    assert bench.main(parse(str(suite), "--threads=1", "--repeat=1")) == 1
    said = "one: failed: not transformed: expected ';' [nohb-1t, popp-1t]"
    assert said in capsys.readouterr().out


def test_what_is_done_is_reported_when_a_signal_ends_the_rest(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with (suite / "suite.toml").open("a") as stream:
        stream.write(SUITE[SUITE.index("[cases") :].replace("cases.one", "cases.two"))
    asked = []

    def tool(*_: object) -> Transformed:
        asked.append(1)
        if len(asked) == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return Transformed(None, 0.1)

    monkeypatch.setattr(trial, "run_tool", tool)
    assert bench.main(parse(str(suite), "--threads=1", "--repeat=1")) == 128 + signal.SIGTERM
    first_words = [line.split()[:1] for line in capsys.readouterr().out.splitlines()]
    assert ["one"] in first_words and ["two"] not in first_words


def test_the_size_chooses_the_arguments(run: Bench, suite: Path) -> None:
    (suite / "one.c").write_text(PROGRAM.replace("return 0", "return argv[1][0] != 's'"))
    assert run("0.50", "0.25", "--threads=1", "--size=small")[0] == 0
    assert run("0.50", "0.25", "--threads=1", "--size=default")[0] == 1


def test_all_files_carry_machine_compiler_flags_and_both_baselines(run: Bench, suite: Path) -> None:
    table, plot = suite / "numbers.csv", suite / "plot.svg"
    run("0.50", "0.25", "--threads=1", f"--csv={table}", f"--plot={plot}")
    setting = json.loads((suite / "numbers.json").read_text())["setting"]
    assert setting["flags"] == "-O1"
    assert "gcc" in setting["compiler"]
    assert setting["suites"] == "own"
    assert "unmodified" in setting["original"] and "s2s transform" in setting["transformed"]
    lines = table.read_text().splitlines()
    comments = [line for line in lines if line.startswith("# ")]
    assert comments == [f"# {name}: {value}" for name, value in setting.items()]
    rows = list(csv.DictReader(lines[len(comments) :]))
    assert ("popp-1t", "2.0") in {(r["variant"], r["value"]) for r in rows}
    assert xml.etree.ElementTree.parse(plot).getroot().tag.endswith("svg")


def test_transformed_sources_are_kept_where_wanted(run: Bench, suite: Path) -> None:
    run("0.50", "0.25", "--threads=1", f"--out={suite / 'kept'}")
    assert "0.25" in (suite / "kept" / "own" / "one" / "s2s" / "one.c").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--case=three"], r"no case is named 'three' \(there are: one\)"),
        (["--plot=x.gif"], r"x\.gif: a plot is one of \.pdf, \.png, \.svg"),
        (["--json=nowhere/x.json"], "nowhere"),
        (["--cc=no-such-cc"], "cannot run the compiler 'no-such-cc'"),
        (["--flags='"], "--flags: No closing quotation"),
    ],
)
def test_mistakes_are_said_before_anything_runs(
    suite: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(suite)
    monkeypatch.setattr(trial, "run_tool", lambda *_: pytest.fail("too late"))
    with pytest.raises((UsageError, UserError), match=message):
        bench.main(parse(str(suite), *arguments))


@pytest.mark.parametrize("threads", ["0", "1,", "x", "-1"])
def test_refuses_senseless_thread_counts(threads: str) -> None:
    with pytest.raises(SystemExit):
        parse(f"--threads={threads}")


def test_warns_of_more_threads_than_cores(
    run: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    run("0.50", "0.25", "--threads=2")
    assert "warning: 2 threads on 1 cores" in capsys.readouterr().err
