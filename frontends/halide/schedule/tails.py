"""Which tail strategy a split gets, and which it may not have.

A split by a factor that does not divide the extent runs past the loop's end, in one way or
another (``TailStrategy``). What runs twice, or where nothing was asked for, must not be seen:
a pure definition may be run again at will, an update may not, and a reduction variable must take
exactly its values.
"""

from __future__ import annotations

from s2s.scop.expressions import Const, Expr
from s2s.scop.pipeline import Split, SplitKind, StageSchedule, TailStrategy


def descends_from_inner(schedule: StageSchedule, loop: str) -> bool:
    """Whether a loop was made from the inner loop of an earlier split."""
    inner: set[str] = set()
    for split in schedule.splits:
        if split.kind is SplitKind.SPLIT:
            inner.add(split.inner)
            if split.old in inner:
                inner.add(split.outer)
        elif split.kind is SplitKind.RENAME and split.old in inner:
            inner.add(split.outer)
        elif split.kind is SplitKind.FUSE and inner & {split.inner, split.outer}:
            inner.add(split.old)
    return loop in inner


def chosen_tail(
    schedule: StageSchedule, loop: str, factor: Expr, *, exact: bool, pure_definition: bool
) -> TailStrategy:
    """What ``TailStrategy::Auto`` stands for when ``loop`` is split."""
    if exact:
        return TailStrategy.GUARD_WITH_IF
    if not pure_definition:
        nested = descends_from_inner(schedule, loop)
        return TailStrategy.GUARD_WITH_IF if nested else TailStrategy.ROUND_UP
    covering = _shifted_by(schedule).get(loop)
    if covering is not None and _at_least(covering, factor):
        return TailStrategy.ROUND_UP
    return TailStrategy.SHIFT_INWARDS


def _shifted_by(schedule: StageSchedule) -> dict[str, Expr]:
    """Loops that count the steps of a split that shifts inwards, with that split's factor.

    Splitting such a loop again by no more than this factor needs no second shift.
    """
    found: dict[str, Expr] = {}
    for split in schedule.splits:
        earlier = found.get(split.old)
        if split.kind is SplitKind.SPLIT and split.tail is TailStrategy.SHIFT_INWARDS:
            assert split.factor is not None
            found[split.outer] = split.factor
        elif split.kind is SplitKind.SPLIT and earlier is not None:
            found[split.inner] = found[split.outer] = earlier
        elif split.kind is SplitKind.RENAME and earlier is not None:
            found[split.outer] = earlier
    return found


def _at_least(left: Expr, right: Expr) -> bool:
    if isinstance(left, Const) and isinstance(right, Const):
        return left.value >= right.value
    return left is right


BLENDS = (TailStrategy.SHIFT_INWARDS_AND_BLEND, TailStrategy.ROUND_UP_AND_BLEND)


def racing_blend(schedule: StageSchedule) -> Split | None:
    """A split whose blend reads and writes what a parallel loop of the same variable computes."""
    if schedule.allow_race_conditions:
        return None
    parallel = {d.name for d in schedule.dims if d.kind.is_parallel}
    for split in reversed(schedule.splits):
        if parallel & _made(split):
            parallel |= _split_up(split)
    for split in schedule.splits:
        if parallel & _split_up(split):
            parallel |= _made(split)
            if split.tail in BLENDS:
                return split
    return None


def _made(split: Split) -> set[str]:
    """The loops that a split makes."""
    return {split.old} if split.kind is SplitKind.FUSE else {split.outer, split.inner}


def _split_up(split: Split) -> set[str]:
    """The loops that a split makes others from."""
    return {split.outer, split.inner} if split.kind is SplitKind.FUSE else {split.old}
