"""C++'s overloads of the primitives that declare levels of memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.frontends.halide.evaluate.directives import loop
from s2s.frontends.halide.evaluate.values import deref, truth
from s2s.frontends.halide.evaluate.world import integer, text_of
from s2s.frontends.halide.schedule import FuncDirectives
from s2s.frontends.halide.schedule.levels import IterLevel, VarExtent
from s2s.scop.pipeline import Func, LoopLevel
from s2s.source import Span

Made = Func | LoopLevel | None
"""What a method gives: a Func, a place, or (None) the Func that it was called on."""
Method = Callable[[FuncDirectives, list[Any], "Span | None"], Made]


def var_extent(arguments: list[Any]) -> VarExtent:
    """``VarExtent(variable, extent[, unrolled])``."""
    var, extent, *flag = arguments
    unrolled = any(truth(deref(f)) for f in flag)
    return VarExtent(loop(var), integer(extent, "an extent"), unrolled)


def iter_level(arguments: list[Any]) -> IterLevel:
    """``IterLevel(name, loops)``."""
    name, loops = arguments
    return IterLevel(text_of(name), tuple(_items(loops)))


def _items(value: Any) -> list[Any]:
    return [deref(v) for v in deref(value).items]


def _output_rate(func: FuncDirectives, arguments: list[Any], at: Span | None) -> Made:
    func.output_rate(integer(arguments[0], "a rate"), at=at)
    return None


def _iteration_order(func: FuncDirectives, arguments: list[Any], at: Span | None) -> Made:
    found = _items(arguments[0])
    if found and isinstance(found[0], IterLevel):
        func.iteration_order(found, at=at)
    else:
        func.tile_level([IterLevel("", tuple(found))], 0, at)
    return None


def _memory_level(func: FuncDirectives, arguments: list[Any], at: Span | None) -> Made:
    return func.memory_level(text_of(arguments[0]), at=at)


def _loop_level(func: FuncDirectives, arguments: list[Any], at: Span | None) -> Made:
    """``(name, variable)``, ``(name, variable, number)`` or ``(variable, number)``."""
    from s2s.frontends.halide.schedule import at_loop

    if isinstance(deref(arguments[0]), str):
        made = func.memory_level(text_of(arguments[0]), at=at)
        func, arguments = FuncDirectives(func.program, made), arguments[1:]
    var = loop(arguments[0])
    if len(arguments) == 1:
        return at_loop(func.func, var, at=at)
    return func.nth_loop(var, integer(arguments[1], "the number of a loop"), at=at)


def _stream(func: FuncDirectives, arguments: list[Any], at: Span | None) -> Made:
    if len(arguments) == 2:
        names = [text_of(n) for n in _items(arguments[0])]
        func.stream_to_accelerator(names, _items(arguments[1]), at=at)
    else:
        kept = [tuple(text_of(n) for n in _items(a)) for a in arguments]
        func.hardware("stream_to_accelerator", *kept, at=at)
    return None


def _memories(func: FuncDirectives, arguments: list[Any], at: Span | None) -> Made:
    funcs = [f.func for f in _items(arguments[0])]
    place = deref(arguments[1]) if len(arguments) > 1 else None
    var = loop(arguments[2]) if len(arguments) > 2 else None
    rate = integer(arguments[3], "a rate") if len(arguments) > 3 else 0
    func.create_memories(funcs, place, var, rate, at=at)
    return None


METHODS: dict[str, Method] = {
    "output_rate": _output_rate,
    "iteration_order": _iteration_order,
    "get_memory_level": _memory_level,
    "get_looplevel": _loop_level,
    "stream_to_accelerator": _stream,
    "create_memories": _memories,
}
"""Methods of Func."""
