"""Races in code that nothing is rewritten from: missing clauses, teams and tasks of callers.

Each program is clean as it stands; replacing the first text by the second makes it race on the
lines that ``/*a*/`` and ``/*b*/`` mark.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.threads import Split, shared_header, split
from s2s.scop.polynomial import Polynomial
from s2s.source.diagnostics import Diagnostic
from tests.lifting import parse_text

_FIB = """
static int fib(int n)
{
    int x, y;
    if (n < 2)
        return n;
#pragma omp task shared(x)
    x = fib(n - 1); /*a*/
#pragma omp task shared(y)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y; /*b*/
}
"""

TWINS = {
    "tiles of a matrix in a struct": (
        """
#define MIN(x, y) ((x) < (y) ? (x) : (y))
struct tiles { int rows, columns, size; };
void sweep(struct tiles m, int n, double tile[n][n])
{
    for (int k = 0; k < MIN(m.rows, m.columns); k++) {
#pragma omp task depend(out: tile[k][k]) affinity(data: tile[k])
        tile[k][k] = 1.0; /*a*/
        for (int j = k + 1; j < m.columns; j++) {
#pragma omp task depend(in: tile[k][k]) depend(out: tile[k][j]) affinity(data: tile[j])
            tile[k][j] = tile[k][k]; /*b*/
        }
    }
}
        """,
        "depend(in: tile[k][k])", "depend(in: tile[k][j])",
    ),
    "a scalar of each iteration": (
        """
void f(int n, int *a)
{
    int i, t;
#pragma omp parallel for private(t)
    for (i = 0; i < n; i++) {
        t = a[i]; /*a*/ /*b*/
        a[i] = t + 1;
    }
}
        """,
        " private(t)", "",
    ),
    "the counter of an inner loop": (
        """
void f(int n, int a[n][n])
{
    int i, j;
#pragma omp parallel for private(j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) /*a*/ /*b*/
            a[i][j] = 0;
}
        """,
        " private(j)", "",
    ),
    "results of recursive tasks": (_FIB, "#pragma omp taskwait\n", ""),
    "firstprivate by default": (
        """
void f(int n, int *a)
{
    for (int i = 0; i < n; i++) {
        int t = i;
#pragma omp task firstprivate(a)
        a[i] = t; /*a*/
    }
#pragma omp taskwait
    a[0] = a[1]; /*b*/
}
        """,
        "#pragma omp taskwait\n", "",
    ),
    "a loop of the caller's team": (
        """
void f(int n, int *a, int *b)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = i; /*a*/ /*b*/
}
        """,
        "a[i] = i", "a[0] = i",
    ),
    "every thread": (
        """
int total;
void f(int n, int *a)
{
#pragma omp parallel
    {
        int own = 0;
        own = n;
#pragma omp critical
        total += own; /*a*/ /*b*/
    }
}
        """,
        "#pragma omp critical\n", "",
    ),
    "threadprivate": (
        """
static int count;
#pragma omp threadprivate(count)
void f(int n, int *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        count = i; /*a*/ /*b*/
        a[i] = count;
    }
}
        """,
        "#pragma omp threadprivate(count)\n", "",
    ),
    "depend on the variable itself": (
        """
static int pair(int n)
{
    int x, y;
#pragma omp task shared(x) depend(out: x)
    x = n; /*a*/
#pragma omp task shared(x, y) depend(in: x) depend(out: y)
    y = x; /*b*/
#pragma omp taskwait
    return y;
}
        """,
        "depend(in: x)", "depend(in: y)",
    ),
    "members of structs": (
        """
typedef struct { double *data; int rows, width; } matrix;
void f(matrix *m, int n)
{
#pragma omp parallel for
    for (int i = 1; i < m->rows; i++)
        for (int j = 1; j < n; j++)
            m->data[i * m->width + j] = m->data[i * m->width + j - 1]; /*a*/ /*b*/
}
        """,
        "+ j - 1]", "+ j - m->width]",
    ),
    "records by value and arrays of records": (
        """
typedef struct { double x[10][64]; } block;
typedef struct { double x, y; } point;
void f(block b, int n, point *p)
{
#pragma omp parallel for
    for (int i = 1; i < n; i++) {
        p[i].x = p[i - 1].y; /*a*/ /*b*/
        b.x[1][i] = p[i].x;
    }
}
        """,
        "p[i - 1].y", "p[i - 1].x",
    ),
    "thread numbers": (
        """
int number;
void f(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0)
            number = 1; /*a*/
