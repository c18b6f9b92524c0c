"""Loops and the levels at which Funcs are computed and stored."""

from __future__ import annotations

from s2s.scop.pipeline import LevelKind, LoopLevel

ROOT_LOOP = ".__root"
"""The loop around everything while computations are put in their places."""


def is_at(level: LoopLevel, loop: str) -> bool:
    """Whether a loop of the nest, by its lowered name, is the one that a level names."""
    if level.kind is LevelKind.ROOT:
        return loop == ROOT_LOOP
    if level.kind is LevelKind.INLINE:
        return False
    prefix = f"{level.func}." if level.stage < 0 else f"{level.func}.s{level.stage}."
    return loop.startswith(prefix) and loop.endswith("." + level.var)


def same_level(one: LoopLevel, other: LoopLevel) -> bool:
    """Whether two levels name the same place in the same words."""
    return _parts(one) == _parts(other)


def _parts(level: LoopLevel) -> tuple[LevelKind, str, int, str]:
    return level.kind, level.func, level.stage, level.var
