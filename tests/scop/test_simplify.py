"""The simplifier: canonical forms, and values kept on expressions by chance."""

from __future__ import annotations

from random import Random

import pytest

from s2s.scop.build import (
    FALSE,
    TRUE,
    add,
    const,
    div,
    le,
    lt,
    maximum,
    minimum,
    mod,
    mul,
    negate,
    sub,
    var,
)
from s2s.scop.expressions import FLOAT32, INT32, Binary, Const, Expr, Load, Type, Variable
from s2s.scop.simplify.simplify import Simplifier
from tests.scop.integers import integer, let, truth, value

X, Y = var("x"), var("y")
CLAMPED = minimum(mul(X, 8), 92)


@pytest.mark.parametrize(
    ("expr", "result"),
    [
        (sub(add(CLAMPED, 8), CLAMPED), const(8)),
        (sub(minimum(add(mul(X, 8), 7), 99), CLAMPED), const(7)),
        (div(add(mul(X, 8), 7), 8), X),
        (mod(add(mul(X, 8), Y), 8), mod(Y, 8)),
        (maximum(minimum(Y, 5), Y), Y),
        (le(mul(X, 8), 92), le(X, 11)),
        (negate(lt(X, Y)), le(Y, X)),
        (add(mul(div(Y, 8), 8), mod(Y, 8)), Y),
        (div(div(Y, 3), 4), div(Y, 12)),
        (div(CLAMPED, 4), minimum(mul(X, 2), 23)),
        (minimum(X, 12), X),
        (lt(X, 13), TRUE),
        (lt(X, 0), FALSE),
        (sub(maximum(X, Y), maximum(Y, X)), const(0)),
        (sub(minimum(mul(X, 8), Y), mul(X, 8)), minimum(sub(Y, mul(X, 8)), 0)),
        (sub(Y, maximum(add(Y, 3), X)), minimum(sub(Y, X), -3)),
        (add(sub(minimum(X, Y), X), div(Y, 3)), add(div(Y, 3), minimum(sub(Y, X), 0))),
    ],
)
def test_becomes(expr: Expr, result: Expr) -> None:
    by = Simplifier({"x": (0, 12)})
    assert by(expr) is by(result)


def test_sums_of_data_keep_their_order() -> None:
    element = Load(INT32, "f", (X,))
    expr = sub(add(element, X), element)
    assert Simplifier()(expr) is expr


def test_floats_stay() -> None:
    a = Variable(FLOAT32, "a")
    expr = Binary(FLOAT32, "add", a, Const(FLOAT32, 0.0))
    assert Simplifier()(expr) is expr


def test_unsigned_wraps() -> None:
    u8 = Type("uint", 8)
    a = Variable(u8, "a")
    expr = Binary(u8, "sub", Binary(u8, "add", a, Const(u8, 200)), Const(u8, 200))
    assert Simplifier()(expr) is expr
    assert Simplifier()(Binary(u8, "add", Const(u8, 200), Const(u8, 100))) is Const(u8, 44)


def test_scopes_know_more() -> None:
    outer = Simplifier({"x": (0, 12)})
    inner = outer.inner({"y": (0, 3)})
    assert inner(lt(Y, 4)) is TRUE
    assert outer(lt(Y, 4)) is not TRUE
    assert inner(lt(X, 13)) is TRUE


@pytest.mark.parametrize("seed", range(20))
def test_values_are_kept(seed: int) -> None:
    random = Random(seed)
    known = {"x": (0, 12), "y": (-5, 9)}
    for _ in range(12):
        make = random.choice([integer, let, truth])
        expr = make(random, ["x", "y", "z"], 4)
        by = Simplifier(known)
        result = by(expr)
        low, high = by.bounds(result)
        for _ in range(12):
            names = {n: random.randint(*r) for n, r in known.items()}
            names["z"] = random.randint(-100, 100)
            try:
                expected = value(expr, names)
            except OverflowError:
                continue
            assert value(result, names) == expected
            assert (low is None or low <= expected) and (high is None or expected <= high)
        assert by(result) is result
