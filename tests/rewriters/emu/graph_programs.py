"""Random programs over graphs as people write them: lists, rows, matrices, pairs, queues."""

import random

READ = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static @int n; static long m;
static @int *src, *dst; static long *wgt;
static void read_edges(const char *path)
{
    long a, b, c;
    FILE *f = fopen(path, "r");
    if (!f || fscanf(f, "%ld %ld", &a, &m) != 2) exit(1);
    n = a;
    src = malloc((m + 1) * sizeof *src); dst = malloc((m + 1) * sizeof *dst);
    wgt = malloc((m + 1) * sizeof *wgt);
    for (long e = 0; e < m; e++) {
        if (fscanf(f, "%ld %ld %ld", &a, &b, &c) != 3) exit(1);
        src[e] = a; dst[e] = b; wgt[e] = c;
    }
    fclose(f);
}
"""

ROWS = """static @int *row, *nbr, *back, *pre; static long *val, *bval;
static void build(void)
{
    row = calloc(n + @more, sizeof *row); back = calloc(n + @more, sizeof *back);
    nbr = malloc((m + 1) * sizeof *nbr); pre = malloc((m + 1) * sizeof *pre);
    val = malloc((m + 1) * sizeof *val); bval = malloc((m + 1) * sizeof *bval);
    @int *at = malloc((n + 1) * sizeof *at), *bat = malloc((n + 1) * sizeof *bat);
    for (long e = 0; e < m; e++) { row[src[e] + 1]++; back[dst[e] + 1]++; }
    for (@int i = 0; i < n; i++) { row[i + 1] += row[i]; back[i + 1] += back[i]; }
    for (@int i = 0; i < n; i++) { at[i] = row[i]; bat[i] = back[i]; }
    for (long e = 0; e < m; e++) {
        @int k = at[src[e]]++, j = bat[dst[e]]++;
        nbr[k] = dst[e]; val[k] = wgt[e]; pre[j] = src[e]; bval[j] = wgt[e];
    }
    free(at); free(bat);
}
"""

STRUCTS = """struct vertex { @int to_count, room; @int *to; long *w; long mark; };
static struct vertex *@star vs;
static void add(struct vertex *u, @int v, long w)
{
    if (u->to_count == u->room) {
        u->room = u->room ? 2 * u->room : 4;
        u->to = realloc(u->to, u->room * sizeof *u->to);
        u->w = realloc(u->w, u->room * sizeof *u->w);
    }
    u->to[u->to_count] = v; u->w[u->to_count++] = w;
}
static void build(void)
{
@allocate
    for (long e = 0; e < m; e++) add(@addsrc, dst[e], wgt[e]);
}
"""

MATRIX = """static @cell *adj;
static void build(void)
{
    adj = calloc((long)n * n, sizeof *adj);
    for (long e = 0; e < m; e++) adj[(long)src[e] * n + dst[e]] = 1;
}
"""


class Form:
    """A representation of edges: loops over the edges of a vertex, forwards and backwards."""

    def __init__(self, name: str, choose: random.Random) -> None:
        self.name, self.int = name, choose.choice(("long", "int"))
        self.head = READ
        if name == "rows":
            self.head += ROWS.replace("@more", choose.choice(("1", "2", "5")))
        elif name == "matrix":
            self.head += MATRIX.replace("@cell", choose.choice(("char", "int", "_Bool")))
        elif name == "structs":
            self.head += self._structs(choose)
        else:
            self.head += "static void build(void) {}\n"
        self.head = self.head.replace("@int", self.int)

    def _structs(self, choose: random.Random) -> str:
        one = "    vs = malloc(n * sizeof *vs);\n    for (@int i = 0; i < n; i++)\n        "
        if choose.random() < 0.5:
            each = one + "vs[i] = calloc(1, sizeof *vs[i]);"
            text = STRUCTS.replace("@allocate", each).replace("@addsrc", "vs[src[e]]")
            self.vertex = "vs[@]"
            return text.replace("@star", "*")
        each = "    vs = calloc(n, sizeof *vs);"
        self.vertex = "(&vs[@])"
        text = STRUCTS.replace("@allocate", each).replace("@addsrc", "&vs[src[e]]")
        return text.replace("@star", "")

    def out(self, u: str, body: str) -> str:
        """``body`` for each edge from ``u`` to ``y`` with weight ``w``."""
        t = self.int
        if self.name == "rows":
            head = f"for ({t} k = row[{u}]; k < row[{u} + 1]; k++)"
            return f"{head} {{ {t} y = nbr[k]; long w = val[k]; {body} }}"
        if self.name == "matrix":
            head = f"for ({t} y = 0; y < n; y++) if (adj[(long){u} * n + y])"
            return f"{head} {{ long w = 1; {body} }}"
        if self.name == "structs":
            v = self.vertex.replace("@", u)
            head = f"for ({t} k = 0; k < {v}->to_count; k++)"
            return f"{head} {{ {t} y = {v}->to[k]; long w = {v}->w[k]; {body} }}"
        head = f"for (long e = 0; e < m; e++) if (src[e] == {u})"
        return f"{head} {{ {t} y = dst[e]; long w = wgt[e]; {body} }}"

    def into(self, v: str, body: str) -> str:
        """``body`` for each edge to ``v`` from ``y``."""
        t = self.int
        if self.name == "rows":
            head = f"for ({t} k = back[{v}]; k < back[{v} + 1]; k++)"
            return f"{head} {{ {t} y = pre[k]; long w = bval[k]; {body} }}"
        if self.name == "matrix":
            head = f"for ({t} y = 0; y < n; y++) if (adj[(long)y * n + {v}])"
            return f"{head} {{ long w = 1; {body} }}"
        return ""

    @property
    def pulls(self) -> bool:
        return self.name in ("rows", "matrix")


PARALLEL = ("#pragma omp parallel for\n", "#pragma omp parallel for schedule(dynamic, 16)\n")


def _all(form: Form, choose: random.Random, body: str, clause: str = "") -> str:
    """A loop over all vertices in parallel."""
    if clause and choose.random() < 0.3:
        loop = f"for ({form.int} x = 0; x < n; x++) {{ {body} }}"
        return f"#pragma omp parallel\n{{\n#pragma omp for {clause}\n{loop}\n}}\n"
    pragma = choose.choice(PARALLEL).rstrip("\n") + f" {clause}\n"
    return f"{pragma}for ({form.int} x = 0; x < n; x++) {{ {body} }}\n"


def _bfs_levels(form: Form, choose: random.Random) -> str:
    """Level by level: pulled or pushed, with or without a second array."""
    found = "level[x] < 0" if choose.random() < 0.5 else "level[x] == -1"
    if form.pulls and choose.random() < 0.6:
        leave = choose.choice(("break;", ""))
        take = f"if (level[y] == depth) {{ next[x] = depth + 1; {leave} }}"
        body = f"if ({found}) {form.into('x', take)}"
    else:
        atomic = "\n#pragma omp atomic write\n"
        give = f"if (level[y] < 0) {{{atomic}next[y] = depth + 1; }}"
        body = f"if (level[x] == depth) {form.out('x', give)}"
    copy = "if (level[x] != next[x]) { level[x] = next[x]; more++; }"
    return f"""long *level = malloc((n + {choose.choice((0, 3))}) * sizeof(long));
    long *next = malloc(n * sizeof(long));
    for ({form.int} x = 0; x < n; x++) level[x] = next[x] = -1;
    level[0] = next[0] = 0;
    long depth = 0, more = 1;
    while (more) {{
        more = 0;
{_all(form, choose, body)}
{_all(form, choose, copy, "reduction(+ : more)")}
        depth++;
    }}
    for ({form.int} x = 0; x < n; x++) printf("%ld ", level[x]);
