"""Whether the values of loop variables declared outside can still be read after a region."""

from __future__ import annotations

import pytest

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import candidates, functions, inner_candidates
from tests.lifting import parse_text, refusal, scop_of

REGION = "for (j = 0; j < n; j++) a[j] = 0;"


def _function(body: str) -> str:
    return f"void f(int n, int c, int *a) {{ int i, j; {body} }}"


@pytest.mark.parametrize(
    "behind",
    [
        "j = 1; c = j;",
        "for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[j]++;",
        "for (i = 0; i < n; i++) { if (c) { j = 3; a[j] = 1; } }",
        "{ j = 0; } a[j] = 1;",
    ],
)
def test_a_variable_set_before_it_is_read_is_dead(behind: str) -> None:
    function = next(iter(functions(parse_text(_function(REGION + behind)), every=True)))
    assert next(iter(candidates(function))).scop().statements


@pytest.mark.parametrize(
    "behind",
    [
        "a[j] = 1;",
        "for (i = 0; i < n; i++) { j = 0; } a[j] = 1;",
        "for (i = 0; i < n; i++) a[j] = i;",
        "if (c) { j = 0; } a[j] = 1;",
        "if (c) goto end; j = 0; end: a[j] = 1;",
        "for (i = 0; i < n; i++) { if (a[i]) break; j = 0; } a[j] = 1;",
        "for (i = j; i < n; i++) { j = 0; }",
    ],
)
def test_a_variable_that_may_be_read_is_live(behind: str) -> None:
    assert "used after" in refusal(_function(REGION + behind))


def test_a_jump_over_the_assignment_keeps_the_variable_alive() -> None:
    around = f"for (i = 0; i < n; i++) {{ {REGION} if (c) break; j = 0; }} a[j] = 1;"
    function = next(iter(functions(parse_text(_function(around)), every=True)))
    (inner,) = inner_candidates(next(iter(candidates(function))))
    with pytest.raises(NotLiftable, match="used after"):
        inner.scop()


@pytest.mark.parametrize("text", ["a[i] = F(0);", "a[i] = 1 + F(F(n));", "a[i] = F ( (n) ) ;"])
def test_a_macro_that_ends_a_statement(text: str) -> None:
    source = f"#define F(x) x\nvoid f(int n, int *a) {{ for (int i = 0; i < n; i++) {{ {text} }} }}"
    scop = scop_of(source)
    (statement,) = scop.statements
    assert source.encode()[statement.span.start : statement.span.end].decode() == text
