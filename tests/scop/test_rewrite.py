"""The rewriter: substitution against evaluation, nests against what they do when they run."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from s2s.scop.build import add, const, lt, var
from s2s.scop.expressions import INT32, Binary, Const, Expr, Load, Variable, walk
from s2s.scop.nest import Block, Define, For, Hoist, If, Node, Produce, Store, expressions
from s2s.scop.nest import walk as nodes
from s2s.scop.pipeline import Definition, Specialization, StageSchedule
from s2s.scop.rewrite import (
    is_empty,
    map_expressions,
    redirect_loads,
    replace_parts,
    substitute,
    substitute_in,
    tidy,
    transform,
    with_expressions,
    with_places,
)
from tests.scop.integers import integer, let, value

NAMES = ["x", "y"]
seeds = st.integers(0, 1 << 32).map(Random)


def _holds(expr: Expr, names: dict[str, int]) -> int | None:
    try:
        return value(expr, names)
    except OverflowError:
        return None


@given(seeds)
def test_values_in_the_place_of_names(random: Random) -> None:
    expr, inner = let(random, NAMES, 4), integer(random, NAMES, 2)
    names = {"x": random.randint(-9, 9), "y": random.randint(-9, 9)}
    x = _holds(inner, names)
    if x is None:
        return
    other = random.randint(-9, 9)
    apart = _holds(expr, {"x": x, "y": other})
    # The value may hold ``y`` itself: all names change at once.
    assert _holds(substitute(expr, {"x": inner, "y": const(other)}), names) == apart


@given(seeds)
def test_parts_in_the_place_of_parts(random: Random) -> None:
    expr = integer(random, NAMES, 5)
    part = random.choice(list(walk(expr)))
    fresh = Variable(part.type, "fresh")
    made = replace_parts(expr, {part: fresh})
    assert not any(node is part for node in walk(made))
    assert replace_parts(made, {fresh: part}) is expr


@given(seeds)
def test_every_node_is_changed_once_after_its_operands(random: Random) -> None:
    expr = integer(random, NAMES, 5)
    seen: list[Expr] = []

    def change(node: Expr) -> Expr:
        assert all(operand in seen for operand in node.operands)
        assert node not in seen
        seen.append(node)
        return node

    assert transform(expr, change) is expr
    assert set(seen) == set(walk(expr))


@given(seeds)
def test_what_is_remembered_is_not_asked_again(random: Random) -> None:
    expr = integer(random, NAMES, 5)
    done: dict[Expr, Expr] = {}
    renamed = transform(expr, lambda node: _swapped(node), done)
    assert transform(expr, lambda node: var("wrong"), done) is renamed
    assert transform(renamed, _swapped) is expr


def _swapped(node: Expr) -> Expr:
    if isinstance(node, Variable):
        return Variable(node.type, "y" if node.name == "x" else "x")
    return node


# ---- nests


def _node(random: Random, names: list[str], depth: int) -> Node:
    choice = random.random()
    if depth == 0 or choice < 0.15:
        return Block(()) if random.random() < 0.3 else _store(random, names)
    if choice < 0.4:
        return Block(tuple(_node(random, names, depth - 1) for _ in range(random.randint(0, 3))))
    name = f"v{random.randint(0, 10**9)}"
    if choice < 0.6:
        low, extent = _small(random, names), const(random.randint(0, 3))
        return For(name, low, extent, "serial", _node(random, [*names, name], depth - 1))
    if choice < 0.75:
        return Define(name, _small(random, names), _node(random, [*names, name], depth - 1))
    if choice < 0.85:
        below = _node(random, names, depth - 1)
        return Produce("f", below) if random.random() < 0.5 else Hoist("f", below)
    sides = [_node(random, names, depth - 1) for _ in range(2)]
    condition = lt(_small(random, names), _small(random, names))
    return If(condition, sides[0], sides[1] if random.random() < 0.5 else None)


def _small(random: Random, names: list[str]) -> Expr:
    part = var(random.choice(names)) if random.random() < 0.6 else const(0)
    return add(part, random.randint(-3, 3))


def _store(random: Random, names: list[str]) -> Store:
    below = [_small(random, names) for _ in range(4)]
    predicate = lt(below[0], below[1]) if random.random() < 0.5 else None
    return Store("f", (below[0],), (below[1],), instance=(below[2],), predicate=predicate)


Trace = list[tuple[int | None, ...]]


def _run(node: Node, names: dict[str, int]) -> Trace:
    """What a nest stores: element, value, instance, and whether it is stored."""
    match node:
        case Block(below):
            return [line for child in below for line in _run(child, names)]
        case For():
            low, extent = value(node.minimum, names), value(node.extent, names)
            turns = range(low, low + extent)
            return [line for at in turns for line in _run(node.body, {**names, node.name: at})]
        case Define():
            return _run(node.body, {**names, node.name: value(node.value, names)})
        case Produce() | Hoist():
            return _run(node.body, names)
        case If():
            side = node.then if value(node.condition, names) else node.otherwise
            return [] if side is None else _run(side, names)
        case Store():
            found = (*node.subscripts, *node.values, *node.instance)
            stored = 1 if node.predicate is None else value(node.predicate, names)
            return [(*(value(e, names) for e in found), stored)]
    raise AssertionError(node)


@given(seeds)
def test_nests_with_values_in_the_place_of_names(random: Random) -> None:
    nest = _node(random, NAMES, 4)
    made = substitute_in(nest, {"x": const(2), "y": add(var("z"), 1)})
    assert _run(made, {"z": 4}) == _run(nest, {"x": 2, "y": 5})


@given(seeds)
def test_tidy_nests_do_the_same(random: Random) -> None:
    nest = _node(random, NAMES, 4)
    names = {"x": const(random.randint(-3, 3)), "y": const(random.randint(-3, 3))}
    at = {"x": value(names["x"], {}), "y": value(names["y"], {})}
    made = with_expressions(nest, lambda e: transform(substitute(e, names), _folded))
    assert _run(made, {}) == _run(nest, at)
    assert is_empty(made) or not any(_does_nothing(node) for node in nodes(made))
    assert tidy(made) is made


def _folded(node: Expr) -> Expr:
    if isinstance(node, Binary) and not node.variables:
        return Const(node.type, value(node, {}))
    return node


def _does_nothing(node: Node) -> bool:
    if isinstance(node, If) and not node.condition.variables:
        return True
    return isinstance(node, Hoist) or (isinstance(node, Block) and len(node.children) == 1)


@given(seeds)
def test_unchanged_nests_are_the_same_object(random: Random) -> None:
    nest = _node(random, NAMES, 4)
    assert map_expressions(nest, lambda expr: expr) is nest


@given(seeds)
def test_every_expression_of_a_nest_is_changed(random: Random) -> None:
    nest = _node(random, NAMES, 4)
    made = map_expressions(nest, lambda expr: const(7) if expr.type == INT32 else expr)
    for node in nodes(made):
        held = [*expressions(node), *(node.instance if isinstance(node, Store) else ())]
        assert all(e is const(7) for e in held if e.type == INT32)


def test_other_places_for_a_tensor() -> None:
    """In what is stored, in what is read, and in subscripts of what is read."""

    def load(name: str, at: Expr) -> Expr:
        return Load(INT32, name, (at,))

    def nest(to: Expr, moved: Callable[[Expr], Expr]) -> Node:
        value = add(moved(load("g", moved(var("x")))), load("h", moved(var("y"))))
        return For("x", const(0), moved(var("n")), "serial", Store("f", (to,), (value,)))

    def by_one(places: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(add(place, 1) for place in places)

    def moved(expr: Expr) -> Expr:
        return load("f", add(expr, 1))

    made = with_places(nest(var("x"), lambda e: load("f", e)), "f", by_one)
    wanted = nest(add(var("x"), 1), moved)
    assert [e for n in nodes(made) for e in expressions(n)] == [
        e for n in nodes(wanted) for e in expressions(n)
    ]


@given(seeds)
def test_definitions_load_from_others(random: Random) -> None:
    values = [Load(INT32, "f", (integer(random, NAMES, 2),)) for _ in range(2)]
    inner = Definition([var("x")], [values[1]], [], None, StageSchedule())
    special = Specialization(lt(var("x"), const(3)), inner)
    outer = Definition([add(var("x"), values[0])], [values[0]], [], None, StageSchedule())
    outer.specializations.append(special)
    redirect_loads(outer, {"f": "g"})
    found = [*outer.args, *outer.values, *inner.values]
    loads = [node for expr in found for node in walk(expr) if isinstance(node, Load)]
    assert [load.tensor for load in loads] == ["g"] * 3
    assert [load.subscripts for load in loads] == [values[k].subscripts for k in (0, 0, 1)]
