"""Random programs: sequences of nests over shared arrays, with branches, aliases, host statements.

Every function of a program is a program of its own; ``main`` runs them one after the other and
prints what each leaves in the arrays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

N = 6
WAYS = 3
"""How often each function runs, with other arguments."""


def program(seed: int, functions: int) -> str:
    """The text of a program whose functions are made up, each of which runs in several ways."""
    bodies = [Maker(random.Random(f"{seed}:{k}"), k).function() for k in range(functions)]
    calls = "\n".join(
        f"    fill({k + way});\n    f{k}({_arguments(random.Random(f'{seed}:{k}:{way}'))});\n"
        f'    printf("{k} %08x\\n", digest());'
        for k in range(functions)
        for way in range(1, WAYS + 1)
    )
    return "\n".join([_HEAD, *bodies, f"int main(void)\n{{\n{calls}\n    return 0;\n}}\n"])


def _arguments(r: random.Random) -> str:
    """Two pointers that may be the same memory, or overlap, and a number."""
    first = r.choice(["a", "b", "c"])
    second = r.choice([first, f"{first} + {r.randrange(1, N)}", "a", "b", "d"])
    return f"{first}, {second}, {r.choice([0, 1, 5])}"


_HEAD = f"""\
#include <stdio.h>
static int a[{4 * N}], b[{4 * N}], c[{4 * N}], d[{4 * N}], m[{N}][{N}], n[{N}][{N}], o[{N}][{N}];
static const int table[3] = {{1, -2, 3}};
static void fill(int seed)
{{
    unsigned x = (unsigned)seed;
    int *all[] = {{a, b, c, d}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < {4 * N}; i++) all[k][i] = (int)((x = x * 1103515245u + 12345u) >> 26);
    for (int i = 0; i < {N * N}; i++) {{
        m[i / {N}][i % {N}] = i % 7 - 3;
        n[i / {N}][i % {N}] = i % 5 - 2;
        o[i / {N}][i % {N}] = i;
    }}
}}
static unsigned digest(void)
{{
    unsigned x = 0;
    int *all[] = {{a, b, c, d}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < {4 * N}; i++) x = x * 31 + (unsigned)all[k][i];
    for (int i = 0; i < {N * N}; i++) {{
        int row = i / {N}, column = i % {N};
        x = x * 31 + (unsigned)(m[row][column] + 3 * n[row][column] + 5 * o[row][column]);
    }}
    return x;
}}
"""


class Maker:
    """One function."""

    def __init__(self, r: random.Random, number: int) -> None:
        self._random, self._number = r, number
        self._locals: list[str] = []
        self._inside = 0

    def function(self) -> str:
        r = self._random
        self._locals = [f"t{k}" for k in range(r.randrange(3))]
        lines = [f"static void f{self._number}(int *p, int *q, int s)", "{"]
        lines += [f"    int {name}[{N}];" for name in self._locals]
        lines += [f"    for (int i = 0; i < {N}; i++) {name}[i] = i;" for name in self._locals]
        for _ in range(r.randrange(2, 7)):
            lines += (f"    {line}" for line in self._statement(2))
        for name in self._locals:
            if r.random() < 0.5:
                lines.append(f"    for (int i = 0; i < {N}; i++) a[i] += {name}[i];")
        return "\n".join([*lines, "}"])

    def _statement(self, depth: int) -> Iterator[str]:
        r = self._random
        kind = r.randrange(11)
        if kind < 6 or depth == 0:
            yield from self._nest()
        elif kind == 6:
            yield f"if ({r.choice(['s', '!s', 's > 2', f'{self._vector()}[0] > 3'])}) {{"
            for _ in range(r.randrange(1, 3)):
                yield from (f"    {line}" for line in self._statement(depth - 1))
            yield "}"
        elif kind == 7:
            yield f"for (int z = 0; z < {r.randrange(1, 3)}; z++) {{"
            self._inside += 1
            for _ in range(r.randrange(1, 4)):
                yield from (f"    {line}" for line in self._statement(depth - 1))
            self._inside -= 1
            yield "}"
        elif kind == 8:
            yield f"{self._vector()}[{r.randrange(N)}] = s + {r.randrange(9)};"
        elif kind == 9:
            yield f"s = {self._vector()}[{r.randrange(N)}] & 7;"
        elif self._inside:
            yield f"if (s == {r.randrange(6)}) {r.choice(['break', 'continue'])};"
        else:
            yield f"if (s == {r.randrange(6)}) return;"

    def _vector(self) -> str:
        return self._random.choice(["a", "b", "c", "d", "p", "q", *self._locals])

    def _nest(self) -> Iterator[str]:
        r = self._random
        x, y, z = self._vector(), self._vector(), self._vector()
        wide = r.choice(["a", "b", "c", "d"])
        loop = f"for (int i = 0; i < {N}; i++)"
        nests = [
            f"{loop} {x}[i] = {y}[i];",
            f"{loop} {x}[i] = {y}[i] + {z}[i];",
            f"{loop} {x}[i] += {r.randrange(1, 4)} * {y}[i];",
            f"{loop} {x}[i] = {y}[i] > {z}[i] ? {y}[i] : {z}[i];",
            f"{loop} {x}[i] = {y}[i] > 0 ? {y}[i] : 0;",
            f"{loop} {x}[i] = s;",
            f"{loop} if ({y}[i] & 1) {x}[i] = {z}[i];",
            f"for (int i = 1; i < {N}; i++) {x}[i] = {x}[i - 1] + {y}[i];",
            f"for (int i = {N - 1}; i > 0; i--) {x}[i] = {y}[i - 1];",
            f"{loop} {{ int t = 0; for (int k = 0; k < 3; k++) t += {wide}[i + k] * table[k];"
            f" {x}[i] = t; }}",
            f"{loop} {{ int t = {wide}[2 * i]; if ({wide}[2 * i + 1] > t) t = {wide}[2 * i + 1];"
            f" {x}[i] = t; }}",
            f"{loop} for (int j = 0; j < {N}; j++) {{ o[i][j] = 0; for (int k = 0; k < {N}; k++)"
            f" o[i][j] += m[i][k] * n[k][j]; }}",
            f"{loop} for (int j = 0; j < {N}; j++) m[i][j] = o[j][i] & 15;",
            f"{loop} for (int j = 0; j < {N}; j++) {x}[i] += m[i][j] * {y}[j];",
            f"for (int i = 0; i < {r.randrange(1, N)}; i++) {x}[i] = {y}[i] - 1;",
        ]
        yield r.choice(nests)
