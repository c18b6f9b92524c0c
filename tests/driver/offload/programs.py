"""Random programs: sequences of nests over shared arrays, with branches, aliases, host statements.

They have structures with numbers, arrays and pointers, floats, bytes, arrays of three dimensions,
scalars that loops read and change, loops by ``while`` and ``size_t``, ``switch``, early returns.

Every function of a program is a program of its own; ``main`` runs them one after the other and
prints what each leaves in the arrays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

N = 6
WAYS = 4
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
    """Two pointers that may be the same memory, or overlap, two numbers, and a structure."""
    first = r.choice(["a", "b", "c"])
    second = r.choice([first, f"{first} + {r.randrange(1, N)}", "a", "b", "d", "one.bias"])
    layer = r.choice(["&one", "&two"])
    return f"{first}, {second}, {r.choice([0, 1, 5])}, {r.choice([0, 3, N])}, {layer}"


_HEAD = f"""\
#include <stddef.h>
#include <stdio.h>
struct inner {{ int least; float gain; }};
struct layer {{ int n; struct inner in; int *w, bias[{N}]; float f[{N}]; unsigned char u[{N}]; }};
static int a[{4 * N}], b[{4 * N}], c[{4 * N}], d[{4 * N}], m[{N}][{N}], n[{N}][{N}], o[{N}][{N}];
static int cube[2][3][4], total;
static float x0[{N}], x1[{N}];
static unsigned char bytes[{N}];
static struct layer one, two;
extern int far;
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
    for (int i = 0; i < 24; i++) cube[i / 12][i / 4 % 3][i % 4] = a[i] - i;
    one = (struct layer){{seed % 5, {{2, 0.5f}}, all[seed % 4] + seed % 3}};
    two = (struct layer){{3, {{1, 1.5f}}, seed % 2 ? one.bias : a}};
    for (int i = 0; i < {N}; i++) {{
        one.bias[i] = b[i], two.bias[i] = i, one.f[i] = i * 0.5f, two.f[i] = c[i];
        one.u[i] = d[i] & 15, two.u[i] = i, x0[i] = c[i] - 30, x1[i] = i, bytes[i] = i * seed;
    }}
    total = seed, far = 2;
}}
static unsigned of(const struct layer *l)
{{
    unsigned x = (unsigned)l->n + 3 * l->in.least + 7 * (l->in.gain > 1);
    for (int i = 0; i < {N}; i++)
        x = x * 31 + (unsigned)l->bias[i] + (l->f[i] > 2) + (l->f[i] > 7) + l->u[i];
    return x;
}}
static unsigned digest(void)
{{
    unsigned x = of(&one) + 17 * of(&two) + (unsigned)total * 3 + (unsigned)far;
    int *all[] = {{a, b, c, d}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < {4 * N}; i++) x = x * 31 + (unsigned)all[k][i];
    for (int i = 0; i < {N * N}; i++) {{
        int row = i / {N}, column = i % {N};
        x = x * 31 + (unsigned)(m[row][column] + 3 * n[row][column] + 5 * o[row][column]);
    }}
    for (int i = 0; i < 24; i++) x = x * 31 + (unsigned)cube[i / 12][i / 4 % 3][i % 4];
    for (int i = 0; i < {N}; i++) x = x * 31 + (x0[i] > 1) + (x0[i] > 9) + (x1[i] > 3) + bytes[i];
    return x;
}}
int far = 1;
"""


class Maker:
    """One function."""

    def __init__(self, r: random.Random, number: int) -> None:
        self._random, self._number = r, number
        self._locals: list[str] = []
        self._scalars: list[str] = []
        self._inside = 0

    def function(self) -> str:
        r = self._random
        self._locals = [f"t{k}" for k in range(r.randrange(3))]
        self._scalars = [f"v{k}" for k in range(r.randrange(3))]
        layer = "struct layer *l"
        lines = [f"static void f{self._number}(int *p, int *q, int s, size_t m1, {layer})", "{"]
        lines += [f"    int {name} = {r.randrange(4)};" for name in self._scalars]
        lines.append("    float g = 0;")
        lines += [f"    int {name}[{N}];" for name in self._locals]
        lines += [f"    for (int i = 0; i < {N}; i++) {name}[i] = i;" for name in self._locals]
        for _ in range(r.randrange(2, 7)):
            lines += (f"    {line}" for line in self._statement(2))
        for name in self._locals:
            if r.random() < 0.5:
                lines.append(f"    for (int i = 0; i < {N}; i++) a[i] += {name}[i];")
        lines += [f"    total += {name};" for name in self._scalars if r.random() < 0.7]
        lines.append("    far += g > 2;")
        return "\n".join([*lines, "}"])

    def _statement(self, depth: int) -> Iterator[str]:
        r = self._random
        kind = r.randrange(13)
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
        elif kind == 10:
            yield f"switch ({self._scalar()} & 3) {{"
            for case in ("case 0:", "case 2:", "default:"):
                yield case
                yield from (f"    {line}" for line in self._statement(depth - 1))
                if r.random() < 0.7 and case != "default:":
                    yield "    break;"
            yield "}"
        elif kind == 11:
            yield r.choice(
                (f"l->w = {r.choice('abc')};", f"{self._scalar()} = {self._vector()}[1] & 3;",
                 "l = l == &one ? &two : &one;", "l->in.gain = g > 3 ? 1 : 2;", "g = l->f[2];",
                 f"{{ int i = 0; while (i < {N}) {{ {self._vector()}[i] += i; i++; }} }}",
                 f"for (size_t k = 0; k < m1; k++) {self._vector()}[k] += {self._scalar()};")
            )  # fmt: skip
        elif self._inside:
            yield f"if (s == {r.randrange(6)}) {r.choice(['break', 'continue'])};"
        else:
            yield f"if (s == {r.randrange(6)}) return;"

    def _vector(self) -> str:
        return self._random.choice(["a", "b", "c", "d", "p", "q", *self._locals])

    def _scalar(self) -> str:
        return self._random.choice(["s", "total", "far", "l->n", "l->in.least", *self._scalars])

    def _nest(self) -> Iterator[str]:
        r = self._random
        if r.random() < 0.4:
            yield r.choice(self._nests_of_scalars())
            return
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

    def _nests_of_scalars(self) -> list[str]:
        """Nests with members, floats, bytes, and scalars that they read or change."""
        r = self._random
        x, y, z = self._vector(), self._vector(), self._vector()
        v, w = self._scalar(), self._scalar()
        loop = r.choice(
            (f"for (int i = 0; i < {N}; i++)", f"for (size_t i = 0; i < {N}; i++)",
             f"for (unsigned i = 0; i < {N}u; ++i)")
        )  # fmt: skip
        each = "for (int z = 0; z < 2; z++) for (int y = 0; y < 3; y++) for (int k = 0; k < 4; k++)"
        return [
            f"{loop} {v} += {y}[i];",
            f"{loop} {v} = {y}[i] > {v} ? {y}[i] : {v};",
            f"{loop} if ({y}[i] > {w}) {v} = {y}[i];",
            f"{loop} {{ {x}[i] = {y}[i] + {v}; {v} = {z}[i] & 7; }}",
            f"{loop} {x}[i] = {v} * {y}[i] + {w};",
            f"{loop} {x}[i] = {y}[i] * l->n + l->bias[i];",
            f"{loop} l->bias[i] += l->w[i];",
            f"{loop} l->w[i] = {y}[i] - {v};",
            f"{loop} {{ l->n += l->bias[i] & 3; {x}[i] = l->n; }}",
            f"{loop} x0[i] = x1[i] * l->in.gain + l->f[i];",
            f"{loop} l->f[i] = x0[i] > g ? 1 : 0.5f;",
            f"{loop} g += l->f[i] * 0.25f;",
            f"{loop} {x}[i] += x0[i] > g;",
            f"{loop} bytes[i] = (unsigned char){y}[i];",
            f"{loop} l->u[i] = bytes[i] + {v};",
            f"{each} cube[z][y][k] += {r.choice('abcd')}[z * 12 + y * 4 + k];",
            f"{each} {v} += cube[z][y][k];",
            f"for (int y = 0; y < 3; y++) {{ {v} = 0; for (int k = 0; k < 4; k++)"
            f" {v} += cube[1][y][k]; {x}[y] = {v}; }}",
        ]
