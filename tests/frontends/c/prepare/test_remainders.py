"""Remainders as choices: what stays, and the same values for any sizes, below zero as well."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.frontends.c.prepare.harness import output, prepared_texts
from tests.lifting import parse_text

_PROGRAM = """
#include <stdio.h>
struct size {{ int w; }};
#define NEXT(i, n) (((i) + 1) % (n))
static long f({type} n, {type} m, {type} s, struct size *z)
{{
    unsigned long t = 0;
    for ({type} i = {first}; i {relation} n; i++) {{
        for ({type} j = {inner}; j < m; j++) {{
{body}
        }}
    }}
    return t;
}}
int main(void)
{{
    struct size z = {{7}};
    for (int n = {least}; n < 9; n++)
        for (int m = {least}; m < 8; m++)
            for (int s = -30; s < 30; s += 7)
                if (n && m) printf("%ld ", f(n, m, s, &z));
    return 0;
}}
"""


def _program(body: str, type_: str = "int", first: int = 0, relation: str = "<") -> str:
    inner = first if relation == "<" else 0
    least = 1 if type_ == "unsigned" else -4
    return _PROGRAM.format(
        body=body, type=type_, first=first, relation=relation, inner=inner, least=least
    )


LEFT = {
    "not below": "t += s % n;",
    "another divisor": "t += (i + 1) % (n + 1);",
    "a macro": "t += NEXT(i, n);",
    "a product": "t += (2 * i + n) % n;",
    "two variables": "t += (i + s + z->w + n) % n;",
    "widened": "t += (i + 1 + n) % (long)n;",
    "effects": "t += (i + (s = 2 * j)) % n;",
    "counter moved": "t += (i + s + n) % n; i += s == 5;",
    "divisor moved": "t += (i + s + n) % n; n -= n > 2;",
    "chosen": "t += i + 1 < n ? i + 1 : (i + 1) % n;",
}


@pytest.mark.parametrize("name", LEFT)
def test_what_stays(name: str) -> None:
    assert prepared_texts(parse_text(_program(LEFT[name]))) == []


def test_unsigned_sums_without_the_divisor_stay() -> None:
    text = _program("t += (i + n - 1) % n;", "unsigned")
    assert prepared_texts(parse_text(text)) == []


def test_headers_say_what_need_not_be_asked() -> None:
    def prepared(body: str) -> str:
        (text,) = prepared_texts(parse_text(_program(body)))
        return text

    assert "t += ((i + 1) < n ? (i + 1) : (i + 1) % n);" in prepared("t += (i + 1) % n;")
    assert "t += (i - 1 >= 0 ? i - 1 : (i - 1 + n) % n);" in prepared("t += (i - 1 + n) % n;")
    assert "t += (i);" in prepared("t += i % n;")
    assert "(i - j >= 0 ? i - j : (n - j + i) % n)" in prepared("t += (n - j + i) % n;")
    assert "i + s >= 0 ? (i + s < n ? i + s :" in prepared("t += (i + n + s) % n;")


def test_random_remainders(tmp_path: Path) -> None:
    draw = random.Random(11)
    taken = 0
    for _ in range(14):
        terms = [draw.choice(["i", "j", "i", "s", "i - 1", "j + 2", "3 - i"]) for _ in range(4)]
        body = "".join(f"t = t * 31 + {_remainder(draw, term)};\n" for term in terms)
        type_ = draw.choice(["int", "int", "long", "unsigned"])
        first, relation = draw.choice([0, 0, 1, -2, -5]), draw.choice(["<", "<", "<="])
        text = _program(body, type_, max(first, 0) if type_ == "unsigned" else first, relation)
        for prepared in prepared_texts(parse_text(text)):
            taken += 1
            assert output(prepared, tmp_path, "prepared.c") == output(text, tmp_path, "source.c")
    assert taken >= 8


def _remainder(draw: random.Random, term: str) -> str:
    divisor = draw.choice(["n", "m", "n"])
    added = draw.choice([divisor, f"{divisor} + {divisor}", "", "", "1", "s", "z->w"])
    parts = [part for part in (term, added) if part]
    draw.shuffle(parts)
    return f"({' + '.join(parts)}) % {divisor}"
