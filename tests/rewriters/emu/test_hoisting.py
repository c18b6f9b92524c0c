"""Types, macros and declarations of a function are known where its threads' functions stand."""

from pathlib import Path
from subprocess import run

import pytest

from s2s.source.diagnostics import UserError
from s2s.targets.emu.options import STEPS
from tests.rewriters.emu.emitted import NONE, emitted, plain, text

PROGRAMS = {
    "macros that change within a function": r"""
#define K 5
long g(void) { return K; }
int main(void)
{
#undef K
#define K 6
    long *a = calloc(50, sizeof(long));
#pragma omp parallel for
    for (long i = 0; i < 50; i++) {
#define T (K + 1)
        a[i] += K + T;
    }
#undef T
#define T 99
    printf("%ld %ld %d\n", a[7], g(), T);
    return 0;
}
""",
    "records of all kinds": r"""
int main(void)
{
    union u { long l; double d; } *x = malloc(100 * sizeof *x);
    struct { long a, b; } p = { 3, 4 };
    typedef struct { union u w; struct in { int q[3]; } z; } deep;
    deep *y = calloc(100, sizeof(deep));
    struct bits { unsigned a : 3, b : 5; } *f = calloc(100, sizeof *f);
#pragma omp parallel for
    for (long v = 0; v < 100; v++) { x[v].l = v + p.a; y[v].w.l = p.b; y[v].z.q[2] = v; f[v].b = v; 
       struct in loc = { {1,2,3} }; y[v].z.q[1] = loc.q[1] + (int)sizeof(deep); }
    printf("%ld %ld %d %d %u\n", x[3].l, y[5].w.l, y[7].z.q[2], y[7].z.q[1], f[70].b);
    return 0;
}
""",
    "names used twice": r"""
static long sq(long x) { return x * x; }
struct edge { double other; };
static long first(long n)
{
    enum { N = 7, M };
    typedef long word;
    word *a = calloc(n, sizeof(word));
#pragma omp parallel for
    for (long i = 0; i < n; i++) a[i] = N + M;
    word r = a[0];
    free(a);
    return r;
}
static long second(long n)
{
    enum { N = 9, M = 20 };
    typedef int word;
    struct edge { long to; };
    struct edge *e = calloc(n, sizeof(struct edge));
    word *a = calloc(n, sizeof(word));
    long (*fn)(long) = sq;
    static long count;
    long late(long);
#pragma omp parallel for
    for (long i = 0; i < n; i++) { a[i] = N + M; e[i].to = fn(i) + late(i); if (i == 3) count = 5; }
    long r = a[0] + e[3].to + count;
    free(a); free(e);
    return r;
}
long late(long x) { return x + 1; }
int main(void)
{
    struct edge z = { 1.5 };
    printf("%ld %ld %g\n", first(10), second(10), z.other);
    return 0;
}
""",
    "pointers and arrays": r"""
typedef double real;
typedef real vec[3];
int main(void)
{
    const long n = 40;
    vec *a = calloc(n, sizeof(vec)), w = { 1, 2, 3 };
    real s = 0;
    const real *restrict r = w;
    int (*table[2])(int) = { abs, abs };
    int (*(*tt))(int) = table;
    const char *const names[] = { "ab", "cde" };
    long m[4][5];
#pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) { for (int k = 0; k < 3; k++) a[i][k] = r[k] * i + tt[1](-k);
      s += a[i][2] + w[1] + names[i & 1][0];
      s += ((int[]){1, 2, 3})[i % 3];
      m[i % 4][i % 5] = 3; }
    printf("%g %g %ld\n", (double)s, (double)a[7][1], m[2][2]);
    return 0;
}
""",
    "types of a block": r"""
int main(void)
{
    long n = 30;
    long (*A)[30] = malloc(n * sizeof *A);
    for (long t = 0; t < 2; t++) {
        struct cell { long v; };
        struct cell *c = calloc(n, sizeof *c);
#pragma omp parallel for
        for (long i = 0; i < n; i++) { struct cell k = { i }; c[i] = k;
            for (long j = 0; j < n; j++) A[i][j] = j; }
        printf("%ld %ld %s\n", c[4].v, A[3][2], "x");
        free(c);
    }
    return 0;
}
""",
    "shadowed names": r"""
int main(void)
{
    long n = 30, x = 2, *a = calloc(n, 8);
    {
        double x = 3;
#pragma omp parallel for
        for (long i = 0; i < n; i++) { 
            static const long add = 4;
            long x2 = x + add; { long x = 7; a[i] += x; }
            a[i] += x2;
#ifdef FAST
            a[i] = -1;
#else
            a[i] += 1;
#endif
            switch (i % 3) { case 0: a[i]++; break; default: a[i] += 2; }
#pragma omp parallel for
            for (int j = 0; j < 3; j++) a[i] += 0;
        }
    }
    printf("%ld %ld\n", a[4], x);
    printf("%s\n", "x");
    return 0;
}
""",
    "functions by pointer": r"""
int main(void)
{
    long n = 30, *a = calloc(n, 8);
    long (*fn)(long) = labs, (*sums[2])(long) = { labs, labs };
    struct p { long x, y; } q = { 1, 2 }, *pq = &q;
    void *any = a;
    volatile long vol = 3;
    _Bool on = 1;
    unsigned char c = 7;
#pragma omp parallel for
    for (long i = 0; i < n; i++) { if (i == 2) { fn = labs; }
        if (i == 5) { q.x = 9; pq->y = 3; sums[0] = labs; }
      ((long *)any)[i] = i + vol + on + c;  }
    printf("%ld %ld %ld\n", a[4], q.x + q.y, fn(-4) + sums[0](-3));
    return 0;
}
""",
    "enumerations and macros": r"""
#define FOR(i, n) for (long i = 0; i < (n); i++)
#define BODY(i) a[i] += 2 * (i)
enum color { RED, BLUE };
typedef struct node node;
struct node { enum color c; node *next; };
static long work(long n)
{
    long *a = calloc(n, 8), s = 0;
    enum color mine = BLUE;
    enum local { L1 = 4, L2 } l = L2;
    node *e = calloc(n, sizeof *e);
#pragma omp parallel for reduction(+:s)
    for (long i = 0; i < n; i++) {
        BODY(i);
        FOR(k, 3) a[i] += k;
        e[i].c = mine;
        if (l == L2 && e[i].c == BLUE) s += a[i] + L1;
    }
#pragma omp parallel
    {
#pragma omp for
        for (long i = 0; i < n; i++) { struct t { enum local z; } q = { L1 }; a[i] += q.z; s += 0; }
    }
    long t = s + a[n - 1];
    free(e); free(a);
    return t;
}
int main(void)
{
    enum { A, B } x = B;
    long n = 9, *b = calloc(n, 8);
#define SIZE 9
#if SIZE > 4
#define V(i) (i) + 1
#else
#define V(i) 0
#endif
#pragma omp parallel for
    for (long i = 0; i < SIZE; ++i) { b[i] = x + A + V(i); }
#undef SIZE
#undef V
#pragma omp parallel for
    for (long i = 0; i < n; ++i) { long SIZE = 3, V = 2; b[i] += SIZE + V; }
    printf("%ld %ld\n", work(12), b[4]);
    return 0;
}
""",
}
HEADERS = "#include <stdio.h>\n#include <stdlib.h>\n"


