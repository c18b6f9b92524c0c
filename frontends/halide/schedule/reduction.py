"""A reduction domain seen from the loops that splits make of it."""

from __future__ import annotations

from s2s.scop.build import add, both, call, const, div, mul, sub, var
from s2s.scop.expressions import BOOL, Binary, Const, Expr
from s2s.scop.pipeline import Dim, ReductionVariable, Split, SplitKind, last_name
from s2s.scop.rewrite import substitute, transform
from s2s.scop.splits import Effect, steps
from s2s.source.records import dataclass

TRUE = Const(BOOL, 1)
Values = dict[str, Expr]
_GUARDS = (Effect.GUARD, Effect.GUARD_LOADS, Effect.GUARD_STORES)


@dataclass(frozen=True)
class Projection:
    """A domain over some of the loops: its variables, and all old loops in terms of them.

    ``conditions`` guard the tails of splits. Loops that are left out stay by their names.
    """

    rvars: list[ReductionVariable]
    values: Values
    conditions: list[Expr]


def projection(dims: list[Dim], rvars: list[ReductionVariable], splits: list[Split]) -> Projection:
    """The domain of the loops ``dims`` that ``splits`` (of reduction variables) make."""
    ranges = _ranges(rvars, splits)
    bounds = _named_bounds(ranges)
    new = [ReductionVariable(last_name(d.name), *ranges[d.name]) for d in dims]
    values: Values = {}
    conditions: list[Expr] = []
    multiples = {r.name: r.extent for r in rvars}
    for split in splits:
        for step in steps(split, "", multiples):
            value = substitute(step.value, bounds)
            if step.effect is Effect.DEFINE:
                _define(values, step.name, value)
            elif step.effect in _GUARDS:
                conditions.append(value)
    for dim, rvar in zip(dims, new, strict=True):
        _define(values, dim.name, var(rvar.name))
    return Projection(new, values, conditions)


def _define(values: Values, name: str, value: Expr) -> None:
    """Add a definition around those that are known."""
    for known, expr in values.items():
        values[known] = substitute(expr, {name: value})
    values[name] = value


def _ranges(rvars: list[ReductionVariable], splits: list[Split]) -> dict[str, tuple[Expr, Expr]]:
    """Minimum and extent of all loops that are made of a domain."""
    found = {r.name: (r.minimum, r.extent) for r in rvars}
    for split in splits:
        if split.kind is SplitKind.SPLIT:
            assert split.factor is not None
            _, extent = found[split.old]
            rounded = add(extent, sub(split.factor, const(1)))
            found[split.outer] = (const(0), div(rounded, split.factor))
            found[split.inner] = (const(0), split.factor)
        elif split.kind is SplitKind.FUSE:
            extent = mul(found[split.inner][1], found[split.outer][1])
            found[split.old] = (const(0), extent)
        else:
            found[split.outer] = found[split.old]
    return found


def _named_bounds(ranges: dict[str, tuple[Expr, Expr]]) -> Values:
    found: Values = {}
    for loop, (low, extent) in ranges.items():
        found[f"{loop}.loop_min"] = low
        found[f"{loop}.loop_extent"] = extent
        found[f"{loop}.loop_max"] = sub(add(low, extent), const(1))
    return found


def promises(rvars: list[ReductionVariable]) -> Values:
    """Each variable with the promise to lie in its range, whatever it is computed from."""
    return {
        r.name: call(
            "promise_clamped",
            var(r.name),
            r.minimum,
            sub(add(r.minimum, r.extent), const(1)),
        )
        for r in rvars
    }


def conjunction(conditions: list[Expr]) -> Expr | None:
    """All conditions at once; None where there is none."""
    result: Expr | None = None
    for condition in conditions:
        result = condition if result is None else both(result, condition)
    return result


def somewhere(condition: Expr, ranges: dict[str, tuple[Expr, Expr]]) -> Expr | None:
    """What holds where a condition may hold for some values of variables in ranges.

    ``ranges`` are minimum and extent; None: it always may.
    """
    from s2s.scop.simplify.interval import Interval
    from s2s.scop.simplify.intervals import Bounds
    from s2s.scop.simplify.simplify import Simplifier

    by = Simplifier()
    scope = {
        name: Interval(low, by(sub(add(low, extent), const(1))))
        for name, (low, extent) in ranges.items()
    }
    widest = Bounds(by, scope)(by(condition)).high
    if widest is None:
        return None
    found = Simplifier(final=True)(transform(by(widest), _apart))
    return None if found is TRUE else found


_BOTH = {("max", "le"), ("max", "lt"), ("min", "ge"), ("min", "gt")}


def _apart(node: Expr) -> Expr:
    """``max(a, b) <= c`` as two conditions, which bound each variable alone."""
    match node:
        case Binary(op=op, left=Binary(op=inner, left=a, right=b), right=c):
            if (inner, op) in _BOTH:
                return both(Binary(BOOL, op, a, c), Binary(BOOL, op, b, c))
    return node
