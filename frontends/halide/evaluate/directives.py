"""Scheduling directives: C++'s overloads on top of ``s2s.frontends.halide.schedule``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.frontends.halide.evaluate.containers import Items, Pair
from s2s.frontends.halide.evaluate.images import ImageObject
from s2s.frontends.halide.evaluate.language import RDom, RVar, Var
from s2s.frontends.halide.evaluate.values import VOID, Enumerator, deref, describe, number, truth
from s2s.frontends.halide.evaluate.world import integer, text_of, to_expr
from s2s.frontends.halide.schedule import LoopVar, Stage
from s2s.frontends.halide.schedule.levels import iterate
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Expr
from s2s.scop.pipeline import HardwareArgument, LoopLevel, StageName, TailStrategy
from s2s.source import Span

GPU = frozenset(
    {
        *("gpu", "gpu_blocks", "gpu_threads", "gpu_lanes", "gpu_single_thread", "gpu_tile"),
        *("hexagon", "copy_to_device", "copy_to_host"),
    }
)
STAGE_HARDWARE = frozenset(
    {
        *("coarse_grain_loop", "compute_share_root", "compute_share"),
        "prepare_for_software_pipelining",
    }
)
_NO_EFFECT = frozenset(
    {"never_partition", "always_partition", "never_partition_all", "always_partition_all"}
    | {"partition"}
)


def loop(value: Any) -> LoopVar:
    """A Var, an RVar, or an RDom of one dimension, as a directive names it."""
    value = deref(value)
    if isinstance(value, Var | RVar | RDom):
        return value.loop()
    raise Illegal(f"{describe(value)} names no loop")


def loops(value: Any) -> list[LoopVar]:
    return [loop(v) for v in deref(value).items]


class Looped:
    """A handle of what has loops: a Func, or one of its definitions."""

    def at_loop(self, var: LoopVar, stage: int, at: Span | None) -> LoopLevel:
        """The place in the loop over ``var``; ``stage`` is one of a Func's, -1 for any."""
        raise NotImplementedError

    def as_argument(self) -> HardwareArgument:
        """What a hardware primitive keeps of it."""
        raise NotImplementedError


def loop_level(where: tuple[Any, ...], at: Span | None) -> LoopLevel:
    """``(LoopLevel)`` or ``(Func or Stage, Var[, stage])``."""
    values = [deref(w) for w in where]
    if len(values) == 1 and isinstance(values[0], LoopLevel):
        level = values[0]
        return LoopLevel(level.kind, level.func, level.var, level.stage, at)
    target, var, *rest = values
    stage = integer(rest[0], "the number of a stage") if rest else -1
    if not isinstance(target, Looped):
        raise Illegal(f"{describe(target)} has no loops")
    return target.at_loop(loop(var), stage, at)


def size(value: Any) -> Expr | int:
    """A factor or an extent."""
    value = deref(value)
    plain = number(value)
    return int(plain) if plain is not None else to_expr(value)


def tail(value: Any) -> TailStrategy:
    value = deref(value)
    if not isinstance(value, Enumerator):
        raise Illegal(f"{describe(value)} is no TailStrategy")
    return TailStrategy(value.name)


