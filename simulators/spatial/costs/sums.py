"""Sums over steps, and what belongs together."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import TypeVar

from s2s.source.records import dataclass

T = TypeVar("T")


@dataclass
class Sums:
    """Over steps: their number, cycles, multiplications of the busiest, what is moved."""

    steps: int = 0
    cycles: int = 0
    compute: int = 0
    moved: Counter[str] = field(default_factory=Counter)

    def add(self, other: Sums, times: int) -> None:
        """So many of the other."""
        self.steps += other.steps * times
        self.cycles += other.cycles * times
        self.compute += other.compute * times
        for name, value in other.moved.items():
            self.moved[name] += value * times


def groups_of(members: tuple[T, ...], together: list[frozenset[T]]) -> list[tuple[T, ...]]:
    """The members in groups: those that are together, or with a third one."""
    found: list[set[T]] = [{member} for member in members]
    for some in together:
        joined = [group for group in found if group & some]
        if len(joined) > 1:
            rest = [group for group in found if not group & some]
            found = [*rest, {member for group in joined for member in group}]
    return [tuple(member for member in members if member in group) for group in found]
