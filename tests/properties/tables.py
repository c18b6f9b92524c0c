"""Nests over tables whose rows pointers lead to: random ones, and a program that runs them.

Rows lie in one block, up or down, each for itself, in no order, or over each other; some tables are
the same one, or have rows in common, and an array may be a row.
"""

from __future__ import annotations

import random
from pathlib import Path

_HERE = Path(__file__).parent

_TYPES = ("double", "double", "float", "int", "short")
_HEAD = (_HERE / "tables_head.c").read_text()
_MAIN = (_HERE / "tables_main.c").read_text()


def program(seed: str, count: int) -> str:
    """A program of ``count`` functions, each run with three sizes and all kinds of tables."""
    nests = [_Nest(random.Random(f"{seed}:{k}"), f"f{k}", product=k % 2 == 0) for k in range(count)]
    calls = "".join(nest.calls() for nest in nests)
    functions = "\n".join(nest.text() for nest in nests)
    return f"{_HEAD}\n{functions}\n{_MAIN.replace('CALLS', calls)}"


class _Nest:
    """Two or three loops over tables ``a``, ``b`` and ``c`` and an array ``x`` of one type."""

    def __init__(self, rng: random.Random, name: str, *, product: bool) -> None:
        self.rng = rng
        self.name = name
        self.product = product
        self.type = rng.choice(_TYPES)

    def text(self) -> str:
        """The function."""
        tables = ", ".join(
            f"{self.type} *{self.rng.choice(('*{}', '{}[]')).format(t)}" for t in "abc"
        )
        first, second = self.rng.sample(("i", "j"), 2)
        triangle = self.rng.random() < 0.2
        starts = {first: "1", second: f"{first} + 1" if triangle else "1"}
        ends = {"i": "n", "j": "n" if triangle else "m"}
        lines = [
            f"for (int {v} = {starts[v]}; {v} < {ends[v]} - 1; {v}++) {{" for v in (first, second)
        ]
        body = self._product() if self.product else self._moves()
        inside = [*lines, *body, "}", "}"]
        return "\n".join([f"void {self.name}({tables}, {self.type} *x, int n, int m)", "{",
                          *(f"    {line}" for line in inside), "}", ""])  # fmt: skip

    def _product(self) -> list[str]:
        """A sum over a third loop."""
        term = f"{self._element('bc', 'ik')} * {self._element('bc', 'kj')}"
        loop = f"for (int k = 0; k < {self.rng.choice('nm')} - 1; k++)".replace("m - 1", "n - 1")
        if self.rng.random() < 0.5:
            return [f"{self.type} sum = 0;", loop, f"sum += {term};", "a[i][j] = sum;"]
        return ["a[i][j] = 0;", loop, f"a[i][j] += {term};"]

    def _moves(self) -> list[str]:
        """Elements that are set from others, near ones and those on the other side."""
        terms = [self._element("abc", self.rng.choice(("ij", "ij", "ji"))) for _ in range(2)]
        terms.append(self.rng.choice(("x[i]", "x[j]", "3", self._element("a", "ij"))))
        targets = self.rng.choice((("a",), ("a", "b"), ("a", "x")))
        return [
            f"{'x[j]' if target == 'x' else f'{target}[i][j]'} = "
            f"{' + '.join(self.rng.sample(terms, 2))};"
            for target in targets
        ]

    def _element(self, tables: str, letters: str) -> str:
        offsets = [self.rng.choice(("", "", " - 1", " + 1")) if v != "k" else "" for v in letters]
        first, second = (f"{v}{o}" for v, o in zip(letters, offsets, strict=True))
        return f"{self.rng.choice(tables)}[{first}][{second}]"

    def calls(self) -> str:
        """A call with new tables, some of which are the same, and an array that may be a row."""
        type_ = self.type
        same = self.rng.choice(("", "b = a; ", "c = a; ", "c = b; ", "b[1] = a[2]; "))
        tables = "".join(
            f"{type_} **{t} = table({kind}, n + 2, n + 2, sizeof **{t}); "
            for t, kind in zip("abc", ("kind % 6", "kind / 6", "kind % 6"), strict=True)
        )
        x = self.rng.choice(("take(8 * n + 32)", "take(8 * n + 32)", "a[2]", "c[n - 1] + 1"))
        return (
            "            {\n"
            "                for (long k = 0; k < (long)sizeof pool; k++) pool[k] = 0;\n"
            f"                used = 0; {tables}{same}\n"
            f"                {type_} *x = {x};\n"
            f"                {type_} *all = ({type_} *)pool;\n"
            "                for (int k = 0; k < 3000; k++) all[k] = k * 37 % 11 % 5;\n"
            f"                {self.name}(a, b, c, x, n, m);\n"
            f'                show("{self.name}", pool, sizeof pool);\n'
            "            }\n"
        )
