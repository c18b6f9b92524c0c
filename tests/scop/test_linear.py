"""Linear forms against the values that they have: the laws of sums, whatever the atoms are."""

from __future__ import annotations

import pickle
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from s2s.scop.build import add, const, mul, sub, var
from s2s.scop.expressions import Expr
from s2s.scop.linear import Linear, combined, common, expression, of_expression
from s2s.scop.normal_form import linear, normalized
from tests.scop.integers import integer, value

NAMES = ("i", "j", "k")
numbers = st.integers(-9, 9)
forms = st.builds(Linear, st.dictionaries(st.sampled_from(NAMES), numbers.filter(bool)), numbers)
points = st.fixed_dictionaries(dict.fromkeys(NAMES, numbers))
Form = Linear[str]
Point = dict[str, int]


def _value(form: Form, at: Point) -> int:
    return form.constant + sum(c * at[name] for name, c in form.terms.items())


@given(forms, forms, numbers, points)
def test_arithmetic_agrees_with_integers(a: Form, b: Form, k: int, at: Point) -> None:
    x, y = _value(a, at), _value(b, at)
    assert _value(a.plus(b, k), at) == x + k * y
    assert _value(a.minus(b), at) == _value(a - b, at) == x - y
    assert _value(a + b, at) == x + y
    assert _value(a.scaled(k), at) == k * x
    assert _value(a + k, at) == _value(a.shifted(k), at) == x + k
    assert _value(-a, at) == -x
    assert a - a == Linear()
    assert all(c for c in a.plus(b, k).terms.values())


@given(forms, forms, points)
def test_products_with_numbers(a: Form, b: Form, at: Point) -> None:
    product = a.times(b)
    assert (product is None) == bool(a.terms and b.terms)
    if product is not None:
        assert _value(product, at) == _value(a, at) * _value(b, at)
    assert combined("mul", a, b) == product
    assert combined("div", a, b) is None


@given(forms, st.integers(1, 9), points)
def test_division_comes_apart(form: Form, by: int, at: Point) -> None:
    whole, rest = form.split(by)
    assert _value(form, at) == by * _value(whole, at) + _value(rest, at)
    assert 0 <= rest.constant < by
    exact = form.divided(by)
    assert exact == (whole if rest == Linear() else None)
    assert form.scaled(by).divided(by) == form


@given(forms, forms)
def test_equal_whatever_the_order(a: Form, b: Form) -> None:
    one, other = a + b, b + a
    assert one == other
    assert hash(one) == hash(other)
    copied = pickle.loads(pickle.dumps(one))
    assert copied == one
    assert "_hash" not in vars(copied)


@given(forms, forms, points)
def test_parts(a: Form, b: Form, at: Point) -> None:
    shared = common([a, b])
    assert all(a.coefficient(n) == b.coefficient(n) == c for n, c in shared.terms.items())
    assert not common([a - shared, b - shared]).terms
    assert a.part(lambda name: name == "i", a.constant) + a.without("i") == a + a.constant
    assert a.content == 0 or all(c % a.content == 0 for c in a.terms.values())
    assert a.number == (None if a.terms else _value(a, at))
    assert a.atom is None or _value(a, at) == at[a.atom]


@given(forms, st.dictionaries(st.sampled_from(NAMES), forms), points)
def test_values_in_the_place_of_atoms(form: Form, values: dict[str, Form], at: Point) -> None:
    inside = at | {name: _value(value, at) for name, value in values.items()}
    assert _value(form.with_values(values), at) == _value(form, inside)


@given(forms, st.fixed_dictionaries(dict.fromkeys(NAMES, st.tuples(numbers, numbers))), st.data())
def test_bounds_are_reached_and_kept(
    form: Form, ends: dict[str, tuple[int, int]], data: st.DataObject
) -> None:
    ranges = {name: (min(pair), max(pair)) for name, pair in ends.items()}
    low, high = form.bounds(ranges)
    at = {name: data.draw(st.integers(*pair)) for name, pair in ranges.items()}
    assert low <= _value(form, at) <= high
    for end, sign in ((low, 1), (high, -1)):
        corner = {n: ranges[n][sign * form.coefficient(n) < 0] for n in NAMES}
        assert _value(form, corner) == end


# ---- of expressions


@given(st.integers(0, 1 << 32).map(Random), points)
def test_expressions_and_forms_have_the_same_value(random: Random, at: Point) -> None:
    expr = integer(random, list(NAMES), 4)
    try:
        expected = value(expr, at)
    except OverflowError:
        return
    form = linear(expr)
    terms = {atom: value(atom, at) for atom in form.terms}
    assert form.constant + sum(c * terms[atom] for atom, c in form.terms.items()) == expected
    assert value(expression(form), at) == expected
    assert value(normalized(expr), at) == expected


def test_the_order_in_which_sums_are_written() -> None:
    i, j = var("i"), var("j")

    def form(expr: Expr) -> Linear[Expr]:
        return of_expression(expr, form)

    assert expression(form(sub(add(const(3), mul(j, 2)), i))) is add(sub(mul(j, 2), i), 3)
    assert expression(form(sub(const(3), i))) is sub(const(3), i)
    assert expression(form(add(j, i)), lambda atom: -1 if atom is i else 0) is add(i, j)
    assert expression(form(sub(i, i))) is const(0)