"""


def _bfs_queue(form: Form, choose: random.Random) -> str:
    """A queue with a window, or two queues that change places."""
    cell = choose.choice(("long", "int"))
    claim = "__sync_bool_compare_and_swap(&level[y], -1, depth + 1)"
    if choose.random() < 0.3:
        claim = "__atomic_exchange_n(&seen[y], 1, __ATOMIC_SEQ_CST) == 0"
    window = choose.random() < 0.5
    put = f"{'queue' if window else 'other'}[__sync_fetch_and_add(&last, 1)] = y;"
    if choose.random() < 0.4:
        put = "long at;\n#pragma omp atomic capture\nat = last++;\n"
        put += f"{'queue' if window else 'other'}[at] = y;"
    visit = f"if (level[y] == -1 && {claim}) {{ level[y] = depth + 1; {put} }}"
    body = f"{form.int} x = queue[q]; {form.out('x', visit)}"
    step = (
        "first = end; end = last;"
        if window
        else (f"{form.int} *t = queue; queue = other; other = t; end = last; last = 0;")
    )
    start = "last = 1" if window else "last = 0"
    return f"""{cell} *level = malloc(n * sizeof *level); char *seen = calloc(n, 1);
    {form.int} *queue = malloc((n + 1) * sizeof *queue), *other = malloc((n + 1) * sizeof *other);
    memset(level, -1, n * sizeof *level);
    level[0] = 0; seen[0] = 1; queue[0] = 0;
    long first = 0, end = 1, {start};
    {cell} depth = 0;
    while (first < end) {{
#pragma omp parallel for
        for (long q = first; q < end; q++) {{ {body} }}
        depth++;
        {step}
    }}
    for ({form.int} x = 0; x < n; x++) printf("%ld ", (long)level[x]);
