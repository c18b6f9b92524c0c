"""Functions that choose an integer, as one expression: its text, and its value."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

from s2s.frontends.c.prepare.callee import Callee
from tests.inputs import RENEW
from tests.lifting import parse_text

_HERE = Path(__file__).parent
_SEED = int(os.environ.get("S2S_SEED", "1"))
_TYPES = ("int", "long", "short", "unsigned", "signed char", "unsigned char", "const int")


def _choices(text: str) -> Iterator[tuple[str, str | None]]:
    """The functions of a file, each with the expression that it is."""
    unit = parse_text(text)
    for cursor in unit.functions():
        callee = Callee(unit.convert(cursor), unit.buffer.data, unit, True, unit.skipped)
        yield callee.name, None if callee.choice is None else callee.choice.decode()


def test_expressions_of_functions() -> None:
    found = _choices((_HERE / "choices.c").read_text())
    lines = [f"{name}: {'' if choice is None else choice}".strip() for name, choice in found]
    expected = _HERE / "choices.expected.txt"
    if RENEW:
        expected.write_text("\n".join(lines) + "\n")
    assert expected.read_text().splitlines() == lines


class _Writer:
    """Writes functions of two numbers whose values are far from where signed types end."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def value(self, names: list[str], depth: int = 2) -> str:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.4:
            return pick([*names, "3", "-7", "1u", "200"])
        left, right = (self.value(names, depth - 1) for _ in range(2))
        if self.random.random() < 0.2:
            return f"({self.condition(names)} ? {left} : {right})"
        operation = pick(["{} + {}", "{} - {}", "{} * 3 + {}", "{} / 4 - {}", "({}) % 5 + {}"])
        return f"({operation.format(left, right)})"

    def condition(self, names: list[str]) -> str:
        pick = self.random.choice
        found = f"{self.value(names, 1)} {pick(['<', '<=', '>', '==', '!='])} {pick(names)}"
        return (
            found if self.random.random() < 0.7 else f"{found} {pick(['&&', '||'])} {pick(names)}"
        )

    def statement(self, names: list[str], changed: list[str], depth: int = 2) -> str:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.4:
            if not changed or self.random.random() < 0.4:
                return f"return {self.value(names)};"
            return f"{pick(changed)} = {self.value(names)};"
        inside = [
            self.statement(names, changed, depth - 1) for _ in range(self.random.randint(1, 2))
        ]
        other = self.statement(names, changed, depth - 1)
        otherwise = f" else {{ {other} }}" if self.random.random() < 0.5 else ""
        return f"if ({self.condition(names)}) {{ {' '.join(inside)} }}{otherwise}"

    def function(self, number: int) -> str:
        types = self.random.choices(_TYPES, k=3)
        local = f"{types[2]} c = {self.value(['a', 'b'])};"
        names = ["a", "b", "c"]
        changed = [n for n, t in zip(names, types, strict=True) if "const" not in t]
        body = [self.statement(names, changed) for _ in range(self.random.randint(0, 2))]
        returned = self.random.choice(_TYPES[:-1])
        head = f"{returned} f{number}({types[0]} a, {types[1]} b)"
        return f"{head} {{ {local} {' '.join(body)} return {self.value(names)}; }}"


def test_values_of_random_functions(tmp_path: Path) -> None:
    writer = _Writer(_SEED)
    functions = [writer.function(number) for number in range(60)]
    choices = dict(_choices("\n".join(functions)))
    assert sum(choice is not None for choice in choices.values()) > 30
    compared = []
    for number, (text, choice) in enumerate(zip(functions, choices.values(), strict=True)):
        if choice is not None:
            head = text[: text.index(" {")].replace(f"f{number}(", f"e{number}(")
            compared.append(f"{text}\n{head} {{ return {choice}; }}")
            compared.append(
                f"void c{number}(int a, int b) {{ if (f{number}(a, b) != e{number}(a, b))"
                f' {{ printf("{number} %d %d\\n", a, b); bad = 1; }} }}'
            )
    calls = "".join(f"c{n}(a, b);" for n, choice in enumerate(choices.values()) if choice)
    loops = "for (int a = -300; a < 300; a += 7) for (int b = -9; b < 300; b += 5)"
    main = f"int main(void) {{ {loops} {{ {calls} }} return bad; }}"
    source, program = tmp_path / "compared.c", tmp_path / "compared"
    source.write_text("\n".join(["#include <stdio.h>", "static int bad;", *compared, main]))
    subprocess.run(["gcc", "-O1", "-w", "-fwrapv", str(source), "-o", str(program)], check=True)
    run = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[:400]
