"""Operations on literals: what Halide documents of integers, told by other means than division."""

from __future__ import annotations

import operator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s.scop.build import add, const, div
from s2s.scop.expressions import BOOL, FLOAT32, INT32, Binary, Const, Select, Type, Variable
from s2s.scop.literals import cast, decide, divide, fold, remainder
from s2s.scop.rewrite import substitute, transform
from tests.scop.integers import integer, truth, value

numbers = st.integers(-50, 50)
types = st.sampled_from([Type(code, bits) for code in ("int", "uint") for bits in (8, 16, 32)])


@given(numbers, numbers)
def test_remainders_are_never_negative(a: int, b: int) -> None:
    if b == 0:
        assert divide(a, b) == remainder(a, b) == 0
    else:
        assert divide(a, b) * b + remainder(a, b) == a
        assert 0 <= remainder(a, b) < abs(b)


@given(types, st.sampled_from(["add", "sub", "mul"]), st.data())
def test_what_wraps_wraps_and_what_overflows_stays(
    type_: Type, op: str, data: st.DataObject
) -> None:
    ends = st.integers(type_.smallest, type_.largest)
    a, b = data.draw(ends), data.draw(ends)
    exact = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}[op](a, b)
    found = fold(Binary(type_, op, Const(type_, a), Const(type_, b)))
    if type_.smallest <= exact <= type_.largest:
        assert found is Const(type_, exact)
    elif type_.wraps:
        assert found is not None
        assert (found.value - exact) % (1 << type_.bits) == 0
    else:
        assert found is None


@given(numbers, numbers)
def test_comparisons_and_logic(a: int, b: int) -> None:
    less, more = (fold(Binary(BOOL, op, const(a), const(b))) for op in ("lt", "gt"))
    equal = fold(Binary(BOOL, "eq", const(a), const(b)))
    assert less is not None
    assert more is not None
    assert equal is not None
    assert less.value + more.value + equal.value == 1
    either = fold(Binary(BOOL, "or", less, equal))
    assert either is fold(Binary(BOOL, "le", const(a), const(b)))
    assert fold(Binary(BOOL, "and", less, more)) is Const(BOOL, 0)


@pytest.mark.parametrize("shift", [-1, 32])
def test_shifts_by_more_than_there_are_bits_stay(shift: int) -> None:
    assert fold(Binary(INT32, "shl", const(1), const(shift))) is None
    assert fold(Binary(INT32, "shl", const(3), const(4))) is const(48)
    assert fold(Binary(INT32, "shl", const(1), const(31))) is None


def test_what_is_no_literal_stays() -> None:
    one = Const(FLOAT32, 1.0)
    assert fold(Binary(FLOAT32, "add", one, one)) is None
    assert fold(Binary(INT32, "add", const(1), Variable(INT32, "x"))) is None
    assert add(const(INT32.largest), 1) is Binary(INT32, "add", const(INT32.largest), const(1))
    assert div(const(-7), 2) is const(-4)
    assert cast(Type("uint", 8), const(257)) is Const(Type("uint", 8), 1)
    assert cast(INT32, one) is not one


@given(st.integers(0, 1 << 32).map(Random), numbers, numbers)
def test_what_literals_decide_has_the_same_value(random: Random, x: int, y: int) -> None:
    expr = Select(INT32, truth(random, ["x", "y"], 3), *(integer(random, ["x"], 3) for _ in "ab"))
    try:
        wanted = value(expr, {"x": x, "y": y})
    except OverflowError:
        return
    half = transform(substitute(expr, {"y": const(y)}), decide)
    assert value(half, {"x": x}) == wanted
    assert transform(substitute(half, {"x": const(x)}), decide) is const(wanted)
