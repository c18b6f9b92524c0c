"""Stages that a boundary needs, where the schedule leaves a Func to be computed inline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2s.scop.build import const
from s2s.scop.expressions import Expr
from s2s.scop.pipeline import (
    Bound,
    Definition,
    Func,
    LevelKind,
    LoopLevel,
    Pipeline,
    TailStrategy,
    last_name,
)

_SHIFTED = TailStrategy.SHIFT_INWARDS
STARTS = ("hw_accelerate", "accelerator_output", "accelerate_call_output")
ENTRIES = ("accelerator_input", "stream_to_accelerator", "linebuffer")


def with_boundary(pipeline: Pipeline) -> Pipeline:
    """The pipeline with Funcs at the boundary computed: a stream has elements, an expression none.

    A Func of ``stream_to_accelerator`` or ``accelerator_input`` that would be inline, or computed
    in a loop of the array, is computed by the host, at root. A wrapper of it that has directives
    is the first stage of the array: it is computed in the store loop of ``hw_accelerate``. Windows
    of the array's stages go beyond the end where Halide shifts the last one inwards.
    """
    funcs = dict(pipeline.funcs)
    tile = _tile_level(pipeline)
    for func in pipeline.funcs.values():
        if not is_entry(func) or func.definition is None:
            continue
        if _is_inline(func) or (
            tile and _is_inside(func.schedule.compute_level, tile, pipeline.funcs)
        ):
            funcs[func.name] = _computed(func, LoopLevel(LevelKind.ROOT))
        wrappers = [pipeline.funcs[name] for name in func.schedule.wrappers.values()]
        while tile is not None and wrappers:
            wrapper = wrappers.pop()
            if _is_inline(wrapper) and any(d.schedule.touched for d in wrapper.stages):
                funcs[wrapper.name] = _computed(wrapper, tile)
            wrappers += [pipeline.funcs[name] for name in wrapper.schedule.wrappers.values()]
    for func in list(funcs.values()):
        if tile is None or func.name in pipeline.outputs:
            continue
        if func.name == tile.func or _is_inside(func.schedule.compute_level, tile, funcs):
            funcs[func.name] = _rounded_up(func)
    return replace(pipeline, funcs=funcs)


def is_entry(func: Func) -> bool:
    """Whether a Func's elements come to the array as a stream."""
    return any(h.name in ENTRIES for h in func.schedule.hardware)


def _tile_level(pipeline: Pipeline) -> LoopLevel | None:
    for func in pipeline.funcs.values():
        for primitive in func.schedule.hardware:
            if primitive.name in STARTS and primitive.arguments:
                variable = str(primitive.arguments[-1])
                return LoopLevel(LevelKind.LOOP, func.name, variable, at=primitive.at)
    return None


def _is_inside(level: LoopLevel, tile: LoopLevel, funcs: Mapping[str, Func]) -> bool:
    """Whether a loop is one of the array's."""
    if level.kind is not LevelKind.LOOP or level.func not in funcs:
        return False
    if level.func != tile.func:
        return _is_inside(funcs[level.func].schedule.compute_level, tile, funcs)
    definition = funcs[level.func].stages[-1]
    loops = [last_name(d.name) for d in definition.schedule.dims]
    names = level.var, tile.var
    inner, outer = (loops.index(last_name(v)) if last_name(v) in loops else -1 for v in names)
    return inner <= outer


def _is_inline(func: Func) -> bool:
    return func.schedule.compute_level.kind is LevelKind.INLINE


def _rounded_up(func: Func) -> Func:
    """With a last window beyond the end where Halide shifts it inwards.

    A place that is the lesser of two is none that an address generator counts, and what is
    computed beyond the end is not used.
    """
    func = _covering_updates(func)
    definition = func.definition
    if definition is None or not any(s.tail is _SHIFTED for s in definition.schedule.splits):
        return func
    splits = [
        replace(s, tail=TailStrategy.ROUND_UP) if s.tail is _SHIFTED else s
        for s in definition.schedule.splits
    ]
    schedule = replace(definition.schedule, splits=splits)
    return replace(func, definition=replace(definition, schedule=schedule))


def _covering_updates(func: Func) -> Func:
    """With first values of all elements that updates beyond the end change, unused or not.

    A definition that is rounded up as its updates are has them, and asks its producers for no more.
    """
    own = _rounded(func, func.definition)
    factors = {
        var: factor
        for update in func.updates
        for var, factor in _rounded(func, update).items()
        if own.get(var) != factor
    }
    if not factors:
        return func
    aligned = [Bound(v, None, None, modulus=f, remainder=const(0)) for v, f in factors.items()]
    bounds = [*func.schedule.bounds, *aligned]
    return replace(func, schedule=replace(func.schedule, bounds=bounds))


def _rounded(func: Func, definition: Definition | None) -> dict[str, Expr | None]:
    """What a definition rounds the func's own variables up to."""
    splits = definition.schedule.splits if definition else ()
    return {
        split.old: split.factor
        for split in splits
        if split.old in func.vars and split.tail is TailStrategy.ROUND_UP
    }


def _computed(func: Func, level: LoopLevel) -> Func:
    schedule = replace(func.schedule, compute_level=level, store_level=level, hoist_level=None)
    return replace(func, schedule=schedule)
