"""Functions that sum something up for each result: random ones, and a program that runs them.

Results and what is read have different types, sums start and end in different ways, and some calls
give arrays that overlap.
"""

from __future__ import annotations

import random
from pathlib import Path

_HERE = Path(__file__).parent

_TYPES = ("float", "float", "double", "int", "short", "unsigned char", "long")
_SUMS = ("float", "double", "double", "long", "unsigned")
_CLAMPS = (
    "if (c < 0) c = 0; if (c > {last}) c = {last};",
    "if (c < 0) c = 0; else if (c >= {last}) c = {last};",
    "c = c < 0 ? 0 : c > {last} ? {last} : c;",
    "c = c <= {last} ? c : {last}; c = c > 0 ? c : 0;",
    "if (c < 0) c = -c; if (c > {last}) c = {last};",
    "if (c < 0 || c > {last}) c = 1;",
)
# Numbers from an array to the next one.
_APART = 6000
_MAIN = (_HERE / "side_sums_main.c").read_text()


def program(seed: str, count: int) -> str:
    """A program of ``count`` functions, each run with four sizes."""
    nests = [_Sums(random.Random(f"{seed}:{number}"), f"f{number}") for number in range(count)]
    calls = "".join(nest.calls() for nest in nests)
    functions = "\n".join(nest.text() for nest in nests)
    return f'#include "numbers.h"\n\n{functions}\n{_MAIN.replace("CALLS", calls)}'


class _Sums:
    """A loop over results, below another one perhaps, with one or two loops of sums inside."""

    def __init__(self, rng: random.Random, name: str) -> None:
        self.rng = rng
        self.name = name
        self.types = {letter: rng.choice(_TYPES) for letter in "oabk"}
        self.sums = [rng.choice(_SUMS) for _ in range(rng.choice((1, 1, 2)))]
        self.rows = rng.random() < 0.4
        self.pointed = self.rows and rng.random() < 0.6
        """Whether a pointer leads to the row of ``a``."""
        self.planes = rng.random() < 0.3
        """Whether two loops sum up."""
        self.clamped = rng.random() < 0.3
        """Whether columns beyond an edge are those at the edge, or at the other one."""
        self.wide = rng.choice(("n", "n - 2", "2 * n"))

    def text(self) -> str:
        """The function."""
        parameters = ", ".join(
            f"{'' if letter == 'o' else 'const '}{type_} *{letter}"
            for letter, type_ in self.types.items()
        )
        lines = [f"void {self.name}({parameters}, int n, int m, int l)", "{"]
        indent = "    "
        if self.rows:
            lines.append(f"{indent}for (int y = 0; y < l; y++) {{")
            indent += "    "
        if self.pointed:
            row = self.rng.choice(("a + y * (2 * n)", "&a[2 * n * y]", "y * (n + n) + a"))
            lines.append(f"{indent}const {self.types['a']} *row = {row};")
        first = self.rng.choice(("0", "1", "m"))
        lines.append(f"{indent}for (int x = {first}; x < {self.wide}; x++) {{")
        inner = [*self._starts(), *self._loops(), *self._ends()]
        lines += [f"{indent}    {line}" for line in inner]
        ends = [f"{indent}}}", *(["    }"] if self.rows else []), "}", ""]
        return "\n".join([*lines, *ends])

    def calls(self) -> str:
        """A call with arrays apart, and one with arrays of which some share memory."""
        apart = [f"({t} *)(memory + {_APART * k})" for k, t in enumerate(self.types.values())]
        near = [f"({t} *)memory + {self.rng.randrange(40)}" for t in self.types.values()]
        same = len(set(self.types.values())) == 1
        filled = "".join(
            f"        for (unsigned k = 0; k < 3000; k++)\n"
            f"            (({t} *)(memory + {_APART * k}))[k] = (k * 37 + k * k % 13) % 101;\n"
            for k, t in enumerate(self.types.values())
        )
        return "".join(
            f"        for (unsigned k = 0; k < {4 * _APART}; k++) memory[k] = 0;\n{filled}"
            f"        {self.name}({', '.join(given)}, n, m, l);\n"
            f'        show("{self.name}", memory, {4 * _APART} * 8);\n'
            for given in ([apart, near] if same else [apart])
        )

    def _starts(self) -> list[str]:
        values = ("0", "0", "1", f"b[{self._place()}]", "x")
        return [f"{t} s{k} = {self.rng.choice(values)};" for k, t in enumerate(self.sums)]

    def _loops(self) -> list[str]:
        count = self.rng.choice(("m", "m", "n", "l", "x + 1"))
        down = self.rng.random() < 0.2
        header = (
            f"for (int i = {count} - 1; i >= 0; i--)"
            if down
            else f"for (int i = 0; i < {count}; i++)"
        )
        lines = ["for (int j = 0; j < m; j++)"] if self.planes else []
        indent = "    " * len(lines)
        updates = [self._update(f"s{k}") for k in range(len(self.sums))]
        lines.append(f"{indent}{header} {{")
        return [*lines, *(f"{indent}    {update}" for update in updates), f"{indent}}}"]

    def _update(self, name: str) -> str:
        if self.clamped:
            row = "row" if self.pointed else "a"
            base = "y * (2 * n) + " if self.rows and not self.pointed else ""
            moved = f"int c = x + i{' + j' if self.planes else ''} - {self.rng.choice('023')};"
            clamps = self.rng.choice(_CLAMPS).format(last=self.rng.choice(("n - 1", "2 * n - 1")))
            return f"{{ {moved} {clamps} {name} += k[i] * {row}[{base}c]; }}"
        place = f"{'x' if self.pointed else self._place()} + i{' + j' if self.planes else ''}"
        term = f"k[i] * {'row' if self.pointed else 'a'}[{place}]"
        other = f"b[{self._place()}]"
        return self.rng.choice(
            (
                f"{name} += {term};",
                f"{name} += {term} + {other};",
                f"{name} = {name} * 3 + {term};",
                f"{name} -= a[i] - {other};",
                f"{name} = {term} - {name};",
            )
        )

    def _ends(self) -> list[str]:
        value = " + ".join(f"s{k}" for k in range(len(self.sums)))
        whole = self.types["o"] in ("int", "short", "unsigned char", "long")
        bounded = f"(int)({value}) % 97" if whole else value
        scaled = self.rng.choice(
            (f"{bounded}", f"({bounded}) / 3", f"{bounded} + b[{self._place()}]")
        )
        if any(t in ("float", "double") for t in self.sums) and whole:
            scaled = f"({value}) > 90 ? 90 : ({value}) < 0 ? 0 : ({value})"
        return [f"o[{self._place()}] = {scaled};"]

    def _place(self) -> str:
        return "y * (2 * n) + x" if self.rows else "x"
