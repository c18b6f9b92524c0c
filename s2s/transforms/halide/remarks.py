"""What is odd about a schedule that can be carried out: worth a warning, as in Halide."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.pipeline import Func, LevelKind, SplitKind, shown
from s2s.source import Span
from s2s.transforms.halide.environment import Environment
from s2s.transforms.halide.inline import can_be_inlined

Warnings = Iterator[tuple[str, Span | None]]


def warnings(funcs: Environment) -> Warnings:
    """Text and place of each warning; ``funcs`` as lowering left them."""
    for func in funcs.values():
        yield from _forgotten_updates(func)
        if func.schedule.compute_level.kind is LevelKind.INLINE and can_be_inlined(func):
            yield from _without_effect(func)


def _forgotten_updates(func: Func) -> Warnings:
    """Updates without a schedule beside stages that have one."""
    if not any(stage.schedule.touched for stage in func.stages):
        return
    for index, update in enumerate(func.updates):
        if not update.schedule.touched:
            yield (
                f"{func.name}.update({index}) has no schedule, other stages of {func.name} have; "
                f"if that is meant, {func.name}.update({index}).unscheduled() says so",
                update.at,
            )


def _without_effect(func: Func) -> Warnings:
    """Loops and bounds of what is computed inline."""
    for split in func.stages[0].schedule.splits:
        verb = {SplitKind.SPLIT: "split", SplitKind.FUSE: "fused", SplitKind.RENAME: "renamed"}
        yield (
            f"{func.name} is computed inline: it has no loop '{shown(split.old)}' to be "
            f"{verb[split.kind]}",
            split.at,
        )
    for bound in func.schedule.bounds:
        yield f"{func.name} is computed inline: '{bound.var}' cannot be bounded", bound.at
