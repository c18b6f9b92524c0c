"""Sequential time loops of many kinds, as people write them, and files that compare two versions.

Nothing here knows what is transformed: sweeps with bounds of their own, updates of boundaries and
of single elements between them, copies, temporaries, residuals, early exits, in place and not,
arrays of one to four dimensions that may be one and the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

_TYPES = ("double", "float", "int", "short", "unsigned char", "long")
_ITERATORS = "ijkl"
_MOST = {1: 60, 2: 23, 3: 11, 4: 7}


@dataclass(frozen=True)
class TimeLoop:
    """A function of ``n``, ``steps`` and ``arrays`` pointers to cubes of ``n`` elements a side."""

    name: str
    text: str
    type: str
    arrays: int
    dimensions: int
    sizes: tuple[int, ...]


class Drawing:
    """One function in the making."""

    def __init__(self, name: str, seed: str) -> None:
        self.name, self.rng = name, random.Random(seed)
        self.dimensions = self.rng.choices((1, 2, 3, 4), (4, 6, 4, 1))[0]
        self.type = self.rng.choice(_TYPES)
        self.arrays = "uvwx"[: self.rng.randint(1, 4)]
        self.iterators = _ITERATORS[: self.dimensions]
        self.floating = self.type in ("double", "float")
        self.width = self.rng.choice(("n", "n", str(_MOST[self.dimensions])))

    def time_loop(self) -> TimeLoop:
        restrict = self.rng.choice(("restrict ", "restrict ", ""))
        inner = f"[{self.width}]" * (self.dimensions - 1)
        flat = not inner
        given = [
            f"{self.type} *{restrict}{a}" if flat else f"{self.type} (*{restrict}{a}){inner}"
            for a in self.arrays
        ]
        body = "".join(self._part() for _ in range(self.rng.randint(1, 4)))
        head = self.rng.choice((
            "for (int t = 0; t < steps; t++)", "for (int t = 1; t <= steps; t++)",
            "for (long t = steps; t > 0; t--)", "for (int t = 0; t < 2 * steps; t += 2)",
        ))  # fmt: skip
        text = f"void {self.name}(int n, int steps, int far, {', '.join(given)})\n{{\n"
        text += f"    {self.type} last = 0;\n    {head} {{\n{body}    }}\n"
        text += f"    if (far < 0) {self.arrays[0]}{'[0]' * self.dimensions} = last;\n}}\n"
        most = _MOST[self.dimensions]
        fixed = self.width != "n"
        sizes = (most,) if fixed else (3, self.rng.randint(4, most), most)
        return TimeLoop(self.name, text, self.type, len(self.arrays), self.dimensions, sizes)

    # -- parts of a step ------------------------------------------------------------------------

    def _part(self) -> str:
        kinds = (self._sweep, self._edge, self._copy, self._corner, self._pair, self._odd)
        return self.rng.choices(kinds, (10, 3, 3, 1, 2, 1))[0]()

    def _sweep(self) -> str:
        target = self.rng.choice(self.arrays)
        others = [a for a in self.arrays if a != target] or [target]
        return self._loops(f"{target}{self._at()} = {self._value(others, target)};")

    def _pair(self) -> str:
        """Two statements in one body, the second of which may read the first."""
        one, two = self.rng.choice(self.arrays), self.rng.choice(self.arrays)
        here, other = self._at(), self.rng.choice(self.arrays)
        first = f"{self.type} here = {self._value(list(self.arrays), one)}; {one}{here} = here;"
        return self._loops(f"{{ {first} {two}{here} = here + {other}{here}; }}")

    def _copy(self) -> str:
        target, source = self.rng.choice(self.arrays), self.rng.choice(self.arrays)
        return self._loops(f"{target}{self._at()} = {source}{self._at()};", low=0)

    def _edge(self) -> str:
        """Another value along all loops but one."""
        if self.dimensions == 1:
            return self._corner()
        array, fixed = self.rng.choice(self.arrays), self.rng.randrange(self.dimensions)
        near, far = self.rng.choice(
            (("0", "1"), ("0", "n - 2"), ("n - 1", "n - 2"), ("0", "t % 2"))
        )
        loops, to, of = "", "", ""
        for place, name in enumerate(self.iterators):
            if place != fixed:
                loops += f"for (int {name} = 0; {name} < n; {name}++) "
            to += f"[{near if place == fixed else name}]"
            of += f"[{far if place == fixed else name}]"
        value = self.rng.choice((f"{array}{of}", "t", f"{self.rng.choice(self.arrays)}{of}"))
        return f"        {loops}{array}{to} = {value};\n"

    def _corner(self) -> str:
        array = self.rng.choice(self.arrays)
        return f"        {array}{'[0]' * self.dimensions} = {array}{'[1]' * self.dimensions};\n"

    def _odd(self) -> str:
        """What keeps its place: a residual, an early exit, a write where the data says."""
        array = self.rng.choice(self.arrays)
        first = f"{array}{'[1]' * self.dimensions}"
        return self.rng.choice((
            self._loops(f"last += {array}{self._at()};"),
            self._loops(f"if ({array}{self._at()} > last) last = {array}{self._at()};"),
            f"        if ({first} == 77) break;\n",
            f"        if (t > far) {first} = 3;\n",
        ))  # fmt: skip

    # -- pieces ---------------------------------------------------------------------------------

    def _loops(self, body: str, low: int | None = None) -> str:
        text = "        "
        for name in self.iterators:
            first = self.rng.choice((1, 1, 2)) if low is None else low
            last = self.rng.choice((1, 1, 2)) if low is None else low
            up = self.rng.random() < 0.9
            text += (
                f"for (int {name} = {first}; {name} < n - {last}; {name}++) " if up
                else f"for (int {name} = n - {last} - 1; {name} >= {first}; {name}--) "
            )  # fmt: skip
        return f"{text}\n            {body}\n"

    def _at(self, distance: Sequence[int] = ()) -> str:
        return "".join(
            f"[{name}{d:+d}]" if d else f"[{name}]"
            for name, d in zip(self.iterators, distance or [0] * self.dimensions, strict=True)
        )

    def _value(self, arrays: Sequence[str], target: str) -> str:
        reads = []
        for _ in range(self.rng.randint(1, 5)):
            axis, far = self.rng.randrange(self.dimensions), self.rng.choice((-1, 0, 1))
            near = [far if i == axis else 0 for i in range(self.dimensions)]
            if self.rng.random() < 0.15:
                near = [self.rng.choice((-1, 0, 1)) for _ in near]
            reads.append(f"{self.rng.choice(arrays)}{self._at(near)}")
        if self.rng.random() < 0.4:
            reads.append(f"{target}{self._at()}")
        if self.floating:
            return f"0.25f * ({' + '.join(reads)}) - 0.125f * {reads[0]}"
        return f"({' + '.join(reads)} + {self.iterators[-1]}) / 2"


_HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""


def comparison(loops: Sequence[TimeLoop], original: str, changed: str) -> str:
    """A program that prints the functions and sizes for which two versions leave other bits."""
    for loop in loops:
        changed = changed.replace(f"void {loop.name}(", f"void new_{loop.name}(")
    calls = "".join(_call(loop) for loop in loops)
    return f"{_HEAD}{original}\n{changed}\nint main(void)\n{{\n{calls}    return 0;\n}}\n"


def _call(loop: TimeLoop) -> str:
    sizes = ", ".join(map(str, loop.sizes))
    pick = [", ".join(f"(void *)({p} + {i} * c)" for i in range(loop.arrays)) for p in "pq"]
    # The last run has all pointers lead to one array, where the source allows that.
    one = [", ".join([f"(void *){p}"] * loop.arrays) for p in "pq"]
    overlap = "restrict" not in loop.text
    runs = f"{loop.name}(n, s, 1, {pick[0]}); new_{loop.name}(n, s, 1, {pick[1]});"
    if overlap:
        runs += f" {loop.name}(n, s, 1, {one[0]}); new_{loop.name}(n, s, 1, {one[1]});"
    return f"""
    for (int at = 0; at < {len(loop.sizes)}; at++) for (int s = -1; s < 14; s += 1 + s / 2 * 2) {{
        int n = (int[]){{{sizes}}}[at];
        size_t c = 64, all;
        for (int d = 0; d < {loop.dimensions}; d++) c *= n + 2;
        all = c * {loop.arrays};
        {loop.type} *p = malloc(all * sizeof *p), *q = malloc(all * sizeof *q);
        for (size_t k = 0; k < all; k++) p[k] = q[k] = ({loop.type})((k * 37 + k / 5) % 101);
        {runs}
        if (memcmp(p, q, all * sizeof *p)) printf("{loop.name} n=%d steps=%d\\n", n, s);
        free(p); free(q);
    }}
"""
