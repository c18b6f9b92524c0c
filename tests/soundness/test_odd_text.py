"""White space, bytes and line ends that people do not see: the program stays right, or is left."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from s2s.driver import guarded
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.soundness.harness import STENCIL, check, program

_TOKENS = re.compile(
    r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|^[ \t]*\#[^\n]*\n|\w+|\s+|[^\w\s]", re.S | re.M
)
_TEXT = program(STENCIL).encode()


def _blanks(blank: bytes) -> Callable[[], bytes]:
    """The program with other blanks, directives apart."""

    def changed() -> bytes:
        lines = _TEXT.split(b"\n")
        return b"\n".join(x if x.startswith(b"#") else x.replace(b" ", blank) for x in lines)

    return changed


def _between_tokens(pieces: list[str], seed: int) -> Callable[[], bytes]:
    """The program with odd things put between some of its tokens."""

    def changed() -> bytes:
        chosen = random.Random(seed)
        tokens = _TOKENS.findall(_TEXT.decode())
        for place, token in enumerate(tokens):
            if token.isspace() and not tokens[place - 1].lstrip().startswith("#"):
                tokens[place] = token + chosen.choice(pieces) * (chosen.random() < 0.2)
        return "".join(tokens).encode("latin-1")

    return changed


_ODD = {
    "form feeds": _blanks(b"\f"),
    "vertical tabs": _blanks(b"\v"),
    "tabs": _blanks(b"\t"),
    "form feeds in front of lines": lambda: _TEXT.replace(b"\n        for", b"\n\f  \v    for"),
    "line feeds of DOS": lambda: _TEXT.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda: b"\xef\xbb\xbf" + _TEXT,
    "anything": _between_tokens(["\f", "\v", "\\\n", "/* \xe9\xff */", "\t", " // \xb5\n"], 3),
}


@pytest.mark.parametrize("kind", list(_ODD))
def test_odd_text_is_transformed_as_any_other(kind: str, tmp_path: Path) -> None:
    result = check(tmp_path, _ODD[kind]())
    assert result.transformed, result.messages
    assert not result.different


_LOOP = b"void f(int n, double *restrict a) { for (int i = 1; i < n; i++) a[i] = a[i - 1] + 1; }\n"


@pytest.mark.parametrize(
    ("text", "flags", "said"),
    [
        (b"// one line of gcc's\r" + _LOOP, (), "a carriage return without a line feed"),
        (
            b"// more\\ \n of this\n" + _LOOP,
            (),
            "blanks between a backslash and the end of the line",
        ),
        (b"// more??/\n of this\n" + _LOOP, ("-std=c11",), "a trigraph"),
        (b"// more??/\n of this\n" + _LOOP, ("-ansi",), "a trigraph"),
    ],
)
def test_what_compilers_read_in_two_ways_is_left(
    tmp_path: Path, text: bytes, flags: tuple[str, ...], said: str
) -> None:
    path = tmp_path / "a.c"
    path.write_bytes(text)
    outcome = transform_file(str(path), ("-O3", *flags), Options(strict=True))
    assert outcome.text == text
    assert [d.text for d in outcome.diagnostics] == [f"left as it is: {said}"]


def test_question_marks_are_no_trigraphs_by_default(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_bytes(b"// what??/\n" + program(STENCIL).encode())
    assert transform_file(str(path), ("-O3", "-fopenmp"), Options(strict=True, force=True)).changed


_DOUBLING = "#define A0 x[i]\n" + "".join(
    f"#define A{k + 1} A{k} + A{k}\n" for k in range(19)
)  # fmt: skip


@pytest.mark.in_child
@pytest.mark.parametrize(
    "text",
    [
        _DOUBLING + "void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = A19; }\n",
        "void f(int n, int *x) { for (int i = 0; i < n; i++) x[i] = " + "- " * 60_000 + "x[i]; }\n",
        "void f(int *x) { switch (*x) { " + " ".join(f"case {k}:" for k in range(60_000)) + " ; } "
        "for (int i = 1; i < 9; i++) x[i] = x[i - 1]; }\n",
    ],
    ids=["macros", "signs", "cases"],
)  # fmt: skip
def test_what_is_nested_too_deeply_is_left(tmp_path: Path, text: str) -> None:
    """The parser's stack is full, or the interpreter's: in a process of its own."""
    path = tmp_path / "a.c"
    path.write_text(text)
    outcome = guarded.transform_file(str(path), ("-O3",), Options(strict=True))
    assert not outcome.changed
    said = "left as it is: its constructs are nested too deeply for the parser"
    assert outcome.diagnostics[0].text.startswith(said)


_FLIPPED = b"""
struct graph { long n, *offset, *target; };
void pull(struct graph *g, double *now, double *next)
{
#pragma omp parallel for
    for (long v = 0; v < g->n; v++)
        for (long e = g->offset[v]; e < g->offset[v + 1]; e++)
            next[v] += now[g->target[e]] /* 3 \xb5s */ * 2;
}
"""


@pytest.mark.parametrize("spec", ["graph:flip=push", "jam", "idioms", "permute"])
def test_bytes_that_are_no_text_stay(tmp_path: Path, spec: str) -> None:
    """Comments inside what moves are in any encoding, or in none."""
    path = tmp_path / "a.c"
    path.write_bytes(_FLIPPED + _PRODUCT)
    outcome = transform_file(
        str(path), ("-O3", "-fopenmp"), Options(strict=True, force=True, passes=(spec,))
    )
    assert not outcome.changed or b"\xb5" in outcome.text


_PRODUCT = b"""
void product(int n, double a[n][n], double b[n][n], double c[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] /* \xb5 */ * b[k][j];
}
"""
