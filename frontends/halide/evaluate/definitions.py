"""``f(x, y) = ...``: pure and update definitions, with Halide's rules and refusals."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate.language import FuncRef, Tuple, Var, expanded
from s2s.frontends.halide.evaluate.values import deref
from s2s.frontends.halide.evaluate.world import Domain, World, subscript, to_expr
from s2s.frontends.halide.randoms import placed
from s2s.frontends.halide.schedule import begin
from s2s.scop.errors import Illegal
from s2s.scop.expressions import INT32, Const, Expr, Load, Variable, walk
from s2s.scop.pipeline import Definition, Func, StageSchedule
from s2s.source import Span

_BASE = {"add": 0, "sub": 0, "mul": 1, "div": 1}


def values_of(value: Any) -> list[Expr]:
    """The right side of a definition."""
    value = deref(value)
    if isinstance(value, Tuple):
        return [to_expr(v) for v in value.values]
    if isinstance(value, FuncRef):
        return value.components()
    return [to_expr(value)]


def define(world: World, ref: FuncRef, value: Any, at: Span | None) -> int:
    """``ref = value``; the number of the stage that it makes."""
    values = values_of(value)
    func = ref.func
    if func.definition is None:
        arguments = _with_implicit(ref.arguments, values)
        _pure(world, func, arguments, values, at)
    else:
        arguments = expanded(ref.arguments, len(func.vars))
        _update(world, func, arguments, values, at)
    return len(func.stages) - 1


def update(world: World, ref: FuncRef, op: str, value: Any, at: Span | None) -> int:
    """``ref += value`` and the like; a Func without a definition starts at 0 or 1."""
    values = values_of(value)
    func = ref.func
    if func.definition is None:
        arguments = _with_implicit(ref.arguments, values)
        names = [a if isinstance(a, Var) else Var(world.program.fresh("v")) for a in arguments]
        base = [typing.cast(v.type, Const(INT32, _BASE[op])) for v in values]
        _pure(world, func, list(names), base, at)
        ref = FuncRef(func, arguments)
    own = ref.components()
    if len(own) != len(values):
        raise Illegal(f"{len(values)} values for Func '{func.name}', which has {len(own)}")
    new = [typing.binary(op, a, b) for a, b in zip(own, values, strict=True)]
    return define(world, ref, Tuple(list(new)), at)


def _with_implicit(arguments: list[Any], values: list[Expr]) -> list[Any]:
    """``_`` on the left stands for as many variables as the right side has implicit ones."""
    count = 0
    for value in values:
        for node in walk(value):
            if isinstance(node, Variable) and node.name[:1] == "_" and node.name[1:].isdigit():
                count = max(count, int(node.name[1:]) + 1)
    return expanded(arguments, len(arguments) - 1 + count)


def _pure(
    world: World, func: Func, arguments: list[Any], values: list[Expr], at: Span | None
) -> None:
    names: list[str] = []
    for argument in arguments:
        if not isinstance(argument, Var):
            raise Illegal(
                f"in the pure definition of Func '{func.name}' the arguments must be Vars"
            )
        if argument.name in names:
            raise Illegal(
                f"in the pure definition of Func '{func.name}' Var '{argument.name}' "
                "appears more than once"
            )
        names.append(argument.name)
    _check_promise(func, names, values)
    func.vars, func.types = names, [v.type for v in values]
    args: list[Expr] = [typing.variable(n) for n in names]
    _check_free(world, func, values, set(names), None)
    values = _placed(world, values, names)
    for value in values:
        if any(isinstance(n, Load) and n.tensor == func.name for n in walk(value)):
            raise Illegal(f"the pure definition of Func '{func.name}' reads the Func itself")
    func.definition = Definition(args, values, [], None, StageSchedule(), at=at)
    func.schedule.storage_order = list(names)
    begin(func, func.definition)
    _freeze(world, func, values)


def _check_promise(func: Func, names: list[str], values: list[Expr]) -> None:
    """A Func may be declared with types and a number of dimensions."""
    if func.types and func.types != [v.type for v in values]:
        promised, found = (", ".join(map(str, t)) for t in (func.types, [v.type for v in values]))
        raise Illegal(f"Func '{func.name}' is declared with type {promised}, defined with {found}")
    if func.vars and len(func.vars) != len(names):
        raise Illegal(
            f"Func '{func.name}' is declared with {len(func.vars)} dimensions, "
            f"defined with {len(names)}"
        )


def _update(
    world: World, func: Func, arguments: list[Any], values: list[Expr], at: Span | None
) -> None:
    if func.name in world.frozen:
        raise Illegal(
            f"Func '{func.name}' cannot be given a new update definition, "
            "because it has already been used in the definition of another Func"
        )
    if len(arguments) != len(func.vars):
        raise Illegal(
            f"an update definition of Func '{func.name}' has {len(arguments)} arguments, "
            f"its pure definition has {len(func.vars)}"
        )
    args = [subscript(a, func.name, i) for i, a in enumerate(arguments)]
    types = [v.type for v in values]
    if types != func.types:
        found, known = (", ".join(map(str, t)) for t in (types, func.types))
        raise Illegal(
            f"an update definition of Func '{func.name}' has type {found}, "
            f"but its pure definition has type {known}"
        )
    naked = [v for a, v in zip(args, func.vars, strict=True) if _is(a, v)]
    domain = _domain(world, func, [*args, *values])
    seen = [*args, *values]
    if domain is not None:
        seen += [e for r in domain.variables for e in (r.minimum, r.extent)]
        seen += [] if domain.predicate is None else [domain.predicate]
    _check_free(world, func, seen, set(naked), domain)
    rvars = [] if domain is None else domain.variables
    free = [v for v in func.vars if v in naked] + [r.name for r in rvars]
    predicate = None if domain is None else domain.predicate
    made = _placed(world, [*args, *values, *(() if predicate is None else (predicate,))], free)
    args, values = made[: len(args)], made[len(args) : len(args) + len(values)]
    if domain is not None and predicate is not None:
        predicate = domain.predicate = made[-1]
    definition = Definition(args, values, list(rvars), predicate, StageSchedule(), at=at)
    func.updates.append(definition)
    begin(func, definition)
    _freeze(world, func, seen)


def _placed(world: World, exprs: list[Expr], free: list[str]) -> list[Expr]:
    """The parts of the next definition, with random numbers that are its own."""
    number = world.definitions
    world.definitions += 1
    return [placed(expr, free, number) for expr in exprs]


def _is(expr: Expr, name: str) -> bool:
    return isinstance(expr, Variable) and expr.name == name


def _domain(world: World, func: Func, exprs: list[Expr]) -> Domain | None:
    found: Domain | None = None
    for expr in exprs:
        for node in walk(expr):
            domain = world.domains.get(node.name) if isinstance(node, Variable) else None
            if domain is not None and found is not None and domain is not found:
                raise Illegal(
                    f"all reduction variables in an update definition of Func '{func.name}' "
                    "must belong to the same RDom"
                )
            found = domain or found
    return found


def _check_free(
    world: World, func: Func, exprs: list[Expr], known: set[str], domain: Domain | None
) -> None:
    """Refuse variables that nothing gives a value."""
    for expr in exprs:
        for node in walk(expr):
            if not isinstance(node, Variable) or node.name in known:
                continue
            if node.name in world.domains:
                if domain is None:
                    raise Illegal(
                        f"reduction domain referenced in the pure definition of Func '{func.name}'"
                    )
            elif node.name not in world.scalars and not _is_symbol(world, node.name):
                raise Illegal(
                    f"undefined variable '{node.name}' in a definition of Func '{func.name}'"
                )


def _is_symbol(world: World, name: str) -> bool:
    """Whether a name is a bound of an image: ``input.extent.0``."""
    return name.count(".") >= 2


def _freeze(world: World, func: Func, exprs: list[Expr]) -> None:
    for expr in exprs:
        for node in walk(expr):
            if isinstance(node, Load) and node.tensor != func.name:
                world.frozen.add(node.tensor)
