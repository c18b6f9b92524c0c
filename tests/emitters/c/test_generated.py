"""What isl generates means what it was made from, whatever order the parameters came in."""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Callable, Iterator, Mapping

import islpy as isl
import pytest

from s2s.emitters.c import generated
from s2s.emitters.c.kinds import expression_kind, node_kind, operation

_NAMES = ("k", "m", "n")
_VALUES = range(-2, 5)
_SEEDS = range(150)


def _remainder(left: int, right: int) -> int:
    """C's remainder has the sign of what is divided."""
    return abs(left) % right * (1 if left >= 0 else -1)


def _quotient(left: int, right: int) -> int:
    return (left - _remainder(left, right)) // right


_OPERATIONS: dict[str, Callable[..., int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "minus": operator.neg,
    "eq": operator.eq, "le": operator.le, "lt": operator.lt, "ge": operator.ge, "gt": operator.gt,
    "max": max, "min": min, "pdiv_q": _quotient, "div": _quotient, "fdiv_q": operator.floordiv,
    "pdiv_r": _remainder, "zdiv_r": _remainder,
}  # fmt: skip


def _computed(expression: isl.AstExpr, values: Mapping[str, int]) -> int:
    kind = expression_kind(expression)
    if kind == "int":
        return int(expression.get_val().to_python())
    if kind == "id":
        return values[expression.get_id().get_name()]
    op = operation(expression)
    operands = (expression.get_op_arg(i) for i in range(expression.get_op_n_arg()))
    if op in ("and_", "and_then"):
        return all(_computed(o, values) for o in operands)
    if op in ("or_", "or_else"):
        return any(_computed(o, values) for o in operands)
    if op in ("cond", "select"):
        chosen, then, otherwise = operands
        return _computed(then if _computed(chosen, values) else otherwise, values)
    return int(_OPERATIONS[op](*(_computed(o, values) for o in operands)))


def _executed(node: isl.AstNode, values: dict[str, int]) -> Iterator[int]:
    """The first arguments of the statements of an AST, in its order."""
    kind = node_kind(node)
    if kind == "user":
        yield _computed(node.user_get_expr().get_op_arg(1), values)
    elif kind == "block":
        children = node.block_get_children()
        for position in range(children.n_ast_node()):
            yield from _executed(children.get_at(position), values)
    elif kind == "if_":
        if _computed(node.if_get_cond(), values):
            yield from _executed(node.if_get_then_node(), values)
        elif node.if_has_else_node():
            yield from _executed(node.if_get_else_node(), values)
    else:
        yield from _iterations(node, values)


def _iterations(node: isl.AstNode, values: dict[str, int]) -> Iterator[int]:
    name = node.for_get_iterator().get_id().get_name()
    now = {**values, name: _computed(node.for_get_init(), values)}
    if node.for_is_degenerate():
        yield from _executed(node.for_get_body(), now)
        return
    while _computed(node.for_get_cond(), now):
        yield from _executed(node.for_get_body(), now)
        now[name] += _computed(node.for_get_inc(), now)


def _shuffled(rng: random.Random, names: tuple[str, ...] = _NAMES) -> str:
    return f"[{', '.join(rng.sample(names, len(names)))}]"


def _affine(rng: random.Random, names: tuple[str, ...] = _NAMES) -> str:
    chosen = rng.sample(names, rng.randint(1, 2))
    terms = [f"{rng.choice((-3, -2, -1, 1, 1, 1, 2))}{name}" for name in chosen]
    return " + ".join([*terms, str(rng.randint(-3, 12))])


def _known(rng: random.Random) -> isl.Set:
    names = rng.sample(_NAMES, rng.randint(2, 3))
    bounds = [
        rng.choice((f"{name} <= {rng.randint(2, 12)}", f"{name} >= {rng.randint(-2, 1)}"))
        for name in (*names, *names)
    ]
    return isl.Set(f"[{', '.join(names)}] -> {{ : {' and '.join(bounds)} }}")


def _points(known: isl.Set) -> Iterator[dict[str, int]]:
    """Some values of all the parameters for which the ``known`` condition holds."""
    for point in itertools.islice(itertools.product(_VALUES, repeat=len(_NAMES)), 0, None, 5):
        values = dict(zip(_NAMES, point, strict=True))
        if not known.intersect(_at(values)).is_empty():
            yield values


def _at(values: Mapping[str, int]) -> isl.Set:
    equal = " and ".join(f"{name} = {value}" for name, value in values.items())
    return isl.Set(f"[{', '.join(values)}] -> {{ : {equal} }}")


def _elements(domain: isl.Set) -> list[int]:
    found: list[int] = []
    domain.foreach_point(
        lambda point: found.append(point.get_coordinate_val(isl.dim_type.set, 0).to_python())
    )
    return sorted(found)


def _domain(rng: random.Random) -> str:
    """Where ``i`` may be: a range, and one residue of what is computed from ``i``."""
    modulus = rng.randint(2, 4)
    residue = (
        f"({_affine(rng)} + {rng.choice((1, 1, 2))}i) mod {modulus} = {rng.randrange(modulus)}"
    )
    return f"{_affine(rng)} <= i <= 2 + {_affine(rng)} and -9 <= i <= 20 and {residue}"


@pytest.mark.parametrize("seed", _SEEDS)
def test_loops_execute_the_domain(seed: int) -> None:
    rng = random.Random(f"loops:{seed}")
    known, names, where = _known(rng), _shuffled(rng), _domain(rng)
    node = generated.loops(known, isl.UnionMap(f"{names} -> {{ S[i] -> [i] : {where} }}"), ["c"])
    domain = isl.Set(f"{names} -> {{ [i] : {where} }}")
    for values in _points(known):
        wanted = _elements(domain.intersect_params(_at(values)))
        assert list(_executed(node, values)) == wanted, (values, node.to_C_str())


@pytest.mark.parametrize("seed", _SEEDS)
def test_values_and_conditions_mean_what_they_are_made_from(seed: int) -> None:
    rng = random.Random(f"values:{seed}")
    known, names, where = _known(rng), _shuffled(rng), _domain(rng)
    domain = isl.Set(f"{names} -> {{ [i] : {where} }}")
    holds = generated.condition(known, domain.params())
    never = domain.intersect_params(known).is_empty()
    first = None if never else generated.value(known, domain.dim_min(0))
    for values in _points(known):
        elements = _elements(domain.intersect_params(_at(values)))
        assert bool(_computed(holds, values)) == bool(elements), (values, holds.to_C_str())
        if first is not None and elements:
            assert _computed(first, values) == elements[0], (values, first.to_C_str())


def test_a_parity_is_one_of_the_parameter_that_is_meant() -> None:
    known = isl.Set("[t, m, n] -> { : t < 0 and m > 0 and -2 - 2t <= m <= 10 and n <= 12 }")
    where = "(m + i) mod 2 = 0 and 0 < i <= m and -2 - 2t <= i < -2t and 1 < n"
    schedule = isl.UnionMap(f"[t, w, m, n] -> {{ S[i] -> [i] : {where} }}")
    node = generated.loops(known, schedule, ["c"])
    for m, n in itertools.product(range(1, 11), (2, 3)):
        counters = range(-1, -(m // 2) - 2, -1)
        executed = [list(_executed(node, {"t": t, "m": m, "n": n})) for t in counters]
        assert list(itertools.chain(*executed)) == list(range(2 - m % 2, m + 1, 2))
