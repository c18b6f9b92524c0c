"""A pipeline apart from its schedule, and what the schedule asks of another machine.

An accelerator's kernel is not the loops that a schedule makes for a processor. ``unscheduled``
gives the pipeline with all stages in Halide's default loops; ``wishes`` reads from the directives
what they say about the loops of the algorithm: which one is vectorized, how often others are
unrolled, their order, and which one is to be software-pipelined.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.scop.expressions import Const, Variable
from s2s.scop.pipeline import (
    OUTERMOST,
    Definition,
    Dim,
    ForKind,
    Func,
    FuncSchedule,
    LevelKind,
    LoopLevel,
    Pipeline,
    SplitKind,
    StageSchedule,
    shown,
)
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Wishes:
    """What directives say, by names of the program's variables.

    ``vector``: the vectorized variable ("" for none) and its ``lanes`` (0: all iterations);
    ``unrolled``: (variable, factor), 0 for all iterations; ``order``: variables outermost first,
    empty where nothing is reordered; ``pipelined``: the variable of
    ``prepare_for_software_pipelining``.
    """

    vector: str = ""
    lanes: int = 0
    unrolled: tuple[tuple[str, int], ...] = ()
    order: tuple[str, ...] = ()
    pipelined: str = ""
    at: Span | None = None

    def __bool__(self) -> bool:
        return bool(self.vector or self.unrolled or self.order or self.pipelined)


def drop_schedule(pipeline: Pipeline) -> Pipeline:
    """The pipeline with default schedules."""
    funcs = {name: _plain_func(func) for name, func in pipeline.funcs.items()}
    return replace(pipeline, funcs=funcs)


def _plain_func(func: Func) -> Func:
    inline = LoopLevel(LevelKind.INLINE)
    schedule = FuncSchedule(inline, replace(inline), bounds=list(func.schedule.bounds))
    schedule.storage_order = list(func.vars)
    definition = None if func.definition is None else _plain_definition(func.definition)
    updates = [_plain_definition(update) for update in func.updates]
    return replace(func, schedule=schedule, definition=definition, updates=updates)


def _plain_definition(definition: Definition) -> Definition:
    names = [arg.name for arg in definition.args if isinstance(arg, Variable)]
    reductions = [variable.name for variable in definition.rvars]
    kept = {dim.name: dim for dim in definition.schedule.dims}
    dims = [Dim(name, reduction=True, pure=False) for name in reductions]
    dims += [Dim(name) for name in names if name not in reductions]
    outermost = kept.get(OUTERMOST) or Dim(OUTERMOST)
    schedule = StageSchedule(dims=[*dims, replace(outermost, kind=ForKind.SERIAL)])
    return replace(definition, schedule=schedule, specializations=[])


def wishes(pipeline: Pipeline) -> Wishes:
    """What the schedules of all stages say; of two that say something the later one counts."""
    found = Wishes()
    for func in pipeline.funcs.values():
        for definition in func.stages:
            found = _joined(found, _of_stage(definition))
    return found


def _joined(first: Wishes, second: Wishes) -> Wishes:
    unrolled = {**dict(first.unrolled), **dict(second.unrolled)}
    return Wishes(
        second.vector or first.vector,
        second.lanes if second.vector else first.lanes,
        tuple(unrolled.items()),
        second.order if len(second.order) >= len(first.order) else first.order,
        second.pipelined or first.pipelined,
        second.at or first.at,
    )


def _of_stage(definition: Definition) -> Wishes:
    schedule = definition.schedule
    if not schedule.touched:
        return Wishes()
    vector, unrolled, at = [], {}, None
    for dim in schedule.dims:
        name, factor = _origin(schedule, dim.name)
        if dim.kind is ForKind.VECTORIZED:
            vector.append((name, factor))
        elif dim.kind is ForKind.UNROLLED:
            unrolled[name] = factor
        at = dim.at if dim.kind is not ForKind.SERIAL else at
    pipelined = [
        str(primitive.arguments[0])
        for primitive in schedule.hardware
        if primitive.name == "prepare_for_software_pipelining" and primitive.arguments
    ]
    name, lanes = vector[0] if vector else ("", 0)
    order = tuple(dict.fromkeys(_outer_loops(schedule)))
    return Wishes(
        plain_name(name),
        lanes,
        tuple((plain_name(n), f) for n, f in unrolled.items()),
        order,
        plain_name(_origin(schedule, pipelined[-1])[0]) if pipelined else "",
        at,
    )


def _origin(schedule: StageSchedule, name: str) -> tuple[str, int]:
    """The variable that a loop comes from, and its iterations if it is the inner part of splits."""
    factor = 0
    for split in reversed(schedule.splits):
        if split.kind is SplitKind.SPLIT and name in (split.inner, split.outer):
            if name == split.inner and factor == 0 and isinstance(split.factor, Const):
                factor = int(split.factor.value)
            name = split.old
        elif split.kind is SplitKind.RENAME and name == split.outer:
            name = split.old
    return name, factor


def _outer_loops(schedule: StageSchedule) -> Iterator[str]:
    """The variables of the loops that are neither vectorized nor unrolled, outermost first."""
    for dim in reversed(schedule.dims):
        if dim.kind is ForKind.SERIAL and dim.name != OUTERMOST:
            yield plain_name(_origin(schedule, dim.name)[0])


def plain_name(name: str) -> str:
    """A variable as the program calls it, as ``Loop.source`` has it: ``r.x`` of ``r$x``."""
    return shown(name)
