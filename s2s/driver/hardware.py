"""What a pipeline asks of an accelerator: its hardware primitives, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from s2s.scop.expressions import Expr
from s2s.scop.notation import written
from s2s.scop.pipeline import (
    HardwareArgument,
    HardwarePrimitive,
    LoopLevel,
    Pipeline,
    StageName,
    shown,
)
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Severity

_DECLARED = ("output_rate", "iteration_order", "create_memories")
_ELSEWHERE = ("prepare_for_software_pipelining",)
"""A primitive of another target's."""

Fate = Callable[[str, HardwarePrimitive], str]
"""Gives, for a Func's or stage's name and a primitive on it, what became of it."""


def primitives(pipeline: Pipeline) -> Iterator[tuple[str, HardwarePrimitive]]:
    """All of a pipeline, in the order of the source, each with what it acts on; a call once."""
    found: dict[tuple[str, Span | None], tuple[str, HardwarePrimitive]] = {}
    for func in pipeline.funcs.values():
        for primitive in func.schedule.hardware:
            found.setdefault((primitive.name, primitive.at), (func.name, primitive))
        for index, stage in enumerate(func.stages):
            for primitive in stage.schedule.hardware:
                owner = str(StageName(func.name, index))
                found.setdefault((primitive.name, primitive.at), (owner, primitive))
    return iter(sorted(found.values(), key=lambda f: f[1].at.start if f[1].at else 0))


def remarks(buffer: SourceBuffer, pipeline: Pipeline) -> Iterator[Diagnostic]:
    """A remark for each primitive that a processor has no use for."""
    for owner, primitive in primitives(pipeline):
        if not _is_declared(primitive) and primitive.name not in _ELSEWHERE:
            text = f"{call(owner, primitive)} has no effect on a processor"
            yield Diagnostic(Severity.REMARK, text, "hardware", buffer.place(primitive.at))


def explained(buffer: SourceBuffer, pipeline: Pipeline, fate: Fate) -> Iterator[str]:
    """A line for each primitive: the call, its place, what became of it."""
    for owner, primitive in primitives(pipeline):
        place = ""
        if primitive.at is not None and buffer.is_own(primitive.at.start):
            place = f"   (line {buffer.line_column(primitive.at.start)[0]})"
        became = (
            "carried out as other directives" if _is_declared(primitive) else fate(owner, primitive)
        )
        yield f"  {call(owner, primitive)}: {became}{place}"


def _is_declared(primitive: HardwarePrimitive) -> bool:
    """Whether it stands for directives that were carried out, on any machine."""
    with_places = primitive.name == "stream_to_accelerator" and len(primitive.arguments) == 2
    return primitive.name in _DECLARED or with_places


def on_processor(owner: str, primitive: HardwarePrimitive) -> str:
    """The fate of all primitives where there is no accelerator."""
    return "no effect on a processor"


def call(owner: str, primitive: HardwarePrimitive) -> str:
    """A primitive as in the source: ``f.update(0).compute_share_root(y)``."""
    return f"{owner}.{primitive.name}({', '.join(map(_shown, primitive.arguments))})"


def _shown(argument: HardwareArgument) -> str:
    if isinstance(argument, tuple):
        return f"{{{', '.join(map(_shown, argument))}}}"
    if isinstance(argument, LoopLevel):
        return f"{argument.func}.{shown(argument.var)}" if argument.func else argument.kind.value
    if isinstance(argument, Expr):
        return written(argument)
    return shown(argument) if isinstance(argument, str) else str(argument)
