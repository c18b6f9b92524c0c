"""The Funcs of a pipeline as lowering changes them: copies, with final levels."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy, deepcopy
from dataclasses import replace

from s2s.scop.expressions import Expr, Load, walk
from s2s.scop.pipeline import (
    Definition,
    Func,
    FuncSchedule,
    LevelKind,
    LoopLevel,
    Pipeline,
    copied_definition,
)
from s2s.transforms.halide.reads import tensors_read

Environment = dict[str, Func]
"""The Funcs that the outputs need, by name, in the order of the names."""


def environment(pipeline: Pipeline) -> Environment:
    """Copies of the Funcs that the outputs need (wrappers too), their levels made final.

    Outputs are computed and stored at root. Who says nothing of where to store stores where it
    computes, and gets memory where it stores.
    """
    reached = reach_funcs(pipeline.outputs, pipeline.funcs, wrappers=True)
    result = {name: _copied(pipeline.funcs[name]) for name in sorted(reached)}
    for name in pipeline.outputs:
        schedule = result[name].schedule
        schedule.compute_level = schedule.store_level = LoopLevel(LevelKind.ROOT)
        schedule.hoist_level = None
    for func in result.values():
        _make_final(func.schedule)
    return result


def _copied(func: Func) -> Func:
    return replace(
        func,
        definition=None if func.definition is None else copied_definition(func.definition),
        updates=[copied_definition(u) for u in func.updates],
        schedule=_copied_schedule(func.schedule),
    )


def _copied_schedule(schedule: FuncSchedule) -> FuncSchedule:
    return replace(
        schedule,
        compute_level=copy(schedule.compute_level),
        store_level=copy(schedule.store_level),
        wrappers=dict(schedule.wrappers),
        bounds=deepcopy(schedule.bounds),
    )


def _make_final(schedule: FuncSchedule) -> None:
    if schedule.store_level.kind is LevelKind.INLINE:
        schedule.store_level = schedule.compute_level
    if schedule.hoist_level is None or schedule.hoist_level.kind is LevelKind.INLINE:
        schedule.hoist_level = schedule.store_level


def reach_funcs(
    outputs: Iterable[str], funcs: dict[str, Func], *, wrappers: bool = False
) -> list[str]:
    """The Funcs that some need, themselves included, in the order in which they are found."""
    found: dict[str, None] = {}
    stack = list(reversed(list(outputs)))
    while stack:
        name = stack.pop()
        if name in found:
            continue
        found[name] = None
        called = list(calls_in_order(funcs[name], funcs))
        if wrappers:
            in_front = sorted(funcs[name].schedule.wrappers.items())
            called += [w for _, w in in_front if w not in called]
        stack += [n for n in reversed(called) if n not in found]
    return list(found)


def calls_in_order(func: Func, funcs: dict[str, Func]) -> dict[str, None]:
    """The Funcs that a Func calls, in the order of its text; itself where an update does."""
    found: dict[str, None] = {}
    for expr in expressions_of(func):
        if not tensors_read(expr):
            continue
        for node in walk(expr):
            if isinstance(node, Load) and node.tensor in funcs:
                found[node.tensor] = None
    return found


def expressions_of(func: Func) -> Iterable[Expr]:
    """All expressions of a Func's definitions, those of specializations included."""
    for definition in func.stages:
        yield from _expressions_of_definition(definition)


def _expressions_of_definition(definition: Definition) -> Iterable[Expr]:
    if definition.predicate is not None:
        yield definition.predicate
    yield from definition.values
    yield from definition.args
    for rvar in definition.rvars:
        yield rvar.minimum
        yield rvar.extent
    for special in definition.specializations:
        yield special.condition
        yield from _expressions_of_definition(special.definition)
