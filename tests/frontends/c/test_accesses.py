"""C snippets and the accesses that they lift to: array, rank, subscripts, exactness."""

from __future__ import annotations

from pathlib import Path

import islpy as isl
import pytest

from s2s.scop.nodes import Access, Scop
from tests.lifting import analysed, lifted, parse_text, refusal, scop_of

_HERE = Path(__file__).parent


def _accesses(text: str, array: str, *, write: bool) -> list[Access]:
    return _of(scop_of(text), array, write=write)


def _of(scop: Scop, array: str, *, write: bool) -> list[Access]:
    return [a for s in scop.statements for a in s.accesses if a.array == array and a.write is write]


def _is(access: Access, subscripts: str) -> bool:
    """Whether an access touches ``array[subscripts]`` in iterations ``S1[i]`` or ``S1[i, j]``."""
    domain = access.relation.domain()
    names = ", ".join("ij"[: domain.dim(isl.dim_type.set)])
    wanted = isl.Map(f"[n] -> {{ S1[{names}] -> {access.array}[{subscripts}] }}")
    return bool(access.relation.is_equal(wanted.intersect_domain(domain)))


ONE = "for (int i = 0; i < n; i++) {body}"
TWO = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {body}"

_CLAMPED = "int k = i - 2; if (k < 0) k = 0; else if (k > n - 5) k = n - 5;"
# Where there are fewer than five, the first of the conditions goes first.
_BETWEEN = "(i < 2 ? 0 : min(i - 2, n - 5))"
_BEFORE = "(i = 0 ? n - 1 : i - 1)"

# (parameters, body, array, subscripts): the write in the body is exactly this
EXACT = [
    ("int n, int *a", ONE.format(body="a[i] = 0;"), "a", "i"),
    ("int n, int *a", ONE.format(body="*(a + i) = 0;"), "a", "i"),
    ("int n, int *a", ONE.format(body="a[2 * i - 1] = 0;"), "a", "2i - 1"),
    ("int n, int *a", ONE.format(body="a[n - 1 - i] = 0;"), "a", "n - 1 - i"),
    ("int n, int *a", ONE.format(body="a[i / 2] = 0;"), "a", "floor(i/2)"),
    ("int n, int *a", ONE.format(body="a[i % 3] = 0;"), "a", "i mod 3"),
    ("int n, int *a", ONE.format(body="{ int k; k = i + 2; a[k] = 0; }"), "a", "i + 2"),
    ("int n, int *a", ONE.format(body="{ int k = i + 2; a[k] = 0; }"), "a", "i + 2"),
    ("int n, int a[][10]", TWO.format(body="a[i][j] = 0;"), "a", "i, j"),
    ("int n, int a[][n]", TWO.format(body="a[j][i] = 0;"), "a", "j, i"),
    ("int n, int (*a)[n + 1]", TWO.format(body="a[i][j + 1] = 0;"), "a", "i, j + 1"),
    ("int n, int *a", TWO.format(body="a[i * n + j] = 0;"), "a", "i, j"),
    ("int n, int *a", ONE.format(body="a[i < 3 ? 3 : i] = 0;"), "a", "max(3, i)"),
    ("int n, int *a", ONE.format(body="a[i >= n - 4 ? n - 5 : i] = 0;"), "a", "min(n - 5, i)"),
    ("int n, int *a", ONE.format(body="a[i < 5 ? 10 - i : i] = 0;"), "a", "max(10 - i, i)"),
    ("int n, int *a", ONE.format(body="a[i == 0 ? n - 1 : i - 1] = 0;"), "a", _BEFORE),
    ("int n, int *a", ONE.format(body=f"{{ {_CLAMPED} a[k] = 0; }}"), "a", _BETWEEN),
    ("int n, int *a", ONE.format(body=f"{{ {_CLAMPED} a[k] = 0; k = 1; }}"), "a", _BETWEEN),
    (
        "int n, int *a",
        TWO.format(body=f"{{ {_CLAMPED} a[j * n + k] = 0; }}"),
        "a",
        f"j, {_BETWEEN}",
    ),
]


