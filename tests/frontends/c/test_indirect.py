"""What remarks say where data decide which element a statement touches."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.frontends.c.regions import candidates, functions
from tests.lifting import parse_text

_TEXT = Path(__file__).with_name("indirect.c").read_text()


def _said(body: str) -> list[str]:
    attempt = next(candidates(next(functions(parse_text(_TEXT.replace("BODY", body))))))
    attempt.scop()
    return [text for _, text in attempt.notes if "depends on the data" in text]


@pytest.mark.parametrize(
    ("body", "sources"),
    [
        ("v[next[i]] = t;", "'next'"),
        ("int to = next[i]; v[to] = t;", "'next'"),
        ("int from = first[i], to = next[from]; v[to + 1] = t;", "'next'"),
        ("v[first[i] * next[t]] = t;", "'first' and 'next'"),
    ],
)
def test_the_arrays_that_decide_are_named(body: str, sources: str) -> None:
    text = f"which element of 'v' this is depends on the data in {sources}"
    assert text in _said(body)


@pytest.mark.parametrize("body", ["v[i] = w[t];", "v[i * k] = w[t];", "v[i * i] = w[t];"])
def test_no_array_decides(body: str) -> None:
    assert _said(body) == []
