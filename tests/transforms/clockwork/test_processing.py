"""Processing elements of values, and values that need fewer of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s.scop.expressions import BOOL, INT32, Binary, Cast, Const, Expr, Load, Select, Type
from s2s.scop.nest import Store
from s2s.transforms.clockwork.processing import count_elements
from s2s.transforms.clockwork.simplify_kernels import simplify_kernels

I16, U16 = Type("int", 16), Type("uint", 16)


def pixel(k: int, kind: Type = I16) -> Expr:
    return Load(kind, "image", (Const(INT32, k),))


def op(name: str, left: Expr, right: Expr, kind: Type | None = None) -> Expr:
    return Binary(kind or left.type, name, left, right)


def simplified(value: Expr) -> Expr:
    store = simplify_kernels(Store("f", (), (value,)))
    assert isinstance(store, Store)
    return store.values[0]


def weighted(weights: list[int], kind: Type = I16) -> Expr:
    """0 + w0*p0 + w1*p1 + ..., as an update of a sum that begins with 0 is."""
    value: Expr = Const(kind, 0)
    for k, weight in enumerate(weights):
        value = op("add", value, op("mul", Const(kind, kind.wrap(weight)), pixel(k, kind)))
    return value


def test_a_gradient_takes_a_sum_and_two_products() -> None:
    value = op("add", pixel(9), weighted([-1, 0, 1, -2, 0, 2, -1, 0, 1]))
    assert count_elements(value) == 19
    assert count_elements(simplified(value)) == 8


def test_what_stands_twice_is_computed_once() -> None:
    half = op("div", pixel(0), Const(I16, 2))
    assert count_elements(op("mul", half, half)) == 2


def test_a_middle_product_is_one_instruction() -> None:
    wide = Cast(INT32, pixel(0))
    product = op("mul", wide, Const(INT32, 407))
    middle = Cast(I16, op("shr", product, Const(Type("uint", 32), 8)))
    assert count_elements(middle) == 1
    other = Cast(I16, op("shr", product, Const(Type("uint", 32), 7)))
    assert count_elements(other) == 2


@pytest.mark.parametrize(("bits", "elements"), [(2, 3), (3, 4), (4, 6), (9, 13)])
def test_logic_is_in_tables_beside_other_results(bits: int, elements: int) -> None:
    """Comparisons, a choice with room for one table, and tables of three bits."""
    value = op("lt", pixel(0), pixel(1), BOOL)
    for k in range(2, bits + 1):
        value = op("and", value, op("lt", pixel(0), pixel(k), BOOL))
    assert count_elements(Select(I16, value, Const(I16, 1), Const(I16, 0))) == elements


def evaluate(value: Expr, pixels: list[int]) -> int:
    if isinstance(value, Const):
        return int(value.value)
    if isinstance(value, Load):
        (place,) = value.subscripts
        assert isinstance(place, Const)
        return value.type.wrap(pixels[int(place.value)])
    assert isinstance(value, Binary)
    left, right = evaluate(value.left, pixels), evaluate(value.right, pixels)
    known = {"add": left + right, "sub": left - right, "mul": left * right}
    return value.type.wrap(known[value.op])


@given(
    st.sampled_from([I16, U16]),
    st.lists(st.integers(-3, 3), min_size=1, max_size=6),
    st.lists(st.integers(0, 65535), min_size=6, max_size=6),
    st.lists(st.sampled_from(["add", "sub", "mul"]), min_size=6, max_size=6),
)
def test_simplified_values_are_equal(
    kind: Type, weights: list[int], pixels: list[int], joins: list[str]
) -> None:
    value = weighted(weights, kind)
    for k, (weight, join) in enumerate(zip(weights, joins, strict=False)):
        value = op(join, value, op("mul", pixel(k, kind), Const(kind, kind.wrap(weight))))
    less = simplified(value)
    assert evaluate(less, pixels) == evaluate(value, pixels)
    assert count_elements(less) <= count_elements(value)


def test_what_does_not_wrap_stays() -> None:
    zero = op("mul", Const(INT32, 0), pixel(0, INT32))
    assert simplified(zero) is zero
