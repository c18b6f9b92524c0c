"""Caret lines and JSON values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from s2s.cli.render import Sources, as_json, as_text
from s2s.source.diagnostics import Diagnostic, Location, Severity


def shown(line: bytes, start: int, end: int, *, end_line: int = 1) -> list[str]:
    """The source line and the caret line for the columns ``start`` to ``end`` of ``line``."""
    sources = Sources()
    sources.add("x.c", line + b"\nint next;\n")
    place = Location("x.c", 1, start, end_line, end)
    headline, *rest = as_text(
        Diagnostic(Severity.REMARK, "text", "id", place), sources
    ).splitlines()
    assert headline == f"x.c:1:{start}: remark: text [id]"
    return rest


def test_underline() -> None:
    assert shown(b"  for (;;) {", 3, 6) == ["  for (;;) {", "  ^~~"]


def test_empty_place_is_a_caret() -> None:
    assert shown(b"return 0", 9, 9) == ["return 0", "        ^"]


def test_place_over_lines_goes_to_the_end_of_the_first() -> None:
    assert shown(b"for (;;)  ", 1, 4, end_line=2) == ["for (;;)", "^~~~~~~~"]


def test_tabs_keep_the_caret_in_place() -> None:
    assert shown(b"\tint\tx;", 6, 7) == ["        int     x;", " " * 16 + "^"]


def test_columns_are_bytes() -> None:
    assert shown("/* é */ x".encode(), 10, 11) == ["/* é */ x", " " * 8 + "^"]


def test_wide_characters_take_two_columns() -> None:
    assert shown("/*漢*/ x".encode(), 9, 10) == ["/*漢*/ x", " " * 7 + "^"]


def test_carriage_return_and_controls_do_not_reach_the_terminal() -> None:
    assert shown(b"a\x1b[1m b\xff\r", 1, 2) == ["a?[1m b\N{REPLACEMENT CHARACTER}", "^"]


@pytest.mark.parametrize("column", [1, 40, 5_000_000, 9_999_990, 10_000_000])
def test_long_lines_are_a_window(column: int) -> None:
    data = bytearray(b"x" * 10_000_000)
    data[column - 1] = ord("@")
    line, caret = shown(bytes(data), column, column + 1)
    assert len(line) < 200
    assert line[caret.index("^")] == "@"
    assert caret.strip() == "^"


def test_long_underline_stays_in_the_window() -> None:
    line, caret = shown(b"y" * 1_000_000, 5, 900_000)
    assert len(caret) < len(line)


@pytest.mark.parametrize("line", [0, 7, 10**9])
def test_line_that_is_not_there(line: int) -> None:
    sources = Sources()
    sources.add("x.c", b"int x;\n")
    place = Location("x.c", line, 1, line, 2)
    text = as_text(Diagnostic(Severity.ERROR, "text", "id", place), sources)
    assert text == f"x.c:{line}:1: error: text [id]\n"


def test_missing_file_has_no_caret() -> None:
    place = Location("nosuch.c", 1, 1, 1, 2)
    text = as_text(Diagnostic(Severity.ERROR, "text", "id", place), Sources())
    assert text == "nosuch.c:1:1: error: text [id]\n"


def test_notes_follow_with_their_own_places(tmp_path: Path) -> None:
    header = tmp_path / "a.h"
    header.write_bytes(b"int a;\n")
    note = Diagnostic(Severity.NOTE, "seen", "race", Location(str(header), 1, 5, 1, 6))
    sources = Sources()
    text = as_text(Diagnostic(Severity.WARNING, "race", "race", None, (note,)), sources)
    assert text.splitlines() == [
        "s2s: warning: race [race]",
        f"{header}:1:5: note: seen",
        "int a;",
        "    ^",
    ]


def test_text_is_one_line() -> None:
    text = as_text(Diagnostic(Severity.ERROR, "a\nb\x07", "id"), Sources())
    assert text == "s2s: error: a\\nb\\x07 [id]\n"


def test_json_round_trip() -> None:
    place = Location("x.c", 1, 2, 3, 4)
    note = Diagnostic(Severity.NOTE, "there", "n", place)
    diagnostic = Diagnostic(Severity.MISSED, "call", "effects", place, (note,))
    where = {"path": "x.c", "line": 1, "column": 2, "end_line": 3, "end_column": 4}
    assert json.loads(json.dumps(as_json(diagnostic))) == {
        "severity": "missed",
        "id": "effects",
        "text": "call",
        "location": where,
        "notes": [{"severity": "note", "id": "n", "text": "there", "location": where, "notes": []}],
    }
