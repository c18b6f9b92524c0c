"""Walks over narrow integers: the same elements and variables for any types, amounts and counts."""

from __future__ import annotations

import random
from pathlib import Path

from s2s.frontends.c.regions import functions
from s2s.rewriters.narrow_walks import NarrowWalks
from s2s.source import apply_edits
from tests.frontends.c.prepare.harness import output
from tests.lifting import parse_text

_PARTS = Path(__file__).parent / "narrow_walks" / "drawn"


def test_random_walks(tmp_path: Path) -> None:
    draw = random.Random(21)
    for _ in range(4):
        walks = [_walk(draw, number) for number in range(6)]
        calls = (f"sum = sum * 31 + walk{i}({a}, n, amounts[k]);" for i, (a, _) in enumerate(walks))
        text = (_PARTS / "main.c").read_text().replace("CALLS", " ".join(calls))
        text = text.replace("WALKS", "".join(walk for _, walk in walks))
        unit = parse_text(text)
        changes = [c for f in functions(unit, every=True) for c in NarrowWalks().edits(f, ())]
        edits = [edit for change in changes for edit in change.edits]
        assert len(edits) == len(walks)
        new = apply_edits(unit.buffer.data, edits).decode()
        assert output(new, tmp_path, "new.c") == output(text, tmp_path, "source.c")


def _walk(draw: random.Random, number: int) -> tuple[str, str]:
    """An array and the text of a function that walks over elements of it."""
    array, element = draw.choice([("shorts", "unsigned short"), ("chars", "unsigned char")])
    unsigned = ["unsigned", "unsigned long", "const unsigned"]
    test, kept = draw.choice([
        ("m >= w", "m - w : 0"), ("m > w", "m - w : 0"), ("w <= m", f"({element})(m - w) : 0"),
        ("m < w", "0 : m - w"), ("w >= m", f"0 : ({element})(m - w)"), ("w > m", "0 : m - w"),
    ])  # fmt: skip
    down = draw.random() < 0.5
    cast = draw.choice(["", f"({element})", "(unsigned)"])
    words = {
        "NAME": f"walk{number}", "ELEMENT": element, "AMOUNT": draw.choice(unsigned),
        "COUNT": draw.choice(["unsigned", "int", "long", "size_t"]),
        "VALUE": draw.choice(unsigned[:2]), "BEGIN": "a + n" if down else "a",
        "READ": "*--p" if down else "*p", "WRITTEN": "*p" if down else "*p++",
        "KEPT": f"{cast}({test} ? {kept})", "ENDS": draw.choice(["--n", "--n != 0", "--n > 0"]),
    }  # fmt: skip
    text = (_PARTS / "walk.c").read_text()
    for word, drawn in words.items():
        text = text.replace(word, drawn)
    return array, text
