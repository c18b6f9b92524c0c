"""Functions that a text seems to define, found without a parser."""

from __future__ import annotations

import random
import re

import pytest

from s2s.frontends.c.looping_names import names_defined_in

_AS_ONE_PATTERN = re.compile(rb"\b([A-Za-z_]\w*)\s*\([^;{}]*\)\s*\{")


@pytest.mark.parametrize(
    "text, names",
    [
        ("int f(void) { return g(1); } int g(int a);", {"f"}),
        ("static inline void\nf (int (*h)(void))\n{\n}", {"f"}),
        ("int f() { if (x) { g(); } }", {"f", "if"}),
        ("#define M(a) (a)\nint f(int a) {}", {"M"}),  # whatever stands first may be the name
        ("struct s { int a; }; int b[] = { 1 };", set()),
        ("int f(a) int a; { }", set()),
        ("f(", set()),
    ],
)
def test_names(text: str, names: set[str]) -> None:
    assert names_defined_in(text.encode()) == names


def test_names_are_those_of_one_pattern() -> None:
    draw = random.Random(7)
    for _ in range(3000):
        text = bytes(draw.choice(b"fg(){}; a\n") for _ in range(60))
        found = {name.decode() for name in _AS_ONE_PATTERN.findall(text)}
        assert names_defined_in(text) == found, text
