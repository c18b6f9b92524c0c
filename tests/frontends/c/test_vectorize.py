"""``#pragma vectorize spacelimit(N)``: what it means, and what is said where it means nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.analyses.renaming import Renaming, strip_size
from s2s.driver import passes
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.frontends.c.text import directives
from s2s.frontends.c.vectorize import VectorizePragmas, read_pragmas
from s2s.source import Edit, SourceBuffer, Span
from s2s.transforms.scop_pass import Pass

LOOP = "for (int i = 0; i < n; i++) a[i] = i;\n"


def read(text: str) -> VectorizePragmas:
    data = text.encode()
    return read_pragmas(SourceBuffer("f.c", data), directives(data))


def limits(text: str) -> list[int | None]:
    found = read(text)
    assert not found.diagnostics
    assert all(text[p.loop :].startswith(("for", "LOOP")) for p in found.pragmas)
    return [p.spacelimit for p in found.pragmas]


@pytest.mark.parametrize(
    ("pragma", "limit"),
    [
        ("#pragma vectorize spacelimit(16)", 16),
        ("#pragma vectorize", None),
        ("  #  pragma   vectorize  spacelimit ( 3 ) // as measured", 3),
        ("#pragma vectorize /* both */ \\\n   spacelimit(4u)", 4),
        ("#pragma vectorize spacelimit(8)\n\n/* why */\n#pragma omp simd\n#pragma GCC ivdep", 8),
    ],
)
def test_pragmas(pragma: str, limit: int | None) -> None:
    assert limits(f"{pragma}\n{LOOP}") == [limit]
    assert limits(f"{pragma}\r\n{LOOP}") == [limit]


def test_other_pragmas_are_none_of_ours() -> None:
    assert read(f"#pragma vectorized(3)\n#pragma omp simd\n{LOOP}") == VectorizePragmas()
    assert read(f'char *s = "#pragma vectorize x";\n// #pragma vectorize y\n{LOOP}').pragmas == ()


def test_a_loop_by_a_macro() -> None:
    assert limits("#pragma vectorize spacelimit(2)\nLOOP(i, n) a[i] = i;\n") == [2]


@pytest.mark.parametrize(
    ("pragma", "column", "said"),
    [
        ("#pragma vectorize spacelimit", 19, "needs a number of vectors in parentheses"),
        ("#pragma vectorize spacelimit(", 19, "')' is missing"),
        ("#pragma vectorize spacelimit()", 30, "positive whole number, not ''"),
        ("#pragma vectorize spacelimit(0)", 30, "positive whole number, not '0'"),
        ("#pragma vectorize spacelimit(-1)", 30, "positive whole number, not '-1'"),
        ("#pragma vectorize spacelimit(N)", 30, "positive whole number, not 'N'"),
        ("#pragma vectorize spacelimit(9999999999)", 30, "positive whole number"),
        ("#pragma vectorize spacelimit(1) spacelimit(2)", 33, "a second 'spacelimit'"),
        ("#pragma vectorize space(1)", 19, "unknown clause 'space'"),
        ("#pragma vectorize (1)", 19, "unknown clause '('"),
        ("#pragma vectorize spacelimit(1) ;", 33, "unknown clause ';'"),
    ],
)
def test_what_is_malformed_is_said_and_ignored(pragma: str, column: int, said: str) -> None:
    found = read(f"int x;\n{pragma}\n{LOOP}")
    assert found.pragmas == ()
    (warning,) = found.diagnostics
    assert said in warning.text
    assert warning.id == "pragma"
    assert warning.location is not None
    assert (warning.location.line, warning.location.column) == (2, column)


def test_what_is_not_in_front_of_a_loop() -> None:
    found = read("#pragma vectorize spacelimit(3)\nint x;\n")
    assert "no 'for' loop" in found.diagnostics[0].text
    assert "no 'for' loop" in read("#pragma vectorize").diagnostics[0].text


def test_the_smallest_bound_in_a_region_counts() -> None:
    text = f"#pragma vectorize spacelimit(5)\n{LOOP}#pragma vectorize spacelimit(3)\n{LOOP}"
    found = read(text)
    first, second = (p.loop for p in found.pragmas)
    assert found.spacelimit(Span(first, first + 3)) == 5
    assert found.spacelimit(Span(first, len(text))) == 3
    assert found.spacelimit(Span(0, 10)) is None
    (gone,) = found.done([Edit(second, second + 9, b"x")])
    assert text[gone.start : gone.end] == "#pragma vectorize spacelimit(3)"
    assert list(found.done([Edit(0, len(text), b"x")])) == []


@pytest.mark.parametrize(
    ("limit", "sources", "sinks", "size"),
    [(16, 1, 1, 15), (16, 0, 2, 8), (5, 2, 2, 1), (5, 4, 1, 1), (5, 5, 1, None), (1, 0, 2, None),
     (3, 3, 0, 3), (2, 3, 0, None)],
)  # fmt: skip
def test_strips(limit: int, sources: int, sinks: int, size: int | None) -> None:
    chosen = [Renaming("source", f"S{n}", 0) for n in range(sources)]
    chosen += [Renaming("sink", f"S{n}", 1) for n in range(sinks)]
    assert strip_size(limit, chosen) == size


PROGRAM = """\
void f(int n, float *restrict a, float *restrict b)
{
%s
    for (int i = 0; i < n - 1; i++) {
        a[i] = b[i];
        b[i + 1] = a[i + 1];
    }
}
"""


def test_the_pass_gets_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given: list[int] = []
    make = passes.make

    def noted(spec: str, *, spacelimit: int = 0, **others: object) -> Pass:
        given.append(spacelimit)
        return make(spec, spacelimit=spacelimit, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(passes, "make", noted)
    for pragma, option, expected in (
        ("", 0, 0), ("", 7, 7), ("#pragma vectorize", 7, 7),
        ("#pragma vectorize spacelimit(4)", 7, 4),
    ):  # fmt: skip
        Path("f.c").write_text(PROGRAM % pragma)
        given.clear()
        transform_file("f.c", (), Options(("polysimd",), spacelimit=option, strict=True))
        assert set(given) == {expected}


def test_warnings_reach_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.c").write_text(PROGRAM % "#pragma vectorize spacelimit(x)")
    outcome = transform_file("f.c", ())
    assert [d.id for d in outcome.diagnostics if d.severity.value == "warning"] == ["pragma"]


def test_explain_says_how_long_strips_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PROGRAM.replace("b[i + 1] = a[i + 1]", "b[i] = a[i + 1] + a[i]")
    for pragma, said in (
        ("#pragma vectorize spacelimit(4)", "of 4 vectors: strips of 4"),
        ("", ""),
    ):
        Path("f.c").write_text(text % pragma)
        outcome = transform_file("f.c", (), Options(explain=True))
        assert said in outcome.explanation
        assert bool(said) == ("space limit" in outcome.explanation)
