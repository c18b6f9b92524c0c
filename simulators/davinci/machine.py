"""The numbers of a machine, each with what it rests on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from s2s.simulators.davinci.problems import problem

FOLDER = Path(__file__).parent
INCLUDE = FOLDER / "include"
"""Where the header lies with which programs run on the host."""


@dataclass(frozen=True)
class Number:
    """A number; ``status`` is documented, proxy (of a later core), assumed or fitted."""

    value: float
    status: str
    source: str


@dataclass(frozen=True)
class Chip:
    """A machine by name, with its numbers."""

    name: str
    numbers: Mapping[str, Number]

    def __getitem__(self, name: str) -> float:
        return self.numbers[name].value

    def size(self, name: str) -> int:
        """A number that counts something."""
        return int(self.numbers[name].value)

    def with_values(self, values: Mapping[str, float]) -> Chip:
        """The machine with a user's numbers. Raises UserError for a name that it has not."""
        numbers = dict(self.numbers)
        for name, value in values.items():
            if name not in numbers:
                raise problem(f"{self.name} has no number '{name}'; it has {', '.join(numbers)}")
            if value < 0:
                raise problem(f"{value:g} is no value for '{name}'")
            numbers[name] = Number(value, "assumed", "the command line")
        return replace(self, numbers=numbers)


def load(name: str) -> Chip:
    """The machine of a file in this folder; ``based_on`` names one whose numbers it changes."""
    table = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    base = table.pop("based_on", None)
    numbers = dict(load(base).numbers) if base else {}
    numbers |= {key: Number(**one) for key, one in table.items()}
    return Chip(name, numbers)