@pytest.mark.parametrize(("parameters", "body", "array", "subscripts"), EXACT)
def test_exact_writes(parameters: str, body: str, array: str, subscripts: str) -> None:
    (access,) = _accesses(f"void f({parameters}) {{ {body} }}", array, write=True)
    assert access.exact
    assert _is(access, subscripts), access.relation


@pytest.mark.parametrize(
    "body",
    [
        "a[b[i]] = 0;",
        "a[i * i] = 0;",
        "if (b[i]) a[i] = 0;",
        "if (b[i] > 2) a[i] = 0;",
        "{ int k; k = i; if (b[i]) k = 3; a[k] = 0; }",
        "{ int k = i; k++; a[k] = 0; }",
        "{ int k; k = i; take(&k); a[k] = 0; }",
        "{ int k = i; int *q = &k; *q = 3; a[k] = 0; }",
        "{ int k; i < 3 ? (k = i) : (k = 5); a[k] = 0; }",
    ],
)
def test_what_may_happen_is_not_exact(body: str) -> None:
    (access,) = _accesses(
        f"void take(int *); void f(int n, int *a, int *b) {{ {ONE.format(body=body)} }}",
        "a",
        write=True,
    )
    assert not access.exact


def test_compound_assignment_reads_and_writes() -> None:
    scop = scop_of(f"void f(int n, int *a) {{ {ONE.format(body='a[i] += 2;')} }}")
    assert len(_of(scop, "a", write=True)) == len(_of(scop, "a", write=False)) == 1


def test_a_condition_of_the_loop_variable_is_affine() -> None:
    body = ONE.format(body="{ if (i < 5) a[i] = 0; else a[i + 1] = 1; }")
    scop = scop_of(f"void f(int n, int *a) {{ {body} }}")
    assert [s.opaque for s in scop.statements] == [False, False]
    first, second = (s.domain for s in scop.statements)
    assert first.is_subset(isl.Set("{ S1[i] : i <= 4 }"))
    assert second.is_subset(isl.Set("{ S2[i] : i >= 5 }"))


def test_rows_behind_pointers_may_be_the_same_memory() -> None:
    """``a[i][j]`` of ``int **a`` reads the pointer ``a[i]`` and writes into some row."""
    scop = scop_of(f"void f(int n, int **a) {{ {TWO.format(body='a[i][j] = 0;')} }}")
    (row,) = {a.array for s in scop.statements for a in s.accesses if a.write}
    (pointer,) = {a.array for s in scop.statements for a in s.accesses if not a.write} - {row}
    assert (scop.arrays[row].rank, scop.arrays[row].row_rank) == (2, 1)
    assert (scop.arrays[pointer].rank, scop.arrays[pointer].row_rank) == (1, 0)
    (access,) = _of(scop, row, write=True)
    assert _is(access, "i, j")
    other_row = isl.UnionMap("[n] -> { S1[0, 1] -> S1[1, 2] : n >= 5 }")
    assert other_row.is_subset(analysed(scop).pruned)


def test_fields_are_arrays_of_their_own() -> None:
    text = """
    struct point { double x, y; };
    void f(int n, struct point *p) { for (int i = 0; i < n; i++) p[i].x = p[i].y; }
    """
    scop = scop_of(text)
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    read = {a.array for s in scop.statements for a in s.accesses if not a.write}
    assert len(written) == 1
    assert written.isdisjoint(read)
    assert not any(pair <= written | read and len(pair) == 2 for pair in scop.may_alias)


