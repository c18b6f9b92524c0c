"""The numbers of the array, each with what it rests on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from s2s.simulators.amber.problems import problem
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Number:
    """A number; ``status`` is documented, assumed or fitted, ``source`` says where it is from."""

    value: int
    status: str
    source: str


@dataclass(frozen=True)
class Array:
    """The array by name, with its numbers."""

    name: str
    numbers: Mapping[str, Number]

    def __getitem__(self, name: str) -> int:
        return self.numbers[name].value

    def with_values(self, values: Mapping[str, int]) -> Array:
        """The array with a user's numbers. Raises UserError for a name or value it cannot have."""
        numbers = dict(self.numbers)
        for name, value in values.items():
            if name not in numbers:
                raise problem(f"{self.name} has no number '{name}'; it has {', '.join(numbers)}")
            if value < 1:
                raise problem(f"{value} is no value for '{name}'")
            numbers[name] = Number(value, "assumed", "the command line")
        return replace(self, numbers=numbers)


def load() -> Array:
    """The array of the file in this folder."""
    table = tomllib.loads(Path(__file__).with_name("amber.toml").read_text(encoding="utf-8"))
    return Array(table.pop("name"), {name: Number(**one) for name, one in table.items()})
