"""Random programs whose loops end at values in memory, which stores in the loops may change.

Each function is called several times: with all arguments apart, and with pointers to the places
that bounds are read from. Values in memory stay between 0 and ``MOST``, so all loops end.
"""

from __future__ import annotations

import random
from pathlib import Path

_HERE = Path(__file__).parent

MOST = 30
_HEAD = f"""
struct S {{ struct S *next; int n; int dims[3]; int pad[40]; }};
static int gp[48], *where = gp + 4;
static const int fixed[3] = {{ 9, 17, 23 }};
static struct S own, other;
enum {{ SIZE = {MOST + 10} }};
typedef double row[SIZE];
"""
_MAIN = (_HERE / "bounds_main.c").read_text()
_BOUNDS = (
    "gp[0]", "gp[1]", "gp[k]", "p[0]", "p[1]", "p[k]", "*p", "s->n", "s->dims[1]", "s->dims[k]",
    "s->next->n", "s->next->dims[2]", "own.dims[2]", "own.n", "fixed[1]", "fixed[k]", "where[2]",
    "*where", "n",
)  # fmt: skip
EXPRESSIONS = (
    "p[0] * gp[1] / 30", "(n + gp[0]) / 2", "gp[k] * 3 / 4", "n * k % 29", "(s->n << 1) % 30",
    "s->dims[k] * (n + 1) / 32",
)  # fmt: skip
_STORES = (
    "x[@] = (x[@] + 1) % MOST;", "y[@] = x[@];", "gp[3] = (gp[3] + 1) % MOST;",
    "gp[1] = (gp[1] + 1) % MOST;", "s->dims[0] = @ % MOST;", "s->dims[k] = @ % MOST;",
    "s->n = (s->n + 3) % MOST;", "s->next->n = @ % MOST;", "s->next = s;", "*y = @ % MOST;",
    "where = y;", "own.dims[2] = (@ + 4) % MOST;", "p[k] = (p[k] + 1) % MOST;",
    "*x = (*x + 1) % MOST;",
)  # fmt: skip
_BODIES = (
    "a[i][j] += b[i][j];", "a[i][j] = b[i][j] * 0.5 + a[i][j];", "b[i][j] = a[i][j] - 0.25;",
    "a[i][j] = b[i + 1][j] + b[i][j + 1];", "a[i][j] = 0.25 * (a[i + 1][j] + a[i][j]);",
)  # fmt: skip

_PARAMETERS = "int n, int k, int *p, struct S *s, int *x, int *y, row *restrict a, row *restrict b"


class Bounds:
    """Draws one program; ``more`` are bounds beside places and variables."""

    def __init__(self, seed: int, more: tuple[str, ...] = ()) -> None:
        self.random = random.Random(seed)
        self.bounds = (*_BOUNDS, *more)

    def program(self, numbers: str, functions: int = 6) -> str:
        """The text; ``numbers`` is that of the common header."""
        names = [f"f{i}" for i in range(functions)]
        texts = [self._function(name) for name in names]
        calls = "".join(f"    ALL({name})\n" for name in names)
        # No iteration reads through null pointers where the outermost loop has none.
        safe = [n for n, text in zip(names, texts, strict=True) if " < n; " in text.split("{")[1]]
        calls += "".join(f"    NONE({name})\n" for name in safe)
        define = f"#define MOST {MOST}\n"
        return numbers + define + _HEAD + "\n".join(texts) + _MAIN + calls + "    return 0;\n}\n"

    def _bound(self) -> str:
        bound = self.random.choice(self.bounds)
        if self.random.random() < 0.3:
            bound = f"{bound} - {self.random.randint(1, 2)}"
        return bound

    def _loop(self, counter: str, *, shared: bool = False) -> str:
        bound, kind = self._bound(), self.random.randrange(7)
        if kind == 0:
            return f"for (int {counter} = {bound} - 1; {counter} >= 0; {counter}--)"
        if kind == 1:
            return f"for (int {counter} = 1; {counter} <= {bound}; {counter} += 2)"
        if kind == 2 and not shared:
            both = f"{counter} < {bound} && {counter} < {self._bound()}"
            return f"for (int {counter} = 0; {both}; {counter}++)"
        if kind == 3:
            return f"for (int {counter} = 0; {bound} > {counter}; ++{counter})"
        return f"for (int {counter} = 0; {counter} < {bound}; {counter}++)"

    def _function(self, name: str) -> str:
        head = f"static __attribute__((noinline)) void {name}({_PARAMETERS})\n"
        stores = self.random.random() < 0.6
        shape = self.random.randrange(4)
        outer = self._loop("j") if shape != 1 else "for (int t = 0; t < n; t++)"
        if self.random.random() < 0.4 and shape != 1:
            outer = "for (int j = 0; j < n; j++)"
        lines = [f"    {outer} {{"]
        if shape == 1:
            for _ in range(2):
                lines += self._nest("    " * 2, stores, parallel=not stores)
        else:
            if stores and self.random.random() < 0.5:
                lines.append("        " + self._store("j"))
            lines.append(f"        {self._loop('i')} {{")
            if shape == 2 and self.random.random() < 0.5:
                lines.append(f"            if ({self._bound()} > 5)")
            lines.append("            " + self.random.choice(_BODIES))
            if stores and self.random.random() < 0.6:
                lines.append("            " + self._store(self.random.choice("ij")))
            lines.append("        }")
        lines.append("    }")
        return head + "{\n" + "\n".join(lines) + "\n}\n"

    def _nest(self, indent: str, stores: bool, *, parallel: bool) -> list[str]:
        lines = ["#pragma omp parallel for"] if parallel else []
        body = self.random.choice(_BODIES[:4] if parallel else _BODIES)
        body = body.replace("a[i][j] = b[i + 1][j] + b[i][j + 1]", "a[i][j] = b[i][j + 1]")
        lines.append(indent + self._loop("i", shared=parallel))
        lines.append(indent + "    " + self._loop("j") + " {")
        lines.append(indent + "        " + body)
        if stores and self.random.random() < 0.5:
            lines.append(indent + "        " + self._store(self.random.choice("ij")))
        return [*lines, indent + "    }"]

    def _store(self, counter: str) -> str:
        return self.random.choice(_STORES).replace("@", counter)
