"""``s2s bench emu``: the numbers of its table, and what counts as wrong."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from s2s.bench.graph_kernels import kernels as suite
from s2s.bench.graph_kernels import summary, tables
from s2s.bench.graph_kernels.rows import Row, reductions, speedups
from s2s.bench.records import geometric_mean as mean
from s2s.cli import main as cli

KERNEL = suite.Kernel(
    name="k",
    plain=Path("k.c"),
    whole="new",
    variants=(
        suite.Variant("old", Path("k.c")),
        suite.Variant("new", Path("k.c"), before="old", reduction=40.0, speedup=2.0, wanted=35),
    ),
    migrations=(100, 210),
    milliseconds=(1.0,),
)
ROWS = [
    Row(6, "old", 110, 3000, True, 40),
    Row(6, "new", 55, 1000, True, 10),
    Row(7, "old", 200, 6000, True, 80),
    Row(7, "new", 160, 3000, False, 20),
]


def test_reductions_and_speedups_by_scale() -> None:
    assert reductions(ROWS, "new", "old") == {6: 50.0, 7: pytest.approx(20.0)}
    assert speedups(ROWS, "new", "old") == {6: 3.0, 7: 2.0}
    assert mean([50.0, 2.0]) == pytest.approx(10.0)
    assert mean([]) is None
    assert mean([5.0, -1.0]) is mean([5.0, 0.0]) is None


def test_the_table() -> None:
    text = tables.render([KERNEL], {"k": ROWS}, 1_000_000)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "6 old 110 100 (+10.0 %) 40 3.00" in lines
    assert "6 new 55 50.00 10 75.00 1.00 3.00" in lines
    assert "7 new (WRONG) 160 20.00 20 75.00 3.00 2.00" in lines
    assert "31.62 % fewer migrations (published 40.0), 75.00 % fewer in the kernel only" in text
    assert "k: new against old 31.62 % 40.00 % 35 %, missed" in lines
    assert lines[-1] == "k, new, scale 7: prints something else than the plain C"


def test_each_mean_says_how_it_is_read() -> None:
    printed = ("p", "q", "q", "q", "q")
    other = replace(KERNEL, name="l", printed=printed, kept="new", unbucketed="new", further="new")
    rows = [*ROWS, Row(6, "p", 100, 1, True, 50), Row(6, "q", 90, 1, True, 25)]
    results = {"k": [row for row in ROWS if row.scale == 6], "l": rows[:2] + rows[4:]}
    kernels = [replace(KERNEL, kept="new", unbucketed="new", further="new"), other]
    found = {one.what: one for one in summary.overall(kernels, results)}
    whole = found["the dissertation's steps: whole programs, triangles per wedge"]
    as_printed = found["the dissertation's steps: whole programs, triangles as printed"]
    assert whole.percent == pytest.approx(50) and whole.published == 22.08
    assert as_printed.percent == pytest.approx(500**0.5)
    alone = found["all steps: kernels only, triangles as printed"]
    assert alone.percent == pytest.approx(3750**0.5) and alone.published is None
    assert len(found) == 16


def test_the_records() -> None:
    found = {
        (r.case, r.variant, r.metric): (r.value, r.published)
        for r in tables.records([KERNEL], {"k": ROWS}, 1_000_000)
    }
    assert found["k/6", "old", "migrations"] == (110, 100)
    assert found["k/6", "new", "migrations"] == (55, None)
    assert found["k/6", "new", "migrations, kernel only"] == (10, None)
    assert found["k", "new", "migration_reduction_percent, kernel only"][0] == pytest.approx(75)
    value, published = found["k", "new", "migration_reduction_percent"]
    assert value == pytest.approx(31.6228)
    assert published == 40.0
    assert ("all", "the dissertation's transformations", "migration_reduction_percent") not in found


def test_the_published_lists_begin_at_their_scale() -> None:
    kernels = {kernel.name: kernel for kernel in suite.read()}
    published = {name for name, kernel in kernels.items() if kernel.migrations}
    assert published == {name for name, kernel in kernels.items() if kernel.whole}
    assert published == {"conductance", "sssp", "triangles"}
    assert kernels["sssp"].published_migrations(6) == 10915
    assert kernels["triangles"].published_migrations(14) == 180988114
    assert kernels["triangles"].published_migrations(15) is None
    for kernel in kernels.values():
        names = [variant.name for variant in kernel.variants]
        assert {kernel.whole, kernel.kept, kernel.unbucketed, kernel.further} <= {None, *names}
        assert set(kernel.printed) <= set(names)
        assert {variant.before for variant in kernel.variants} <= {None, *names}
        assert all(variant.source.is_file() for variant in kernel.variants)


def test_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(tmp_path / name) for name in ("b.json", "b.csv", "b.svg")]
    options = ["--json", files[0], "--csv", files[1], "--plot", files[2]]
    arguments = ["bench", "emu", "--case", "bfs", "--scales", "6:7", *options]
    assert cli.main([*arguments, "--out", str(tmp_path / "programs")]) == 0
    assert "REMOTE_" in (tmp_path / "programs" / "further_bfs.c").read_text()
    assert "further against original" in capsys.readouterr().out
    records = json.loads(Path(files[0]).read_text())["records"]
    counts = [r["value"] for r in records if r["metric"] == "migrations"]
    assert len(counts) == 4 and counts[0] > counts[1]
    assert "<svg" in Path(files[2]).read_text()
    assert cli.main(["bench", "emu", "--scales", "9:6"]) == 2
    assert cli.main(["bench", "emu", "--case", "nothing"]) == 2


def test_a_kernel_that_does_not_compile_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "emu", "--case", "bfs", "--scales", "6", "--cc", "gcc -nosuch"]) == 1
    assert "s2s: error: does not compile: gcc: error: " in capsys.readouterr().err
