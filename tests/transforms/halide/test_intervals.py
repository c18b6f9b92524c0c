"""Intervals hold all values, boxes hold all accesses, and affine ones are exact."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from s2s.scop.build import add, const, lt, maximum, minimum, mul, sub, var
from s2s.scop.expressions import INT32, Binary, Call, Cast, Const, Expr, Load, Select, Type
from s2s.scop.nest import Block, Define, For, If, Node, Store
from s2s.scop.simplify.interval import Interval
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.halide.boxes import (
    Box,
    conditional_loads,
    find_loaded,
    find_required,
    find_stored,
)
from tests.scop.integers import let, number, truth, value

U8 = Type("uint", 8)
X, Y, W = var("x"), var("y"), var("w")


def scope(**ends: tuple[Expr | int, Expr | int]) -> Bounds:
    """Bounds with variables between two ends."""
    made = {
        n: Interval(*(const(e) if isinstance(e, int) else e for e in p)) for n, p in ends.items()
    }
    return Bounds(Simplifier(), made)


def box(found: Box) -> list[tuple[int, int]]:
    """The constant ends of a box."""
    return [(number(known(i.low)), number(known(i.high))) for i in found.bounds]


def known(end: Expr | None) -> Expr:
    assert end is not None
    return end


def test_ends_are_symbolic() -> None:
    bounds = scope(x=(const(0), sub(W, 1)))
    found = bounds(add(mul(X, 2), 3))
    assert found.low is const(3)
    assert found.high is bounds.simplify(add(mul(W, 2), 1))


def test_clamp_of_data_is_bounded() -> None:
    element = Cast(INT32, Load(Type("int", 32), "f", (X,)))
    found = scope(x=(0, 9))(maximum(minimum(element, 15), 0))
    assert found == Interval(const(0), const(15))


def test_small_types_bound_what_is_loaded() -> None:
    found = scope(x=(0, 9))(Cast(INT32, Load(U8, "f", (X,))))
    assert found == Interval(const(0), const(255))


def test_wrapping_falls_back_to_the_type() -> None:
    element = Load(U8, "f", (X,))
    found = scope(x=(0, 9))(Binary(U8, "add", element, Const(U8, 1)))
    assert found == Interval(Const(U8, 0), Const(U8, 255))


@pytest.mark.parametrize("seed", range(16))
def test_intervals_hold_all_values(seed: int) -> None:
    random = Random(seed)
    for _ in range(10):
        expr = random.choice([let, truth])(random, ["x", "y", "z"], 3)
        bounds = scope(x=(0, 5), y=(-3, 4))
        low, high = bounds(expr)
        z = random.randint(-9, 9)
        for x, y in product(range(6), range(-3, 5)):
            try:
                got = value(expr, {"x": x, "y": y, "z": z})
            except OverflowError:
                continue
            assert low is None or value(low, {"z": z}) <= got
            assert high is None or got <= value(high, {"z": z})


@pytest.mark.parametrize("seed", range(30))
def test_affine_boxes_are_exact(seed: int) -> None:
    random = Random(seed)
    total: Expr = Const(U8, 0)
    touched: list[set[int]] = [set(), set()]
    for _ in range(random.randint(1, 9)):
        a, b, c, d = (random.randint(-2, 3) for _ in range(4))
        subscripts = (add(mul(X, a), b), add(mul(Y, c), d))
        total = Binary(U8, "add", total, Load(U8, "f", subscripts))
        for x, y in product(range(7), range(-1, 4)):
            touched[0].add(a * x + b)
            touched[1].add(c * y + d)
    found = box(find_required(total, scope(x=(0, 6), y=(-1, 3)))["f"])
    assert found == [(min(t), max(t)) for t in touched]


def test_selects_narrow_what_must_be_right() -> None:
    inside = Load(U8, "f", (X,))
    expr = Select(U8, lt(X, 4), inside, Const(U8, 0))
    assert box(find_required(expr, scope(x=(-2, 9)))["f"]) == [(-2, 9)]
    assert box(find_required(conditional_loads(expr), scope(x=(-2, 9)))["f"]) == [(-2, 3)]
    other = Select(U8, lt(X, 4), Const(U8, 0), inside)
    assert box(find_required(conditional_loads(other), scope(x=(-2, 9)))["f"]) == [(4, 9)]


def test_guard_narrows_a_split_variable() -> None:
    place = add(mul(var("xo"), 8), var("xi"))
    body = If(lt(var("v"), 20), Store("g", (var("v"),), (Load(U8, "f", (add(var("v"), 1),)),)))
    nest: Node = Define("v", place, body)
    for name, extent in (("xi", 8), ("xo", 3)):
        nest = For(name, const(0), const(extent), "serial", nest)
    assert box(find_stored(nest, scope())["g"]) == [(0, 19)]
    assert box(find_loaded(nest, scope())["f"]) == [(1, 20)]


def test_parameters_say_which_box_is_used() -> None:
    then, other = (Store("g", (add(X, k),), (Const(U8, 0),)) for k in (0, 5))
    nest = For("x", const(0), const(4), "serial", If(lt(W, 3), then, other))
    low, high = find_stored(nest, scope())["g"].bounds[0]
    assert [(value(known(low), {"w": w}), value(known(high), {"w": w})) for w in (0, 7)] == [
        (0, 3),
        (5, 8),
    ]


def test_boxes_of_a_block_are_merged() -> None:
    first, second = (Store("g", (add(X, k),), (Const(U8, 0),)) for k in (-1, 2))
    nest = For("x", const(0), const(4), "serial", Block((first, second)))
    assert box(find_stored(nest, scope())["g"]) == [(-1, 5)]


@pytest.mark.parametrize("seed", range(12))
def test_boxes_hold_all_accesses(seed: int) -> None:
    random = Random(seed)
    for _ in range(6):
        condition = truth(random, ["x", "y"], 2)
        places = [let(random, ["x", "y"], 2) for _ in range(3)]
        loads = [Load(U8, "f", (p,)) for p in places]
        expr: Expr = Select(U8, condition, loads[0], Call(U8, "likely", (loads[1],)))
        expr = Binary(U8, "add", expr, loads[2])
        (found,) = find_required(conditional_loads(expr), scope(x=(0, 5), y=(-3, 4)))["f"].bounds
        for x, y in product(range(6), range(-3, 5)):
            names = {"x": x, "y": y}
            try:
                used = [places[2], places[0] if value(condition, names) else places[1]]
                for got in (value(p, names) for p in used):
                    assert found.low is None or value(found.low, {}) <= got
                    assert found.high is None or got <= value(found.high, {})
            except OverflowError:
                continue
