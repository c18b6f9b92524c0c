"""Polynomials obey the laws of arithmetic, and delinearization undoes linearization."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s.scop.polynomial import Polynomial, RowSize, delinearize, size_candidates

NAMES = ("i", "j", "n", "m")
_VALUES = {"i": 3, "j": -2, "n": 7, "m": 11}

coefficients = st.integers(-4, 4)
monomials = st.lists(st.sampled_from(NAMES), max_size=2).map(lambda names: tuple(sorted(names)))
products = st.dictionaries(monomials.filter(bool), coefficients.filter(bool), max_size=4)
polynomials = st.builds(Polynomial, products, coefficients)
affine = st.tuples(coefficients, coefficients, coefficients).map(
    lambda c: (
        Polynomial.name("i") * Polynomial.integer(c[0])
        + Polynomial.name("j") * Polynomial.integer(c[1])
        + Polynomial.integer(c[2])
    )
)


def _value(polynomial: Polynomial) -> int:
    total = polynomial.constant
    for monomial, coefficient in polynomial.terms.items():
        for name in monomial:
            coefficient *= _VALUES[name]
        total += coefficient
    return total


@given(polynomials, polynomials)
def test_arithmetic_agrees_with_integers(a: Polynomial, b: Polynomial) -> None:
    assert _value(a + b) == _value(a) + _value(b)
    assert _value(a - b) == _value(a) - _value(b)
    assert _value(a * b) == _value(a) * _value(b)
    assert a + b == b + a
    assert hash(a * b) == hash(b * a)
    assert a - a == Polynomial()


@given(polynomials, st.sampled_from(NAMES), st.integers(1, 3))
def test_division_leaves_less_than_the_divisor(a: Polynomial, name: str, factor: int) -> None:
    quotient, remainder = a.divide(name, factor)
    assert quotient * Polynomial.name(name).scaled(factor) + remainder == a
    assert all(0 < c < factor for m, c in remainder.terms.items() if name in m)


@given(polynomials, polynomials, polynomials)
def test_a_name_stands_for_what_it_is(a: Polynomial, b: Polynomial, value: Polynomial) -> None:
    if any(len(monomial) > 1 for monomial in value.terms):
        named = (a * value + b).with_named(value, "v")
        put_in = Polynomial.integer(named.constant)
        for monomial, coefficient in named.terms.items():
            term = Polynomial.integer(coefficient)
            for name in monomial:
                term = term * (value if name == "v" else Polynomial.name(name))
            put_in = put_in + term
        assert put_in == a * value + b


factors = st.integers(1, 5)


@given(affine, affine, affine, factors, factors)
def test_delinearization_undoes_linearization(
    x: Polynomial, y: Polynomial, z: Polynomial, rows: int, columns: int
) -> None:
    sizes = (RowSize("n", rows), RowSize("m", columns))
    flat = (x * sizes[0].polynomial() + y) * sizes[1].polynomial() + z
    assert delinearize(flat, sizes) == [x, y, z]
    assert [RowSize.parse(size.isl()) for size in sizes] == list(sizes)


def test_the_sizes_of_a_flat_subscript_are_found() -> None:
    i, j, k, n, m = (Polynomial.name(name) for name in "ijknm")
    rows, columns = RowSize("n"), RowSize("m")
    assert (rows, columns) in size_candidates([(i * n + j) * m + k], frozenset("nm"))
    assert size_candidates([i * n + j], frozenset("n")) == [(rows,)]
    assert size_candidates([i + j], frozenset("n")) == [()]
    assert size_candidates([i * j], frozenset("n")) == []
    assert delinearize(i * j * n, (rows,)) is None


def test_rows_of_several_components() -> None:
    i, j, n = (Polynomial.name(name) for name in "ijn")
    pixel = (i * n + j).scaled(3)
    above = ((i - Polynomial.integer(1)) * n + j).scaled(3) + Polynomial.integer(2)
    sizes = (RowSize("n", 3),)
    assert size_candidates([pixel, above], frozenset("n")) == [sizes, (RowSize("n"),)]
    assert delinearize(above, sizes) == [
        i - Polynomial.integer(1), j.scaled(3) + Polynomial.integer(2)
    ]  # fmt: skip
    assert size_candidates([pixel, i * n + j], frozenset("n")) == [(RowSize("n"),)]


def test_isl_text() -> None:
    i, n = Polynomial.name("i"), Polynomial.name("n")
    assert (i * Polynomial.integer(2) - n + Polynomial.integer(3)).isl() == "(3 + 2*i + -1*n)"
    assert Polynomial().isl() == "0"
    with pytest.raises(ValueError, match="not affine"):
        (i * n).isl()


def test_what_a_polynomial_says_of_itself() -> None:
    i = Polynomial.name("i")
    assert Polynomial.integer(5).number == 5
    assert Polynomial().number == 0
    assert i.number is None
    assert (i * i).degree == 2
    assert not (i * i).is_affine
    assert (i * Polynomial.integer(4)).coefficient(("i",)) == 4
