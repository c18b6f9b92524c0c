"""The tables of the dissertation: what stands beside our figures, and what is said about it."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from s2s.bench.accelerators import tables
from s2s.bench.accelerators.description import Figure, Table, TableRow, read
from s2s.bench.accelerators.lines import Lines, count_lines
from s2s.bench.accelerators.metrics import METRICS, Row
from s2s.source.diagnostics import UsageError, UserError
from s2s.tuning.clockwork.measured import Measured

_HERE = Path(__file__).parent

DESCRIPTION = read()


def row(name: str, **figures: int) -> Row:
    """A design with these figures."""
    design = next(d for d in DESCRIPTION.designs if d.name == name)
    return Row(design, replace(Measured(), **figures), Lines(0, 0, 0, 0))  # type: ignore[arg-type]


def test_every_table_of_the_dissertation_is_there() -> None:
    numbers = {one.number for one in DESCRIPTION.tables}
    others = {"4.1", "4.5", "5.1", "5.2", "5.3", "6.7 within", "6.7 tuned"}
    assert numbers == {*others, *(f"6.{k}" for k in range(1, 8))}
    assert {one.number for one in DESCRIPTION.figures} == {f"6.{k}" for k in range(4, 10)}


def test_figures_stand_in_columns_and_misprints_beside_what_is_right() -> None:
    for one in DESCRIPTION.tables:
        assert set(one.columns) <= METRICS.keys()
        for line in one.rows:
            assert set(line.published) <= set(one.columns)
            assert set(line.printed) <= set(line.published)
            assert all(line.printed[k] != line.published[k] for k in line.printed)
            assert line.derivable in ("yes", "within 1", "partly", "no") and line.rule
    for figure in DESCRIPTION.figures:
        assert {figure.x, figure.y} <= METRICS.keys() and figure.trend in ("rises", "falls")


def test_all_applications_have_their_seconds() -> None:
    path = next(d.path for d in DESCRIPTION.designs).parent / "applications.toml"
    files = {t.get("file", f"{name}.cpp") for name, t in tomllib.loads(path.read_text()).items()}
    designs = {d.name: d.path.name for d in DESCRIPTION.designs}
    (table,) = (one for one in DESCRIPTION.tables if one.number == "4.5")
    assert {designs[row.design] for row in table.rows} == files - {"network.cpp"}
    assert len(files) == 20


def test_sources_are_there() -> None:
    for design in DESCRIPTION.designs:
        assert design.path.is_file(), design.name


@pytest.mark.parametrize(
    ("only", "names"),
    [
        (["4.1"], ["cascade-spatial"]),
        (
            ["gemm-32", "5.3"],
            [
                "cascade-spatial",
                "cascade-line",
                "cascade-line-muxes",
                "cascade-line-registers",
                "cascade-line-chaining",
                "gemm-32",
            ],
        ),
        (["upsample"], ["upsample"]),
    ],
)
def test_designs_are_chosen_by_name_source_and_table(only: list[str], names: list[str]) -> None:
    assert [d.name for d in DESCRIPTION.chosen(only)] == names


def test_a_name_that_nothing_has_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no design or table is named '9'"):
        DESCRIPTION.chosen(["9"])


def test_a_misprint_is_marked() -> None:
    found = {"cascade-block": row("cascade-block", words=3974, windows=1, cycles=7816)}
    text = tables.render(DESCRIPTION, found)
    assert "3974 (printed: 33974)" in text
    records = [r for r in tables.records(DESCRIPTION, found) if r.metric == "words"]
    assert [(r.value, r.published) for r in records] == [(3974, 3974)]
    assert "33974 is printed" in records[0].note and records[0].note.startswith("derivable: yes")


def test_small_designs_are_not_compared() -> None:
    found = {"cascade-block": row("cascade-block", words=100, cycles=200)}
    assert "7816" not in tables.render(DESCRIPTION, found, compare=False)
    records = tables.records(DESCRIPTION, found, compare=False)
    assert all(r.published is None for r in records)


def test_a_design_that_fails_has_its_reason_and_no_figures() -> None:
    failed = row("gemm", cycles=5)
    failed = replace(failed, measured=replace(failed.measured, failure="too large"))
    records = [
        r
        for r in tables.records(DESCRIPTION, {"gemm": failed})
        if r.variant == "gemm" and r.metric == "cycles"
    ]
    assert [(r.value, r.published) for r in records] == [(None, 2162688)]
    assert "not compiled: too large" in records[0].note


def test_means_are_those_of_the_rows() -> None:
    one = Table(
        [TableRow("a", "gaussian", "yes", "-", {"cycles": 200.0}),
         TableRow("b", "cascade", "yes", "-", {"cycles": 100.0})],
        "1", "t", ("cycles",), {"cycles": 141.4},
    )  # fmt: skip
    found = {"gaussian": row("gaussian", cycles=100), "cascade": row("cascade", cycles=400)}
    mean = tables.lines(one, found, True)[-1]
    assert mean.label == "geomean" and mean.cells[0].ours == pytest.approx(200)
    assert mean.note == "published cycles by ours: 0.707 as a mean of 2"


def test_a_search_that_found_nothing_counts_as_the_published_design() -> None:
    names = {"resnet-tuned": 100, "gaussian_pyramid-tuned": 200, "jitnet-tuned": 0}
    rows = [TableRow(name, name, "yes", "-", {"cycles": 400.0}) for name in names]
    rows[1] = replace(rows[1], readings={"cycles": 100.0})
    found = {name: row(name, cycles=cycles) for name, cycles in names.items()}
    failed = replace(found["jitnet-tuned"].measured, failure="nothing found; nearest 500 cycles")
    found["jitnet-tuned"] = replace(found["jitnet-tuned"], measured=failed)
    *_, last, mean = tables.lines(Table(rows, "1", "t", ("cycles",), {"cycles": 1.0}), found, True)
    assert last.note == "-; nothing found; nearest 500 cycles"
    assert mean.note == (
        "published cycles by ours: 2.000 as a mean of 3, 1 of them without a design and counted"
        " as 1; 1.260 if gaussian_pyramid-tuned's are 100"
    )


@pytest.mark.parametrize(
    ("trend", "values", "kept"),
    [
        ("rises", [1.0, 2.0, 3.0], True),
        ("rises", [1.0, 0.99, 3.0], True),
        ("rises", [1.0, 0.9, 3.0], False),
        ("falls", [3.0, 2.0, 2.0], True),
        ("falls", [3.0, 2.0, 2.5], False),
    ],
)
def test_trends(trend: str, values: list[float], kept: bool) -> None:
    figure = Figure({}, "1", "t", "rate", "cycles", trend)
    assert tables.keeps_trend(figure, list(enumerate(values))) is kept


def test_frames_and_slowdown_are_those_of_the_dissertation() -> None:
    found = {
        "cascade-spatial": row("cascade-spatial", cycles=4096, windows=2),
        "cascade-line-chaining": row("cascade-line-chaining", cycles=8064, windows=1),
    }
    records = [r for r in tables.records(DESCRIPTION, found) if "table 5.2" in r.case]
    shown = {
        (r.variant, r.metric): round(float(r.value), 1)
        for r in records
        if r.metric in ("fps_per_kernel", "slowdown") and r.value is not None
    }
    assert shown == {
        ("cascade-spatial", "fps_per_kernel"): 111.0,
        ("cascade-line-chaining", "fps_per_kernel"): 112.7,
        ("cascade-line-chaining", "slowdown"): 96.9,
    }


def test_lines_of_code(tmp_path: Path) -> None:
    (tmp_path / "shared.h").write_text("// about\nint shared;\n\n")
    source = tmp_path / "a.cpp"
    source.write_text((_HERE / "counted.cpp").read_text())
    assert count_lines(source) == Lines(algorithm=6, schedule=4, header=1, declared=3)


def test_an_unknown_design_in_a_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "benchmarks" / "clockwork"
    folder.mkdir(parents=True)
    (folder / "tables.toml").write_text(
        '[[tables]]\nnumber = "1"\ntitle = "t"\ncolumns = ["cycles"]\n'
        'rows = [{ label = "a", design = "lost", derivable = "no", rule = "-" }]\n'
    )
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="1 has a design 'lost' that is not there"):
        read()
