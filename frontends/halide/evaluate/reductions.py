"""Inline reductions: ``sum(r, e)`` and the like make a Func of their own."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate.definitions import define, update
from s2s.frontends.halide.evaluate.funcs import FuncObject, new_func
from s2s.frontends.halide.evaluate.language import FuncRef, RDom, RVar, Tuple, Var
from s2s.frontends.halide.evaluate.values import deref
from s2s.frontends.halide.evaluate.world import Domain, World, to_expr
from s2s.frontends.halide.functions import FUNCTIONS
from s2s.scop.errors import Illegal
from s2s.scop.expressions import INT32, Const, Expr, Type, Variable, walk
from s2s.scop.rewrite import substitute

NAMES = frozenset({"sum", "saturating_sum", "product", "maximum", "minimum", "argmax", "argmin"})


def reduce(world: World, name: str, arguments: list[Any]) -> Any:
    """``name([r,] e[, name or Func])``."""
    values = [deref(a) for a in arguments]
    domain = values.pop(0).domain if isinstance(values[0], RDom) else None
    expr = to_expr(values.pop(0))
    target = values[0] if values else name
    func = target if isinstance(target, FuncObject) else new_func(world, str(target))
    if func.func.definition is not None:
        raise Illegal(f"Func '{func.func.name}' passed to {name} already has a definition")
    found, variables, outer = _free(world, name, expr, domain)
    names = [Var(f"{v}") for v in variables]
    renamed = {old: typing.variable(new.name) for old, new in zip(outer, names, strict=True)}
    expr = substitute(expr, renamed)
    _define(world, name, FuncRef(func.func, list(names)), expr, found)
    call = FuncRef(func.func, [typing.variable(v) for v in outer])
    return Tuple(list(call.components())) if name.startswith("arg") else call.expr()


def _free(
    world: World, name: str, expr: Expr, domain: Domain | None
) -> tuple[Domain, list[str], list[str]]:
    """The domain, names of the new Func's variables, and what these are in the expression.

    Reduction variables of another domain become pure ones.
    """
    explicit = domain is not None
    inner: list[str] = []
    outer: list[str] = []
    for node in walk(expr):
        if not isinstance(node, Variable) or node.name in outer:
            continue
        own = world.domains.get(node.name)
        if own is not None and (own is domain or not explicit):
            if domain is not None and own is not domain:
                raise Illegal(
                    f"inline reduction '{name}' refers to reduction variables "
                    "from multiple reduction domains"
                )
            domain = own
        elif own is not None:
            inner.append(world.program.fresh("v"))
            outer.append(node.name)
        elif node.name not in world.scalars and node.name.count(".") < 2:
            inner.append(node.name)
            outer.append(node.name)
    if domain is None:
        raise Illegal(f"the expression passed to {name} must reference a reduction domain")
    return domain, inner, outer


def _define(world: World, name: str, ref: FuncRef, expr: Expr, domain: Domain) -> None:
    at = world.at
    if name in ("sum", "product"):
        update(world, ref, "add" if name == "sum" else "mul", expr, at)
    elif name == "saturating_sum":
        define(world, ref, typing.cast(expr.type, Const(INT32, 0)), at)
        define(world, ref, FUNCTIONS["saturating_add"](ref.expr(), expr), at)
    elif name in ("maximum", "minimum"):
        define(world, ref, extreme_value(expr.type, least=name == "maximum"), at)
        op = "max" if name == "maximum" else "min"
        define(world, ref, typing.binary(op, ref.expr(), expr), at)
    else:
        _arg(world, name, ref, expr, domain)


def _arg(world: World, name: str, ref: FuncRef, expr: Expr, domain: Domain) -> None:
    at = world.at
    rvars = [RVar(v.name, domain, i).expr() for i, v in enumerate(domain.variables)]
    start = extreme_value(expr.type, least=name == "argmax")
    define(world, ref, Tuple([*(Const(INT32, 0) for _ in rvars), start]), at)
    own = ref.components()
    better = typing.binary("gt" if name == "argmax" else "lt", expr, own[-1])
    new = [*rvars, expr]
    chosen = [typing.select(better, n, o) for n, o in zip(new, own, strict=True)]
    define(world, ref, Tuple(list(chosen)), at)


def extreme_value(type_: Type, *, least: bool) -> Const:
    """The least or the greatest value of a type; infinities of floats."""
    if type_.is_float:
        return Const(type_, float("-inf") if least else float("inf"))
    return Const(type_, type_.smallest if least else type_.largest)
