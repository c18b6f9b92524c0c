"""compute_with: which stages share loops, and whether they can."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from s2s.scop.errors import Illegal
from s2s.scop.pipeline import Definition, Dim, Func, FusedPair, LoopLevel, matches, shown
from s2s.source import Span
from s2s.transforms.halide.environment import Environment, calls_in_order
from s2s.transforms.halide.levels import same_level


class Pair(NamedTuple):
    """A stage (``child``) that runs in the loops of another Func's stage, down to ``var``."""

    parent: str
    parent_stage: int
    child: str
    child_stage: int
    var: str


Pairs = list[Pair]


def shared_loops(funcs: Environment) -> Pairs:
    """All pairs of stages that share loops.

    Raises Illegal where the stages of a Func would have to run in another order than theirs.
    """
    found: Pairs = []
    for func in funcs.values():
        _check_stages_in_order(func)
        for index, level in shared_stages(func):
            if level.func not in funcs:
                raise Illegal(
                    f"{_stage(func.name, index)} is computed with {level.func}, which is not used",
                    level.at,
                )
            found.append(Pair(level.func, level.stage, func.name, index, level.var))
    return found


def shared_stages(func: Func) -> Iterator[tuple[int, FusedPair]]:
    """The stages of a Func that run in the loops of another one."""
    for index, definition in enumerate(func.stages):
        if definition.schedule.compute_with is not None:
            yield index, definition.schedule.compute_with


def _stage(name: str, index: int) -> str:
    return f"{name}.update({index - 1})" if index else name


def _check_stages_in_order(func: Func) -> None:
    """Stages run one after the other, so must the stages that they run with."""
    latest: dict[str, int] = {}
    previous = -2
    for index, level in shared_stages(func):
        last = latest.get(level.func, -1)
        consecutive = previous == index - 1
        if level.stage < last or (level.stage == last and not consecutive):
            raise Illegal(
                f"compute_with: {_stage(func.name, index)} with {_stage(level.func, level.stage)}, "
                f"and an earlier stage of {func.name} with {_stage(level.func, last)}: no order "
                "of the stages is right for both",
                level.at,
            )
        latest[level.func] = level.stage
        previous = index


def check_pairs(pairs: Pairs, funcs: Environment) -> None:
    """Refuse pairs of which one calls the other, and pairs in a circle."""
    reached = {name: _reached(name, funcs) for name in funcs} if pairs else {}
    for pair in pairs:
        at = _place(pair, funcs)
        if pair.child in reached[pair.parent] or pair.parent in reached[pair.child]:
            raise Illegal(
                f"compute_with: {pair.parent} and {pair.child} depend on each other's values", at
            )
        if any(p.parent == pair.child and p.child == pair.parent for p in pairs):
            raise Illegal(f"compute_with: {pair.parent} and {pair.child} in a circle", at)


def _reached(name: str, funcs: Environment) -> set[str]:
    """The Funcs that one calls, directly or not."""
    found: set[str] = set()
    stack = [name]
    while stack:
        for called in calls_in_order(funcs[stack.pop()], funcs):
            if called not in found:
                found.add(called)
                stack.append(called)
    return found - {name}


def _place(pair: Pair, funcs: Environment) -> Span | None:
    level = funcs[pair.child].stages[pair.child_stage].schedule.compute_with
    return None if level is None else level.at


def check_shared_schedules(pairs: Pairs, funcs: Environment) -> None:
    """Refuse pairs whose loops, or places in the program, differ."""
    for pair in pairs:
        _check_levels(pair, funcs)
        parent = funcs[pair.parent].stages[pair.parent_stage]
        child = funcs[pair.child].stages[pair.child_stage]
        for definition in (parent, *(s.definition for s in parent.specializations)):
            _check_loops(pair, funcs, definition, child)


def _check_levels(pair: Pair, funcs: Environment) -> None:
    parent, child = funcs[pair.parent], funcs[pair.child]
    at = _place(pair, funcs)
    for name, func in ((pair.parent, parent), (pair.child, child)):
        if func.schedule.compute_level.kind.value == "inline":
            raise Illegal(f"compute_with: {name} is computed inline", at)
    if child.stages[0].specializations:
        raise Illegal(f"compute_with: {pair.child} has specializations", at)
    if not same_level(parent.schedule.compute_level, child.schedule.compute_level):
        raise Illegal(
            f"compute_with: {pair.parent} is computed at "
            f"{level_text(parent.schedule.compute_level)}, {pair.child} at "
            f"{level_text(child.schedule.compute_level)}",
            at,
        )


def level_text(level: LoopLevel) -> str:
    return level.kind.value if not level.var else f"{level.func}, {shown(level.var)}"


def loops_from(dims: list[Dim], var: str) -> int | None:
    """The place of the loop that ``var`` names, in a stage of another Func's names."""
    for index, dim in enumerate(dims):
        if matches(dim.name, var) or matches(var, dim.name):
            return index
    return None


def _check_loops(pair: Pair, funcs: Environment, parent: Definition, child: Definition) -> None:
    at = _place(pair, funcs)
    both = ((pair.parent, pair.parent_stage, parent), (pair.child, pair.child_stage, child))
    shared: list[list[Dim]] = []
    for name, stage, definition in both:
        start = loops_from(definition.schedule.dims, pair.var)
        if start is None:
            raise Illegal(f"compute_with: {_stage(name, stage)} has no loop '{pair.var}'", at)
        shared.append(definition.schedule.dims[start:-1])
    ours, theirs = shared
    what = f"{_stage(*both[0][:2])} and {_stage(*both[1][:2])}"
    if len(ours) != len(theirs):
        raise Illegal(
            f"compute_with: {what} have {len(ours)} and {len(theirs)} loops from '{pair.var}' "
            "outwards",
            at,
        )
    for one, other in zip(ours, theirs, strict=True):
        _check_same_loop(what, one, other, at)


def _check_same_loop(what: str, one: Dim, other: Dim, at: Span | None) -> None:
    if not (matches(one.name, other.name) or matches(other.name, one.name)):
        raise Illegal(f"compute_with: loops of {what} are called {one.name} and {other.name}", at)
    if one.kind is not other.kind:
        raise Illegal(
            f"compute_with: loop {shown(one.name)} of {what} is {one.kind.value} and "
            f"{other.kind.value}",
            at,
        )
    if (one.reduction, one.pure) != (other.reduction, other.pure):
        raise Illegal(
            f"compute_with: loop {shown(one.name)} of {what} runs over a Var and an RVar", at
        )
