"""Races of what called functions touch behind their arguments, recursive ones among them.

Each program is clean as it stands; replacing the first text by the second makes it race on the
lines that ``/*a*/`` and ``/*b*/`` mark.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.source.diagnostics import Diagnostic

_PRODUCT = """
#include <stdlib.h>
static void sum(int n, double *c, int wc, const double *a, int wa)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i * wc + j] = c[i * wc + j] + a[i * wa + j];
}
static void base(double *c, const double *a, const double *b, int n, int wc, int wa)
{
    int i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            double s = 0.0;
            for (k = 0; k < n; k++)
                s += a[i * wa + k] * b[k * wa + j];
            c[i * wc + j] = s;
        }
}
void product(double *c, const double *a, const double *b, int n, int wc, int wa, int least)
{
    double *c12, *c21, *t, *t12, *t21;
    int h = n / 2;
    if (n <= least) {
        base(c, a, b, n, wc, wa);
        return;
    }
    c12 = c + h;
    c21 = c + h * wc;
    t = (double *)malloc(sizeof(double) * n * n);
    t12 = t + h;
    t21 = t + h * n;
#pragma omp task untied
    product(c, a, b, h, wc, wa, least); /*c*/
#pragma omp task untied
    product(c12, a, b + h, h, wc, wa, least);
#pragma omp task untied
    product(c21, a + h * wa, b, h, wc, wa, least);
#pragma omp task untied
    product(c21 + h, a + h * wa, b + h, h, wc, wa, least); /*d*/
#pragma omp task untied
    product(t, a + h, b + h * wa, h, n, wa, least);
#pragma omp task untied
    product(t12, a + h, b + h * wa + h, h, n, wa, least); /*e*/
#pragma omp task untied
    product(t21, a + h * wa + h, b + h * wa, h, n, wa, least);
#pragma omp task untied
    product(t21 + h, a + h * wa + h, b + h * wa + h, h, n, wa, least); /*f*/
#pragma omp taskwait
    sum(n, c, wc, t, n); /*g*/
    free(t);
}
"""

_RESULT = """
static void fib(int n, int *result)
{
    int x, y;
    if (n < 2) {
        *result = n;
        return;
    }
#pragma omp task shared(x)
    fib(n - 1, &x); /*a*/
#pragma omp task shared(y)
    fib(n - 2, &y); /*b*/
#pragma omp taskwait
    *result = x + y; /*c*/
}
"""

_HALVES = """
static void even(long *a, int n);
static void odd(long *a, int n)
{
    if (n < 9) { for (int i = 0; i < n; i++) a[i]++; }
    else even(a, n - 1);
}
static void even(long *a, int n)
{
    if (n == 0)
        return;
    if (n < 8) { int i = 0; while (i < n) { i++; } a[0]--; }
    else odd(a, n - 1);
}
void both(long *a, int n)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(inout: a)
        even(a, n); /*a*/
#pragma omp task depend(inout: a)
        even(a, n); /*b*/
    }
}
"""

# What the smallest case does is not understood; the sums behind the tasks are.
_OWN_SUMS = """
#include <stdlib.h>
static void least(double *c, int n) { while (n--) { *c++ = n; } }
void halves(double *c, const double *a, int n, int depth)
{
    unsigned h = n / 2;
    double *t;
    if (n < 16) {
        least(c, n);
        return;
    }
    t = calloc(n, sizeof *t);
    if (depth < 3) {
#pragma omp task
        halves(c, a, h, depth + 1); /*a*/
#pragma omp task
        halves(c + h, a + h, h, depth + 1);
#pragma omp task
        halves(t, a, h, depth + 1); /*b*/
#pragma omp taskwait
        for (int i = 0; i < n; i++) c[i] += t[i]; /*c*/
    } else {
        for (int i = 0; i < n; i++) c[i] = a[i];
    }
    free(t);
}
"""

# name: the program, the text to replace, what replaces it, and the marks of the racing lines
TWINS = {
    "two tasks write a quadrant": (
        _PRODUCT, "product(t21 + h, a", "product(t12, a", ("/*e*/", "/*f*/")),
    "a sum does not wait for its tasks": (
        _PRODUCT, "#pragma omp taskwait\n", "", ("/*c*/", "/*g*/")),
    "the same sum of a pointer": (
        _PRODUCT, "product(c12, a", "product(c21 + h, a", ("product(c21 + h, a", "/*d*/")),
    "what follows calls of itself": (
        _OWN_SUMS, "halves(t, a, h", "halves(c, a, h", ("/*a*/", "/*b*/")),
    "results behind pointers": (
        _RESULT, "#pragma omp taskwait\n", "", ("/*b*/", "/*c*/")),
    "two results in one variable": (
        _RESULT, "shared(y)\n    fib(n - 2, &y)", "shared(x)\n    fib(n - 2, &x)",
        ("/*a*/", "/*b*/")),
    "functions that call each other": (
        _HALVES, "depend(inout: a)\n        even(a, n); /*b*/", "\n        even(a, n); /*b*/",
        ("/*a*/", "/*b*/")),
}  # fmt: skip


def _races(text: str, directory: Path) -> list[Diagnostic]:
    source = directory / "races.c"
    source.write_text(text)
    found = transform_file(str(source), ["-fopenmp"], Options(explain=True, strict=True))
    return [d for d in found.diagnostics if d.id == "race"]


def _line(text: str, mark: str) -> int:
    return text[: text.index(mark)].count("\n") + 1


@pytest.mark.parametrize("name", TWINS)
def test_the_clean_program_is_not_reported(name: str, tmp_path: Path) -> None:
    assert not _races(TWINS[name][0], tmp_path)


@pytest.mark.parametrize("name", TWINS)
def test_the_racy_twin_is_reported_with_both_places(name: str, tmp_path: Path) -> None:
    clean, old, new, marks = TWINS[name]
    assert old in clean
    racy = clean.replace(old, new)
    found = {
        frozenset((d.location.line, note.location.line))
        for d in _races(racy, tmp_path)
        for note in d.notes
        if d.location and note.location
    }
    assert frozenset(_line(racy, mark) for mark in marks) in found


def test_a_shifted_pointer_is_another_element(tmp_path: Path) -> None:
    """A call of itself for a part behind the first element says nothing of that element."""
    text = """
