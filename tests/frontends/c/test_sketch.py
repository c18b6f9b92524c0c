"""What the text of a function tells of its loops, compared with what its syntax tells."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from s2s.driver import looks
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.frontends.c import vector_look
from s2s.frontends.c.converter import Converter
from s2s.frontends.c.macro_words import TooManyWordsError, expand, read_macros, words_of
from s2s.frontends.c.regions import functions
from s2s.frontends.c.sketch import is_nest, loops, may_gain, without_single_trips
from tests.lifting import parse_text

LEFT = [
    "for (int i = 0; i < n; i++) a[i] = b[i] * 2.5 + a[i];",
    "for (i = n - 1; i >= 0; --i) { double t = b[i]; a[i] = t * t; }",
    "for (int i = 0; i < n; i++) a[i] = expf(b[i]) + 'x'; // if (a[i] > 2) break;",
    'for (int i = 0; i < n; i++) printf("%d if %d\\n", i, x[i]);',
    "for (int i = 0; i < n; i++)\n#ifdef NOISY\n a[i] = 1;\n#else\n a[i] = 2;\n#endif\n",
    "for (int i = 0; i < n; i++) { const double *p, t = 1; }",
    "do { a[k] = 0; } while (0);",
    "for (int i = 0; i < n; i++) { a[i] = 0; } for (int i = 0; i < n; i++) b[i] = 1;",
    "while (m > 2) { for (int i = 0; i < m; i++) a[i] = b[i] + 1; m = m / 2; }",
    "for (int i = 0; i < n; i++) r[i].x = r[i].y;",
    "for (;;) { if (a[k] > s) break; a[k] = b[k]; k++; }",
    "for (;;) { for (i = 0; i < n; i++) a[i] = b[i] + 1; if (k) break; }",
    "while (k--) a[k] = b[2 * k];",
    "while (r->x < n) { a[r->x] = 2; r->x++; }",
    "while (n > 1) { a[n] = a[n - 1]; n = n / 2; }",
    "for (int i = 0; i < n; i++) do { a[i] = b[i] + 1; } while (k > 7);",
    "for (int i = 0; i < n; i++) { f(b[i]); if (a[i] > 2) break; }",
    "for (int i = 0; i < n; i++) if (r[i].x > 2) f(b[i]);",
    'for (int i = 0; i < n; i++) { if (expf(a[i]) > 2 && printf("%d", i) > 2) k = i; }',
    "for (int i = 0; i < n; i++) { struct r *p = &r[i]; if (p->x) return; }",
    "for (int i = 0; i < n; i++) { switch (x[i]) { case 2: f(2); break; default: return; } }",
    "for (int i = 0; i < n; i++) { if (a[i] > 2) f(b[i]); else k = i; }",
    "for (int i = 0; i < n; i++) k ^= (k << 5) + (k >> 2) + x[i];",
    "while (1 << k & x[k] && n) k++;",
]

LOOKED_AT = [
    "for (int i = 0; i < n; i++) s += a[i];",
    "for (int i = 0; i < n; i++) { t = a[i]; b[i] = t; }",
    "for (int i = 1; i < n; i++) a[i] = a[i - 1] + b[i];",
    "for (int i = 0; i < n; i++) { a[i] = b[i]; c[i] = a[i + 1] + a[i + 2]; }",
    "for (int i = 0; i < n; i += 2) a[i] = b[i];",
    "for (int i = 0, j = 0; i < n; i++, j++) a[i] = b[j];",
    "for (int i = 0; i < n; i++) a[2 * i] = b[i];",
    "for (int i = 0; i < n; i++) a[x[i]] = b[i];",
    "for (int i = 0; i < n; i++) if (a[i] > 2) f(b[i]);",
    "for (int i = 0; i < n; i++) { double z = a[i]; if (z > 2) { f(r[i].x); break; } c[i] = z; }",
    "for (int i = 0; i < n; i++) { if (a[i] > 2) goto L; f(b[i]); L: c[i] = 2; }",
    "for (int i = 0; i < n; i++) k = k * 3;",
    "for (int i = 0; i < n; i++) a[i] = b[i] > 0 ? b[i] : 0;",
    "for (int i = 0; i < n; i++) { if (a[i] == s) break; }",
    "while (k < n && a[k] != s) k++;",
    "while (k < n) { a[k] = b[k] > s; k += 2; }",
    "while (1 + k <= n) { if (a[k] > s) break; (k)++; }",
    "while (n > k) { a[k] = x[k]; k = 1 + k; }",
    "for (; k < n; k++) a[k] = a[k - 1];",
    "for (k = 0; k < n;) { if (a[k] > s) break; k++; }",
    "for (int i = 0; i < n; i++) a[i] = b[k++];",
    "for (int i = 0; i < n; i++) a[i] = c[i] = b[i];",
    "for (int i = 0; i < n; i++) SWAP(a, b, i);",
    "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = 0;",
    "for (int i = 0; i < n; i++) { s = b[i]; while (s > 1) { s = s / 2; } m[0][i] = s; "
    "for (int j = 0; j < 3; j++) m[j][i] = s; }",
]

_AROUND = """\
#define NOISY
#define SIZE (8)
#define SWAP(x, y, i) do {{ double z = x[i]; x[i] = y[i + 1]; y[i] = z; }} while (0)
double sqrtf(double); int printf(const char *, ...); void f(double);
struct r {{ int x, y; }};
void g(int n, int k, double *a, double *b, double *c, double m[][SIZE], int *x, struct r *r)
{{
    double s = 0, t; int i, j = 1, m_ = n;
    {loop}
    c[0] = s + t;
}}
"""


def _text(loop: str) -> str:
    return _AROUND.format(loop=loop.replace("m > 2", "m_ > 2").replace("m = m /", "m_ = m_ /"))


@pytest.mark.parametrize("loop", LEFT)
def test_what_is_not_converted(loop: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Converter, "convert", _refuse)
    file = tmp_path / "loop.c"
    file.write_text(_text(loop))
    assert not transform_file(str(file)).changed


def _refuse(*_: object) -> None:
    raise AssertionError("a function was converted")


@pytest.mark.parametrize("loop", LOOKED_AT)
def test_what_is_looked_at(loop: str) -> None:
    unit = parse_text(_text(loop))
    assert not unit.errors
    assert len(list(functions(unit, lambda one: is_nest(one) or may_gain(one)))) == 1


def _expanded(text: str, *definitions: str) -> str:
    return " ".join(expand(words_of(text), read_macros(definitions)))


@pytest.mark.parametrize(
    ("text", "definitions", "expected"),
    [
        ("x = N;", ["N 100"], "x = 100 ;"),
        ("x = TWICE(a[i], 3);", ["TWICE(p, q) (2 * p) + q"], "x = ( 2 * a [ i ] ) + 3 ;"),
        ("TWICE = 3;", ["TWICE(p) p"], "TWICE = 3 ;"),
        ("EACH(i, n) a[i] = 0;", ["EACH(i, n) for (i = 0; i < n; i++)"],
         "for ( i = 0 ; i < n ; i ++ ) a [ i ] = 0 ;"),
        ("SAY(1, f(2, 3));", ["SAY(...) say(__VA_ARGS__)"], "say ( 1 , f ( 2 , 3 ) ) ;"),
        ("SAY(1, 2, 3);", ["SAY(p, r...) p + say(r)"], "1 + say ( 2 , 3 ) ;"),
        ("A", ["A B", "B A + 1"], "A + 1"),
        ("EACH(i)", ["EACH(i) skip(i)", "EACH(i) for (;;) i"], "for ( ; ; ) i"),
        ("f(A, B)", ["A", "B ()"], "f ( , ( ) )"),
        ("F(1", ["F(x) x + x"], "1 + 1"),
    ],
)  # fmt: skip
def test_macros_are_expanded(text: str, definitions: list[str], expected: str) -> None:
    assert _expanded(text, *definitions) == expected


def test_macros_that_make_too_much_text() -> None:
    doubling = [f"A{n} A{n + 1} A{n + 1}" for n in range(40)]
    with pytest.raises(TooManyWordsError):
        _expanded("A0", *doubling)


def test_blocks_that_run_once() -> None:
    words = words_of(
        "for (;;) do { a[0] = 1; do { f(); } while (x); } while (0); do g(); while(1);"
    )
    text = " ".join(without_single_trips(words))
    assert text.startswith("for ( ; ; ) { a [ 0 ] = 1 ; do { f ( ) ; } while ( x ) ; } ; do g")


def test_a_loop_that_lacks_its_end() -> None:
    (loop,) = loops(words_of("for (i = 0; i < n; i++) { a[i] = b[i + 1"))
    assert loop.body[-2:] == ["+", "1"]


def _random_loop(draw: random.Random) -> str:
    place = ["i", "i + 1", "i - 2", "2 * i", "k", "x[i]"]
    element = [f"{array}[{draw.choice(place[: draw.randint(1, 6)])}]" for array in "abca"]
    value = ["t", "s", "2.5", "expf(b[i])", "(double)x[i]", "-a[i]", "r[i].x", *element]
    body = []
    for number in range(draw.randint(1, 3)):
        target = draw.choice([*element, *element, "t", "s", f"double u{number}"])
        body.append(f"{target} = {draw.choice(value)} + {draw.choice(value)};")
    if draw.random() < 0.2:
        body.insert(draw.randint(0, len(body)), draw.choice(["f(s);", "s += b[i];", "k--;"]))
    header = draw.choice(["i = 0; i < n; i++", "i = n; i > 0; --i", "i = 0; i < n; i += 2"])
    return f"for ({header}) {{ {' '.join(body)} }}"


def test_the_text_keeps_what_the_syntax_keeps() -> None:
    draw = random.Random(7)
    texts = [_random_loop(draw) for _ in range(400)]
    count = 0
    for text in texts:
        unit = parse_text(_text(text))
        (loop,) = loops(words_of(text))
        (function,) = functions(unit, every=True)
        (node,) = vector_look.innermost_loops(function.body)
        if not may_gain(loop):
            count += 1
            assert not vector_look.may_gain(node), text
    assert 40 <= count <= 360


def _random_event(draw: random.Random) -> str:
    """A loop in which something happens now and then, or all the time."""
    asked = [
        "a[i] > 2",
        "b[i] < s",
        "x[i] == k",
        "t > 2",
        "r[i].x",
        "r->y == i",
        "x[i] && b[i] < 1",
    ]
    asked += ["sqrtf(a[i]) > 2", "*x > 2", "i > 3", "(k = x[i])"]
    rare = [
        "return;",
        "break;",
        "f(b[i]);",
        "f(r->x);",
        "k = i;",
        "continue;",
        "{ k = i; t = a[i]; }",
    ]
    body = [f"if ({draw.choice(asked)}) {draw.choice(rare)}" for _ in range(draw.choice([1, 1, 2]))]
    if draw.random() < 0.1:
        body[0] += f" else {draw.choice(rare)}"
    if draw.random() < 0.3:
        body.insert(0, draw.choice(["double z = b[i];", "t = a[i];", "f(s);", "c[i] = 1;"]))
    if draw.random() < 0.2:
        body.append(draw.choice(["switch (x[i]) { case 1: f(2); }", "s += a[i];", "k = k ^ x[i];"]))
    return f"for (i = 0; i < n; i++) {{ {' '.join(body)} }}"


def test_what_the_words_leave_has_no_idiom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "wanted", lambda *_, **__: lambda loop: True)
    draw = random.Random(11)
    texts = [_random_event(draw) for _ in range(160)]
    parts = [_text(text).replace("void g(", f"void g{n}(") for n, text in enumerate(texts)]
    head = parts[0][: parts[0].index("void g0(")]
    file = tmp_path / "events.c"
    file.write_text(head + "\n".join(part[part.index("void g") :] for part in parts))
    outcome = transform_file(str(file), options=Options(passes=("idioms",), check=False))
    assert outcome.edits
    changed = {outcome.original[: e.start].count(b"void g") for e in outcome.edits}
    left = {n for n, text in enumerate(texts, 1) if not may_gain(next(loops(words_of(text))))}
    assert not changed & left
    assert len(changed) >= 10 and len(left) >= 40
