"""Random programs with calls: the prepared text prints what the program prints.

All names come from one small pool, so that the variables of callers and callees collide.
S2S_SEED chooses the first seed.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.frontends.c.prepare.harness import output, prepared_texts
from tests.lifting import parse_text

_SEED = int(os.environ.get("S2S_SEED", "1"))
_NAMES = ("a", "b", "i", "j", "k", "x")


class _Writer:
    """Writes one program; all arithmetic is unsigned, all subscripts are masked."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def value(self, names: list[str], array: str, depth: int = 2) -> str:
        """An expression without effects."""
        if depth == 0 or self.random.random() < 0.3:
            return self.pick(*names, "3u", "7u", f"{array}[{self.pick(*names)} & 15]", "g")
        left, right = (self.value(names, array, depth - 1) for _ in range(2))
        return f"({left} {self.pick('+', '-', '*', '^')} {right})"

    def statement(self, names: list[str], array: str, depth: int = 2) -> str:
        kind = self.random.random()
        target = self.pick(*names, f"{array}[{self.pick(*names)} & 15]", "g")
        if depth and kind < 0.2:
            name = self.pick(*(n for n in _NAMES if n != array))
            inner = self.statement([*names, name], array, depth - 1)
            kept = inner.replace(f"{name} =", "g =").replace(f"{name} +=", "g +=")
            return f"for (unsigned {name} = 0; {name} < 3; {name}++) {{ {kept} }}"
        if depth and kind < 0.4:
            condition = f"{self.value(names, array, 1)} & 1"
            return f"if ({condition}) {{ {self.statement(names, array, depth - 1)} }}"
        return f"{target} {self.pick('=', '+=')} {self.value(names, array)};"

    def function(self, number: int) -> tuple[str, int]:
        """A function and how many numbers it takes."""
        parameters = self.random.sample(_NAMES, self.random.randint(1, 3))
        free = [n for n in _NAMES if n not in parameters]
        array = free.pop(self.random.randrange(len(free)))
        local = self.random.sample(free, self.random.randint(0, 2))
        head = ", ".join([f"unsigned *{array}", *(f"unsigned {p}" for p in parameters)])
        names = [*parameters, *local]
        lines = [f"unsigned {n} = {self.value(parameters, array)};" for n in local]
        lines += [self.statement(names, array) for _ in range(self.random.randint(0, 3))]
        lines.append(f"return {self.value(names, array)};")
        kind = self.pick("static ", "", "static inline ")
        return f"{kind}unsigned f{number}({head}) {{ {' '.join(lines)} }}", len(parameters)

    def call(self, number: int, count: int, names: list[str]) -> str:
        """A call whose arguments may have effects."""
        used: set[str] = {self.pick(*names)} if self.random.random() < 0.4 else set()
        others = [n for n in names if n not in used]
        given = [self.value(others, "v", 1) for _ in range(count)]
        if used:  # in one argument only: their order is not specified
            given[self.random.randrange(count)] = f"{min(used)}++"
        call = f"f{number}({self.pick('v', 'w')}, {', '.join(given)})"
        return self.pick(
            f"{call};",
            f"{self.pick(*others)} = {call};",
            f"{self.pick(*others)} += {call};",
            f"w[{self.pick(*others)} & 15] = {call};",
            f"if ({call} & 1) w[0]++;",
            f"{{ unsigned z = {call}; w[1] += z; }}",
        )

    def program(self) -> str:
        functions = [self.function(number) for number in range(3)]
        names = self.random.sample(_NAMES, 3)
        counter = self.pick(*(n for n in _NAMES if n not in names))
        calls = [
            self.call(number, functions[number][1], [*names])
            for number in self.random.choices(range(3), k=3)
        ]
        return "\n".join(
            [
                "#include <stdio.h>",
                "unsigned g = 5;",
                *(text for text, _ in functions),
                "int main(void) {",
                "unsigned v[16], w[16];",
                *(f"unsigned {n} = {p + 2};" for p, n in enumerate(names)),
                "for (int q = 0; q < 16; q++) { v[q] = q * 5u; w[q] = q; }",
                f"for (int {counter} = 0; {counter} < 4; {counter}++) {{ {' '.join(calls)} }}",
                'for (int q = 0; q < 16; q++) { printf("%u %u\\n", v[q], w[q]); }',
                f'printf("%u %u %u %u\\n", g, {", ".join(names)});',
                "return 0; }",
            ]
        )


@pytest.mark.parametrize("seed", range(_SEED * 1000, _SEED * 1000 + 12))
def test_random_calls(seed: int, tmp_path: Path) -> None:
    text = _Writer(seed).program()
    texts = prepared_texts(parse_text(text))
    expected = output(text, tmp_path, "before.c") if texts else ""
    for number, changed in enumerate(texts):
        assert output(changed, tmp_path, f"after{number}.c") == expected, changed