def _tails(arguments: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Arguments without the tail strategy at their end, and that one."""
    if arguments and isinstance(deref(arguments[-1]), Enumerator):
        return arguments[:-1], {"tail": tail(arguments[-1])}
    return arguments, {}


def _split(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    plain, tails = _tails(arguments)
    old, outer, inner, factor = plain
    return stage.split(loop(old), loop(outer), loop(inner), size(factor), *tails.values(), at=at)


def _fuse(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    return stage.fuse(*map(loop, arguments), at=at)


def _kind(name: str) -> Callable[[Stage, list[Any], Span | None], Any]:
    def directive(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
        plain, tails = _tails(arguments)
        factors = [size(a) for a in plain[1:]]
        return getattr(stage, name)(loop(plain[0]), *factors, *tails.values(), at=at)

    return directive


def _tile(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    values = [deref(a) for a in arguments]
    if isinstance(values[0], Items):
        return _tile_lists(stage, values, at)
    plain, tails = _tails(values)
    if len(plain) == 6:
        plain = [*plain[:2], *plain[:2], *plain[2:]]
    names = [loop(v) for v in plain[:6]]
    factors = [size(v) for v in plain[6:]]
    return stage.tile(names[:2], names[2:4], names[4:], factors, *tails.values(), at=at)


def _tile_lists(stage: Stage, values: list[Any], at: Span | None) -> Any:
    tails: list[Any] = []
    last = values[-1]
    if isinstance(last, Enumerator):
        tails, values = [tail(last)], values[:-1]
    elif isinstance(last, Items) and last.items and isinstance(deref(last.items[0]), Enumerator):
        tails, values = [[tail(v) for v in last.items]], values[:-1]
    if len(values) == 3:
        values = [values[0], *values]
    old, outer, inner = (loops(v) for v in values[:3])
    return stage.tile(old, outer, inner, [size(f) for f in values[3].items], *tails, at=at)


def _reorder(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    values = [deref(a) for a in arguments]
    if len(values) == 1 and isinstance(values[0], Items):
        values = values[0].items
    return stage.reorder([loop(v) for v in values], at=at)


def _rename(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    return stage.rename(*map(loop, arguments), at=at)


def _atomic(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    return stage.atomic(*(truth(deref(a)) for a in arguments), at=at)


def _plain(name: str) -> Callable[[Stage, list[Any], Span | None], Any]:
    return lambda stage, arguments, at: getattr(stage, name)(at=at)


def _specialize_fail(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    return stage.specialize_fail(text_of(arguments[0]), at=at)


def _compute_with(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    values = [deref(a) for a in arguments]
    level = values[0]
    if not isinstance(level, LoopLevel):
        level = loop_level((level, values[1]), at)
        arguments = [level, *arguments[2:]]
    if not isinstance(level, LoopLevel) or level.func not in stage.program.funcs:
        raise Illegal("compute_with needs a loop of a Func")
    from s2s.frontends.halide.schedule import FuncDirectives

    other = FuncDirectives(stage.program, stage.program.funcs[level.func])
    target = other.stage(max(level.stage, 0), at=at)
    var = LoopVar(level.var, any(d.reduction and d.name == level.var for d in target.dims))
    return stage.compute_with(target, var, *map(_alignment, arguments[1:]), at=at)


def _alignment(value: Any) -> Any:
    value = deref(value)
    if isinstance(value, Enumerator):
        return value.name
    pairs = [deref(v) for v in value.items]
    parts = [p.values if isinstance(p, Pair) else p.items for p in pairs]
    return {loop(var).name: deref(align).name for var, align in parts}


def _prefetch(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    values = [deref(a) for a in arguments if not isinstance(deref(a), Enumerator)]
    tensor = values[0]
    name = tensor.image.name if isinstance(tensor, ImageObject) else tensor.func.name
    names = [loop(v) for v in values[1:] if number(v) is None and not isinstance(v, Expr)]
    offset = [size(v) for v in values[1 + len(names) :]]
    return stage.prefetch(name, names[0], names[-1], *offset, at=at)


_DIRECTIVES: dict[str, Callable[[Stage, list[Any], Span | None], Any]] = {
    "split": _split,
    "fuse": _fuse,
    "serial": _kind("serial"),
    "parallel": _kind("parallel"),
    "vectorize": _kind("vectorize"),
    "unroll": _kind("unroll"),
    "tile": _tile,
    "reorder": _reorder,
    "rename": _rename,
    "atomic": _atomic,
    "allow_race_conditions": _plain("allow_race_conditions"),
    "unscheduled": _plain("unscheduled"),
    "specialize_fail": _specialize_fail,
    "compute_with": _compute_with,
    "prefetch": _prefetch,
}
KNOWN = (
    frozenset(_DIRECTIVES)
    | (GPU | STAGE_HARDWARE | _NO_EFFECT)
    | {"specialize", "rfactor", "iteration_order"}
)


def direct(stage: Stage, name: str, arguments: list[Any], at: Span | None) -> Any:
    """Apply a directive on loops; gives VOID, or the Stage that ``specialize`` makes."""
    if name in GPU:
        raise Illegal(f"'{name}' schedules for another device; the target is a CPU")
    if name == "iteration_order":
        iterate(stage, [], [deref(v) for v in deref(arguments[0]).items], at=at)
        return VOID
    if name in STAGE_HARDWARE:
        stage.hardware(name, *_stage_arguments(stage, name, arguments), at=at)
        return VOID
    if name in _NO_EFFECT:
        return VOID
    if name == "specialize":
        return stage.specialize(to_expr(arguments[0]), at=at)
    if name == "rfactor":
        return _rfactor(stage, arguments, at)
    _DIRECTIVES[name](stage, arguments, at)
    return VOID


def _stage_arguments(stage: Stage, name: str, arguments: list[Any]) -> list[HardwareArgument]:
    kept = [plain_argument(a) for a in arguments]
    if name == "compute_share":
        root = StageName(kept[0], 0) if isinstance(kept[0], str) else kept[0]
        assert isinstance(root, StageName)
        schedule = stage.program.funcs[root.func].stages[root.stage].schedule
        if not any(h.name == "compute_share_root" for h in schedule.hardware):
            raise Illegal(f"'{root}' is no compute_share_root, so nothing shares with it")
        return [root]
    return kept


def _rfactor(stage: Stage, arguments: list[Any], at: Span | None) -> Any:
    values = [deref(a) for a in arguments]
    if isinstance(values[0], Items):
        pairs = [deref(v) for v in values[0].items]
        parts = [p.values if isinstance(p, Pair) else p.items for p in pairs]
        preserved = [(loop(a), loop(b)) for a, b in parts]
    else:
        preserved = [(loop(values[0]), loop(values[1]))]
    method = getattr(stage, "rfactor", None)
    if method is None:
        raise Illegal("'rfactor' is not supported yet")
    return method(preserved, at=at)


def plain_argument(value: Any) -> HardwareArgument:
    """An argument of a hardware primitive as it is kept."""
    value = deref(value)
    if isinstance(value, Looped):
        return value.as_argument()
    plain = number(value)
    if isinstance(value, Enumerator):
        return value.name
    if plain is not None:
        return plain
    if isinstance(value, Items):
        return tuple(plain_argument(v) for v in value.items)
    if isinstance(value, str | Expr | LoopLevel):
        return value
    if isinstance(value, Var | RVar | RDom):
        return loop(value).name
    raise Illegal(f"{describe(value)} as an argument of a hardware primitive")