#pragma omp barrier
        number + 1; /*b*/
    }
}
        """,
        "#pragma omp barrier\n", "",
    ),
}  # fmt: skip


def _races(text: str, directory: Path) -> list[Diagnostic]:
    source = directory / "races.c"
    source.write_text("int omp_get_thread_num(void);\nint omp_get_num_threads(void);\n" + text)
    found = transform_file(str(source), ["-fopenmp"], Options(explain=True, strict=True))
    return [d for d in found.diagnostics if d.id == "race"]


def _line(text: str, mark: str) -> int:
    return text[: text.index(mark)].count("\n") + 3


@pytest.mark.parametrize("name", TWINS)
def test_the_clean_program_is_not_reported(name: str, tmp_path: Path) -> None:
    assert not _races(TWINS[name][0], tmp_path)


@pytest.mark.parametrize("name", TWINS)
def test_the_racy_twin_is_reported_with_both_places(name: str, tmp_path: Path) -> None:
    clean, old, new = TWINS[name]
    assert old in clean
    racy = clean.replace(old, new)
    found = {
        frozenset((d.location.line, note.location.line))
        for d in _races(racy, tmp_path)
        for note in d.notes
        if d.location and note.location
    }
    assert frozenset((_line(racy, "/*a*/"), _line(racy, "/*b*/"))) in found


_SPLIT = """
void f(int n, double *a, double *b)
{{
#pragma omp parallel
    {{
        int id = omp_get_thread_num();
        int size = omp_get_num_threads();
        {0}
            a[i] = i; /*a*/
#pragma omp barrier
        {0}
            b[i] = a[n - 1 - i]; /*b*/
    }}
}}
"""

_SPLITS = {
    "cyclic": "for (int i = id; i < n; i += size)",
    "cyclic from one": "for (int i = 1 + id; i <= n; i = i + size)",
    "scaled": "for (int i = n * id / size; i < n * (id + 1) / size; i++)",
    "rounded up": """int @m = (n + size - 1) / size, @l = id * @m, @h = @l + @m;
        if (@h > n) @h = n;
        for (int i = @l; i < @h; i++)""",
    "the last one takes the rest": """int @m = n / size, @l = @m * id;
        int @h = id == size - 1 ? n : @l + @m;
        for (int i = @l; i < @h; i++)""",
}


def _two_loops(split: str) -> str:
    text = _SPLIT.format(split)
    first, second = text.split("#pragma omp barrier")
    return first.replace("@", "p_") + "#pragma omp barrier" + second.replace("@", "q_")


@pytest.mark.parametrize("name", _SPLITS)
def test_threads_share_out_a_loop_by_their_numbers(name: str, tmp_path: Path) -> None:
    """The loops are ordered by the barrier and by nothing else, unless iterations are equal."""
    clean = _two_loops(_SPLITS[name])
    assert not _races(clean, tmp_path)
    racy = clean.replace("#pragma omp barrier\n", "")
    assert _races(racy, tmp_path)
    assert not _races(racy.replace("a[n - 1 - i]", "a[i]"), tmp_path)


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = id; i < n; i += size + 1)",
        "for (int i = n * id / size; i <= n * (id + 1) / size; i++)",
        "for (int i = n / size * id; i < n / size * (id + 1); i++)",
        "for (int i = 0; i < n; i++)",
    ],
)
def test_other_bounds_are_no_split(loop: str) -> None:
    """Iterations that no thread or several threads have are not taken for shared out."""
    assert split_of(_two_loops(loop)) is None


def split_of(text: str) -> Split | None:
    """What the first loop of a parallel region runs over if threads share it out."""
    unit = parse_text("int omp_get_thread_num(void);\nint omp_get_num_threads(void);\n" + text)
    function = unit.convert(unit.functions()[-1])
    block = function.children[-1].children[0]
    loop = next(n for n in block.children if n.kind == "FOR_STMT")
    seen = block.children[: block.children.index(loop)]

    def polynomial(name: Node) -> Polynomial:
        return Polynomial.name(name.name)

    return split(shared_header(loop), seen, polynomial)


@pytest.mark.parametrize("name", _SPLITS)
def test_the_range_is_that_of_one_thread(name: str) -> None:
    found = split_of(_two_loops(_SPLITS[name]))
    n = Polynomial.name("n")
    one = Polynomial.integer(1 if name == "cyclic from one" else 0)
    assert found is not None
    assert (found.first, found.limit, found.step) == (one, n + one, 1)
