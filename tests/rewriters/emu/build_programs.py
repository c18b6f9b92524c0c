"""Random loops that put things into vertices: some that may be put off, some that must not be."""

import random
from pathlib import Path

_HERE = Path(__file__).parent

HEAD = (_HERE / "build_programs.c").read_text()

OWN = (
    "add(u, v, e % 10);", "add(v, u, a + e);", "mark(u, e);", "mark(v, a - b + 50);",
    "add(vs[src[e]], vs[dst[e]], src[e]);", "swap(u);", "u->mark += 2 * u->size;",
    "if (u->size > 2) { u->size--; u->mark ^= 3; }", "v->mark = v->mark * 3 % 1009 + e;",
    "for (long k = 0; k < v->size; k++) v->weight[k] += k;",
    "if (e % 3) mark(v, e); else add(u, v, 1);", "{ const long w = last(u); u->mark += w; }",
    "mark(u, dst[e] + e);",
)  # fmt: skip
OTHER = (
    "reach(u);", "count(v);", "s += last(u);", "if (u->size > 4) a = b;", "all += u->mark;",
    "dst[e] = u->size % n;", "u->to = v->to ? v->to : u->to;", "spread(u, e);", "mark(u, all++);",
)  # fmt: skip


def program(seed: int) -> str:
    choose = random.Random(seed)
    body = choose.choices(OWN, k=choose.randrange(1, 5))
    if choose.random() < 0.4:
        body.insert(choose.randrange(len(body) + 1), choose.choice(OTHER))
    if choose.random() < 0.3:
        body.insert(
            choose.randrange(len(body) + 1), choose.choice(("a = b;", "if (a == b) continue;"))
        )
    lists = "one" if choose.random() < 0.5 else "calloc(4, sizeof(long))"
    lines = "\n        ".join(body)
    return f"""{HEAD}
int main(void)
{{
    long m = {choose.choice((3, 60, 400))}, s = 0, *one = calloc(4, sizeof(long));
    vs = malloc(n * sizeof(struct vertex *));
    src = malloc(m * sizeof(long));
    dst = malloc(m * sizeof(long));
    for (long i = 0; i < n; i++) {{
        vs[i] = calloc(1, sizeof(struct vertex));
        vs[i]->shared = {lists};
    }}
    for (long e = 0; e < m; e++) {{
        src[e] = e * 7 % n;
        dst[e] = e * e % n;
    }}
    for (long e = 0; e < m; e++) {{
        long a = src[e], b = dst[e];
        struct vertex *u = vs[a], *v = vs[b];
        {lines}
    }}
#pragma omp parallel for reduction(+ : s)
    for (long i = 0; i < n; i++) {{
        struct vertex *v = vs[i];
        s += v->mark + v->shared[i % 4];
        for (long k = 0; k < v->size; k++)
            s += v->weight[k] * (k + 1) + v->to[k]->mark;
    }}
    for (long i = 0; i < n; i++)
        printf("%ld %ld\\n", vs[i]->size, vs[i]->mark);
    printf("%ld %ld\\n", s, all);
    return 0;
}}
"""
