"""Programs without a race that one change of the text gives one.

Each case is the program, the text that is replaced, what it is replaced by, and the variable that
then races.
"""

from __future__ import annotations

Case = tuple[str, str, str, str]


def parallel(code: str, declarations: str = "int x, y, k; double s, v[500], w[500];") -> str:
    """A function with local variables around some code."""
    return f"""
#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{{
    {declarations}
{code}
    use(v, w, x + y + k, s);
}}
"""


CASES: dict[str, Case] = {
    "temporary": (
        parallel("#pragma omp parallel for private(s)\n"
                 "for (int i = 0; i < n; i++) { s = p[i] * 2; while (p[i] < s) p[i] += 1; }"),
        "private(s)", "shared(s)", "s"),
    "inner iterator": (
        parallel("#pragma omp parallel for private(k)\n"
                 "for (int i = 0; i < n; i++) for (k = 0; k < 9; k++) p[9 * i + k] = k;"),
        "private(k)", "", "k"),
    "iterator of a loop that all execute": (
        parallel("#pragma omp parallel\n{ int t = omp_get_thread_num();\n"
                 "for (int k = 0; k < 9; k++) p[9 * t + k] = k; }"),
        "for (int k", "for (k", "k"),
    "static local": (
        parallel("#pragma omp parallel\n{ int t; t = omp_get_thread_num(); p[t] = t; }"),
        "{ int t;", "{ static int t;", "t"),
    "sections": (
        parallel("#pragma omp parallel sections\n{\n#pragma omp section\nx = 1;\n"
                 "#pragma omp section\ny = 2;\n}"),
        "y = 2", "x = 2", "x"),
    "first section without its directive": (
        parallel("#pragma omp parallel sections\n{\nv[3] = 1;\n#pragma omp section\nv[4] = 2;\n}"),
        "v[4]", "v[3]", "v"),
    "private in sections": (
        parallel("#pragma omp parallel sections lastprivate(x)\n{\n#pragma omp section\nx = 1;\n"
                 "#pragma omp section\nx = 2;\n}"),
        "lastprivate(x)", "", "x"),
    "master": (
        parallel("#pragma omp parallel\n{\n#pragma omp master\nx = 1;\n#pragma omp barrier\n"
                 "v[omp_get_thread_num()] = x;\n}"),
        "#pragma omp barrier", "", "x"),
    "two masters": (
        parallel("#pragma omp parallel\n{\n#pragma omp master\nx = 1;\n"
                 "#pragma omp master\nx += 2;\n}"),
        "#pragma omp master\nx += 2", "#pragma omp single nowait\nx += 2", "x"),
    "thread 0": (
        parallel("#pragma omp parallel private(y)\n{ int t = omp_get_thread_num();\n"
                 "if (t == 0) x = 1; else y = 2; }"),
        "y = 2", "y = x", "x"),
    "single": (
        parallel("#pragma omp parallel private(y)\n{\n#pragma omp single\nx = 1;\ny = x;\n}"),
        "single", "single nowait", "x"),
    "two singles": (
        parallel("#pragma omp parallel\n{\n#pragma omp single\nx = 1;\n"
                 "#pragma omp single\nx += 1;\n}"),
        "#pragma omp single\nx = 1", "#pragma omp single nowait\nx = 1", "x"),
    "single in a loop": (
        parallel("#pragma omp parallel\nfor (int r = 0; r < 3; r++) {\n"
                 "#pragma omp single\nx += 1;\n}"),
        "single", "single nowait", "x"),
    "what every thread writes": (
        parallel("#pragma omp parallel\n{ int t = omp_get_thread_num(); v[t] = 1; }"),
        "v[t]", "v[4]", "v"),
    "neighbours of threads": (
        parallel("#pragma omp parallel\n{ int t = omp_get_thread_num(); v[t] = t;\n"
                 "#pragma omp barrier\nw[t] = v[t + 1]; }"),
        "#pragma omp barrier", "", "v"),
    "one thread": (
        parallel("#pragma omp parallel num_threads(1)\nx += 1;"), "num_threads(1)", "", "x"),
    "never parallel": (
        parallel("#pragma omp parallel if(0)\nx += 1;"), "if(0)", "if(n > 100)", "x"),
    "loops with and without a barrier": (
        parallel("#pragma omp parallel\n{\n#pragma omp for\n"
                 "for (int i = 0; i < n; i++) p[i] = i;\n"
                 "#pragma omp for\nfor (int i = 1; i < n; i++) q[i] = p[i];\n}"),
        "#pragma omp for\nfor (int i = 0", "#pragma omp for nowait\nfor (int i = 0", "p"),
    "equal static loops": (
        parallel("#pragma omp parallel\n{\n#pragma omp for nowait schedule(static)\n"
                 "for (int i = 0; i < n; i++) p[i] = i;\n"
                 "#pragma omp for schedule(static)\nfor (int i = 0; i < n; i++) q[i] = p[i];\n}"),
        "for schedule(static)", "for schedule(dynamic)", "p"),
    "barrier in a loop of time steps": (
        parallel("#pragma omp parallel\nfor (int t = 0; t < 8; t++) {\n#pragma omp for nowait\n"
                 "for (int i = 1; i < n; i++) q[i] = p[i - 1];\n#pragma omp barrier\n"
                 "#pragma omp for\nfor (int i = 1; i < n; i++) p[i] = q[i];\n}"),
        "#pragma omp for\nfor (int i = 1; i < n; i++) p",
        "#pragma omp for nowait\nfor (int i = 1; i < n; i++) p", "p"),
    "reduction": (
        parallel("#pragma omp parallel for reduction(+:s)\nfor (int i = 0; i < n; i++) s += p[i];"),
        "reduction(+:s)", "", "s"),
    "result of a reduction": (
        parallel("#pragma omp parallel\n{\n#pragma omp for reduction(+:s)\n"
                 "for (int i = 0; i < n; i++) s += p[i];\nw[omp_get_thread_num()] = s;\n}"),
        "for reduction(+:s)", "for nowait reduction(+:s)", "s"),
    "start of a reduction": (
        parallel("#pragma omp parallel\n{\n#pragma omp master\ns = 0;\n#pragma omp barrier\n"
                 "#pragma omp for reduction(+:s)\nfor (int i = 0; i < n; i++) s += p[i];\n}"),
        "#pragma omp barrier", "", "s"),
    "lastprivate": (
        parallel("#pragma omp parallel for lastprivate(x)\nfor (int i = 0; i < n; i++) x = i;"),
        "lastprivate(x)", "", "x"),
    "count where the data asks for it": (
        parallel("#pragma omp parallel for reduction(+:k)\n"
                 "for (int i = 0; i < n; i++) if (p[i] > 0.5) k++;"),
        "reduction(+:k)", "", "k"),
    "critical": (
        parallel("#pragma omp parallel sections\n{\n#pragma omp section\n{\n"
                 "#pragma omp critical(a)\n"
                 "x += 1;\n}\n#pragma omp section\n{\n#pragma omp critical(a)\nx += 2;\n}\n}"),
        "critical(a)\nx += 2", "critical(b)\nx += 2", "x"),
    "critical and none": (
        parallel("#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n#pragma omp critical\n"
                 "x += 1;"),
        "#pragma omp critical\n", "", "x"),
    "atomic": (
        parallel("#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n#pragma omp atomic\n"
                 "x += 1;\n}"),
        "#pragma omp atomic\n", "", "x"),
    "atomic and plain": (
        parallel("#pragma omp parallel private(y)\n{\n#pragma omp atomic\nx += 1;\n"
                 "#pragma omp atomic read\ny = x;\n}"),
        "#pragma omp atomic read\n", "", "x"),
    "lock": (
        parallel("omp_init_lock(&l);\n#pragma omp parallel\n{\nomp_set_lock(&l);\nx += 1;\n"
                 "omp_unset_lock(&l);\n}", "omp_lock_t l, m; int x = 0, y = 0, k = 0;"
                 " double s = 0, v[9], w[9];"),
        "x += 1;\nomp_unset_lock(&l);", "omp_unset_lock(&l);\nx += 1;", "x"),
    "two locks": (
        parallel("#pragma omp parallel sections\n{\n#pragma omp section\n{ omp_set_lock(&l);"
                 " x += 1;"
                 " omp_unset_lock(&l); }\n#pragma omp section\n{ omp_set_lock(&l); x += 2;"
                 " omp_unset_lock(&l); }\n}", "static omp_lock_t l, m; int x = 0, y = 0, k = 0;"
                 " double s = 0, v[9], w[9];"),
        "omp_set_lock(&l); x += 2; omp_unset_lock(&l)",
        "omp_set_lock(&m); x += 2; omp_unset_lock(&m)", "x"),
    "ordered": (
        parallel("#pragma omp parallel for ordered\nfor (int i = 0; i < n; i++) {\n"
                 "#pragma omp ordered\nx += i;\n}"),
        "#pragma omp ordered\n", "", "x"),
    "simd": (
        parallel("#pragma omp simd\nfor (int i = 0; i < n; i++) p[i] = p[i + 1] + 1;"),
        "p[i] = p[i + 1]", "p[i + 1] = p[i]", "p"),
    "simd in the order of the text": (
        parallel("#pragma omp simd\nfor (int i = 1; i < n; i++) { p[i] = i; q[i] = p[i - 1]; }"),
        "p[i] = i; q[i] = p[i - 1];", "q[i] = p[i - 1]; p[i] = i;", "p"),
    "simd with a length": (
        parallel("#pragma omp simd safelen(4)\nfor (int i = 4; i < n; i++) p[i] = p[i - 4];"),
        "safelen(4)", "safelen(5)", "p"),
    "simd with a private variable": (
        parallel("#pragma omp simd private(s)\n"
                 "for (int i = 0; i < n; i++) { s = p[i]; q[i] = s; }"),
        "private(s)", "", "s"),
    "simd with a linear variable": (
        parallel("#pragma omp simd linear(k)\nfor (int i = 0; i < n; i++) { p[k] = i; k++; }"),
        "linear(k)", "", "k"),
    "row": (
        parallel("#pragma omp parallel for\nfor (int i = 1; i < 20; i++)\n"
                 "for (int j = 1; j < 30; j++) g[i][j] = g[i][j - 1];",
                 "static double g[20][30]; int x = 0, y = 0, k = 0; double s = 0, v[9], w[9];"),
        "int j = 1", "int j = 0", "g"),
    "row of a variable length": (
        parallel("double g[n][n];\n#pragma omp parallel for\nfor (int i = 0; i < n - 1; i++)\n"
                 "for (int j = 0; j < n - 1; j++) g[i][j + 1] = g[i][j];\nuse(g[0], w, 0, 0);"),
        "j < n - 1", "j < n", "g"),
    "flat matrix": (
        parallel("#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n"
                 "for (int j = 0; j < n; j++) p[i * n + j] = j;"),
        "j < n;", "j <= n;", "p"),
    "collapse": (
        parallel("#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n"
                 "for (int j = 1; j < n; j++) p[i * n + j] = p[i * n + j - 1];"),
        "parallel for", "parallel for collapse(2)", "p"),
    "loop that ends early": (
        parallel("#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n"
                 "for (int j = 0; j < n; j++) {\nif (j == 1) break;\n"
                 "p[4 * i + j] = j;\n}"),
        "if (j == 1) break;\n", "", "p"),
    "stride": (
        parallel("#pragma omp parallel for\nfor (int i = 0; i < n; i += 2) p[i] = p[i + 1];"),
        "i += 2", "i += 1", "p"),
    "halves": (
        parallel("#pragma omp parallel for\nfor (int i = 0; i < n; i++) p[i] = p[i + n];"),
        "p[i + n]", "p[n - 1 - i]", "p"),
    "quotient": (
        parallel("#pragma omp parallel for\nfor (int i = 0; i < n; i++) v[i % 500] = i;").replace(
            "i < n", "i < 400"),
        "i % 500", "i / 2", "v"),
    "threads that share out by their numbers": (
        parallel("#pragma omp parallel\n"
                 "{ int t = omp_get_thread_num(), c = omp_get_num_threads();\n"
                 "for (int i = t; i < n; i += c) p[i] = i; }"),
        "int i = t", "int i = 0", "p"),
    "constant table": (
        parallel("#pragma omp parallel for\nfor (int i = 0; i < 6; i++) p[t[i]] += 1;",
                 "static const int t[6] = {4, 8, 15, 16, 23, 42}; int x = 0, y = 0, k = 0;"
                 " double s = 0, v[9], w[9];"),
        "23, 42", "15, 42", "p"),
    "two pointers into one array": (
        parallel("double *lo = v, *hi = v + 50;\n#pragma omp parallel for\n"
                 "for (int i = 0; i < 50; i++) { lo[i] = i; hi[i] = i; }"),
        "v + 50", "v + 49", "v"),
    "tasks": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task\nx = 1;\n"
                 "#pragma omp taskwait\n#pragma omp task\nx = 2;\n}"),
        "#pragma omp taskwait", "", "x"),
    "task and the one that spawns it": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task shared(x)\nx = 1;\n"
                 "#pragma omp taskwait\ny = x;\n}"),
        "#pragma omp taskwait", "", "x"),
    "task group": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp taskgroup\n{\n"
                 "#pragma omp task shared(x)\n{\n"
                 "#pragma omp task shared(x)\nx = 1;\n}\n}\ny = x;\n}"),
        "#pragma omp taskgroup", "", "x"),
    "only children are waited for": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task shared(x)\n{\n"
                 "#pragma omp task shared(x)\nx = 1;\n#pragma omp taskwait\n}\n"
                 "#pragma omp taskwait\ny = x;\n}"),
        "x = 1;\n#pragma omp taskwait", "x = 1;", "x"),
    "tags": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task depend(out: x)\n"
                 "x = 1;\n#pragma omp task depend(in: x)\ny = x;\n}"),
        "task depend(in: x)", "task depend(in: k)", "x"),
    "tags of a chain": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task depend(out: x)\n"
                 "s = 1;\n#pragma omp task depend(in: x) depend(out: y)\n;\n"
                 "#pragma omp task depend(in: y)\ns += 2;\n}"),
        "depend(in: x) depend(out: y)", "depend(in: x) depend(in: y)", "s"),
    "tags of both kinds of reading": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task depend(inout: x)\n"
                 "k = 1;\n#pragma omp task depend(inout: x)\nk += x;\n}"),
        "depend(inout: x)\nk", "depend(in: x)\nk", "k"),
    "exclusive tags": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n"
                 "#pragma omp task depend(mutexinoutset: x)\nx += 1;\n"
                 "#pragma omp task depend(mutexinoutset: x)\nx += 2;\n}"),
        "depend(mutexinoutset: x)\nx += 2", "depend(in: y)\nx += 2", "x"),
    "tags of no siblings": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task shared(x)\n{\n"
                 "#pragma omp task shared(x) depend(out: x)\nx = 1;\n#pragma omp taskwait\n}\n"
                 "#pragma omp taskwait\n#pragma omp task shared(x)\n{\n"
                 "#pragma omp task shared(x) depend(out: x)\nx = 2;\n}\n}"),
        "#pragma omp taskwait\n#pragma omp task", "#pragma omp task", "x"),
    "undeferred task": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task shared(x) if(0)\n"
                 "x = 1;\ny = x;\n}"),
        "if(0)", "", "x"),
    "tasks of a loop": (
        parallel("#pragma omp parallel\n#pragma omp single\nfor (int i = 0; i < n; i++) {\n"
                 "#pragma omp task\np[i] = p[i + n];\n}"),
        "p[i + n]", "p[i + 1]", "p"),
    "copies of a task": (
        parallel("#pragma omp parallel\n#pragma omp single\n{ int c = 1;\n#pragma omp task\n"
                 "p[c] = c;\nc = 2;\n#pragma omp taskwait\n}"),
        "#pragma omp task\n", "#pragma omp task shared(c)\n", "c"),
    "taskloop": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp taskloop\n"
                 "for (int i = 0; i < n; i++) p[i] = i;\np[0] = 2;\n}"),
        "taskloop", "taskloop nogroup", "p"),
    "taskloop with a shared iterator": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp taskloop private(k)\n"
                 "for (int i = 0; i < n; i++) for (k = 0; k < 4; k++) p[4 * i + k] = k;\n}"),
        "private(k)", "", "k"),
    "taskwait with a tag": (
        parallel("#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task depend(out: x)\n"
                 "x = 1;\n#pragma omp taskwait depend(in: x)\ny = x;\n}"),
        "depend(in: x)", "depend(in: k)", "x"),
    "target": (
        parallel("#pragma omp target map(tofrom: p[0:n])\n#pragma omp parallel for\n"
                 "for (int i = 0; i < n; i++) p[i] = p[i + n];"),
        "p[i + n]", "p[i + 1]", "p"),
    "league": (
        parallel("#pragma omp target teams distribute parallel for reduction(+:x)\n"
                 "for (int i = 0; i < n; i++) x += 1;"),
        "reduction(+:x)", "map(tofrom: x)", "x"),
    "teams share no locks": (
        parallel("#pragma omp target teams distribute parallel for map(tofrom: x) num_teams(1)\n"
                 "for (int i = 0; i < n; i++) {\n#pragma omp critical\nx += 1;\n}"),
        "num_teams(1)", "", "x"),
    "teams": (
        parallel("#pragma omp target teams num_teams(1) map(tofrom: v)\nv[5] += 1;"),
        "num_teams(1)", "num_teams(4)", "v"),
    "threads of a team": (
        parallel("#pragma omp target teams distribute\nfor (int i = 0; i < n; i++) {\n"
                 "#pragma omp parallel for\nfor (int j = 0; j < n; j++) p[i * n + j] = 1;\n}"),
        "p[i * n + j]", "p[i * n]", "p"),
    "loop of a league": (
        parallel("#pragma omp target teams loop map(tofrom: p[0:n])\n"
                 "for (int i = 0; i < n; i++) p[i] = i;"),
        "p[i] = i", "p[i] = p[i + 1]", "p"),
    "lanes of a league": (
        parallel("#pragma omp target teams distribute simd map(tofrom: p[0:n])\n"
                 "for (int i = 0; i < n; i++) p[2 * i] = p[2 * i + 1];"),
        "2 * i + 1", "i + 1", "p"),
    "smaller of two bounds": (
        "static int least(int a, int b) { return a < b ? a : b; }\n" +
        parallel("#pragma omp parallel for\nfor (int i = 0; i < 90; i += 4)\n"
                 "for (int j = i; j < least(i + 4, 90); j++) p[j] = i;"),
        "i + 4, 90", "i + 5, 90", "p"),
    "a lane's own value": (
        parallel("#pragma omp simd\nfor (int i = 0; i < n; i++) { int c = at[i]; q[i] = p[c];"
                 " p[c] = i; }"),
        "q[i] = p[c]; p[c] = i;", "q[i] = p[i]; p[i + 1] = i;", "p"),
    "copies of a private value": (
        parallel("#pragma omp parallel firstprivate(x)\n{ x += omp_get_thread_num(); p[x] = 1; }"
                 .replace("p[x] = 1; ", "")),
        "firstprivate(x)", "", "x"),
}  # fmt: skip