@pytest.mark.parametrize("steps", [NONE, STEPS])
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_those_of_the_source(name: str, steps: tuple[str, ...], tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(HEADERS + PROGRAMS[name])
    wanted = run([plain(source)], capture_output=True, text=True).stdout
    assert wanted and emitted(source, (), steps).run(timeout=60).stdout == wanted


REFUSED = [
    ("typedef long row[n]; row *m = malloc(n * sizeof(row));", "m[i][0] = 0;", 4,
     "a type that depends on the variable 'n'"),
    ("long (*m)[n] = malloc(n * sizeof *m);", "m[i][0] = 0;", 5, "rows of a length that varies"),
    ("struct edge { long to; } *x = malloc(80);", "x[0].to = edge(i);", 4, "'edge'"),
    ("", "puts(__func__);", 5, "'__func__' in a parallel loop"),
]  # fmt: skip


@pytest.mark.parametrize("declared, body, line, reason", REFUSED)
def test_what_cannot_move_is_refused(
    declared: str, body: str, line: int, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "program.c"
    loop = f"#pragma omp parallel for\nfor (long i = 0; i < n; i++) {{ {body} }}"
    first = f"{HEADERS}long edge(long i);\nvoid f(long n) {{ {declared}\n"
    path.write_text(f"{first}{loop}\n}}\nint main(void) {{ f(3); return 0; }}\n")
    with pytest.raises(UserError, match=reason) as caught:
        text(path)
    location = caught.value.diagnostics[0].location
    assert location is not None and location.line >= line


def test_types_that_no_parallel_loop_needs_stay(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    own = "    struct own { long x; } mine = { 1 };\n    enum { K = 3 };\n"
    loop = "#pragma omp parallel for\n    for (long i = 0; i < n; i++) a[i] = i;\n"
    path.write_text(
        f"{HEADERS}long f(long n, long *a)\n{{\n{own}{loop}    return mine.x + K;\n}}\n"
    )
    assert own in text(path).decode()