"""


def _bfs_bitmap(form: Form, choose: random.Random) -> str:
    """Bits of words for what is reached, and for the next frontier."""
    mark = "__sync_fetch_and_or(&next[y / 64], 1ul << y % 64);"
    if choose.random() < 0.5:
        mark = "\n#pragma omp atomic\nnext[y / 64] |= 1ul << y % 64;\n"
    visit = f"if (!(seen[y / 64] >> y % 64 & 1)) {{ {mark} }}"
    body = f"if (front[x / 64] >> x % 64 & 1) {form.out('x', visit)}"
    return f"""long words = n / 64 + 1, left = 1, depth = 0, total = 0;
    unsigned long *front = calloc(words, 8), *next = calloc(words, 8), *seen = calloc(words, 8);
    front[0] = seen[0] = 1;
    for (; left; depth++) {{
{_all(form, choose, body)}
        left = 0;
#pragma omp parallel for reduction(+ : left)
        for (long k = 0; k < words; k++) {{
            front[k] = next[k] & ~seen[k]; seen[k] |= next[k]; next[k] = 0;
            left += __builtin_popcountl(front[k]);
        }}
        total += left * (depth + 1);
    }}
    printf("%ld %ld ", depth, total);
"""


def _paths(form: Form, choose: random.Random) -> str:
    """Distances after Bellman and Ford; parents beside them where they are pulled."""
    parents = ""
    if form.pulls and choose.random() < 0.6:
        inner = form.into("x", "if (dist[y] + w < best) { best = dist[y] + w; who = y; }")
        body = f"long best = dist[x]; {form.int} who = parent[x]; {inner}"
        body += " next[x] = best; parent[x] = who;"
        parents = f'    for ({form.int} x = 0; x < n; x++) printf("%ld ", (long)parent[x]);\n'
    elif form.pulls and choose.random() < 0.5:
        body = form.into("x", "if (dist[y] + w < next[x]) next[x] = dist[y] + w;")
    elif choose.random() < 0.5:
        least = "#pragma omp atomic compare\nif (d < next[y]) { next[y] = d; }\n"
        body = form.out("x", f"const long d = dist[x] + w;\n{least}")
    else:
        least = "#pragma omp critical\n{ if (d < next[y]) next[y] = d; }\n"
        body = form.out("x", f"long d = dist[x] + w;\n{least}")
    copy = "more += next[x] != dist[x]; dist[x] = next[x];"
    return f"""long *dist = malloc(n * sizeof(long)), *next = malloc(n * sizeof(long)), more = 1;
    {form.int} *parent = malloc(n * sizeof *parent);
    for ({form.int} x = 0; x < n; x++) {{ dist[x] = next[x] = 1l << 40; parent[x] = -1; }}
    dist[0] = next[0] = 0;
    for (int t = 0; more && t < {choose.choice(("n", "5"))}; t++) {{
        more = 0;
{_all(form, choose, body)}
{_all(form, choose, copy, "reduction(+ : more)")}
    }}
    for ({form.int} x = 0; x < n; x++) printf("%ld ", dist[x]);
{parents}"""


def _components(form: Form, choose: random.Random) -> str:
    """Least labels along edges, both ways, over pairs of vertices."""
    low = "label[dst[e]]", "label[src[e]]"
    one = "\n#pragma omp atomic compare\nif (@a < @b) { @b = @a0; }\n"
    text = "".join(
        one.replace("@a0", a0).replace("@b", b).replace("@a <", f"{a0} <")
        for a0, b in (("a", low[0]), ("b", low[1]))
    )
    return f"""long *label = malloc(n * sizeof(long)), *old = malloc(n * sizeof(long)), more = 1;
    for ({form.int} x = 0; x < n; x++) label[x] = x;
    while (more) {{
        more = 0;
        memcpy(old, label, n * sizeof(long));
#pragma omp parallel for
        for (long e = 0; e < m; e++) {{
            const long a = old[src[e]], b = old[dst[e]]; {text}
        }}
{_all(form, choose, "more += old[x] != label[x];", "reduction(+ : more)")}
    }}
    for ({form.int} x = 0; x < n; x++) printf("%ld ", label[x]);