@pytest.mark.parametrize(
    ("header", "domain"),
    [
        ("int i = 0; i < n; i++", "0 <= i < n"),
        ("int i = 0; i <= n; ++i", "0 <= i <= n"),
        ("int i = 0; n > i; i += 1", "0 <= i < n"),
        ("int i = n - 1; i >= 0; i--", "0 <= i < n"),
        ("int i = n; i > 2; i -= 3", "2 < i <= n and (n - i) mod 3 = 0"),
        ("int i = 1; i < n; i += 2", "1 <= i < n and (i - 1) mod 2 = 0"),
        ("int i = 1; i < n; i = i + 4", "1 <= i < n and (i - 1) mod 4 = 0"),
        ("int i = 1; i + 1 < n; i++", "1 <= i < n - 1"),
        ("int i = 1; n > 2 + i; i++", "1 <= i < n - 2"),
        ("int i = 1; 2 * i - 1 <= n; i++", "1 <= i and 2i <= n + 1"),
        ("int i = n; i - 2 >= 0; i--", "2 <= i <= n"),
        ("int i = 0; i + n < 99; i++", "0 <= i < 99 - n"),
        ("int i = 9; i - n >= 0; i--", "n <= i <= 9"),
        ("long i = 0; i < 2 * n; i++", "0 <= i < 2n"),
        ("int i = 0; i < n && i < 9; i++", "0 <= i < n and i < 9"),
        ("int i = 0; i < (n < 9 ? n : 9); i++", "0 <= i < n and i < 9"),
        ("int i = 0; i <= (9 >= n ? n : 9); i++", "0 <= i <= n and i <= 9"),
        ("int i = 0; i != (n < 9 ? n : 9); i++", "0 <= i < n and i < 9"),
        ("int i = n > 9 ? n : 9; i < 99; i++", "n <= i < 99 and 9 <= i"),
        ("int i = 99; i > (n < 9 ? 9 : n); i--", "n < i <= 99 and 9 < i"),
        (
            "int i = n > 9 ? n : 9; i < 99; i += 2",
            "max(n, 9) <= i < 99 and (i - max(n, 9)) mod 2 = 0",
        ),
        (
            "long i = 0; i < (n < 9 ? n : n < 99 ? 9 : 3); i++",
            "i >= 0 and (i < n < 9 or (9 <= n < 99 and i < 9) or (n >= 99 and i < 3))",
        ),
        ("int i = 0; i < (n > 9 ? n : 9); i++", "i >= 0 and (i < n or i < 9)"),
    ],
)
def test_loop_headers(header: str, domain: str) -> None:
    scop = scop_of(f"void f(int n, int *a) {{ for ({header}) a[i] = 0; }}")
    (statement,) = scop.statements
    wanted = isl.Set(f"[n] -> {{ S1[i] : {domain} }}").intersect_params(scop.context)
    assert statement.domain.intersect_params(scop.context).is_equal(wanted)


@pytest.mark.parametrize(
    "header",
    ["int i = 0; i < (a[0] < n ? n : 9); i++",
     "int i = 0; 9 - i > n; i++", "unsigned i = 0; i + 1 < n; i++",
     "int i = 0; n - i < 99; i++", "int i = 0; i + 1 != n; i++", "int i = 0; -2 * i < n; i++",
     "int i = 0; i < (n < 9 ? n * a[i] : 9); i++"],
)  # fmt: skip
def test_chosen_bounds_that_are_not_affine(header: str) -> None:
    scop = scop_of(f"void f(int n, int *a) {{ for ({header}) a[i] = 0; }}")
    (statement,) = scop.statements
    assert statement.opaque


def test_members_in_macros_are_parameters() -> None:
    text = (_HERE / "members_in_macros.c").read_text()
    scop = scop_of(text)
    assert {p.spelling for p in scop.parameters} == {"s.inner.count", "t->rows"}


@pytest.mark.parametrize(
    "step", ["i--", "i -= 2"],
)  # fmt: skip
def test_loops_that_count_down_run_backwards(step: str) -> None:
    scop = scop_of(f"void f(int n, int *a) {{ for (int i = n; i > 0; {step}) a[i] = a[i - 2]; }}")
    order = scop.schedule()
    later = order.lex_lt_union_map(order)
    assert later.is_subset(isl.UnionMap("{ S1[i] -> S1[j] : j < i }"))
    assert not later.is_empty()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("for (int i = 0; i < n; i++) {}", "no statements"),
        ("for (int i = 0; i < n; i++) { if (a[i]) return; }", "return"),
        ("for (int i = 0; i < n; i++) { goto out; } out:;", "goto"),
        ('for (int i = 0; i < n; i++) __asm__ volatile ("");', "asm"),
    ],
)
def test_what_ends_a_region(body: str, reason: str) -> None:
    assert reason in refusal(f"void f(int n, int *a) {{ {body} }}")


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) { if (a[i]) break; a[i] = 1; }",
        "for (int i = 0; i < n; i *= 2) a[i] = 1;",
        "for (int i = 0; a[i]; i++) a[i] = 1;",
    ],
)
def test_loops_without_a_count_are_kept_whole(body: str) -> None:
    (statement,) = scop_of(f"void f(int n, int *a) {{ {body} }}").statements
    assert statement.opaque
    assert statement.depth == 0


