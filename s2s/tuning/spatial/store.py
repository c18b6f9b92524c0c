"""Mappings that a search found, remembered: one that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
import importlib
import json
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

from s2s.simulators.spatial.machine import Machine
from s2s.source.records import dataclass
from s2s.source.spatial.layers import Layer
from s2s.source.spatial.writing import write_layer
from s2s.tuning.cache import Cache, Table
from s2s.tuning.spatial.candidate import Candidate

_ROOMS = ("source.spatial", "simulators.spatial", "tuning.spatial")


@dataclass(frozen=True)
class Remembered:
    """A result as JSON (``Outcome``)."""

    text: str


MAPPINGS = Table("mappings", Remembered, "layer", "setting")


@dataclass(frozen=True)
class Outcome:
    """What a search found: candidates on the front of cycles and energy, the best one first.

    ``evaluated`` by the exact model, ``considered`` by the estimate; ``branches``: numbers of units
    that were looked at; ``bound``: cycles that none beats, ``cost_bound`` the same of what is
    searched for. ``pruned``: what a decoupled search left of its spaces, off chip and on chip.
    """

    candidates: tuple[Candidate, ...]
    evaluated: int
    considered: int
    branches: int
    bound: int
    cost_bound: float
    pruned: tuple[int, ...] = ()

    def text(self) -> str:
        """The outcome as JSON."""
        return json.dumps(asdict(self))


def read_outcome(text: str) -> Outcome:
    """The outcome of a text that ``Outcome.text`` gave."""
    given = json.loads(text)
    candidates = tuple(
        Candidate(**{name: tuple(value) for name, value in one.items()})
        for one in given.pop("candidates")
    )
    pruned = tuple(given.pop("pruned"))
    return Outcome(candidates, **given, pruned=pruned)


class Store(Cache):
    """The cache, for mappings."""

    def known(self, layer: Layer, machine: Machine, setting: str) -> Outcome | None:
        """What is remembered of a layer."""
        found = self.get(MAPPINGS, *_key(layer, machine, setting))
        return None if found is None else read_outcome(found.text)

    def keep(self, layer: Layer, machine: Machine, setting: str, outcome: Outcome) -> None:
        """Remember what was found."""
        self.put(MAPPINGS, _key(layer, machine, setting), Remembered(outcome.text()))


def _key(layer: Layer, machine: Machine, setting: str) -> tuple[str, str]:
    bare = write_layer(replace(layer, name="", mapping=None))
    numbers = {name: one.value for name, one in machine.parameters.items()}
    return bare, hashlib.sha256(f"{_version()} {numbers} {setting}".encode()).hexdigest()


@cache
def _version() -> str:
    """A digest of the code that a result depends on."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        for folder in importlib.import_module(f"s2s.{room}").__path__:
            for path in sorted(Path(folder).rglob("*.py")):
                digest.update(path.read_bytes())
    return digest.hexdigest()
