"""Random programs with shared loops that pass values on in work arrays.

Threads wait after each shared loop, so there are no races; whether an array is filled before it is
read in each iteration, and by whom its last values are left, is drawn.
"""

from __future__ import annotations

import random
from pathlib import Path

_HERE = Path(__file__).parent

_HEAD = Path(__file__).with_name("work_arrays.c").read_text()
_MAIN = (_HERE / "work_arrays_main.c").read_text()
_TAIL = """
        }
        show("a", a, sizeof a);
        show("b", b, sizeof b);
        show("w", w, sizeof w);
        show("v", v, sizeof v);
    }
    return 0;
}
"""


class WorkArrays:
    """Draws one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def program(self, numbers: str, functions: int = 4) -> str:
        """The text; ``numbers`` is that of the common header."""
        names = [f"f{i}" for i in range(functions)]
        texts = "".join(map(self._function, names))
        calls = "".join(f"            {name}();\n" for name in names)
        return numbers + _HEAD + texts + _MAIN + calls + _TAIL

    def _function(self, name: str) -> str:
        draw = self.random
        variables = ["i", "j", "k"]
        draw.shuffle(variables)
        around, inner = variables[: draw.choice((1, 2, 2))], variables[-1]
        fixed = [x for x in variables if x not in (*around, inner)]
        lines = [f"static void {name}(void)", "{", "    int i = 1, j = 1, k = 1;", "    double t;"]
        lines += [f"    {x} = {draw.randrange(3)};" for x in fixed]
        for x in around:
            lines.append(f"    for ({self._header(x, 1)})")
        lines.append("    {")
        used = draw.sample(("w[{0}]", "v[0][{0}]", "v[1][{0} + 1]"), draw.choice((1, 1, 2)))
        low = draw.choice((0, 0, 0, 1))
        lines += self._loop(inner, low, [self._fill(place, inner) for place in used])
        if draw.random() < 0.2:
            lines += self._loop(inner, 0, [f"{used[0].format(inner)} *= 0.5;"])
        for _ in range(draw.choice((1, 1, 2))):
            body = [self._use(used, inner) for _ in range(draw.choice((1, 2)))]
            lines += self._loop(inner, 1, body)
        return "\n".join([*lines, "    }", "}", ""])

    def _header(self, x: str, low: int) -> str:
        end = f"size[{'ijk'.index(x)}]"
        if self.random.random() < 0.25:
            return f"{x} = {end} - 1; {x} >= {low}; {x}--"
        return f"{x} = {low}; {x} < {end}; {x}++"

    def _loop(self, inner: str, low: int, body: list[str]) -> list[str]:
        high = f"size[{'ijk'.index(inner)}]{' - 1' if low else ''}"
        head = f"        for ({inner} = {low}; {inner} < {high}; {inner}++) {{"
        apart = self.random.random() < 0.3
        lines = [f"#pragma omp for{' nowait' if apart else ''}", head]
        lines += [*(f"            {text}" for text in body), "        }"]
        return [*lines, "#pragma omp barrier"] if apart else lines

    def _fill(self, place: str, inner: str) -> str:
        target, read = place.format(inner), self._read()
        if self.random.random() < 0.3:
            return f"t = 0.5 * {read}; {target} = t + {self._read()};"
        return f"{target} = {read} * 0.75 + {self.random.choice(('1.0', inner, 'b[1][j][k]'))};"

    def _read(self) -> str:
        name = self.random.choice(("a", "a", "b"))
        return f"{name}[i][j][k]"

    def _use(self, used: list[str], inner: str) -> str:
        draw = self.random
        near = [f"{inner} - 1", inner, f"{inner} + 1"]
        terms = [draw.choice(used).format(draw.choice(near)) for _ in range(draw.choice((1, 2, 3)))]
        target = draw.choice(("a", "b", "b"))
        return f"{target}[i][j][k] {draw.choice(('=', '+='))} 0.25 * ({' - '.join(terms)});"
