"""Flat subscripts as rows and columns: what is chosen names the element that C names."""

from __future__ import annotations

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.scop.nodes import Access, Scop, Statement
from tests.lifting import scop_of

_SIZES = {"n": 5, "m": 7, "p": 6}


def _program(condition: str, subscript: str, others: str = "") -> str:
    return f"""
void f(int n, int m, int p, double *restrict a, double *restrict b)
{{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if ({condition}) {{
                a[{subscript}] = b[i];{others}
            }}
}}
"""


def _written(scop: Scop) -> tuple[Statement, Access]:
    statement = scop.statements[0]
    return statement, next(a for a in statement.accesses if a.write)


def _fixed(item: isl.Set) -> isl.Set:
    for name, value in _SIZES.items():
        position = item.find_dim_by_name(isl.dim_type.param, name)
        if position >= 0:
            item = item.fix_val(isl.dim_type.param, position, isl.Val(value))
    return item


def _points(item: isl.Set) -> list[list[int]]:
    found: list[list[int]] = []
    count = item.dim(isl.dim_type.set)

    def note(point: isl.Point) -> None:
        vector = (point.get_coordinate_val(isl.dim_type.set, i) for i in range(count))
        found.append([value.to_python() for value in vector])

    item.foreach_point(note)
    return found


def _check(text: str, subscript: str, rank: int) -> bool:
    """Whether the array kept its shape; asserts that it names the right elements then."""
    scop = scop_of(text)
    statement, access = _written(scop)
    if not access.exact or access.relation.dim(isl.dim_type.out) != rank:
        return False
    if _fixed(scop.assumptions).is_empty():
        return True
    sizes = [eval(size or "", {}, _SIZES) for size in scop.arrays[access.array].sizes[1:]]
    for *point, outer, inner in _flattened(access, statement):
        values = dict(zip(("i", "j"), point[:2], strict=True))
        element = [*point[2:], outer, inner]
        flat = element[0]
        for size, value in zip(sizes, element[1:], strict=True):
            assert 0 <= value < size
            flat = flat * size + value
        assert flat == eval(subscript, {}, {**_SIZES, **values})
    return True


def _flattened(access: Access, statement: Statement) -> list[list[int]]:
    pairs = access.relation.intersect_domain(statement.domain).wrap().flatten()
    return _points(_fixed(pairs))


rows = st.sampled_from(["i", "i + 1", "n - 1 - i", "n - i - j", "i + j", "2 * i"])
columns = st.sampled_from(
    ["j", "j - 1", "m - 1 - j", "j - i", "i - j", "j + m", "-j", "j - 2 * m", "1", "0", "m + i - j"]
)
conditions = st.sampled_from(["1", "i <= j", "i > j && j > 0", "i == 0", "j == m - 1 && i > 0"])


@settings(max_examples=35, deadline=None)
@given(rows, columns, conditions)
def test_two_dimensions_name_the_element_of_c(row: str, column: str, condition: str) -> None:
    subscript = f"({row}) * m + ({column})"
    _check(_program(condition, subscript), subscript, 2)


@settings(max_examples=25, deadline=None)
@given(rows, columns, columns, conditions)
def test_three_dimensions_name_the_element_of_c(
    plane: str, row: str, column: str, condition: str
) -> None:
    subscript = f"(({plane}) * p + ({row})) * m + ({column})"
    _check(_program(condition, subscript), subscript, 3)


@settings(max_examples=25, deadline=None)
@given(rows, columns, conditions, st.integers(2, 4), st.integers(-1, 4))
def test_components_name_the_element_of_c(
    row: str, column: str, condition: str, components: int, component: int
) -> None:
    """Points of several numbers: with a second touch of their rows, too."""
    subscript = f"(({row}) * m + ({column})) * {components} + ({component})"
    second = f"a[{components} * (i * m + j)] = 1;"
    for others in ("", second):
        _check(_program(condition, subscript, others), subscript, 2)


def test_the_rows_of_an_image() -> None:
    """A row has three numbers for each point; one that goes to the next point stays in it."""
    text = _program("j > 0", "(i * m + j - 1) * 3 + 4")
    assert _check(text, "(i * m + j - 1) * 3 + 4", 2)
    scop = scop_of(text)
    assert scop.arrays["a"].sizes[1:] == ("3*m",)
    assert scop.arrays["a"].flat == ("(3L * m)",)
    assert scop.assumptions.is_equal(isl.Set.universe(scop.assumptions.get_space()))


@pytest.mark.parametrize(
    ("condition", "subscript", "relation"),
    [
        ("j > 0", "i * m - j", "a[i - 1, m - j]"),
        ("i <= j", "(i + 1) * m + i - j - 1", "a[i, m + i - j - 1]"),
        ("i > 0", "(i - 1) * m + j + m", "a[i, j]"),
        ("i == 0", "j + m", "a[1, j]"),
    ],
)
def test_the_column_that_is_proved_to_lie_in_its_row(
    condition: str, subscript: str, relation: str
) -> None:
    scop = scop_of(_program(condition, subscript, "\n                a[i * m + j] = 0.0;"))
    statement, access = _written(scop)
    expected = isl.Map(f"[n, m] -> {{ S1[i, j] -> {relation} }}")
    assert access.exact
    assert access.relation.is_equal(expected.intersect_domain(statement.domain)), access.relation
    assert scop.assumptions.is_equal(isl.Set.universe(scop.assumptions.get_space()))


def test_no_assumption_that_only_the_shortest_rows_fulfil() -> None:
    """Neither column is right in all executions; nothing is known about the array then."""
    scop = scop_of(_program("1", "i * m + j - i"))
    _, access = _written(scop)
    assert not access.exact


@pytest.mark.parametrize(
    ("limit", "shaped"), [("n", True), ("m", True), ("n * m", False), ("n * m - 1", False)]
)
def test_no_shape_that_few_rows_have(limit: str, shaped: bool) -> None:
    scop = scop_of(f"""
void f(int n, int m, double *restrict a)
{{
    for (int t = 0; t < 9; t++) {{
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] *= 2;
        for (int k = 0; k < {limit}; k++)
            a[k] += 1;
    }}
}}
""")
    assert (scop.arrays["a"].rank == 2) is shaped