CALLED = """
static int total;
static void add(int *sum, int value) { *sum += value; }
static void fill(double *to, int from, int end)
{
    for (int k = from; k < end; k++)
        to[k] = k;
}
static void note(void)
{
    #pragma omp critical
    total++;
}
void f(int n, double *p)
{
    int sum = 0;
#pragma omp parallel
    {
        int own = 0;
        add(&own, 1);
        note();
#pragma omp for
        for (int i = 0; i < n; i++)
            fill(p, 8 * i, 8 * i + 8);
    }
}
"""

CASES["by a call"] = (CALLED, "add(&own, 1)", "add(&sum, 1)", "sum")
CASES["by a call to what holds a construct"] = (CALLED, "#pragma omp critical", "", "total")
CASES["elements by a call"] = (CALLED, "8 * i + 8", "8 * i + 9", "p")
CASES["threadprivate"] = (
    """
int mine, other;
#pragma omp threadprivate(mine)
void f(void)
{
#pragma omp parallel
    mine = mine + 1;
}
""",
    "threadprivate(mine)", "threadprivate(other)", "mine")  # fmt: skip
CASES["allocated memory"] = (
    """
#include <stdlib.h>
void f(void)
{
#pragma omp parallel
    {
        int *c = malloc(sizeof *c);
        *c = 1;
        free(c);
    }
}
""",
    "#pragma omp parallel\n    {\n        int *c = malloc(sizeof *c);",
    "int *c = malloc(sizeof *c);\n#pragma omp parallel\n    {", "c")  # fmt: skip
CASES["field"] = (
    """
struct pair { int a, b; } shared;
void f(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        shared.a = 1;
#pragma omp section
        shared.b = 2;
    }
}
""",
    "shared.b", "shared.a", "shared")  # fmt: skip
CASES["recursive tasks"] = (
    """
int fib(int n)
{
    int a, b;
    if (n < 2) return n;
#pragma omp task shared(a)
    a = fib(n - 1);
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
int f(int n)
{
    int result;
#pragma omp parallel
#pragma omp single
    result = fib(n);
    return result;
}
""",
    "#pragma omp taskwait", "", "a")  # fmt: skip
