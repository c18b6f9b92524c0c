"""Nests whose loops all carry dependences: random functions, and a program that runs them."""

from __future__ import annotations

import random
from pathlib import Path

_HERE = Path(__file__).parent

_TYPES = ("double", "float", "int", "unsigned", "short", "long")
_EDGE = 3
_MAIN = (_HERE / "recurrences_main.c").read_text()


def program(seed: str, count: int) -> str:
    """A program of ``count`` functions, each run with three sizes."""
    nests = [_Nest(random.Random(f"{seed}:{number}"), f"f{number}") for number in range(count)]
    calls = "".join(
        f"        {{ static {nest.type} a{nest.extents};\n"
        f"          for (unsigned long k = 0; k < sizeof a / sizeof ({nest.type}); k++)\n"
        f"              (({nest.type} *)a)[k] = ({nest.type})((k * 37 + k * k % 13) % 101);\n"
        f"          {nest.name}(n, m, {'*a' if nest.flat else 'a'});\n"
        f'          show("{nest.name}", a, sizeof a); }}\n'
        for nest in nests
    )
    functions = "\n".join(nest.text() for nest in nests)
    return f'#include "numbers.h"\n\n{functions}\n{_MAIN.replace("CALLS", calls)}'


class _Nest:
    """A function over an array of two or three dimensions with edges that it does not write."""

    def __init__(self, rng: random.Random, name: str) -> None:
        self.rng = rng
        self.name = name
        self.type = rng.choice(_TYPES)
        self.depth = rng.choice((2, 2, 2, 3))
        self.extents = "[48][88][9]" if self.depth == 3 else "[48][88]"
        self.down = [rng.random() < 0.3 for _ in range(self.depth)]
        self.letters = rng.sample("ijkpqr", self.depth)
        self.shape = rng.choice(("box", "box", "box", "upper", "lower"))
        self.flat = self.depth == 2 and rng.random() < 0.4
        """Whether rows are the sum of a size and the edges around it long."""

    def text(self) -> str:
        """The function."""
        parameter = f"{self.type} {'*restrict a' if self.flat else f'a{self.extents}'}"
        opening = "".join(
            f"{'    ' * (place + 1)}{self._loop(place)}{' {' if place + 1 < self.depth else ''}\n"
            f"{self._between(place)}"
            for place in range(self.depth)
        )
        body = self._body("    " * (self.depth + 1))
        closing = "".join("    " * (place + 1) + "}\n" for place in reversed(range(self.depth - 1)))
        return f"void {self.name}(int n, int m, {parameter})\n{{\n{opening}{body}{closing}}}\n"

    def _loop(self, place: int) -> str:
        letter = self.letters[place]
        first, last = str(_EDGE), ("n", "m", "2")[place] + f" + {_EDGE}"
        if place == 1 and self.shape == "upper":
            first = self.letters[0]
        if place == 1 and self.shape == "lower":
            last = f"{self.letters[0]} + 1"
        if self.down[place]:
            return f"for (int {letter} = {last} - 1; {letter} >= {first}; {letter}--)"
        return f"for (int {letter} = {first}; {letter} < {last}; {letter}++)"

    def _between(self, place: int) -> str:
        """Now and then, a statement before an inner loop."""
        if place != 0 or self.rng.random() < 0.7:
            return ""
        first = self._element([self.letters[0], *["1"] * (self.depth - 1)])
        return f"        {first} = ({self.type})({self.letters[0]} % 7);\n"

    def _read(self, along: int | None = None) -> str:
        """An element that is near, mostly one that has been written before.

        One ``along`` a loop is of an earlier iteration of this loop, and not of the loops around.
        """
        steps = [self.rng.choice((0, 0, 1, 1, 2)) for _ in range(self.depth)]
        if along is not None:
            steps[: along + 1] = [0] * along + [self.rng.choice((1, 1, 2))]
        if self.rng.random() < 0.3:
            steps[-1] = -steps[-1]
        signs = [1 if down else -1 for down in self.down]
        places = [s * d for s, d in zip(signs, steps, strict=True)]
        return self._element(
            [
                f"{x} {'-' if d < 0 else '+'} {abs(d)}" if d else x
                for x, d in zip(self.letters, places, strict=True)
            ]
        )

    def _element(self, subscripts: list[str]) -> str:
        if self.flat:
            row, column = subscripts
            return f"a[({row}) * (m + {2 * _EDGE}) + {column}]"
        return "a" + "".join(f"[{x}]" for x in subscripts)

    def _body(self, indent: str) -> str:
        here = self._element(self.letters)
        one, two, three = self._read(0), self._read(self.rng.choice((1, 1, 1, None))), self._read()
        whole = self.type not in ("double", "float")
        mean = f"({one} + {two} + {three}) / 3" if whole else f"0.25f * {one} + 0.5f * {two}"
        kind = self.rng.choice(("plain", "local", "branch", "least", "two"))
        if kind == "plain":
            return f"{indent}{here} = {mean};\n"
        lines = {
            "local": [f"{self.type} v = {one};", f"if ({two} > v) v = {two};", f"{here} = v + 1;"],
            "branch": [
                f"if ({one} > {two})",
                f"    {here} = {three};",
                "else",
                f"    {here} = {mean};",
            ],
            "least": [f"{here} = {one} < {two} ? {one} + 1 : {two} + ({self.letters[0]} & 1);"],
            "two": [f"{here} = {mean};", f"{here} = {here} / 2 + {three} / 2;"],
        }[kind]
        inner = "".join(f"{indent}{line}\n" for line in lines)
        outer = indent[4:]
        return f"{outer}{{\n{inner}{outer}}}\n"
