"""Names for values that pipelines compute once."""

import pytest

from s2s.emitters.c.nests.value_names import name_value
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr, Load, Variable

_X, _Y, _N = (Variable(INT32, name) for name in ("f.x", "f.y", "n"))


def _of(op: str, left: Expr, right: Expr | int) -> Expr:
    type_ = BOOL if op in ("eq", "lt", "and") else INT32
    return Binary(type_, op, left, Const(INT32, right) if isinstance(right, int) else right)


_PIXEL = Load(INT32, "input$1", (_X, _Y))
_HALF = _of("shr", _N, 1)
_XX, _YY = _of("shr", _X, 6), _of("shr", _Y, 6)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (_of("shr", _X, 1), "x_by_2"),
        (_of("shr", _of("add", _X, 63), 6), "x_by_64_up"),
        (_of("div", _of("add", _X, _Y), 3), "x_y_by_3"),
        (_of("band", _Y, 7), "y_mod_8"),
        (_of("band", _Y, 6), "y_bits"),
        (_of("eq", _of("mod", _X, 2), 1), "is_x_mod_2_1"),
        (_of("lt", _of("add", _X, _Y), _N), "is_x_y"),
        (_of("min", _N, _of("mul", _Y, 16)), "y_end"),
        (_of("max", _of("add", _X, _N), _of("mul", _Y, 4)), "y_begin"),
        (_of("min", _N, 16), "min_n"),
        (_of("min", _of("mul", _X, 4), 16), "min_x"),
        (_PIXEL, "input_value"),
        (_of("add", _PIXEL, _PIXEL), "input_sum"),
        (_of("sub", _HALF, 1), "half_difference"),
        (_of("add", _XX, _YY), "sum_xx_yy_sum"),
        (_of("mul", _XX, _N), "sum_xx_n_product"),
    ],
)
def test_a_name_says_of_what_and_how(value: Expr, name: str) -> None:
    known = {_X: "x", _Y: "y", _N: "n", _HALF: "half", _XX: "sum_xx_by_64", _YY: "sum_yy_by_64"}
    assert name_value(value, lambda e: known.get(e, ""), ["f.x", "f.y"]) == name
