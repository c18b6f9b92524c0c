"""Nests over many places that pointers lead to: random functions, and a program that runs them.

Each is called with arrays apart, and where no threads share it also with arrays that overlap.
"""

from __future__ import annotations

import random
from pathlib import Path

_HERE = Path(__file__).parent

_TYPES = ("double", "float", "float", "int", "short", "unsigned char", "long")
_EDGE = 2
# Numbers from an array to the next one.
_APART = 20000
_MAIN = (_HERE / "places_main.c").read_text()


def program(seed: str, count: int) -> str:
    """A program of ``count`` functions, each run with four sizes."""
    nests = [_Nest(random.Random(f"{seed}:{number}"), f"f{number}") for number in range(count)]
    calls = "".join(nest.calls() for nest in nests)
    functions = "\n".join(nest.text() for nest in nests)
    return f'#include "numbers.h"\n\n{functions}\n{_MAIN.replace("CALLS", calls)}'


class _Nest:
    """A function of one to three loops that stores to one to three arrays and reads others."""

    def __init__(self, rng: random.Random, name: str) -> None:
        self.rng = rng
        self.name = name
        self.type = rng.choice(_TYPES)
        self.depth = rng.choice((1, 2, 2, 3))
        self.results = rng.choice((1, 2, 2, 3))
        self.sources = rng.choice((1, 3, 5)) if self.depth > 1 else rng.choice((3, 4, 5))
        self.shared = rng.random() < 0.4
        self.promised = rng.choice(((), (), (), ("r",), ("r", "s")))
        """The first letters of the arrays that are ``restrict``."""
        self.own = rng.choice((0, 0, 0.1))
        """How often what is read is of an array that is stored to."""
        self.rows = self.depth > 1 and rng.random() < 0.2
        """Whether rows have a number of elements that is known."""

    def text(self) -> str:
        """The function."""
        names = [f"r{k}" for k in range(self.results)] + [f"s{k}" for k in range(self.sources)]
        parameters = ", ".join(
            f"{'const ' if name[0] == 's' else ''}{self.type} "
            f"*{'restrict ' if name[0] in self.promised else ''}{name}"
            for name in names
        )
        letters = "ijk"[: self.depth]
        opening = "".join(
            f"{'    ' * (place + 1)}for (int {letter} = {_EDGE}; {letter} < "
            f"{'nml'[place + 3 - self.depth]} - {_EDGE}; {letter}++)\n"
            for place, letter in enumerate(letters)
        )
        pragma = "#pragma omp parallel for\n" if self.shared else ""
        body = "".join(f"        {line}\n" for line in self._body())
        head = f"void {self.name}({parameters}, int n, int m, int l)\n"
        return f"{head}{{\n{pragma}{opening}    {{\n{body}    }}\n}}\n"

    def calls(self) -> str:
        """Calls with arrays apart, and with arrays of which some share memory."""
        count = self.results + self.sources
        apart = [f"({self.type} *)(memory + {_APART * k})" for k in range(count)]
        found = [apart]
        if not self.shared and not self.promised:
            found.append(
                [f"({self.type} *)memory + {self.rng.randrange(90)}" for _ in range(count)]
            )
        size = f"{count * _APART} * 8"
        return "".join(
            f"        for (unsigned k = 0; k < {size} / sizeof ({self.type}); k++)\n"
            f"            (({self.type} *)memory)[k] = (k * 37 + k * k % 13) % 101;\n"
            f"        {self.name}({', '.join(given)}, n, m, l);\n"
            f'        show("{self.name}", memory, {size});\n'
            for given in found
        )

    def _element(self, name: str, steps: list[int]) -> str:
        letters = "ijk"[: self.depth]
        places = [f"({x} + {s})" if s else x for x, s in zip(letters, steps, strict=True)]
        flat = places[0]
        for place, size in zip(places[1:], "ml"[3 - self.depth :], strict=True):
            flat = f"({flat}) * {'32' if self.rows else size} + {place}"
        return f"{name}[{flat}]"

    def _read(self) -> str:
        name = f"s{self.rng.randrange(self.sources)}"
        steps = [self.rng.choice((-2, -1, 0, 0, 1, 2)) for _ in range(self.depth)]
        if not self.shared and self.rng.random() < self.own:
            name = f"r{self.rng.randrange(self.results)}"
        return self._element(name, steps)

    def _body(self) -> list[str]:
        lines, more = [], ""
        if self.rng.random() < 0.4:
            lines = [f"{self.type} v = {self._sum(3)};", f"v += {self._sum(4)};"]
            more = " + v"
        for number in range(self.results):
            here = self._element(f"r{number}", [0] * self.depth)
            lines.append(f"{here} = {self._sum(self.rng.randrange(3, 9))}{more};")
        return lines

    def _sum(self, count: int) -> str:
        return " + ".join(f"{self.rng.randrange(1, 9)} * {self._read()}" for _ in range(count))
