"""Regions of a long file, worked on several at once: all comes out as one after the other."""

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from s2s.driver import ahead, file_edits, preparations
from s2s.driver.ahead import Ahead, Found
from s2s.driver.crew import Crew
from s2s.driver.file_edits import FileEdits
from s2s.driver.options import Options
from s2s.driver.regions import Regions
from s2s.driver.remarks import Remarks
from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.regions import Attempt, functions
from s2s.scop.allowance import REGION, Allowance
from s2s.source import Edit, SourceBuffer
from s2s.source.diagnostics import Diagnostic, Location, Severity

SOURCE = Path(__file__).with_name("long.c").read_bytes()
PLAIN = Options(passes=("permute", "lanes", "idioms"))


class Result(NamedTuple):
    """What comes of the file, and how many regions were taken from copies of the process."""

    edits: list[Edit]
    diagnostics: list[Diagnostic]
    operations: int
    parsed: int
    taken: int


def result(monkeypatch: pytest.MonkeyPatch, *, several: bool, options: Options) -> Result:
    taken = []
    take = Ahead.take

    def counted(self: Ahead, attempt: Attempt) -> list[Edit] | None:
        found = take(self, attempt)
        taken.append(found is not None)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Ahead, "take", counted)
        patch.setattr(ahead, "_WORK", 2)
        patch.setattr(file_edits, "_MANY", 1 if several else 1000)
        unit = parse_as_compiled(SourceBuffer("long.c", SOURCE), ("-O3", "-fopenmp"), on_disk=False)
        work = FileEdits(unit, options, list(functions(unit, every=True)))
        edits = work.run()
    left = work.remarks.allowance.left
    return Result(edits, work.remarks.diagnostics, left, unit.read_again[0], sum(taken))


@pytest.mark.parametrize("options", [Options(), Options(force=True, parallel=True)])
def test_several_at_once_give_the_same(monkeypatch: pytest.MonkeyPatch, options: Options) -> None:
    alone = result(monkeypatch, several=False, options=options)
    together = result(monkeypatch, several=True, options=options)
    assert together[:2] == alone[:2] and together.parsed == alone.parsed
    assert alone.edits and alone.taken == 0 and together.taken >= 8


def test_limits_of_a_file_are_those_of_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_edits, "Allowance", _Short)
    monkeypatch.setattr(preparations, "MOST_READ", 3 * len(SOURCE))
    alone = result(monkeypatch, several=False, options=PLAIN)
    together = result(monkeypatch, several=True, options=PLAIN)
    assert together[:2] == alone[:2] and together.parsed == alone.parsed
    assert alone.parsed > 3 * len(SOURCE) and alone.operations < 4 * REGION
    assert 0 < together.taken < 8


class _Short:
    """An allowance that some regions of the file use up."""

    @staticmethod
    def of_seconds(seconds: float) -> Allowance:
        return Allowance(left=4 * REGION + 100_000)


def test_a_region_with_a_race_that_was_told_is_worked_on_in_its_turn() -> None:
    unit = parse_as_compiled(SourceBuffer("long.c", SOURCE), ("-fopenmp",), on_disk=False)
    at, other = (Location("long.c", line, 5, line, 9) for line in (3, 4))
    note = Diagnostic(Severity.NOTE, "the other access is here", "race", other)
    told = Diagnostic(Severity.WARNING, "data race on 'x'", "race", at, (note,))
    work = Ahead(Regions(unit, PLAIN, Remarks(unit, PLAIN, Allowance(), [told])))

    def is_taken(*racing: frozenset[tuple[str, int, int]]) -> bool:
        return work._is_same_now(Found((), (), frozenset(racing), 10, 10))

    assert is_taken() and is_taken(frozenset({("long.c", 3, 5), ("long.c", 9, 5)}))
    assert not is_taken(frozenset({("long.c", 3, 5), ("long.c", 4, 5)}))


def test_regions_of_copies_that_end_are_worked_on_in_their_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone = result(monkeypatch, several=False, options=PLAIN)
    parent = os.getpid()
    found = Ahead._found

    def ends(self: Ahead, attempt: Attempt) -> Found:
        if os.getpid() != parent and b"sqrt" in SOURCE[attempt.span.start : attempt.span.end]:
            os._exit(3)
        return found(self, attempt)

    together = result(monkeypatch, several=True, options=PLAIN)
    monkeypatch.setattr(Ahead, "_found", ends)
    fewer = result(monkeypatch, several=True, options=PLAIN)
    assert fewer[:2] == together[:2] == alone[:2]
    assert 0 < fewer.taken < together.taken


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_crew_gives_what_its_jobs_give(at_once: int) -> None:
    def fail() -> int:
        raise ValueError

    jobs: list[Callable[[], object]] = [partial(pow, n, 2) for n in range(7)]
    jobs += [fail, lambda: b"x" * 300_000, partial(os._exit, 0)]
    crew = Crew(jobs, at_once)
    try:
        assert [crew.answer(n) for n in (3, 0, 1, 2, 4, 5, 6)] == [9, 0, 1, 4, 16, 25, 36]
        assert crew.answer(7) is None and crew.answer(9) is None
        assert crew.answer(8) == b"x" * 300_000
    finally:
        crew.close()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="asks Linux")
def test_a_crew_that_is_closed_leaves_no_process(tmp_path: Path) -> None:
    def wait(number: int) -> int:
        (tmp_path / str(number)).write_text(str(os.getpid()))
        time.sleep(60 if number else 0)
        return number

    crew = Crew([partial(wait, number) for number in range(4)], 2)
    assert crew.answer(0) == 0
    while len(list(tmp_path.iterdir())) < 3:
        time.sleep(0.01)
    crew.close()
    for path in tmp_path.iterdir():
        while _works(path.read_text()):
            time.sleep(0.01)


def _works(process: str) -> bool:
    """Whether a process has not ended; who takes note of its end may be slow."""
    try:
        status = Path("/proc", process, "status").read_text()
    except OSError:
        return False
    return "State:\tZ" not in status


def test_a_region_that_is_more_work_than_a_job_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_WORK", 2)
    unit = parse_as_compiled(SourceBuffer("long.c", SOURCE), (), on_disk=False)
    work = Ahead(Regions(unit, Options(), Remarks(unit, Options(), Allowance())))
    every = [item for f in functions(unit, every=True) for item in work._items(f)]
    jobs = ahead._shared_out(every)
    assert [item.function.node.name for item in jobs[0]] == ["product"]
    assert [item.function.node.name for item in every[:2]] == ["scale", "product"]
    given = sorted(item.span for job in jobs for item in job)
    assert len(jobs) > 2 and given == [item.span for item in every]
