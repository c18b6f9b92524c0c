"""Lifted statements and the typed expressions that they store, C's conversions written out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from s2s.frontends.c.regions import candidates, functions
from s2s.scop.nodes import Scop, Statement
from s2s.scop.notation import written
from s2s.source import Edit
from tests.lifting import lifted, parse_text, scop_of

PARAMETERS = "int n, double r, const double A[n][n], double B[n][n], float *x, int *p, short *h"


def _scop(body: str) -> Scop:
    return scop_of(f"void f({PARAMETERS}) {{ {body} }}")


def _stored(statement: Statement) -> str | None:
    store = statement.expression
    if store is None:
        return None
    assert {store.tensor} <= {a.array for a in statement.accesses if a.write}
    place = ", ".join(written(s) for s in store.subscripts)
    return f"{store.tensor}({place}) = {written(store.values[0])}"


LOOP = "for (int i = 1; i < n; i++) {body}"

# (body of a loop over i, what it stores: subscripts innermost first)
TYPED = [
    ("B[i][0] = r * A[i - 1][2];", "B(0, i) = r * A(2, i - 1)"),
    ("x[i] += 2;", "x(i) = x(i) + float32(2)"),
    ("h[i] = h[i] + 1;", "h(i) = int16(int32(h(i)) + 1)"),
    ("p[i]++;", "p(i) = p(i) + 1"),
    ("p[i] = p[i] > 7 ? 7 : p[i];", "p(i) = min(p(i), 7)"),
    ("if (p[i] < 0) p[i] = 0;", None),
    ("{ float t = x[i]; x[i - 1] = t * t; }", "x(i - 1) = x(i) * x(i)"),
    ("{ int k = i + 2; p[k] = k; }", "p(i + 2) = i + 2"),
    ("p[i / 2] = i % 4;", "p(i / 2) = i % 4"),
    ("x[(long)i * n] = 0.5f;", "x(int64(i) * int64(n)) = 0.5"),
]


@pytest.mark.parametrize(("body", "stored"), TYPED)
def test_what_a_statement_stores(body: str, stored: str | None) -> None:
    (statement,) = _scop(LOOP.format(body=body)).statements
    assert _stored(statement) == stored


# Bodies of a loop of which no statement is one store whose C is typed.
TEXT_ALONE = [
    "p[i] = p[i] / 2;",
    "p[0] = (i - n) / 2;",
    "p[i] = g(i);",
    "while (p[i] < n) p[i] *= 2;",
    "{ double s = 0; for (int j = 0; j < n; j++) s += A[i][j]; B[i][i] = s; }",
    "{ int s = p[i]; if (i > 3) s = 1; p[i] = s; }",
    "{ int t = p[i]; p[i] = p[i - 1]; p[i - 1] = t; }",
    "{ int *q = p + i; *q = 1; }",
    "x[i] = x[p[i]] = 1;",
]


@pytest.mark.parametrize("body", TEXT_ALONE)
def test_statements_that_stay_text(body: str) -> None:
    text = f"int g(int); void f({PARAMETERS}) {{ {LOOP.format(body=body)} }}"
    found = [s for _, scop in lifted(parse_text(text)) for s in scop.statements]
    assert found and all(s.expression is None for s in found)


def test_scalars_that_each_statement_shares() -> None:
    """Declarations that became assignments store to the scalar that the others read."""
    text = f"void f({PARAMETERS}) {{ {LOOP.format(body='{ float t = x[i]; x[i - 1] = t * t; }')} }}"
    (attempt,) = candidates(next(functions(parse_text(text), every=True)))
    scop = attempt.scop(separate=True)
    assert [_stored(s) for s in scop.statements] == ["t() = x(i)", "x(i - 1) = t() * t()"]


def test_a_name_that_stands_for_two_variables() -> None:
    """A scalar of the statement's own that is called as an array of the region."""
    body = "{ p[i] = 0; { int x = p[i - 1]; p[i] = x; } x[i] = 1; }"
    stored = [_stored(s) for s in _scop(LOOP.format(body=body)).statements]
    assert stored == ["p(i) = 0", "p(i) = p(i - 1)", "x(i) = float32(1)"]


@pytest.mark.parametrize("first", ["int &k = p[0];", "static int k;"])
def test_names_of_what_may_change_meanwhile(first: str) -> None:
    """A reference to what the loop sets, and what another call of the function may set."""
    text = f"void f(int n, int *p) {{ {first} {LOOP.format(body='p[i] = k;')} }}"
    found = [s for _, scop in lifted(parse_text(text, "program.cpp")) for s in scop.statements]
    assert all(s.expression is None for s in found)


def test_changed_text_has_no_expression() -> None:
    (statement,) = _scop(LOOP.format(body="p[i] = i;")).statements
    assert statement.expression is not None
    edit = Edit(statement.span.start, statement.span.start, b"p[0] = 1; ")
    assert replace(statement, edits=(edit,)).expression is None
    renamed = tuple(replace(v, name="k") for v in statement.iterators)
    assert replace(statement, iterators=renamed).expression is None
