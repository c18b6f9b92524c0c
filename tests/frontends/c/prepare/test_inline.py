"""Inlining: what the prepared text is, that it does the same, and what stays a call."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.prepare.harness import output, prepared, prepared_texts, reasons
from tests.lifting import parse_text

_PROGRAMS = Path(__file__).parent / "inline"

MAIN = Path(__file__).with_name("inline_main.c").read_text()

SAME = {
    "parameters are substituted": (
        "void add(int *to, const int *from, int k) { to[k] = to[k] + from[k]; }",
        "for (i = 0; i < n; i++) { add(v, w, i); add(w, v, i + 1); }",
    ),
    "a local has the name of an argument": (
        "void fill(int *a, int m) { int i; for (i = 0; i < m; i++) a[i] = i + m; }",
        "for (i = 0; i < n; i++) fill(v, i);",
    ),
    "parameters are swapped": (
        "int minus(int a, int b) { a = a - b; b = a * 2; return a + b; }",
        "int a = 3, b = 5; for (i = 0; i < n; i++) { v[i] = minus(b, a); a += v[i]; b++; }",
    ),
    "effects happen once": (
        "void twice(int *a, int k) { a[k] = a[k] + k; a[k + 1] = k; }",
        "for (i = 0; i < n; i++) { twice(v, next()); twice(w, s++); }",
    ),
    "a value is declared": (
        "int sum(const int *a, int m)"
        " { int s = 0; for (int k = 0; k < m; k++) s += a[k]; return s; }",
        "for (i = 0; i < n; i++) { int t = sum(v, i); w[i] += t; s += sum(w, i); }",
    ),
    "a value is converted": (
        "unsigned char low(int x, int *a) { a[0] = x; return x + 250; }",
        "for (i = 0; i < n; i++) { s += low(i * 3, v); v[i + 1] = low(i, w); }",
    ),
    "a parameter is narrow": (
        "int narrow(signed char x, int *a) { a[1] += x; return x; }",
        "for (i = 0; i < n; i++) { s += narrow(i * 40, v); }",
    ),
    "expressions": (
        "static int at(const int *a, int r, int c) { return a[r * 8 + c]; }",
        "for (i = 0; i < n; i++) for (int j = 0; j < n; j++) s += at(v, i, j) * at(v, j, i);",
    ),
    "a condition calls": (
        "static int at(const int *a, int k) { return a[k] - 9; }",
        "for (i = 0; i < n; i++) { if (at(v, i) > at(v, 2) || !at(v, i)) s += at(v, i + 1); }",
    ),
    "one function calls another": (
        "void one(int *a, int i) { a[i] += i; }\\n"
        "void two(int *a, int i) { int k = i * 2; one(a, i); one(a, k); }",
        "for (i = 0; i < n; i++) { two(v, i); two(w, i + n); }",
    ),
    "old style": (
        "int old(a, x, f) int *a; short x; float f; { a[x] = f * 3; return a[x] + x; }",
        "for (i = 0; i < n; i++) { s += old(v, i, i / 3.0); }",
    ),
    "matrices": (
        "void scale(int m, int a[m][8], int f) { for (int r = 0; r < m; r++)"
        " for (int c = 0; c < 8; c++) a[r][c] *= f; }",
        "for (i = 1; i < 4; i++) { int f = i + 1; scale(n - i, (int (*)[8])v, f); }",
    ),
    "sizes are parameters": (
        "void fill(int m, int k, int *a_) { int (*a)[m][k] = (int (*)[m][k])a_;"
        " for (int r = 0; r < m; r++) for (int c = 0; c < k; c++) (*a)[r][c] += r - c; }",
        "int m = 4; for (i = 1; i < 4; i++) { fill(n, m, v); fill(m, n, w); }",
    ),
    "the size of an array": (
        "int size(int *a) { a[0]++; return (int)sizeof(a); }",
        "for (i = 0; i < n; i++) { s += size(v); }",
    ),
    "a global changes": (
        "int g = 3; void bump(int x, int *a) { g++; a[x] += g + x; }",
        "for (i = 0; i < n; i++) { bump(g, v); bump(i, w); }",
    ),
    "a member is called like a parameter": (
        "struct pair { int x, y; };"
        " int pick(struct pair *p, int x) { p->x += x; return p->y + x; }",
        "struct pair q = {1, 2}; for (i = 0; i < n; i++) { q.y = pick(&q, i); s += q.x; }",
    ),
    "strings and comments": (
        'void say(int i) { /* i */ printf("i is %d\\\\n", i); } // i',
        "for (i = 0; i < n; i++) { say(i + 1); }",
    ),
    "macros": (
        "#define AT(a, i) (a)[(i) + SHIFT]\\n#define SHIFT 1\\n"
        "void shift(int *a, int i) { int k = i; AT(a, k) = AT(a, i + 1) + SHIFT; }",
        "for (i = 0; i < n; i++) { shift(v, i); }",
    ),
    "blocks have variables": (
        "void f(int *a, int m) { if (m > 2) { int t = a[m]; a[m] = a[0]; a[0] = t; }"
        " else { int t = m; a[t] = t; } }",
        "int t = 1; for (i = 0; i < n; i++) { f(v, i + t); t = v[0] % 5; if (t < 0) t = 0; }",
    ),
    "return at the end": (
        "void f(int *a, int m) { a[m]++; return; }\\nint g(int *a) { a[1]--; return a[2]++; }",
        "for (i = 0; i < n; i++) { f(v, i); g(v); }",
    ),
    "without braces": (
        "void f(int *a, int m) { a[m]++; a[m + 1]--; }",
        "for (i = 0; i < n; i++) if (i % 2) f(v, i); else f(w, i);",
    ),
    "pragmas": (
        "void f(int *a, int m) { int k, t;\\n#pragma omp parallel for private(t)\\n"
        "for (k = 0; k < m; k++) { t = k * 2; a[k] += t; } }",
        "for (i = 0; i < n; i++) { f(v, i); f(w, n); }",
    ),
    "conditional compilation": (
        "void f(int *a, int m) {\\n#ifdef __GNUC__\\n a[m]++;\\n#else\\n a[m] = 77;\\n#endif\\n"
        "#if 0\\n a[m] = 5;\\n#elif 1\\n a[m]--; a[m + 1]++;\\n#endif\\n}",
        "for (i = 0; i < n; i++) f(v, i);",
    ),
    "switch": (
        "void f(int *a, int m) { switch (m % 3) { case 0: a[m]++; break; default: a[m]--; } }",
        "for (i = 0; i < n; i++) switch (i % 2) { case 1: f(v, i); break; case 0: f(w, i); }",
    ),
}


@pytest.mark.parametrize("name", sorted(SAME))
def test_the_prepared_text_does_the_same(name: str, tmp_path: Path) -> None:
    definitions, calls = (part.replace("\\n", "\n") for part in SAME[name])
    text = MAIN.replace("DEFINITIONS", definitions).replace("CALLS", calls)
    expected = output(text, tmp_path, "before.c")
    texts = prepared_texts(parse_text(text))
    assert texts
    for number, changed in enumerate(texts):
        assert output(changed, tmp_path, f"after{number}.c") == expected, changed


REFUSED = {
    "recursive": ("int f(int *a, int k) { return k ? a[k] + f(a, k - 1) : 0; }", "it is recursive"),
    "mutual": (
        "int g(int *, int); int f(int *a, int k) { return k ? g(a, k - 1) : 0; }"
        " int g(int *a, int k) { return f(a, k) + a[k]; }",
        "it is recursive",
    ),
    "early": (
        "int f(int *a, int k) { if (k) return a[k]; a[k] = 1; return 0; }",
        "it returns from more places than its end",
    ),
    "static": (
        "int f(int *a, int k) { static int c; return a[k] + c++; }",
        "'c' is static, extern or of one thread",
    ),
    "attribute": (
        "__attribute__((noinline)) int f(int *a, int k) { return a[k]++; }",
        "it has an attribute",
    ),
    "declared with attribute": (
        "int f(int *, int) __attribute__((noinline)); int f(int *a, int k) { return a[k]++; }",
        "it has an attribute",
    ),
    "goto": ("int f(int *a, int k) { goto x; x: return a[k]++; }", "it contains goto stmt"),
    "volatile": (
        "int f(int *a, int k) { volatile int *p = a; return p[k]; }",
        "it accesses volatile memory",
    ),
    "own name": ("int f(int *a, int k) { a[k] = __func__[0]; return 1; }", "it uses its own name"),
    "shadowed": (
        "int n; int f(int *a, int k) { a[k] += n; return 0; }",
        "'n' means something else where it is called",
    ),
    "macro": (
        "\n#define TWICE (2 * k)\nint f(int *a, int k) { a[k] = TWICE; return 0; }",
        "a macro names its variable 'k'",
    ),
    "type": (
        "int f(int *a, int k) { typedef char c; a[k] = (c)k; return 0; }",
        "it declares more than variables",
    ),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_some_calls_stay_calls(name: str) -> None:
    definition, reason = REFUSED[name]
    caller = "int main(void) { int v[9], n = 3; for (int i = 0; i < n; i++) f(v, i); return 0; }"
    assert f"'f' is not inlined: {reason}" in reasons(f"{definition}\n{caller}")


def test_a_macro_that_changes_between_definition_and_call_is_not_moved() -> None:
    text = (_PROGRAMS / "macro_redefined.c").read_text()
    assert reasons(text) == [
        "'f' is not inlined: the macro 'N' may be another one where it is called"
    ]


def test_a_function_declared_behind_the_caller_is_not_brought_in_front_of_it() -> None:
    text = (_PROGRAMS / "declared_after.c").read_text()
    assert reasons(text) == [
        "'f' is not inlined: 'h' is declared behind the place where it is called"
    ]


def test_restrict_is_a_promise_for_one_call_only() -> None:
    text = (_PROGRAMS / "restrict_once.c").read_text()
    assert "restrict" not in prepared(text)


def test_plain_arguments_take_the_place_of_parameters() -> None:
    text = (_PROGRAMS / "plain_arguments.c").read_text()
    assert "for (int i = 0; i < m; i++) x[i] = y[i];" in prepared(text)


def test_the_number_of_threads_is_set_once() -> None:
    text = (_PROGRAMS / "threads_set.c").read_text()
    result = prepared(text)
    assert "if (2 < m) omp_set_num_threads(threads);" in result
    assert result.count("omp_set_num_threads") == 1


@pytest.mark.parametrize(
    "inside",
    [
        "x[0] = omp_get_max_threads(); omp_set_num_threads(threads);",
        "omp_set_num_threads(threads); threads++;",
        "omp_set_num_threads(threads); unknown();",
        "if (t) omp_set_num_threads(threads);",
        "omp_set_num_threads(t);",
        "omp_set_num_threads(threads); y[t] = 3;",
        "omp_set_num_threads(threads); omp_set_num_threads(2);",
    ],
)
def test_the_number_of_threads_stays_where_that_could_be_seen(inside: str) -> None:
    text = f"""
    #include <omp.h>
    int threads;
    void unknown(void);
    void g(int m, double *x, int *y) {{
        for (int t = 2; t < m; t++) {{ {inside} }}
    }}
    """
    assert prepared_texts(parse_text(text)) == []
