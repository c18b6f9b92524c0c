"""Which functions have to be looked at again after a change."""

from __future__ import annotations

import pytest

from s2s.cli.editor.sections import split

TEXT = b"""\
/* Some functions. */
#include <stdio.h>
#define EACH(i) for (int i = 0; i < 9; i++)
typedef struct { int a; } pair;
static const char *words[] = { "{", "}" };
API(int) helper(int x) { return x + '}'; }
void outer(int *a)
{
    for (int i = 0; i < 9; i++) { a[i] = helper(i); } // }
}
void by_macro(int *a) { EACH(i) a[i] = 0; }
int plain(pair p) { return p.a; }
"""


def keys(text: bytes) -> list[str]:
    return [section.key for section in split(text, b"")]


def test_functions_and_those_without_loops() -> None:
    found = split(TEXT, b"")
    assert [(s.line, s.last, s.idle) for s in found] == [
        (6, 6, True),
        (7, 10, False),
        (11, 11, False),
        (12, 12, True),
    ]
    assert TEXT[found[1].start : found[1].end].startswith(b"void outer")


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        (b"Some functions", b"A few functions\n", []),
        (b"p.a", b"p.a + 1", [3]),
        (b"x + '}'", b"x - '}'", [0, 1]),
        (b"int a;", b"long a;", [0, 1, 2, 3]),
        (b"i < 9; i++) { a", b"i < 8; i++) { a", [1]),
    ],
)
def test_a_change_is_one_of_what_sees_it(old: bytes, new: bytes, changed: list[int]) -> None:
    before, after = keys(TEXT), keys(TEXT.replace(old, new))
    assert [k for k, pair in enumerate(zip(before, after, strict=True)) if len(set(pair)) == 2] == (
        changed
    )


@pytest.mark.parametrize(
    "text", [b"void f(void) { { }", b"}", b'extern "C" { void f() { for (;;); } }']
)
def test_what_braces_do_not_tell_is_one_section(text: bytes) -> None:
    (section,) = split(text, b"")
    assert (section.start, section.end, section.idle) == (0, len(text), False)


def test_flags_are_part_of_the_key() -> None:
    assert not {s.key for s in split(TEXT, b"-O2")} & {s.key for s in split(TEXT, b"-O3")}
