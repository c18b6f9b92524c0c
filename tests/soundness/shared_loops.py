"""Random programs whose functions share loops among the threads of their callers.

No two threads touch an element at once: in one iteration of the sequential loop each of them writes
its own lines, and reads lines of others only from planes that nobody writes meanwhile.
"""

from __future__ import annotations

import random
from pathlib import Path

_HERE = Path(__file__).parent

_HEAD = Path(__file__).with_name("shared_loops.c").read_text()
_MAIN = (_HERE / "shared_loops_main.c").read_text()
_TAIL = """
            }
        }
    }
    show("a", a, sizeof a);
    show("b", b, sizeof b);
    show("line", line, sizeof line);
    return 0;
}
"""


class SharedLoops:
    """Draws one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def program(self, numbers: str, functions: int = 5) -> str:
        """The text; ``numbers`` is that of the common header."""
        names = [f"f{i}" for i in range(functions)]
        texts = "".join(map(self._function, names))
        calls = "".join(f"                {name}();\n#pragma omp barrier\n" for name in names)
        return numbers + _HEAD + texts + _MAIN + calls + _TAIL

    def _function(self, name: str) -> str:
        draw = self.random
        up, nowait = draw.random() < 0.7, draw.random() < 0.2
        first = "1; i < size[0] - 1; i++" if up else "size[0] - 2; i >= 1; i--"
        step = draw.choice((1, 1, 2)) if up else -1
        lines = [f"static void {name}(void)", "{", "    int i, j, k, next;", "    double t;"]
        before = draw.random() < 0.3
        if before:
            lines += ["#pragma omp for schedule(static) nowait",
                      "    for (j = 0; j < size[1]; j++) line[j] = line[j] * 0.5 + j;"]  # fmt: skip
        lines += [f"    for (i = {first}) {{", f"        next = i + {step};".replace("+ -", "- ")]
        header = draw.choice(("0; j < size[1]; j++", "size[1] - 1; j >= 0; j--"))
        if before:  # the same shares: a thread reads what it has written itself
            header = "0; j < size[1]; j++"
        lines += self._shared(header, nowait, before)
        if draw.random() < 0.35:  # without a barrier between them with the same shares, too
            other = header if nowait or before else "1; j < size[1]; j++"
            lines += self._shared(other, nowait, before)
        return "\n".join([*lines, "    }", "}", ""])

    def _shared(self, header: str, nowait: bool, before: bool) -> list[str]:
        lines = [f"#pragma omp for schedule(static){' nowait' if nowait else ''}"]
        lines.append(f"        for (j = {header})")
        lines.append("            for (k = 1; k < size[2] - 1; k++) {")
        body = [self._statement(nowait, before) for _ in range(self.random.randint(1, 3))]
        return [*lines, *(f"                {text}" for text in body), "            }"]

    def _statement(self, alone: bool, line: bool) -> str:
        draw = self.random
        row = draw.choice(("i", "next"))
        terms = [self._read(alone) for _ in range(draw.randint(1, 3))]
        if line:
            terms.append("line[j]")
        if draw.random() < 0.3:
            return f"t = {terms[0]} * 0.5; a[{row}][j][k] = a[{row}][j][k] * 0.25 + t;"
        return f"a[{row}][j][k] = 0.125 * ({' + '.join(terms)});"

    def _read(self, alone: bool) -> str:
        """What a statement reads; lines of other threads only where all have waited."""
        draw = self.random
        kind = draw.randrange(4)
        near = draw.choice(("k", "k - 1", "k + 1"))
        if kind == 0:
            return f"b[{draw.choice(('i', 'next'))}][(j + 1) % N][{near}]"
        if kind == 1:
            return f"b[i][j][{near}]"
        return f"a[{draw.choice(('i', 'next'))}][j][{near}]"
