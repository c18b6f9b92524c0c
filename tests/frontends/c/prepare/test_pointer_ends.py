"""Loops that run from a pointer to an end: the same results as loops that count."""

from __future__ import annotations

import random
from pathlib import Path

from tests.frontends.c.prepare.harness import output, prepared, prepared_texts
from tests.lifting import parse_text

_PROGRAM = Path(__file__).parent / "pointer_ends.c"


def _loop(draw: random.Random, depth: int) -> str:
    """A loop over integers or records, with one inside of it where ``depth`` is left."""
    name = f"c{depth}"
    if draw.random() < 0.4:
        begin, ends, type_ = "r0", ["rend", "r0 + n", "(r0 + n)"], "Record"
        used = [f"{name}->x", f"{name}->y[1]", f"(*{name}).x", f"{name}[0].y[2]"]
    else:
        begin, ends, type_ = "p0", ["end", "p0 + n", "p0 + (n - 1)"], "int"
        used = [f"*{name}", f"{name}[0]", f"{name}[1]"]
        if draw.random() < 0.5:
            begin, ends = "q0 + 2", ["q0 + 2 + n", "last", "q0 + n"]
    end = draw.choice(ends)
    step, relation = draw.choice([("++", "<"), ("++", "!="), (" += 2", "<"), ("++", "<=")])
    if end in ("q0 + n", "p0 + (n - 1)") and relation == "!=":
        relation = "<"
    target, value = draw.choice(used), draw.choice(used)
    body = [f"{target} = {value} + {draw.choice(['1', 'n', '*q0', 'r0->x'])};"]
    if depth:
        body.insert(draw.randrange(2), _loop(draw, depth - 1))
    if draw.random() < 0.3:
        body.append(f"if ({value} > 40) {draw.choice(['continue', 'break'])};")
    inside = " ".join(body)
    if len(body) > 1 or draw.random() < 0.5:
        inside = f"{{ {inside} }}"
    condition = draw.choice([f"{name} {relation} {end}", f"{end} {_SWAPPED[relation]} {name}"])
    return f"for ({type_} *{name} = {begin}; {condition}; {name}{step}) {inside}"


_SWAPPED = {"<": ">", "<=": ">=", "!=": "!="}


def test_random_loops_do_the_same(tmp_path: Path) -> None:
    draw = random.Random(5)
    changed = 0
    for number in range(6):
        loops = "\n".join(_loop(draw, draw.randrange(2)) for _ in range(3))
        text = _PROGRAM.read_text().replace("LOOPS", loops)
        expected = output(text, tmp_path, f"s{number}.c")
        for place, new in enumerate(t for t in prepared_texts(parse_text(text)) if "_at" in t):
            assert output(new, tmp_path, f"n{number}_{place}.c") == expected, new
            changed += 1
    assert changed >= 12


def test_the_length_of_an_inner_loop_is_what_is_added() -> None:
    text = prepared(
        "void f(int *a, int *o, int w, int h) { for (int y = 0; y < h; y++) "
        "{ int *row = a + y * w, *end = row + w; "
        "for (int *p = row; p < end; p++) o[y] += *p; } }"
    )
    assert "p_at < w" in text
    assert "end" not in text


def test_an_unsigned_length_is_a_long() -> None:
    text = prepared("void f(int *a, unsigned long n) { for (int *p = a; p < a + n; p++) *p = 1; }")
    assert "p_at < (long)(n)" in text
