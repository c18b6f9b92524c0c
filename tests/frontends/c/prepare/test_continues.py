"""``continue`` at the end of a branch: the rest of the body becomes the other branch."""

from __future__ import annotations

import pytest

from s2s.frontends.c.prepare import has_preparations
from s2s.frontends.c.prepare.prepared import prepared_text
from s2s.frontends.c.regions import candidates, functions
from tests.lifting import parse_text


def _prepared(body: str) -> str | None:
    text = f"#define SKIP continue\nvoid f(int n, int *a, int *b) {{ {body} }}\n"
    (function,) = functions(parse_text(text), every=True)
    (attempt,) = candidates(function)
    found = prepared_text(attempt)
    return None if found is None else found.decode().partition("int *b) { ")[2].rstrip()[:-2]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (
            "for (int i = 0; i < n; i++) { if (i == 3) continue; a[i] = 1; }",
            "for (int i = 0; i < n; i++) { if (!(i == 3)) { a[i] = 1; }}",
        ),
        (
            "for (int i = 0; i < n; i++) { if (a[i] < 0) { b[i] = 0; continue; } a[i] = 1; }",
            "for (int i = 0; i < n; i++) { if (a[i] < 0) { b[i] = 0;  } else { a[i] = 1; }}",
        ),
        (
            "for (int i = 0; i < n; i++) { if (i) { continue; } if (b[i]) continue; a[i] = 1; }",
            "for (int i = 0; i < n; i++) { if (!(i)) { if (!(b[i])) { a[i] = 1; }}}",
        ),
    ],
)
def test_the_rest_is_the_other_branch(body: str, wanted: str) -> None:
    assert _prepared(body) == wanted


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) { if (i == 3) SKIP; a[i] = 1; }",
        "for (int i = 0; i < n; i++) { if (i) { if (a[i]) break; continue; } a[i] = 1; }",
        "for (int i = 0; i < n; i++) { if (i) continue; else b[i] = 2; a[i] = 1; }",
        "for (int i = 0; i < n; i++) { if (b[i]) goto end; if (i) continue; end: a[i] = 1; }",
    ],
)
def test_other_jumps_stay(body: str) -> None:
    assert _prepared(body) is None


def test_it_is_worth_a_look() -> None:
    text = "void f(int n, int *a) { for (int i = 0; i < n; i++) { if (i) continue; a[i] = 1; } }"
    (function,) = functions(parse_text(text), every=True)
    (attempt,) = candidates(function)
    from s2s.frontends.c.prepare.callees import Callees

    assert has_preparations(attempt, Callees(function.unit))
