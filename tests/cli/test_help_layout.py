"""No line of any help is wider than the terminal, and nothing is lost where lines are folded."""

from __future__ import annotations

import argparse

import pytest

from s2s.cli.main import whole_parser


def every_parser() -> dict[str, argparse.ArgumentParser]:
    parser = whole_parser()
    found = {"": parser}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found.update(action.choices)
    return found


def test_help_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    parsers = every_parser()
    words: dict[str, set[str]] = {}
    for width in (40, 60, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        for name, parser in parsers.items():
            lines = parser.format_help().splitlines()
            assert [line for line in lines if len(line) > width] == [], name
            words.setdefault(name, set()).add("".join("".join(lines).split()))
    assert all(len(found) == 1 for found in words.values())


def test_rows_of_a_table_are_folded_under_their_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    folded = "of\n                  --remarks\n"
    assert f"  S2S_REMARKS     text, json or none: the default {folded}" in (
        every_parser()["cc"].format_help()
    )