static void __attribute__((noinline)) tail(double *a, int n)
{
    if (n < 9) { a[0] = n; return; }
    tail(a + 1, n - 1);
}
void f(double *p, int n, int m)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        tail(p, n);
#pragma omp task
        tail(p, m);
    }
}
    """
    assert not _races(text, tmp_path)
    assert _races(text.replace("a + 1", "a"), tmp_path)
    assert _races(text.replace("tail(p, m)", "tail(p, n)"), tmp_path)


_TWO_TASKS = """
static double total;
static void __attribute__((noinline)) @BODY@
void two(int n, int m, double *p, double *q, const int *index)
{
#pragma omp parallel
#pragma omp single
    {
        @BETWEEN@
#pragma omp task
        work(@FIRST@);
        @BETWEEN@
#pragma omp task
        work(@SECOND@);
    }
}
"""
_FILL = "work(double *a, int n) { for (int i = 1; i <= n; i++) a[i] = 1.0; }"


def _two(body: str = _FILL, first: str = "p, n", second: str = "p, n", between: str = "") -> str:
    text = _TWO_TASKS.replace("@BODY@", body).replace("@BETWEEN@", between)
    return text.replace("@FIRST@", first).replace("@SECOND@", second)


def test_two_tasks_fill_the_same_array(tmp_path: Path) -> None:
    assert len(_races(_two(), tmp_path)) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(_two(second="q, n"), id="another-pointer"),
        pytest.param(_two(second="p + n, n"), id="behind-the-first"),
        pytest.param(_two(first="p, 0", second="p, 0"), id="nothing-to-do"),
        pytest.param(
            _two(between="p = p + n;").replace("omp task", "omp task firstprivate(p)"),
            id="pointer-moves"),
        pytest.param(
            _two("work(double *a, int n) { for (int i = n; i < n + 9; i++) a[i] = 1.0; }",
                 second="p, m"), id="integers-decide"),
        pytest.param(
            _two("work(double *a, int n) { if (a[0] > 0) for (int i = 1; i < n; i++) a[i] = 1; }"),
            id="data-decides"),
        pytest.param(
            _two("work(double *a, const int *at) { a[*at] = 1.0; }", "p, index", "p, index"),
            id="memory-tells-where"),
        pytest.param(
            _two("work(double *a, int n) { for (int i = 0; i < n; i++) {\n#pragma omp atomic\n"
                 "a[i] += 1.0; } }"), id="atomic"),
        pytest.param(
            _two("work(double *a, int n) {\n#pragma omp critical\na[n] += 1.0; }"), id="critical"),
        pytest.param(
            _two("locked(double *a) { a[0] += 1.0; }\nvoid lock(void);\n"
                 "static void work(double *a) { lock(); locked(a); }", "p", "p"),
            id="unknown-call"),
        pytest.param(
            _two("work(double *a, int n) { double t = n; a = &t; a[0] = 1.0; }"), id="own-memory"),
        pytest.param(
            _two("work(double *a, int n) { while (n-- > 3) a[n] = 1.0; }"), id="other-loops"),
        pytest.param(
            _two("work(double *a, int n) { for (int i = 0; i < n; i++) { if (i == n / 2) break;"
                 " a[i] = 1.0; } }"), id="loops-left-early"),
        pytest.param(
            _two("work(double *a, int n) { n > 3 && (a[1] = 1.0); }"), id="perhaps"),
    ],
)  # fmt: skip
def test_what_is_not_certain_is_not_reported(text: str, tmp_path: Path) -> None:
    assert not _races(text, tmp_path)


def test_threads_that_share_out_a_callees_loop(tmp_path: Path) -> None:
    """A worksharing loop in a callee belongs to the team that calls it."""
    text = """
static void fill(double *a, int n)
{
#pragma omp for
    for (int i = 0; i < n; i++) a[i] = i;
}
void f(int n, double *p)
{
#pragma omp parallel
    fill(p, n);
}
    """
    assert not _races(text, tmp_path)
    assert _races(text.replace("#pragma omp for\n", ""), tmp_path)
