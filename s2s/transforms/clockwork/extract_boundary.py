"""Stages that a boundary needs, where the schedule leaves a Func to be computed inline."""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.pipeline import Func, LevelKind, LoopLevel, Pipeline, last_name

STARTS = ("hw_accelerate", "accelerator_output", "accelerate_call_output")
ENTRIES = ("accelerator_input", "stream_to_accelerator", "linebuffer")


def with_boundary(pipeline: Pipeline) -> Pipeline:
    """The pipeline with Funcs at the boundary computed: a stream has elements, an expression none.

    A Func of ``stream_to_accelerator`` or ``accelerator_input`` that would be inline, or computed
    in a loop of the array, is computed by the host, at root. A wrapper of it that has directives
    is the first stage of the array: it is computed in the store loop of ``hw_accelerate``.
    """
    funcs = dict(pipeline.funcs)
    tile = _tile_level(pipeline)
    for func in pipeline.funcs.values():
        if not is_entry(func) or func.definition is None:
            continue
        if _is_inline(func) or (tile and _is_inside(func.schedule.compute_level, tile, pipeline)):
            funcs[func.name] = _computed(func, LoopLevel(LevelKind.ROOT))
        wrappers = [pipeline.funcs[name] for name in func.schedule.wrappers.values()]
        while tile is not None and wrappers:
            wrapper = wrappers.pop()
            if _is_inline(wrapper) and any(d.schedule.touched for d in wrapper.stages):
                funcs[wrapper.name] = _computed(wrapper, tile)
            wrappers += [pipeline.funcs[name] for name in wrapper.schedule.wrappers.values()]
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


def _is_inside(level: LoopLevel, tile: LoopLevel, pipeline: Pipeline) -> bool:
    """Whether a loop is one of the array's."""
    if level.kind is not LevelKind.LOOP or level.func not in pipeline.funcs:
        return False
    if level.func != tile.func:
        return _is_inside(pipeline.funcs[level.func].schedule.compute_level, tile, pipeline)
    definition = pipeline.funcs[level.func].stages[-1]
    loops = [last_name(d.name) for d in definition.schedule.dims]
    names = level.var, tile.var
    inner, outer = (loops.index(last_name(v)) if last_name(v) in loops else -1 for v in names)
    return inner <= outer


def _is_inline(func: Func) -> bool:
    return func.schedule.compute_level.kind is LevelKind.INLINE


def _computed(func: Func, level: LoopLevel) -> Func:
    schedule = replace(func.schedule, compute_level=level, store_level=level, hoist_level=None)
    return replace(func, schedule=schedule)
