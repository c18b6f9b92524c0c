"""What a split does to the body of a loop nest and to the bounds of its loops.

Names are those of the lowered program: ``p + "x"`` is the loop's variable, with ``.loop_min``,
``.loop_max`` and ``.loop_extent`` beside it; ``p`` is ``f.s0.``.
"""

from __future__ import annotations

from enum import Enum

from s2s.scop.build import (
    add,
    call,
    const,
    div,
    le,
    minimum,
    mod,
    mul,
    neg,
    select,
    sub,
    var,
)
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr
from s2s.scop.pipeline import Split, SplitKind, TailStrategy
from s2s.source.records import dataclass


class Effect(Enum):
    """What is to be done to the body, in the order of the steps."""

    DEFINE = "define"
    """Define ``name`` as ``value`` around the body."""
    REPLACE = "replace"
    """Put ``value`` for ``name`` everywhere in the body."""
    REPLACE_IN_LOADS = "replace in loads"
    REPLACE_IN_STORES = "replace in stores"
    GUARD = "guard"
    """Run the body where ``value`` holds."""
    GUARD_LOADS = "guard loads"
    GUARD_STORES = "guard stores"
    BLEND = "blend"
    """Store what is there already where ``value`` does not hold."""


@dataclass(frozen=True)
class Step:
    """One change of the body of a loop nest."""

    effect: Effect
    value: Expr
    name: str = ""


_GUARDS = {
    TailStrategy.GUARD_WITH_IF: (Effect.REPLACE, Effect.GUARD),
    TailStrategy.PREDICATE: (Effect.REPLACE, Effect.GUARD),
    TailStrategy.PREDICATE_LOADS: (Effect.REPLACE_IN_LOADS, Effect.GUARD_LOADS),
    TailStrategy.PREDICATE_STORES: (Effect.REPLACE_IN_STORES, Effect.GUARD_STORES),
}


def steps(split: Split, prefix: str, multiples: dict[str, Expr]) -> list[Step]:
    """The changes of a split. ``multiples``: loops whose extent is known to be a multiple of
    something (by unqualified name); what this split tells is entered.
    """
    if split.kind is SplitKind.RENAME:
        outer = var(prefix + split.outer)
        name = prefix + split.old
        return [Step(Effect.REPLACE, outer, name), Step(Effect.DEFINE, outer, name)]
    if split.kind is SplitKind.FUSE:
        return _fuse_steps(split, prefix, multiples)
    return _split_steps(split, prefix, multiples)


def _fuse_steps(split: Split, prefix: str, multiples: dict[str, Expr]) -> list[Step]:
    fused = var(prefix + split.old)
    width = var(f"{prefix}{split.inner}.loop_extent")
    inner = add(mod(fused, width), var(f"{prefix}{split.inner}.loop_min"))
    outer = add(div(fused, width), var(f"{prefix}{split.outer}.loop_min"))
    if split.inner in multiples and split.outer in multiples:
        multiples[split.old] = mul(multiples[split.inner], multiples[split.outer])
    names = ((prefix + split.inner, inner), (prefix + split.outer, outer))
    return [
        Step(effect, value, name)
        for effect in (Effect.REPLACE, Effect.DEFINE)
        for name, value in names
    ]


def _split_steps(split: Split, prefix: str, multiples: dict[str, Expr]) -> list[Step]:
    assert split.factor is not None
    factor, old_name = split.factor, prefix + split.old
    inner, outer = var(prefix + split.inner), var(prefix + split.outer)
    base_name = f"{prefix}{split.inner}.base"
    base = add(mul(outer, factor), var(f"{old_name}.loop_min"))
    known = multiples.get(split.old)
    multiples[split.inner] = factor
    found: list[Step] = []
    if known is not None and (quotient := exact_quotient(known, factor)) is not None:
        multiples[split.outer] = quotient
    elif not (isinstance(factor, Const) and factor.value == 1):
        found, base = _tail_steps(split, prefix, base, inner, outer)
    return [
        *found,
        Step(Effect.DEFINE, add(var(base_name), inner), old_name),
        Step(Effect.DEFINE, base, base_name),
    ]


def _tail_steps(
    split: Split, prefix: str, base: Expr, inner: Expr, outer: Expr
) -> tuple[list[Step], Expr]:
    """What the tail strategy does to the body, and to the base of the inner loop."""
    assert split.factor is not None
    factor, old_name, tail = split.factor, prefix + split.old, split.tail
    last = var(f"{old_name}.loop_max")
    if tail in _GUARDS:
        old = var(old_name)
        replacing, guarding = _GUARDS[tail]
        guarded = f"{old_name}.guarded"
        return [
            Step(replacing, var(guarded), old_name),
            Step(Effect.DEFINE, call("promise_clamped", old, old, last), guarded),
            Step(guarding, call("likely", le(old, last))),
        ], base
    shifted = add(last, sub(const(1), factor))
    if tail is TailStrategy.SHIFT_INWARDS:
        return [], minimum(call("likely_if_innermost", base), shifted)
    unwanted = mod(neg(var(f"{old_name}.loop_extent")), factor)
    sure = call("likely", Const(BOOL, 1))
    if tail is TailStrategy.SHIFT_INWARDS_AND_BLEND:
        moved = minimum(call("likely", base), shifted)
        in_place = Binary(BOOL, "eq", moved, base)
        mask = select(in_place, sure, Binary(BOOL, "ge", inner, unwanted))
        return [Step(Effect.BLEND, mask)], moved
    if tail is TailStrategy.ROUND_UP_AND_BLEND:
        inside = Binary(BOOL, "lt", inner, sub(factor, unwanted))
        before = Binary(BOOL, "lt", outer, var(f"{prefix}{split.outer}.loop_max"))
        return [Step(Effect.BLEND, select(before, sure, inside))], base
    return [], base


def exact_quotient(extent: Expr, factor: Expr) -> Expr | None:
    """``extent / factor`` where the factor is known to divide, else None."""
    if extent is factor:
        return Const(INT32, 1)
    if not isinstance(factor, Const) or factor.value <= 0:
        return None
    if isinstance(extent, Const):
        return None if extent.value % factor.value else const(int(extent.value // factor.value))
    if isinstance(extent, Binary) and extent.op == "mul":
        for one, other in ((extent.left, extent.right), (extent.right, extent.left)):
            if isinstance(one, Const) and (part := exact_quotient(one, factor)) is not None:
                return mul(other, part)
    return None


def loop_bounds(split: Split, prefix: str) -> list[tuple[str, Expr]]:
    """The bounds of the loops that a split makes, from those of the loops that it splits up."""
    old = prefix + split.old
    outer, inner = prefix + split.outer, prefix + split.inner
    if split.kind is SplitKind.RENAME:
        sides = ("loop_min", "loop_max", "loop_extent")
        return [(f"{outer}.{side}", var(f"{old}.{side}")) for side in sides]
    if split.kind is SplitKind.FUSE:
        extent = mul(var(f"{inner}.loop_extent"), var(f"{outer}.loop_extent"))
        return _from_zero(old, extent)
    assert split.factor is not None
    span = sub(var(f"{old}.loop_max"), var(f"{old}.loop_min"))
    count = div(add(span, split.factor), split.factor)
    return [*_from_zero(inner, split.factor), *_from_zero(outer, count)]


def _from_zero(loop: str, extent: Expr) -> list[tuple[str, Expr]]:
    return [
        (f"{loop}.loop_min", const(0)),
        (f"{loop}.loop_max", sub(extent, const(1))),
        (f"{loop}.loop_extent", extent),
    ]
