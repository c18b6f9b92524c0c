"""Flat loops as rows: the same values for any sizes, below zero as well."""

from __future__ import annotations

import random
from pathlib import Path

from s2s.frontends.c.prepare import Callees, prepare
from s2s.frontends.c.regions import candidates, functions
from tests.frontends.c.prepare.harness import output
from tests.lifting import parse_text

_PROGRAM = """
#include <stdio.h>
static long seen;
static int f({type} n, {type} w, {type} h)
{{
    const {type} all = w * h;
    {type} p = 0;
{loop}
    return p;
}}
int main(void)
{{
    for (int n = {least}; n < 40; n += 3)
        for (int w = {least}; w < 9; w += 2)
            for (int h = {least}; h < 9; h += 3)
                if (w && h) {{
                    int last = f(n, w, h);
                    printf("%d %ld\\n", last, seen);
                }}
    return 0;
}}
"""


def test_random_rows(tmp_path: Path) -> None:
    draw = random.Random(4)
    taken = 0
    for _ in range(12):
        type_ = draw.choice(["int", "int", "long", "unsigned"])
        least = 1 if type_ == "unsigned" else -4
        text = _PROGRAM.format(type=type_, least=least, loop=_loop(draw, type_))
        for whole in _with_its_block(text):
            taken += 1
            assert output(whole, tmp_path, "prepared.c") == output(text, tmp_path, "source.c")
    assert taken >= 9


def _loop(draw: random.Random, type_: str) -> str:
    end = draw.choice(["n", "all", "w * h", "h * w", "n", "2 * w * h", "n * h"])
    first, second = draw.choice(["w", "h", "n", "w"]), draw.choice(["w", "h", "n"])
    head = draw.choice([f"for ({type_} p = 0; p < {end}; p++)", f"for (p = 0; p < {end}; ++p)"])
    terms = [f"p % {first}", f"p / {first}", f"p / {first} % {second}", f"p % {second}", "p"]
    parts = [f"seen = seen * 31 + {draw.choice(terms)};" for _ in range(draw.randint(1, 4))]
    parts.insert(0, f"seen += p % {first};")
    names = draw.choice([
        "", f"{type_} x = p % {first}, y = p / {first}; seen ^= x + 3 * y;",
        f"const {type_} h2 = p / {first}; seen ^= h2;",
        f"{type_} x = p % {first}; x += 3; seen ^= x;",
        f"{type_} w2 = p % {first}; if (w2 == 2) continue;",
    ])  # fmt: skip
    return f"{head} {{ {names} {' '.join(parts)} }}"


def _with_its_block(text: str) -> list[str]:
    """The program with each prepared loop and what stands before and after it."""
    unit = parse_text(text)
    return [
        found.unit.buffer.data.decode()
        for function in functions(unit, every=True)
        for attempt in candidates(function)
        if (found := prepare(attempt, Callees(unit))) is not None
        and found.behind
        and len(found.behind) == 1
    ]
