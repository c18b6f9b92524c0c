"""Dynamic schedules: which directives get one, which must not, and that results stay the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.frontends.c.regions import functions
from s2s.rewriters.balance import Balance
from tests.lifting import parse_text
from tests.programs import read_body
from tests.soundness.harness import program

_PROGRAMS = Path(__file__).parent / "balance"

_SEARCH = (_PROGRAMS / "search.c").read_text()
_FIND = read_body(_PROGRAMS / "find.c")
_TRIANGLE = """
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            w[i][r[j]] = w[i][r[j]] * 0.5 + 1.0;
"""
_WHILE = read_body(_PROGRAMS / "while.c")


def _clauses(loops: str, before: str = _SEARCH) -> list[str]:
    """The clauses that the directives of a function get."""
    head = "void f(int n, int m, int *r, double (*w)[m], double *u_, double *v_)"
    unit = parse_text(f"#include <omp.h>\n{before}\n{head}\n{{\n{loops}\n}}\n")
    return [
        edit.text.decode().strip()
        for function in functions(unit, every=True)
        for change in Balance().edits(function, ())
        for edit in change.edits
    ]


@pytest.mark.parametrize("loops", [_FIND, _TRIANGLE, _WHILE])
def test_uneven_loops_get_a_schedule(loops: str) -> None:
    assert _clauses(loops) == ["schedule(dynamic, n > 0 ? n / 256 + 1 : 1)"]


@pytest.mark.parametrize(
    ("header", "chunk"),
    [
        ("int i = 0; i < 2560; i++", "11"),
        ("int i = n; i > 0; i--", "16"),
        ("int i = 0; i < n + m; i++", "16"),
    ],
)
def test_chunks_follow_the_length_of_the_loop(header: str, chunk: str) -> None:
    loops = _WHILE.replace("int i = 0; i < n; i++", header)
    assert _clauses(loops) == [f"schedule(dynamic, {chunk})"]


@pytest.mark.parametrize(
    "loops",
    [
        pytest.param(_FIND.replace("for private", "for schedule(static) private"), id="schedule"),
        pytest.param(_TRIANGLE.replace("j < i", "j < m"), id="rectangle"),
        pytest.param(
            _TRIANGLE.replace("j = 0; j < i", "j = i; j < i + 4"), id="constant length"
        ),
        pytest.param(
            _FIND.replace("v_[k]", "v_[k] + omp_get_thread_num()"),
            id="thread number",
        ),
        pytest.param(
            _WHILE.replace("u_[i] = x", "v_[omp_get_thread_num()] += x"), id="per thread sums"
        ),
        pytest.param(
            "    double s = 0.0;\n"
            + _WHILE.replace("for\n", "for reduction(+ : s)\n").replace("u_[i] = x", "s += x")
            + "    u_[0] = s;\n",
            id="floating-point reduction",
        ),
        pytest.param(
            "    double last = 0.0;\n"
            + _WHILE.replace("for\n", "for firstprivate(last)\n").replace(
                "u_[i] = x;", "last += x; u_[i] = last;"
            ),
            id="carried by the thread",
        ),
        pytest.param(
            "    double s;\n"
            + _WHILE.replace("for\n", "for private(s)\n").replace(
                "u_[i] = x;", "s = s + x; u_[i] = s;"
            ),
            id="read before it is set",
        ),
        pytest.param(_WHILE.replace("u_[i] = x;", "outside(x);"), id="unknown call"),
        pytest.param(
            _WHILE.replace("u_[i] = x;", "\n#pragma omp critical\n u_[0] += x;"), id="critical"
        ),
        pytest.param(
            _WHILE.replace("while (x > 0.01) x *= 0.9;",
                           "for (int k = 0; k < 4; k++) if (x > 1.0) break; else x += 1.0;"),
            id="short inner loop",
        ),
        pytest.param(_WHILE.replace("parallel for", "parallel\n#pragma omp for"), id="for alone"),
        pytest.param("#pragma s2s off\n" + _WHILE, id="switched off"),
    ],
)  # fmt: skip
def test_what_is_left_alone(loops: str) -> None:
    assert _clauses(loops, _SEARCH + "void outside(double);") == []


def test_a_thread_number_in_a_called_function_is_seen() -> None:
    before = _SEARCH.replace("int k;", "int k; if (omp_get_thread_num()) count--;")
    assert _clauses(_FIND, before) == []


def test_threadprivate_variables_keep_all_schedules() -> None:
    before = "static int state;\n#pragma omp threadprivate(state)\n" + _SEARCH
    assert _clauses(_FIND, before) == []


def test_an_integer_reduction_may_be_grouped_in_any_way() -> None:
    loops = "    int s = 0;\n" + _WHILE.replace("for\n", "for reduction(+ : s)\n").replace(
        "u_[i] = x", "s += (int)(100 * x)"
    )
    assert len(_clauses(loops)) == 1


def _transformed(
    tmp_path: Path, before: str, compiler: str = Options().compiler
) -> tuple[str, str]:
    """The text of a program that searches, and what becomes of it."""
    source = tmp_path / "a.c"
    source.write_text(program(_FIND, before=before, declare=""))
    outcome = transform_file(str(source), ["-fopenmp"], Options(strict=True, compiler=compiler))
    assert [d.text for d in outcome.diagnostics if d.id == "balance"] == [
        "dynamic schedule: 'search' has a loop that is left early"
    ]
    return outcome.original.decode(), outcome.text.decode()


_CLAUSE = " schedule(dynamic, n > 0 ? n / 256 + 1 : 1)"
_UNROLL = "#pragma GCC unroll 8\n"


def test_only_the_directive_changes_and_the_search_is_written_out(tmp_path: Path) -> None:
    before, after = _transformed(tmp_path, _SEARCH)
    assert f"{_UNROLL}    for (k = 0; k < count; k++)\n        if (table[k] >= key)" in after
    assert after.replace(_CLAUSE, "").replace(_UNROLL, "") == before
    assert after.count(_UNROLL) == 1


@pytest.mark.parametrize(
    "search",
    [
        pytest.param(
            _SEARCH.replace("    for", "#pragma GCC unroll 2\n    for"), id="a pragma of its own"
        ),
        pytest.param(_SEARCH.replace("    for", "    ; for"), id="not at the start of a line"),
    ],
)
def test_searches_that_are_not_written_out(tmp_path: Path, search: str) -> None:
    before, after = _transformed(tmp_path, search)
    assert after.replace(_CLAUSE, "") == before


def test_clang_is_not_told_to_write_out_a_search(tmp_path: Path) -> None:
    before, after = _transformed(tmp_path, _SEARCH, compiler="clang-19")
    assert after.replace(_CLAUSE, "") == before


def test_a_pass_list_without_it_leaves_directives_alone(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(program(_FIND, before=_SEARCH, declare=""))
    outcome = transform_file(str(source), ["-fopenmp"], Options(strict=True, passes=("popp",)))
    assert not outcome.changed
