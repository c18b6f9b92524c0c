"""Places that are checked several at once: the same failures, verdicts and steps."""

from pathlib import Path

import pytest

from s2s.driver.crew import each_ahead
from s2s.frontends.c.parse import parse_as_compiled
from s2s.net import check
from s2s.net.check import Net
from s2s.net.verdicts import ALL, Checked, Verdict
from s2s.source import Edit, SourceBuffer

SOURCE = Path(__file__).with_name("many.c").read_bytes()
RIGHT = [
    (b"u[i] = 2.0 * v[i];", b"u[i] = v[i] * 2.0;"),
    (b"v[i] = u[i + 1] - v[i];", b"{ double t = u[i + 1]; v[i] = t - v[i]; }"),
    (b"a[i][j] += b[j][i] * u[j];", b"a[i][j] = a[i][j] + b[j][i] * u[j];"),
    (b"u[i] = u[i] * 0.5 + v[i];", b"u[i] = 0.5 * u[i] + v[i];"),
    (b"b[i][j] = value + i - j;", b"b[i][j] = (value + i) - j;"),
]
WRONG = [
    (b"v[i] = u[i + 1] - v[i];", b"v[i] = u[i] - v[i];"),
    (b"a[i][j] += b[j][i] * u[j];", b"a[i][j] += b[i][j] * u[j];"),
    (b"b[i][j] = value + i - j;", b"b[i][j] = value - i - j;"),
]


def edits(changes: list[tuple[bytes, bytes]]) -> list[Edit]:
    starts = [(SOURCE.index(old), old, new) for old, new in changes]
    return [Edit(start, start + len(old), new) for start, old, new in starts]


def checked(
    changes: list[tuple[bytes, bytes]], left: int, *, several: bool
) -> tuple[list[tuple[tuple[Edit, ...], str]], list[Verdict], int]:
    unit = parse_as_compiled(SourceBuffer("many.c", SOURCE), (), on_disk=False)
    net = Net(unit, left=left, several=each_ahead if several else None)
    found = [(f.edits, str(f.problem)) for f in net.failures(edits(changes))]
    return found, [verdict for _, verdict in net.verdicts], net.left


@pytest.mark.parametrize("left", [150_000, 95_000, 40_000, 15_000, 3_000, 0])
@pytest.mark.parametrize("wrong", [False, True])
def test_the_same_as_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, left: int, wrong: bool
) -> None:
    monkeypatch.setattr(check, "_LONG", 0)
    changes = [*WRONG, RIGHT[0], RIGHT[3]] if wrong else RIGHT
    alone = checked(changes, left, several=False)
    assert checked(changes, left, several=True) == alone
    assert len(alone[1]) == 5
    assert len(alone[0]) == (3 if wrong else 0) or left < 50_000


def test_places_whose_process_ends_are_checked_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "_LONG", 0)
    alone = checked(WRONG, 150_000, several=False)
    monkeypatch.setattr(Checked, "__reduce__", _fail)
    assert checked(WRONG, 150_000, several=True) == alone


def test_more_places_than_there_are_steps_for_are_checked_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def several(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(check, "_LONG", 0)
    monkeypatch.setattr(check, "FILE", 4 * ALL)
    unit = parse_as_compiled(SourceBuffer("many.c", SOURCE), (), on_disk=False)
    assert not list(Net(unit, several=several).failures(edits(RIGHT)))  # type: ignore[arg-type]


def _fail(self: object) -> str:
    raise ValueError


def test_without_steps_only_directives_are_looked_at() -> None:
    source = SourceBuffer("directives.c", Path(__file__).with_name("directives.c").read_bytes())
    unit = parse_as_compiled(source, (), on_disk=False)
    changes = [
        (b"parallel for private(t)", b"parallel for schedule(dynamic)"),
        (b"parallel for firstprivate(s)", b"parallel for firstprivate(s) schedule(dynamic)"),
        (b"v[i] = u[i];", b"v[i] = u[i + 1];"),
    ]
    starts = [(source.data.index(old), len(old), new) for old, new in changes]
    net = Net(unit, left=0)
    made = [Edit(start, start + length, new) for start, length, new in starts]
    assert [f.edits for f in net.failures(made)] == [(made[0],)]
    assert [verdict.why for _, verdict in net.verdicts] == ["", "", "no steps are left"]
