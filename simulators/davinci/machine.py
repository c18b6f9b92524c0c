"""The numbers of a machine, each with what it rests on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from s2s.simulators.davinci.problems import problem
from s2s.source.records import dataclass

FOLDER = Path(__file__).parent
INCLUDE = FOLDER / "include"
"""Where the header lies with which programs run on the host."""


@dataclass(frozen=True)
class Number:
    """A number; ``status`` is documented, proxy (of a later core), assumed or fitted."""

    value: float
    status: str
    source: str


_COUNTS = frozenset(
    {"clock_mhz", "counter_mhz", "cores", "events"}
    | {f"{memory}_bytes" for memory in ("ub", "l1", "l0a", "l0b", "l0c")}
)
"""Numbers that are sizes; the others say how long something takes."""


@dataclass(frozen=True)
class Chip:
    """A machine by name, with its numbers; several ``settings`` at once where they are swept."""

    name: str
    numbers: Mapping[str, Number]
    settings: int = 1

    def __getitem__(self, name: str) -> float:
        return self.numbers[name].value

    def size(self, name: str) -> int:
        """A number that counts something."""
        return int(self.numbers[name].value)

    @property
    def times(self) -> tuple[str, ...]:
        """Names of the numbers that say how long something takes."""
        return tuple(name for name in self.numbers if name not in _COUNTS)

    def sweep(self, settings: Sequence[Mapping[str, float]]) -> Chip:
        """The machine with each of several settings, which have some of ``times``.

        Such numbers are arrays, and so are the cycles of what runs.
        """
        import numpy as np

        numbers = dict(self.numbers)
        for name in self.times:
            each: Any = np.array([setting.get(name, self[name]) for setting in settings])
            numbers[name] = replace(numbers[name], value=each)
        return replace(self, numbers=numbers, settings=len(settings))

    def with_values(self, values: Mapping[str, float]) -> Chip:
        """The machine with a user's numbers. Raises UserError for a name that it has not."""
        numbers = dict(self.numbers)
        for name, value in values.items():
            if name not in numbers:
                raise problem(f"{self.name} has no number '{name}'; it has {', '.join(numbers)}")
            if not _is_possible(name, value):
                raise problem(f"{value:g} is no value for '{name}'")
            numbers[name] = Number(value, "assumed", "the command line")
        return replace(self, numbers=numbers)


def _is_possible(name: str, value: float) -> bool:
    """Whether a number can have a value: memories have whole rows of 512 bytes, rates are no 0."""
    if name in _COUNTS:
        unit = 512 if name.endswith("_bytes") else 1
        return 0 < value <= 1 << 30 and value % unit == 0
    return 0 <= value < float("inf") and (value > 0 or not name.endswith("_bytes"))


def load(name: str) -> Chip:
    """The machine of a file in this folder; ``based_on`` names one whose numbers it changes."""
    table = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    base = table.pop("based_on", None)
    numbers = dict(load(base).numbers) if base else {}
    numbers |= {key: Number(**one) for key, one in table.items()}
    return Chip(name, numbers)
