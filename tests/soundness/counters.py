"""Random programs whose loops count in all integer types, up and down, as ``for`` and ``while``.

Some counters are used after their loop, set in it, or skipped by ``continue``: those loops are no
counted ones. All subscripts stay within rows and columns whatever the size is.
"""

from __future__ import annotations

import random
from pathlib import Path

_HERE = Path(__file__).parent

SIZE = 60
_HEAD = f"enum {{ SIZE = {SIZE} }};\ntypedef double row[SIZE];\nstatic int last;\n"
_TYPES = ("short", "unsigned short", "signed char", "unsigned char", "int", "long", "unsigned")
_BODIES = (
    "a[i][j] = a[i][j] + b[i][k] * b[k][j];", "b[i][j] += a[k][j] * a[i][k];",
    "a[i][j] += b[i][j];", "a[i][j] = b[j][i] * 0.5 + a[i][j];", "b[i][j] = a[i][j] + i;",
    "a[i][j] = 0.25 * (a[i - 1][j] + a[i][j - 1] + a[i][j + 1]);",
    "b[j][i] = b[j][i] * 0.5 + a[i + 1][j - 1];",
)  # fmt: skip
_MAIN = (_HERE / "counters_main.c").read_text()


class Counters:
    """Draws one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def program(self, numbers: str, functions: int = 5) -> str:
        """The text; ``numbers`` is that of the common header."""
        names = [f"f{i}" for i in range(functions)]
        texts = [self._function(name) for name in names]
        calls = "".join(
            f'    {name}(SIZE, 3, a, b); {name}(7, 1, a, b); show("{name}", a, sizeof a);'
            f' show("b", b, sizeof b); printf("%d\\n", last);\n'
            for name in names
        )
        return numbers + _HEAD + "\n".join(texts) + _MAIN + calls + "    return 0;\n}\n"

    def _function(self, name: str) -> str:
        body = self.random.choice(_BODIES)
        counters = "ijk" if "k" in body else "ij"
        lines = self._loop(counters, body, "    ")
        if self.random.random() < 0.5:
            lines = ["    for (int t = 0; t < steps; t++) {", *lines]
            lines += [*self._loop("ij", self.random.choice(_BODIES[2:]), "    "), "    }"]
        text = "\n".join(lines)
        head = f"static void {name}(int n, int steps, row *restrict a, row *restrict b)"
        return f"{head}\n{{\n{text}\n}}\n"

    def _loop(self, counters: str, body: str, indent: str) -> list[str]:
        """A nest over ``counters``, outermost first, in a block that declares the first one."""
        if not counters:
            return [indent + body]
        name, type_ = counters[0], self.random.choice(_TYPES)
        first, condition, step = self._header(name, type_)
        inner = self._loop(counters[1:], body, indent + "    ")
        shape = self.random.randrange(5)
        if shape < 2:
            head = f"{indent}for ({type_} {first}; {condition}; {step}) {{"
            return [head, *inner, indent + "}"]
        declared = f"{type_} {first};" if shape == 2 else f"{type_} {name}; {first};"
        kind = self.random.randrange(24)
        skips = [f"{indent}    if (a[{name}][0] > 1e9) continue;"] if kind == 0 else []
        after = f" last = (int){name};" if kind == 1 else ""
        jump = [f"{indent}    if (b[{name}][1] > 1e9) {name} {'+' if '+' in step else '-'}= 0;"]
        inside = [*skips, *inner, *(jump if kind == 2 else [])]
        head = f"{indent}{{ {declared} while ({condition}) {{"
        return [head, *inside, f"{indent}    {step};", f"{indent}}}{after} }}"]

    def _header(self, name: str, type_: str) -> tuple[str, str, str]:
        if self.random.random() < 0.25 and not type_.startswith("unsigned"):
            step = self.random.choice([f"{name}--", f"{name} -= 2", f"{name} = {name} - 1"])
            return f"{name} = n - 2", f"{name} >= 1", step
        condition = self.random.choice([f"{name} < n - 1", f"{name} <= n - 2", f"n - 1 > {name}"])
        step = self.random.choice([f"{name}++", f"++{name}", f"{name} += 1", f"{name} += 2"])
        return f"{name} = 1", condition, step
