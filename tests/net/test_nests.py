"""One wrong step after the last proof: each has to be caught, whatever the sizes are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest

from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file
from s2s.emitters.c.region import Rewritten
from s2s.source import Span
from tests.net.printed import printed

_PLANES = """
void sweep(@N@int steps, float (*restrict u)[@S@][@S@], float (*restrict v)[@S@][@S@])
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < @S@ - 1; i++)
            for (int j = 1; j < @S@ - 1; j++)
                for (int k = 1; k < @S@ - 1; k++)
                    v[i][j][k] = 0.2f * (u[i - 1][j][k] + u[i][j + 1][k] + u[i][j - 1][k]);
#pragma omp parallel for
        for (int i = 1; i < @S@ - 1; i++)
            for (int j = 1; j < @S@ - 1; j++)
                for (int k = 1; k < @S@ - 1; k++)
                    u[i][j][k] = v[i][j][k] + v[i + 1][j][k];
    }
}
"""
_ROWS = """
void sweep(@N@int steps, float (*restrict u)[@S@], float (*restrict v)[@S@])
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < @S@ - 1; i++)
            for (int k = 1; k < @S@ - 1; k++)
                v[i][k] = 0.3f * (u[i - 1][k] + u[i + 1][k] + u[i][k - 1]);
#pragma omp parallel for
        for (int i = 1; i < @S@ - 1; i++)
            for (int k = 1; k < @S@ - 1; k++)
                u[i][k] = v[i][k] + v[i + 1][k];
    }
}
"""
_SIZES = {"planes, 40": 40, "planes, 200": 200, "planes, n": "n", "rows, 300": 300, "rows, n": "n"}

# What is wrong: a pattern of the emitted text and what stands there instead, once.
_WRONG = {
    "bound": (r"(for \(int k = 1; k) <= (\d+)|(for \(int k = 1; k) < n - 1", r"\1\3 < 17"),
    "first iteration": (r"for \(int k = 1;", "for (int k = 2;"),
    "one iteration more": (r"(for \(int k = 1; k) <= (\d+)|(for \(int k = 1; k) < n - 1",
                           r"\1\3 <= s2s_end_of_rows"),
    "step": (r"(for \(int k = 1; .*; k)\+\+", r"\1 += 2"),
    "step of a tile": (r"(s2s_i_tile)\+\+", r"\1 += 2"),
    "order": (r"for \(int t = s2s_t_begin; t <= s2s_t_end; t\+\+\)",
              "for (int t = s2s_t_end; t >= s2s_t_begin; t--)"),
    "operand": (r"u\[i - 1\]", "u[i - 2]"),
    "constant": (r"0\.([23])f", r"1.\1f"),
    "iterator": (r"(const int i = [^;]*);", r"\1 + 1;"),
    "raw count": (r"< s2s_t_tile_first\)\s+s2s_t_begin = s2s_t_tile_first",
                  "< s2s_t_tile) s2s_t_begin = s2s_t_tile"),
    "width of chunks": (r"(const long s2s_t_tile_first = )(\d+)(L?) \*", r"\g<1>9 + \2\3 *"),
    "strips of another width": (r"s2s_t_tile \* s2s_width", "s2s_t_tile * (s2s_width + 1)"),
    "guard": (r"steps >= 1", "steps >= 0"),
    "condition": (r"if \(s2s_i >= 2L \* t \+ 2", "if (s2s_i >= 2L * t + 3"),
    "end of a tile": (r"(long s2s_i_end = 8 \* s2s_i_tile \+ )8", r"\g<1>7"),
}  # fmt: skip


def _replaced(done: Rewritten, start: int, end: int, new: bytes) -> Rewritten:
    """A rewritten region with other text somewhere; the leaves stay where they are in it."""
    text, longer = done.edit.text, len(new) - (end - start)
    leaves = tuple(
        (Span(s.start + longer * (s.start >= end), s.end + longer * (s.end >= end)), name)
        for s, name in done.leaves
    )
    edit = replace(done.edit, text=text[:start] + new + text[end:])
    return replace(done, edit=edit, leaves=leaves)


def _wrong(done: Rewritten, what: str) -> Rewritten:
    pattern, new = _WRONG[what]
    found = re.search(pattern.encode(), done.edit.text)
    assert found is not None, what
    text = found.expand(new.encode()).replace(b"s2s_end_of_rows", (found[2] or b"n - 2") + b" + 1")
    return _replaced(done, *found.span(), text)


def _without_a_statement(done: Rewritten) -> Rewritten:
    (span, _), *others = done.leaves
    left = _replaced(replace(done, leaves=tuple(others)), span.start, span.end, b";")
    assert len(left.leaves) == len(done.leaves) - 1
    return left


@contextmanager
def _emitting(change: Callable[[Rewritten], Rewritten]) -> Iterator[None]:
    """The last step does something else."""
    with patch("s2s.driver.rewrite.emit", lambda *given: change(printed(*given))):
        yield


def _transformed(path: Path) -> Outcome:
    options = Options(force=True, passes=("popp",))
    return transform_file(str(path), ["-O2", "-fopenmp"], options)


@cache
def _source(name: str) -> str:
    size = _SIZES[name]
    text = _PLANES if name.startswith("planes") else _ROWS
    return text.replace("@N@", "int n, " if size == "n" else "").replace("@S@", str(size))


def _check_caught(place: Path, name: str, change: Callable[[Rewritten], Rewritten]) -> None:
    place.write_text(_source(name))
    with _emitting(change):
        outcome = _transformed(place)
    assert not outcome.changed
    (said,) = [d.text for d in outcome.diagnostics if d.id == "internal"]
    assert "left as it was" in said


@pytest.mark.parametrize("name", _SIZES)
def test_what_is_right_passes(name: str, tmp_path: Path) -> None:
    place = tmp_path / "a.c"
    place.write_text(_source(name))
    assert _transformed(place).changed


@pytest.mark.parametrize("name", _SIZES)
def test_a_dropped_statement_is_caught(name: str, tmp_path: Path) -> None:
    _check_caught(tmp_path / "a.c", name, _without_a_statement)


# Each mutation with a few of the programs, all with one of them at least.
_CASES = [
    (what, name)
    for number, what in enumerate(_WRONG)
    for place, name in enumerate(_SIZES)
    if (number + place) % 2 == 0
]


@pytest.mark.parametrize(("what", "name"), _CASES)
def test_a_wrong_step_is_caught(what: str, name: str, tmp_path: Path) -> None:
    _check_caught(tmp_path / "a.c", name, lambda done: _wrong(done, what))


def test_the_raw_count_of_strips_is_caught(tmp_path: Path) -> None:
    """Tiles of the third loop begin where the strip's number says, not its first point."""

    def raw(done: Rewritten) -> Rewritten:
        text = done.edit.text
        line = re.search(rb"for \(long s2s_j_tile = [^{]*", text)
        assert line is not None and b"s2s_t_tile_first" in line[0]
        new = line[0].replace(b"s2s_t_tile_first", b"s2s_t_tile")
        return _replaced(done, *line.span(), new)

    for name in ("planes, 200", "planes, n"):
        _check_caught(tmp_path / "a.c", name, raw)


# Two functions' loops with sizes of their own: where tiles end, is a choice of four values.
_TWO_SIZES = Path(__file__).with_name("nests.c").read_text()


@pytest.mark.parametrize(
    ("pattern", "new"),
    [
        (r"(if \([^;]* s2s_i_tile_last = [^;]*);", r"\1 - 1;"),
        (r"(else if \([^;]* s2s_i_tile_last = [^;]*);", r"\1 - 1;"),
        (r"(else s2s_i_tile_last = [^;]*);", r"\1 - 1;"),
        (r"else (s2s_i_tile_last = )", r"\1"),
        (r"else s2s_i_tile_last = [^;]*;", ""),
    ],
)
def test_a_wrong_case_of_an_end_is_caught(pattern: str, new: str, tmp_path: Path) -> None:
    def wrong(done: Rewritten) -> Rewritten:
        found = re.search(pattern.encode(), done.edit.text)
        assert found is not None
        return _replaced(done, *found.span(), found.expand(new.encode()))

    place = tmp_path / "a.c"
    place.write_text(_TWO_SIZES)
    with _emitting(wrong):
        outcome = _transformed(place)
    assert not outcome.changed
    assert any(d.id == "internal" for d in outcome.diagnostics)
