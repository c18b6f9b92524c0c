"""Programs that once came out wrong, and the ways around them that must stay open.

``KEPT`` programs have to be transformed and do the same; ``LEFT`` programs must not be, because the
new code could not be right; what is said then is part of the test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.soundness.harness import ROWS, STENCIL, TASKS, check, program


@dataclass(frozen=True)
class Case:
    """A program; ``said`` is part of what s2s says when it leaves the program alone."""

    text: str | bytes
    said: str = ""
    flags: tuple[str, ...] = ()
    name: str = field(default="a.c")


def _c90(text: str) -> str:
    """Loop variables declared before the loops."""
    return text.replace("(int ", "(").replace("parallel for", "parallel for private(j)")


_STORE = "                u[i][j] = 0.25"
_U_TAG, _V_TAGS = "out: u[i]", "in: v[i - 1], v[i], v[i + 1]"
_NO_TAGS = TASKS.replace(f"depend({_V_TAGS}) depend({_U_TAG})", "").replace(
    "depend(in: u[i - 1], u[i]) depend(inout: v[i])", ""
)


def _waiting(wait: str) -> str:
    """Tasks without tags that wait for each other."""
    text = _NO_TAGS.replace("        }\n        for", f"        }}\n{wait}\n        for")
    return text.replace("        }\n    }", f"        }}\n{wait}\n    }}")


def _private(clause: str, statement: str) -> str:
    loops = STENCIL.replace("parallel for", f"parallel for {clause}", 1)
    return loops.replace(_STORE, f"                {statement}, u[i][j] = 0.25")


def _column(body: str) -> str:
    return f"    for (int j = 0; j < m; j++)\n        for (int i = 1; i < n; i++)\n {body}\n"


_SHIFTED_TAGS = (
    TASKS.replace(_V_TAGS, "in: b[i - 2], b[i - 1], b[i]")
    .replace(_U_TAG, "out: a[800 + i]")
    .replace("in: u[i - 1], u[i]", "in: b[799 + i], b[798 + i]")
    .replace("inout: v[i]", "inout: a[i]")
)
_TAG_POINTERS = ROWS + "static char tags[2000]; char *a = tags + 10, *b = tags + 11; *a = *b = 0;"
_INDEXED = _NO_TAGS.replace("omp task", "omp task depend(inout: a[same[i]])")

KEPT = {
    "stencil": Case(program(STENCIL)),
    "tasks": Case(program(TASKS)),
    # Task tags are addresses: two pointers into one array make equal ones.
    "window of two rows": Case(program(TASKS, call="sweep(n, m, T, u_, u_ + 2 * m);")),
    "window behind": Case(program(TASKS, call="sweep(n, m, T, u_ + 3 * m, u_);")),
    "one array twice": Case(program(TASKS, call="sweep(n, m, T, u_, u_);")),
    "tags through shifted pointers": Case(program(_SHIFTED_TAGS, declare=_TAG_POINTERS)),
    "tags by dereference": Case(
        program(TASKS.replace(_V_TAGS, "in: *(v + i - 1), *(v + i), *(v + (i + 1))"))
    ),
    "tags in parentheses": Case(
        program(TASKS.replace(_V_TAGS, "in: (v)[i - 1], (v[i]), v[i + 1]"))
    ),
    "tags of indirect elements": Case(
        program(_INDEXED, declare=ROWS + "static int same[99]; static char a[9]; a[same[0]] = 0;")
    ),
    # Where a pragma may stand.
    "taskwait": Case(program(_waiting("#pragma omp taskwait"))),
    "taskwait behind a comment": Case(program(_waiting("/* a\n */ #pragma omp taskwait"))),
    "taskwait as a digraph": Case(program(_waiting("%:pragma omp taskwait"))),
    "comment mark in a macro": Case(
        program(_waiting("#pragma omp taskwait"), before='#define GLOB "/*"\n', after="/* end */")
    ),
    "fields of an array of records": Case(
        program(
            _column("p[i*m+j].a = p[i*m+j-m].a * 0.5 + p[i*m+j].b;"),
            before="struct pair { double a, b; };\n",
            declare="struct pair *p = (struct pair *)u_;",
        )
    ),
    # Text that is more than blanks.
    "token across lines": Case(program(STENCIL.replace(_STORE, "  u[i]\\\n[j] = 0.2\\\n5"))),
    "first line deeper": Case(
        program(STENCIL.replace("v[i+1][j] +", "v[i+1][j] // one\n /* two\n three */ +"))
    ),
    "directive inside an expression": Case(
        program(STENCIL.replace("v[i][j+1])", "v[i][j+1]\n#ifdef NO\n+ nothing\n#endif\n)"))
    ),
    "CRLF": Case(program(STENCIL.replace("+ v[i][j-1]", "\n + v[i][j-1]")).replace("\n", "\r\n")),
    "Latin-1": Case(program(STENCIL, before="/* \xe4 */").encode("latin-1")),
    "names in macros": Case(
        program(
            STENCIL.replace("0.25", "TILE * 0.25"),
            before="#define TILE s2s_i_tile\n",
            declare=ROWS + "double TILE = 0.5;",
        )
    ),
    "raw string": Case(
        program(_column('u_[i*m+j] = u_[i*m+j-m] + sizeof(R"(a\n   b)");'), declare=""),
        name="a.cpp",
    ),
    # Values that are carried.
    "private, old value after": Case(
        program(
            _private("private(x)", "x = v[i][j]"),
            declare=ROWS + "double x = 3;",
            after="u_[0] += x;",
        )
    ),
    "unsigned loops down to nothing": Case(program(STENCIL.replace("int j", "size_t j"))),
    "a sum of many terms": Case(program(STENCIL.replace("0.25 *", "0.25 *" + " 1.0 *" * 1500))),
    "columns": Case(program(_column("u[i][j] = u[i-1][j] * 0.5 + v[i][j];"))),
    "columns of one array": Case(
        program(
            _column("u[i][j] = u[i-1][j] * 0.5 + v[i-1][j];"), call="sweep(n, m, T, u_, u_ + m);"
        )
    ),
}

LEFT = {
    "C90": Case(
        program(_c90(STENCIL), declare=ROWS + "int i, j, t;"), "C90", flags=("-std=gnu90",)
    ),
    "lastprivate loop variable": Case(
        program(
            _c90(STENCIL).replace("private(j)", "private(j) lastprivate(i)"),
            declare=ROWS + "int i = 0, j, t;",
            after="u_[0] += i;",
        ),
        "'i' is used after the loop",
    ),
    "simd's private copy": Case(
        program(
            STENCIL.replace(
                "            for (int j", "#pragma omp simd private(x)\n            for (int j", 1
            ).replace(_STORE, "  x = v[i][j], u[i][j] = 0.25"),
            declare=ROWS + "double x = 3;",
            after="u_[0] += x;",
        ),
        "'x' is",
    ),
    "private array": Case(
        program(
            _private("private(b)", "b[0] = v[i][j]"),
            declare=ROWS + "double b[1] = {3};",
            after='show("b", b, sizeof b);',
        ),
        "'b' is private",
    ),
    "thread-private": Case(
        program(
            _private("", "x = v[i][j]"), before="static double x;\n#pragma omp threadprivate(x)\n"
        ),
        "thread-local",
    ),
    "record with a field set before": Case(
        program(
            _column("{ s.a = u[i][j]; v[i][j] = s.a + s.b; }"),
            before="struct pair { double a, b; };\n",
            declare=ROWS + "struct pair s; s.b = 2;",
        )
    ),
    "two pointers of a record": Case(
        program(
            _column("s.u[i*m+j] = s.v[i*m+j+m] * 0.5;"),
            before="struct pair { double *u, *v; };\n",
            declare="struct pair s = {u_ + m, u_};",
        )
    ),
    "record with a copy of a restrict pointer": Case(
        program(
            "    skewed(n, m, u_);\n",
            before="struct one { double *p; };\n"
            "static void skewed(int n, int m, double *restrict r)\n{\n"
            "    struct one s;\n    s.p = r;\n"
            + _column("r[i*m+j] = r[i*m+j-m] * 0.5 + s.p[i*m+j-m+1];")
            + "}\n",
        )
    ),
    "pointer to a function": Case(
        program(
            _private("private(f)", "f = one"),
            before="static double one(void) { return 1; }\n",
            declare=ROWS + "double (*f)(void);",
        ),
        "cannot be repeated",
    ),
    "nameless enumeration": Case(
        program(_private("private(e)", "e = B"), declare=ROWS + "enum { A, B } e;"),
        "cannot be repeated",
    ),
    "taskwait of an operator": Case(program(_waiting('_Pragma("omp taskwait")')), "hide pragmas"),
    "taskwait of a macro": Case(
        program(_waiting("WAIT"), before='#define WAIT _Pragma("omp taskwait")\n'), "hide pragmas"
    ),
    "pragma for a loop": Case(
        program("#pragma GCC unroll 2\n" + _column("u[i][j] += v[i][j];")), "wants a loop"
    ),
    "loops in a macro's argument": Case(
        program(f"RUN({_column('u[i][j] = u[i-1][j] * 0.5;')})", before="#define RUN(x) x\n")
    ),
    "size that has changed": Case(
        program(STENCIL, declare="int k = m; m = 1 + m / 2; " + ROWS + " m = k;"),
        "no 2 loops can be permuted",
    ),
    "twenty statements": Case(
        program(
            STENCIL.replace("    }\n", STENCIL.partition("{")[2].rpartition("}")[0] * 9 + "    }\n")
        ),
        "too many",
    ),
    "threads of an iteration": Case(
        program(STENCIL.replace("parallel for", "parallel for num_threads(1 + t % 2)")),
        "loop variable 't'",
    ),
    "threads by a call": Case(
        program(
            STENCIL.replace("parallel for", "parallel for num_threads(two())"),
            before="static int calls; static int two(void) { calls++; return 2; }\n",
            after='show("calls", &calls, sizeof calls);',
        ),
        "may have effects",
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_transformed_and_the_same(name: str, tmp_path: Path) -> None:
    case = KEPT[name]
    result = check(tmp_path, case.text, *case.flags, name=case.name)
    assert result.transformed, result.messages
    assert not result.different
    assert "[race]" not in result.messages


@pytest.mark.parametrize("name", LEFT)
def test_left_as_it_was(name: str, tmp_path: Path) -> None:
    case = LEFT[name]
    result = check(tmp_path, case.text, *case.flags, name=case.name)
    assert not result.transformed
    assert case.said in result.messages
    assert "[race]" not in result.messages


@pytest.mark.parametrize("clause", ["if(0)", "num_threads(1)"])
def test_one_thread_has_no_race(clause: str, tmp_path: Path) -> None:
    loops = STENCIL.replace("parallel for", f"parallel for {clause}").replace("v[i", "u[i")
    result = check(tmp_path, program(loops))
    assert result.transformed
    assert not result.different
    assert "[race]" not in result.messages


def test_calls_may_lock(tmp_path: Path) -> None:
    locked = "                omp_set_lock(&l), s += i, omp_unset_lock(&l), u[i][j] = 0.25"
    text = program(
        STENCIL.replace(_STORE, locked),
        before="#include <omp.h>\nstatic omp_lock_t l;\n",
        declare=ROWS + "long s = 0; omp_init_lock(&l);",
        after='show("s", &s, sizeof s);',
    )
    assert "[race]" not in check(tmp_path, text).messages


def test_reduction_of_a_section_is_no_race(tmp_path: Path) -> None:
    loops = STENCIL.replace("parallel for", "parallel for reduction(+: s[0:3])", 1)
    text = program(
        loops.replace(_STORE, "                s[j % 3] += i, u[i][j] = 0.25"),
        declare=ROWS + "long s[3] = {0};",
        after='show("s", s, sizeof s);',
    )
    assert "[race]" not in check(tmp_path, text).messages
