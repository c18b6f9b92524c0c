"""The harness with a transformer of ours, on programs whose times are made up."""

import argparse
import csv
import json
import xml.etree.ElementTree
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from s2s import bench
from s2s.diagnostics import Diagnostic, Severity, UserError
from s2s.driver import Options, Outcome

PROGRAM = """\
#include <stdio.h>
int main(int argc, char **argv)
{
    double a = argc + 0.1, b = 3.3, c = -a * b;
    printf("bits: %a\\nsum: %.9g %s\\n", a * b + c, a, argv[1]);
    fprintf(stderr, "time: 0.50 s\\n");
    return 0;
}
"""
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
        def transform(path: str, flags: Sequence[str], options: Options) -> Outcome:
            data = Path(path).read_bytes()
            said = (
                Diagnostic(Severity.REMARK, "tiled", "t"),
                Diagnostic(Severity.MISSED, "a call", "m"),
                Diagnostic(Severity.MISSED, "a goto", "m"),
            )
            return Outcome(path, data, data.replace(old.encode(), new.encode()), said)

        monkeypatch.setattr(bench, "transform_file", transform)
        numbers = suite / "numbers.json"
        arguments = (str(suite), "--repeat=1", "--flags=-O1", f"--json={numbers}", *arguments)
        status = bench.main(parse(*arguments))
        return status, json.loads(numbers.read_text())["records"]

    return run


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return parser.parse_args(arguments)


def test_a_ratio_is_original_over_transformed(
    run: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    status, records = run("0.50", "0.20", "--threads=1,2")
    assert status == 0
    assert [
        (r["variant"], r["metric"], r["value"], r["unit"], r["published"]) for r in records
    ] == [
        ("popp-1t", "speedup", 2.5, "x", None),
        ("original-1t", "time", 0.5, "s", None),
        ("popp-1t", "time", 0.2, "s", None),
        ("popp-2t", "speedup", 2.5, "x", 1.62),
        ("original-2t", "time", 0.5, "s", None),
        ("popp-2t", "time", 0.2, "s", None),
    ]
    assert {(r["suite"], r["case"], r["note"]) for r in records} == {
        ("own", "one", "changed: tiled")
    }
    table = capsys.readouterr().out
    row = ["one", "2", "0.500000", "0.200000", "2.50", "changed", "1.62"]
    assert table.splitlines()[2].split() == row
    assert "popp-2t: geometric mean of 1 changed: 2.50" in table


def test_what_is_unchanged_has_no_ratio(run: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    status, records = run("no such text", "", "--threads=1")
    assert status == 0
    assert [(r["variant"], r["metric"], r["value"]) for r in records] == [
        ("popp-1t", "speedup", None),
        ("original-1t", "time", 0.5),
    ]
    assert records[0]["note"] == "unchanged: a call (and 1 more)"
    table = capsys.readouterr().out
    assert table.splitlines()[1].split() == ["one", "1", "0.500000", "-", "-", "unchanged", "-"]
    assert "geometric mean" not in table


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
    assert records[0]["value"] is None
    assert records[0]["note"] == "outputs differ: tiled"


@pytest.mark.parametrize(("line", "status"), [("bad", 1), ("bits: 0", 0)])
def test_timed_runs_must_agree_but_for_their_rounding(
    run: Bench, suite: Path, line: str, status: int
) -> None:
    """The third run of the transformed program, which is the timed one, prints one line more."""
    more = f'FILE *f = fopen("{suite}/runs", "a"); fputs("x", f); if (ftell(f) == 3) puts("{line}")'
    assert run("return 0", f"{more}; return 0", "--threads=1")[0] == status
    assert (suite / "runs").read_text() == "xxx"


def test_what_does_not_compile_fails_alone(run: Bench, suite: Path) -> None:
    with (suite / "suite.toml").open("a") as stream:
        stream.write(SUITE[SUITE.index("[cases") :].replace("one", "two"))
    (suite / "two.c").write_text(PROGRAM.replace("int argc", "int argc /**/"))
    status, records = run("/**/", "?", "--threads=1")
    assert status == 1
    failed = [record for record in records if record["case"] == "two"]
    assert failed[0]["value"] is None
    assert "failed: does not compile: " in failed[0]["note"]
    assert records[1]["value"] == 0.5


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (
            UserError(Diagnostic(Severity.ERROR, "expected ';'", "parse")),
            "not transformed: expected",
        ),
        (KeyError("lost"), "transform: internal error: KeyError"),
    ],
)
def test_a_source_that_cannot_be_transformed_fails(
    suite: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    note: str,
) -> None:
    def refuse(path: str, flags: Sequence[str], options: Options) -> Outcome:
        raise error

    monkeypatch.setattr(bench, "transform_file", refuse)
    assert bench.main(parse(str(suite), "--threads=1")) == 1
    assert f"one: failed: {note}" in capsys.readouterr().out


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
    assert "unmodified" in setting["original"] and "s2s transform" in setting["transformed"]
    lines = table.read_text().splitlines()
    comments = [line for line in lines if line.startswith("# ")]
    assert comments == [f"# {name}: {value}" for name, value in setting.items()]
    rows = list(csv.DictReader(lines[len(comments) :]))
    assert (rows[0]["metric"], rows[0]["value"]) == ("speedup", "2.0")
    assert xml.etree.ElementTree.parse(plot).getroot().tag.endswith("svg")


def test_transformed_sources_are_kept_where_wanted(run: Bench, suite: Path) -> None:
    run("0.50", "0.25", "--threads=1", f"--out={suite / 'kept'}")
    assert "0.25" in (suite / "kept" / "own" / "one" / "one.s2s.c").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--case=three"], "no case 'three'; there are one"),
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
    monkeypatch.setattr(bench, "transform_file", lambda *_: pytest.fail("too late"))
    with pytest.raises(UserError, match=message):
        bench.main(parse(str(suite), *arguments))


@pytest.mark.parametrize("threads", ["0", "1,", "x", "-1"])
def test_refuses_senseless_thread_counts(threads: str) -> None:
    with pytest.raises(SystemExit):
        parse(f"--threads={threads}")


def test_warns_of_more_threads_than_cores(
    run: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "_cores", lambda: 1)
    run("0.50", "0.25", "--threads=2")
    assert "warning: 2 threads on 1 cores" in capsys.readouterr().err
