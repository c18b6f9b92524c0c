"""Remainders at the ends of loops: the same values for any sizes, below zero as well."""

from __future__ import annotations

import random
from pathlib import Path

from s2s.frontends.c.regions import functions
from s2s.rewriters.flat_rows import FlatRowLoops
from s2s.rewriters.wrapped_ends import WrappedEndLoops
from s2s.source import Edit, apply_edits
from tests.frontends.c.prepare.harness import output
from tests.lifting import parse_text

_PROGRAM = """
#include <stdio.h>
static long seen;
static long f({type} n, {type} m)
{{
    {type} i = 0;
{loops}
    return (long)i;
}}
int main(void)
{{
    for (int n = {least}; n < 30; n++) {{
        if (!n) continue;
        long last = f(n, 31 - n);
        printf("%ld %ld\\n", last, seen);
    }}
    return 0;
}}
"""


def test_random_ends(tmp_path: Path) -> None:
    draw = random.Random(6)
    taken = 0
    for _ in range(10):
        type_ = draw.choice(["int", "int", "long", "unsigned", "size_t"])
        least = 1 if type_ in ("unsigned", "size_t") else -5
        loops = "\n".join(_loop(draw, type_) for _ in range(3))
        text = _PROGRAM.format(type=type_, least=least, loops=loops)
        unit = parse_text(text)
        edits: list[Edit] = []
        for function in functions(unit, every=True):
            for one in (FlatRowLoops(), WrappedEndLoops()):
                edits += [e for change in one.edits(function, tuple(edits)) for e in change.edits]
        taken += len(edits)
        new = apply_edits(unit.buffer.data, edits).decode()
        assert output(new, tmp_path, "new.c") == output(text, tmp_path, "source.c")
    assert taken >= 20


def _loop(draw: random.Random, type_: str) -> str:
    first = draw.choice([0, 0, 1, 3, 20])
    head = draw.choice([f"for ({type_} i = {first}; i < n; i++)", f"for (i = {first}; i < n; ++i)"])
    terms = [
        f"(i + {draw.randint(0, 5)}) % n", f"(i + n - {draw.randint(0, 4)}) % n",
        f"(n + {draw.randint(1, 3)} + i) % n", f"({draw.randint(1, 3)} + i - 1) % n", "i", "i % n",
        f"(i + {draw.randint(1, 3)}) % m", "((i + 1) % n + 2) % n",
    ]  # fmt: skip
    parts = " ".join(f"seen = seen * 31 + {draw.choice(terms)};" for _ in range(3))
    skip = draw.choice(["", f"if ({draw.choice(terms)} == 2) continue; "])
    return f"    {head} {{ seen += (i + 1) % n; {skip}{parts} }}"
