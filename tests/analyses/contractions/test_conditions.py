"""For which values of a loop's variable a condition holds, against its value at each of them."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from s2s.analyses.contractions.conditions import where
from s2s.scop.build import const, lt, var
from s2s.scop.expressions import INT32, Binary, Load, Type, Variable
from tests.scop.integers import truth, value

VALUES = range(-3, 9)


@given(st.integers(0, 1 << 32).map(Random))
def test_where_conditions_hold(random: Random) -> None:
    condition = truth(random, ["x"], 3)
    found = where(condition, "x", VALUES)
    if not condition.variables:
        assert found is None
        return
    try:
        wanted = [x for x in VALUES if value(condition, {"x": x})]
    except OverflowError:
        return
    assert found == wanted


def test_narrow_types_wrap() -> None:
    uint8 = Type("uint", 8)
    x = Variable(uint8, "x")
    square = Binary(uint8, "mul", x, x)
    assert where(lt(square, 5), "x", range(17)) == [0, 1, 2, 16]


def test_other_conditions_are_not_told() -> None:
    assert where(lt(var("x"), var("y")), "x", VALUES) is None
    assert where(lt(Load(INT32, "f", (var("x"),)), const(3)), "x", VALUES) is None