@pytest.mark.parametrize(
    ("clause", "whole"),
    [("collapse(2)", ["k"]), ("", ["j"]), ("collapse(3)", []), ("collapse(DEPTH)", [])],
)
def test_loops_that_a_directive_takes_together_stay(clause: str, whole: list[str]) -> None:
    """Where the whole nest is no region, only loops below those of the directive may be one."""
    text = f"""
    #define DEPTH 2
    void f(int n, int *a) {{
        #pragma omp parallel for copyin(a) {clause}
        for (int i = 0; i < n; i++) {{
            for (int j = 0; j < n; j++) {{
                for (int k = 0; k < n; k++) a[k] = 0;
            }}
        }}
    }}
    """
    found = [scop for _, scop in lifted(parse_text(text))]
    assert [s.statements[0].iterators[0].spelling for s in found] == whole


PRAGMAS = """
void first(int n, int *a) { for (int i = 0; i < n; i++) a[i] = 0; }
%s
void second(int n, int *a) { for (int i = 0; i < n; i++) a[i] = 0; }
%s
void third(int n, int *a) { for (int i = 0; i < n; i++) a[i] = 0; }
"""


@pytest.mark.parametrize(
    ("before", "after", "seen"),
    [
        ("", "", ["first", "second", "third"]),
        ("#pragma s2s off", "#pragma s2s on", ["first", "third"]),
        ("#pragma s2s off", "", ["first"]),
        ("#pragma scop", "#pragma endscop", ["second"]),
    ],
)
def test_pragmas_choose_regions(before: str, after: str, seen: list[str]) -> None:
    assert [name for name, _ in lifted(parse_text(PRAGMAS % (before, after)))] == seen


@pytest.mark.parametrize("qualifier", ["", "const "])
@pytest.mark.parametrize("rows", ["n", "n + 1"])
def test_sizes_of_arrays_of_variable_length(qualifier: str, rows: str) -> None:
    """The rows of ``const`` arrays have the sizes that are written, as those of others."""
    copy = TWO.format(body="b[i][j] = a[i][j];")
    scop = scop_of(f"void f(int n, {qualifier}int a[{rows}][n], int b[n][n]) {{ {copy} }}")
    (read,) = _of(scop, "a", write=False)
    assert _is(read, "i, j") and read.exact
    assert scop.arrays["a"].sizes == scop.arrays["b"].sizes == (None, "(1*n)")
    assert isl.Set("[n] -> { : n = 100 }").is_subset(scop.assumptions)


def test_loop_variables_do_not_capture_subscripts_that_are_not_known() -> None:
    text = (
        "void f(int n, double *a, int *next) { for (int o0 = 0; o0 < n; o0++)"
        " for (int o1 = 0; o1 < n; o1++) a[next[o0 + o1]] = o1; }"
    )
    (write,) = _accesses(text, "a", write=True)
    assert not write.relation.is_single_valued()


@pytest.mark.parametrize(
    ("subscript", "within"),
    [
        ("m", True),
        ("k", False),
        ("k - 1", True),
        ("m + 1", False),
        ("m - 1", False),
        ("4", True),
        ("5", False),
        ("4 - m", True),
        ("3 - m", False),
        ("m + j", True),
        ("m + j + 1", False),
    ],
)
def test_inner_subscripts_stay_in_rows_of_five(subscript: str, within: bool) -> None:
    count = {"m": 3 if "j" in subscript else 5, "k": 6, "j": 3}
    loops = "".join(
        f"for (int {name} = {int(name == 'k')}; {name} < {count[name]}; {name}++) "
        for name in count
    )
    text = f"static double a[40][5]; void f(int n) {{ for (int i = 0; i < n; i++) {loops}"
    scop = scop_of(f"{text} a[i][{subscript}] = 1; }}")
    (statement,) = scop.statements
    assert [access.exact for access in statement.accesses] == [within]
