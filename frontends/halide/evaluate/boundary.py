"""``BoundaryConditions``: Funcs that continue another one outside of its bounds."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide.evaluate.buffers import Buffer
from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.definitions import define
from s2s.frontends.halide.evaluate.funcs import FuncObject, as_func, new_func
from s2s.frontends.halide.evaluate.images import Dimensioned, as_range
from s2s.frontends.halide.evaluate.language import FuncRef, Tuple, Var
from s2s.frontends.halide.evaluate.values import UNDEFINED, deref
from s2s.frontends.halide.evaluate.world import World, to_expr
from s2s.frontends.halide.functions import FUNCTIONS
from s2s.frontends.halide.typing import binary, clamp, select, variable
from s2s.scop.errors import Illegal
from s2s.scop.expressions import BOOL, Const, Expr

NAMES = frozenset(
    {"repeat_edge", "repeat_image", "mirror_image", "mirror_interior", "constant_exterior"}
)
Bounds = list[tuple[Expr, Expr] | None]


def condition(world: World, name: str, arguments: list[Any]) -> FuncObject:
    """``name(source[, value][, bounds])``."""
    values = [deref(a) for a in arguments]
    source = values.pop(0)
    value = values.pop(0) if name == "constant_exterior" else None
    func = as_func(world, source)
    if not isinstance(source, FuncObject):
        world.definitions += 1  # Halide puts a Func of its own in between
    rank = len(func.func.vars)
    bounds = _bounds(source, values, name, rank)
    if len(bounds) > rank:
        raise Illegal(
            f"{name} called with more bounds ({len(bounds)}) than dimensions ({rank}) "
            f"of '{func.func.name}'"
        )
    bounds += [None] * (rank - len(bounds))
    if name == "constant_exterior":
        return _constant(world, func, value, bounds)
    return _remapped(world, name, func, bounds)


def _bounds(source: Any, values: list[Any], name: str, rank: int) -> Bounds:
    if not values:
        return _whole(source, name, rank)
    if isinstance(values[0], Items):
        ranges = [as_range(v) for v in values[0].items]
        pairs = [(deref(r.minimum), deref(r.extent)) for r in ranges]
    else:
        if len(values) % 2:
            raise Illegal(f"{name} needs pairs of a minimum and an extent")
        pairs = list(zip(values[::2], values[1::2], strict=True))
    return [_pair(*p, name) for p in pairs]


def _pair(minimum: Any, extent: Any, name: str) -> tuple[Expr, Expr] | None:
    if minimum is UNDEFINED and extent is UNDEFINED:
        return None
    if minimum is UNDEFINED or extent is UNDEFINED:
        raise Illegal(f"partially undefined bounds in a call of {name}")
    return to_expr(minimum), to_expr(extent)


def _whole(source: Any, name: str, rank: int) -> Bounds:
    if isinstance(source, Buffer):
        return [(to_expr(d[0]), to_expr(d[1])) for d in source.dimensions]
    if not isinstance(source, Dimensioned) or isinstance(source, FuncObject):
        raise Illegal(f"{name} of a Func needs bounds")
    dims = [source.m_dim(i) for i in range(rank)]
    return [(d.m_min(), d.m_extent()) for d in dims]


def _likely(value: Expr) -> Expr:
    return FUNCTIONS["likely"](value)


def _inside(var: Expr, minimum: Expr, extent: Expr) -> Expr:
    """The variable clamped, which is likely to be itself."""
    last = binary("sub", binary("add", minimum, extent), 1)
    return clamp(_likely(var), minimum, last)


def _outside(var: Expr, minimum: Expr, extent: Expr) -> Expr:
    above = binary("ge", var, binary("add", minimum, extent))
    return binary("or", binary("lt", var, minimum), above)


def _repeat_edge(var: Expr, minimum: Expr, extent: Expr) -> Expr:
    return _inside(var, minimum, extent)


def _repeat_image(var: Expr, minimum: Expr, extent: Expr) -> Expr:
    place = binary("add", binary("mod", binary("sub", var, minimum), extent), minimum)
    return _where_outside(var, minimum, extent, place)


def _where_outside(var: Expr, minimum: Expr, extent: Expr, place: Expr) -> Expr:
    inside = _likely(_inside(var, minimum, extent))
    return select(_outside(var, minimum, extent), place, inside)


def _mirror_image(var: Expr, minimum: Expr, extent: Expr) -> Expr:
    twice = binary("mul", 2, extent)
    place = binary("mod", binary("sub", var, minimum), twice)
    back = binary("sub", binary("sub", twice, 1), place)
    place = select(binary("ge", place, extent), back, place)
    last = binary("sub", binary("add", minimum, extent), 1)
    place = clamp(binary("add", place, minimum), minimum, last)
    return _where_outside(var, minimum, extent, place)


def _mirror_interior(var: Expr, minimum: Expr, extent: Expr) -> Expr:
    limit = binary("sub", extent, 1)
    place = binary("mod", binary("sub", var, minimum), binary("mul", 2, limit))
    distance = FUNCTIONS["abs"](binary("sub", place, limit))
    place = binary("add", binary("sub", limit, distance), minimum)
    return _where_outside(var, minimum, extent, place)


_PLACES = {
    "repeat_edge": _repeat_edge,
    "repeat_image": _repeat_image,
    "mirror_image": _mirror_image,
    "mirror_interior": _mirror_interior,
}


def _remapped(world: World, name: str, func: FuncObject, bounds: Bounds) -> FuncObject:
    variables = func.func.vars
    places: list[Expr] = []
    for var, bound in zip(variables, bounds, strict=True):
        expr = variable(var)
        places.append(expr if bound is None else _PLACES[name](expr, *bound))
    made = new_func(world, name)
    value = FuncRef(func.func, list(places))
    define(world, FuncRef(made.func, [Var(v) for v in variables]), value, world.at)
    return made


def _constant(world: World, func: FuncObject, value: Any, bounds: Bounds) -> FuncObject:
    variables = func.func.vars
    outside: Expr = Const(BOOL, 0)
    for var, bound in zip(variables, bounds, strict=True):
        if bound is not None:
            minimum, extent = bound
            above = binary("ge", variable(var), binary("add", minimum, extent))
            below = binary("lt", variable(var), minimum)
            outside = binary("or", binary("or", outside, below), above)
    made = new_func(world, "constant_exterior")
    edge = _remapped(world, "repeat_edge", func, bounds)
    inner = FuncRef(edge.func, [Var(v) for v in variables]).components()
    given = value.values if isinstance(value, Tuple) else [value]
    if len(given) != len(inner):
        raise Illegal(f"constant_exterior with {len(given)} values of a Func with {len(inner)}")
    values = [select(outside, to_expr(v), _likely(i)) for v, i in zip(given, inner, strict=True)]
    define(world, FuncRef(made.func, [Var(v) for v in variables]), Tuple(list(values)), world.at)
    return made
