"""Graph kernels before and after the pass, run on graphs of all kinds with one thread and with two.

A kernel is a function with the parameters of ``HEAD``: a graph's outgoing edges (``off``, ``nbr``,
``w``), the incoming ones (``back``, ``from``, ``bw``) and three properties of its vertices. Names
that end in ``_both`` are for undirected graphs.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

HEAD = (
    "long n, const long *off, const long *nbr, const long *w, const long *back, const long *from,"
    " const long *bw, long *restrict a, long *restrict b, long *restrict c"
)
GRAPH = "#pragma s2s graph vertices(n) out(off, nbr, w) in(back, from, bw)\n"
UNDIRECTED = "#pragma s2s graph vertices(n) both(off, nbr, w)\n"

_MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef void kernel(HEAD);
PROTOTYPES
static const struct { const char *name; kernel *call; } kernels[] = {TABLE};
enum { MOST = 4000 };
static long n, m, source[MOST], target[MOST], weight[MOST];
static unsigned seed = 1;
static long below(long n) { return (seed = seed * 1103515245u + 12345u) / 65536 % n; }
static void edge(long u, long v) {
    source[m] = u; target[m] = v; weight[m++] = (u * 7 + v * 3) % 11 - 2;
}
static int make(int kind)
{
    long i;
    static const long sizes[] = {0, 1, 5, 9, 9, 8, 12, 2, 37, 64, 50};
    m = 0, n = sizes[kind];
    switch (kind) {
    case 0: case 1: case 2: break;
    case 3: for (i = 1; i < n; i++) edge(0, i); break;
    case 4: for (i = 1; i < n; i++) edge(i, 0); break;
    case 5: for (i = 0; i < n; i++) { edge(i, i); edge(i, (i + 1) % n); } break;
    case 6: for (i = 0; i < 40; i++) edge(below(n), below(3)); break;
    case 7: edge(1, 0); edge(1, 0); edge(0, 1); break;
    default: for (i = 0; i < 5 * n; i++) edge(below(n), below(kind == 10 ? below(n) + 1 : n));
    }
    return kind < 10;
}
static void mirror(void)
{
    long i, all = m;
    for (i = 0; i < all; i++) if (source[i] != target[i]) {
        edge(target[i], source[i]); weight[m - 1] = weight[i];
    }
}
static void lists(const long *of, const long *other, long *off, long *nbr, long *w)
{
    long i, v, k = 0;
    for (v = 0; v < n; v++) {
        off[v] = k;
        for (i = 0; i < m; i++) if (of[i] == v) nbr[k] = other[i], w[k++] = weight[i];
    }
    off[n] = k;
}
int main(void)
{
    static long off[MOST], nbr[MOST], w[MOST], back[MOST], from[MOST], bw[MOST];
    static long a[MOST], b[MOST], c[MOST];
    int kind = 0, more = 1, both;
    unsigned i;
    long v;
    for (; more; kind++)
        for (both = 0; both < 2; both++) {
            seed = kind + 5;
            more = make(kind);
            if (both) mirror();
            lists(source, target, off, nbr, w);
            lists(target, source, back, from, bw);
            for (i = 0; i < sizeof kernels / sizeof *kernels; i++) {
                const char *tail = strstr(kernels[i].name, "_both");
                if (tail && !both) continue;
                seed = kind * 2 + both;
                for (v = 0; v < n; v++) a[v] = below(50), b[v] = below(9);
                for (v = 0; v < n; v++) c[v] = below(100);
                kernels[i].call(n, off, nbr, w, back, from, bw, a, b, c);
                printf("%s %d %d:", kernels[i].name, kind, both);
                for (v = 0; v < n; v++) printf(" %ld,%ld,%ld", a[v], b[v], c[v]);
                printf("\n");
            }
        }
    return 0;
}
"""


@dataclass(frozen=True)
class Ran:
    """The remarks about each kernel, by its name, and the new text."""

    said: dict[str, list[str]]
    text: str

    def done(self, name: str, words: str) -> bool:
        """Whether a remark about a kernel has such words."""
        return any(words in line for line in self.said[name])


def kernel(name: str, body: str, graph: str = GRAPH, head: str = HEAD) -> str:
    """The text of a kernel."""
    return f"void {name}({head})\n{{\n{graph}{body}\n}}\n"


def transformed(source: Path, passes: str, *, reassociate: bool = False) -> Ran:
    """A file through the pass."""
    options = Options(passes=(passes,), strict=True, reassociate=reassociate)
    outcome = transform_file(str(source), ("-fopenmp",), options)
    names = re.findall(r"^void (\w+)\(", outcome.original.decode(), re.MULTILINE)
    lines = outcome.original.decode().splitlines()
    starts = {n: i + 1 for n in names for i, x in enumerate(lines) if x.startswith(f"void {n}(")}
    said: dict[str, list[str]] = {name: [] for name in names}
    for d in outcome.diagnostics:
        if d.id == "graph" and d.location is not None:
            line = d.location.line
            before = [n for n in names if starts[n] <= line]
            owner = max(before, key=starts.__getitem__) if before else names[0]
            said[owner].append(f"{d.severity.value}: {d.text}")
    return Ran(said, outcome.text.decode())


def check(
    kernels: str, path: Path, passes: str = "graph:small=0", *, reassociate: bool = False
) -> Ran:
    """Compare a file of kernels before and after the pass; both are built and run.

    Small graphs push as large ones do unless ``passes`` says otherwise.
    """
    source = path / "kernels.c"
    source.write_text(kernels)
    ran = transformed(source, passes, reassociate=reassociate)
    new = path / "new.c"
    new.write_text(ran.text)
    main = path / "main.c"
    names = list(ran.said)
    table = ", ".join(f'{{"{n}", {n}}}' for n in names)
    prototypes = "".join(f"kernel {n};\n" for n in names)
    main.write_text(
        _MAIN.replace("HEAD", HEAD).replace("TABLE", table).replace("PROTOTYPES", prototypes)
    )
    wanted = _run(path, [main, source], "old", 1)
    for threads in (1, 2):
        assert _run(path, [main, new], "new", threads) == wanted, ran.text
    return ran


def _run(path: Path, files: list[Path], name: str, threads: int) -> list[str]:
    program = path / name
    if not program.exists():
        command = ["gcc", "-O1", "-fopenmp", "-fwrapv", "-w", "-o", str(program)]
        subprocess.run([*command, *map(str, files)], check=True, timeout=120)
    done = subprocess.run(
        [str(program)], check=True, timeout=60, capture_output=True, text=True,
        env={"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"},
    )  # fmt: skip
    return done.stdout.splitlines()
