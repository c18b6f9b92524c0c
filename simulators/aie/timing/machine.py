"""The numbers of a machine file: slots, latencies, registers and the compiler's habits.

A file is TOML; every number is a table of ``value``, ``status`` (documented, assumed or fitted) and
``source``. The reports print them, so that nobody has to guess what a cycle count rests on.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from importlib import resources
from typing import Any

from s2s.source.records import dataclass


class MachineError(Exception):
    """A machine file lacks a number, or gives one no status or source."""


STATUSES = ("documented", "assumed", "fitted")


@dataclass(frozen=True)
class Number:
    """One entry of a machine file."""

    name: str
    value: Any
    status: str
    source: str


@dataclass(frozen=True)
class Machine:
    """A machine file, read. ``numbers`` has an entry for each dotted name, as ``latency.load``."""

    name: str
    numbers: Mapping[str, Number] = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        if name not in self.numbers:
            raise MachineError(f"the machine {self.name} does not give '{name}'")
        return self.numbers[name].value

    def number(self, name: str) -> int:
        """A number that is an integer."""
        return int(self[name])

    def latency(self, kind: str) -> int:
        """Cycles until the result of this kind of operation can be read."""
        return int(self[f"operations.{kind}"]["latency"])

    def slots(self, kind: str) -> tuple[str, ...]:
        """The slots that take this kind of operation, the best first."""
        return tuple(self[f"operations.{kind}"]["slots"])

    def blocked(self, kind: str) -> int:
        """Cycles for which nothing else like this kind of operation runs: a function's call."""
        return int(self[f"operations.{kind}"].get("blocked", 0))

    def replace(self, **values: Any) -> Machine:
        """The machine with other values; a dot of a name is written as two underscores."""
        numbers = dict(self.numbers)
        for key, value in values.items():
            name = key.replace("__", ".")
            numbers[name] = Number(name, value, "assumed", "given by the caller")
        return Machine(self.name, numbers)

    @cached_property
    def formats(self) -> tuple[tuple[int, int], ...]:
        """Bytes and usable bits of the instruction formats, shortest first."""
        return tuple(sorted((int(size), bits) for size, bits in self["formats"].items()))


def load(name: str = "aie1") -> Machine:
    """The machine file of this name that comes with s2s."""
    file = resources.files(__package__).joinpath(f"{name}.toml")
    return parse(file.read_text(encoding="utf-8"))


def parse(text: str) -> Machine:
    """A machine of the text of its file.

    Raises:
        MachineError: a number has no status or source.

    """
    table = tomllib.loads(text)
    name = str(table.pop("machine")["name"])
    return Machine(name, {number.name: number for number in _numbers(table, "")})


def _numbers(table: Mapping[str, Any], prefix: str) -> Iterator[Number]:
    for key, entry in table.items():
        name = prefix + key
        if "value" not in entry:
            yield from _numbers(entry, name + ".")
            continue
        if entry.get("status") not in STATUSES or not entry.get("source"):
            raise MachineError(f"'{name}' needs a status ({', '.join(STATUSES)}) and a source")
        yield Number(name, entry["value"], entry["status"], entry["source"])
