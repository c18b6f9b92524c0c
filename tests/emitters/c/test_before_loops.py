"""Loops of C90: declared before, and told from what is another program."""

from __future__ import annotations

import pytest

from s2s.emitters.c.before_loops import declare_before_loops
from s2s.emitters.c.blocks import Block, parse
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.layout import Layout
from s2s.emitters.c.style import style_of
from s2s.net import Mismatch
from s2s.net.left_out import check_declared_before

PLAIN = "for (long i = 0; i < n; i++) { int t; f(i); for (int j = 0; j < i; j++) g(j); }"
NEST = """\
#pragma omp for collapse(2)
for (int i = 0; i < n; i++)
for (long j = 0; j < i; j++) {
f(j);
}"""
INNER = "{ int j; for (j = 0; j < i; j++) g(j); }"
LOOP = "for (i = 0; i < n; i++) { int t; f(i); INNER }".replace("INNER", INNER)
SOURCE = "{ int i; for (i = 0; i < n; i++) f(i); }"
WITH_C90 = {
    PLAIN: f"{{ long i; {LOOP} }}",
    NEST: "{ int i; long j;\n" + NEST.replace("(int ", "(").replace("(long ", "(") + "}",
    SOURCE: SOURCE,
}


@pytest.mark.parametrize("text", WITH_C90)
def test_the_same_loops(text: str) -> None:
    check_declared_before(text.encode(), WITH_C90[text].encode())


@pytest.mark.parametrize(
    "c90",
    [
        f"{{ int i; {LOOP} }}",
        f"{{ long i; {LOOP} i++; }}",
        f"{{ long i; {LOOP.replace('i = 0', 'i = 1')} }}",
        f"{{ long i; {LOOP.replace('g(j);', '; g(j);')} }}",
        f"{{ long i, j; {LOOP.replace(INNER, INNER[9:-2])} }}",
    ],
)
def test_other_loops(c90: str) -> None:
    with pytest.raises(Mismatch):
        check_declared_before(PLAIN.encode(), c90.encode())


def test_what_is_written_is_the_same() -> None:
    block = Block([], parse(NEST.split("\n")))
    declare_before_loops(block)
    text = "\n".join(Layout(style_of(b""), "").lines([block]))
    assert "long j;\n#pragma omp for collapse(2)" in text.replace("        ", "")
    check_declared_before(f"{{\n{NEST}\n}}".encode(), text.encode())


def test_loops_of_one_directive_that_are_apart() -> None:
    apart = NEST.replace("\nfor (long", "{\nlong k = 2;\nfor (long").split("\n")
    with pytest.raises(Unprintable, match="apart"):
        declare_before_loops(Block([], parse([*apart, "}"])))