"""


def _ranks(form: Form, choose: random.Random) -> str:
    """Shares that go along edges, in integers."""
    give = "share[x] = rank[x] / (degree[x] + 1);"
    if form.pulls and choose.random() < 0.6:
        move = "long sum = 0; " + form.into("x", "sum += share[y];") + " next[x] = sum;"
    else:
        move = form.out("x", "\n#pragma omp atomic\nnext[y] += share[x];\n")
    return f"""long *rank = malloc(n * sizeof(long)), *next = calloc(n, sizeof(long)), total = 0;
    long *share = malloc(n * sizeof(long)), *degree = calloc(n + 2, sizeof(long));
    for (long e = 0; e < m; e++) degree[src[e]]++;
{_all(form, choose, "rank[x] = 1000000 + x;")}
    for (int t = 0; t < 3; t++) {{
{_all(form, choose, give)}
{_all(form, choose, "next[x] = 0;")}
{_all(form, choose, move)}
{_all(form, choose, "rank[x] = 1000 + next[x] * 85 / 100;")}
    }}
    {_total(form, choose)}
    for ({form.int} x = 0; x < n; x++) printf("%ld ", rank[x]);
"""


def _total(form: Form, choose: random.Random) -> str:
    """A sum over all vertices, by a reduction or by each thread's own variable."""
    if choose.random() < 0.5:
        return (
            _all(form, choose, "total += rank[x];", "reduction(+ : total)")
            + '    printf("%ld ", total);'
        )
    return f"""#pragma omp parallel
    {{
        long mine = 0;
#pragma omp for nowait
        for ({form.int} x = 0; x < n; x++) mine += rank[x];
#pragma omp atomic
        total += mine;
    }}
    printf("%ld ", total);"""


def _triangles(form: Form, choose: random.Random) -> str:
    """Pairs of edges that a third one closes, counted at a vertex."""
    if form.name == "matrix":
        third = "if (adj[(long)y * n + z] && adj[(long)x * n + z]) mine++;"
        inner = f"for ({form.int} z = y + 1; z < n; z++) {third}"
    else:
        test = form.out("y", "@").replace(" k ", " j ").replace("k++", "j++").replace("[k]", "[j]")
        test = test.replace(f"{form.int} y =", f"{form.int} z =").replace("long w", "long u")
        test = (
            test.replace("k = ", "j = ").replace("k <", "j <").replace("for (long e", "for (long g")
        )
        if form.name == "pairs":
            return _ranks(form, choose)
        inner = test.replace("@", "if (z > y && z % 3) mine++;")
    body = f"long mine = 0; {form.out('x', f'if (y > x) {{ {inner} }}')}"
    keep = choose.choice(
        ("tri[x] = mine; all += mine;", "if (mine) { tri[x] += mine; all += mine; }")
    )
    return f"""long *tri = calloc(n, sizeof(long)), all = 0;
{_all(form, choose, body + keep, "reduction(+ : all)")}
    printf("%ld ", all);
    for ({form.int} x = 0; x < n; x++) printf("%ld ", tri[x]);
"""


KERNELS = (_bfs_levels, _bfs_queue, _bfs_bitmap, _paths, _components, _ranks, _triangles)


def program(seed: int) -> tuple[str, str]:
    """A program that reads a graph, and what it is: the form of its edges and its kernel."""
    choose = random.Random(seed)
    form = Form(choose.choice(("rows", "rows", "structs", "matrix", "pairs")), choose)
    kernel = KERNELS[seed % len(KERNELS)]
    body = kernel(form, choose)
    if choose.random() < 0.5:
        text = f"static void work(void)\n{{\n    {body}}}\n\nint main(int argc, char **argv)\n{{\n"
        text += "    read_edges(argv[1]);\n    build();\n    work();\n    return 0;\n}\n"
    else:
        text = "int main(int argc, char **argv)\n{\n    read_edges(argv[1]);\n    build();\n"
        text += f"    {body}    return 0;\n}}\n"
    return form.head + text, f"{kernel.__name__} {form.name}"


def graph(seed: int, size: int) -> str:
    """Edges in no order, some twice, none from a vertex to itself."""
    choose = random.Random(seed)
    edges = []
    for _ in range(3 * size):
        u, v = choose.randrange(size), min(choose.randrange(size), choose.randrange(size))
        if u != v:
            edges.append(f"{u} {v} {choose.randrange(1, 9)}")
    return "\n".join([f"{size} {len(edges)}", *edges]) + "\n"
