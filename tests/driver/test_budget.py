"""``--budget``: what is looked at first, and what becomes of loops when the time is over."""

from dataclasses import replace
from pathlib import Path

from s2s.driver.file_edits import FileEdits
from s2s.driver.options import Options
from s2s.driver.regions import Regions
from s2s.driver.remarks import Remarks
from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.regions import Function, functions
from s2s.frontends.c.unit import Unit
from s2s.scop.allowance import REGION, Allowance
from s2s.source import SourceBuffer

SOURCE = Path(__file__).with_name("budget.c").read_bytes()
OPTIONS = Options(budget=7)


def parsed(tmp_path: Path) -> tuple[Unit, list[Function]]:
    path = tmp_path / "x.c"
    path.write_bytes(SOURCE)
    unit = parse_as_compiled(SourceBuffer(str(path), SOURCE), ("-O2",))
    return unit, list(functions(unit, every=True))


def edits(tmp_path: Path, until: float | None) -> tuple[int, list[str]]:
    unit, found = parsed(tmp_path)
    options = replace(OPTIONS, passes=("permute",))
    remarks = Remarks(unit, options, Allowance(until=until))
    regions = Regions(unit, options, remarks)
    count = sum(len(list(regions.edits(function))) for function in found)
    return count, [d.text for d in remarks.diagnostics]


def test_time_that_is_over_leaves_loops_and_says_so(tmp_path: Path) -> None:
    count, said = edits(tmp_path, 0.0)
    assert (count, said) == (0, ["not looked at: the 7 s are spent"] * len(said))
    assert said


def test_time_that_is_left_changes_nothing(tmp_path: Path) -> None:
    with_time, without = edits(tmp_path, 1e9), edits(tmp_path, None)
    assert with_time == without and with_time[0]


def test_deep_nests_come_first(tmp_path: Path) -> None:
    unit, found = parsed(tmp_path)
    assert [f.node.name for f in found] == ["line", "product"]

    def first(budget: int) -> str:
        return FileEdits(unit, replace(OPTIONS, budget=budget), found)._in_order()[0].node.name

    assert (first(0), first(7)) == ("line", "product")


def test_regions_do_not_starve_each_other_where_time_is_the_limit() -> None:
    short = Allowance(left=4)
    assert short.is_short and not Allowance(left=4, until=1e9).is_short
    assert Allowance(left=4, until=1e9).limit == REGION
    assert not short.is_spent
