"""Measured designs, remembered: a search or benchmark that was stopped goes on where it was.

A search remembers what it looked at on the way, too: bounds, estimates, designs that were not run.

What is remembered depends on the source with the headers beside it, the parameters, and the code of
all steps and of the machine; results of other versions are not found again.
"""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from s2s.driver.designs import Steps
from s2s.tuning.cache import Cache, Table
from s2s.tuning.clockwork.bound import Bound, Extents
from s2s.tuning.clockwork.estimate import Estimate
from s2s.tuning.clockwork.measured import Measured, measure

T = TypeVar("T")

DESIGNS = Table("designs", Measured, "source", "parameters")
MAPPED = Table("mapped_designs", Measured, "source", "parameters")
BOUNDS = Table("bounds", Bound, "source", "parameters")
ESTIMATES = Table("estimates", Estimate, "source", "parameters")
TABLES: tuple[Table[Any], ...] = (DESIGNS, MAPPED, BOUNDS, ESTIMATES)

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_ROOMS = (
    "scop",
    "source",
    "analyses",
    "driver",
    "frontends.halide",
    "transforms.halide",
    "transforms.clockwork",
    "emitters.clockwork",
    "simulators.amber",
    "targets.clockwork",
)
_OWN = ("bound.py", "estimate.py", "measured.py")
"""Files of this room that results depend on; how a search goes its way changes none."""


class Store(Cache):
    """The cache, for designs."""

    def measured(self, steps: Steps) -> Measured:
        """What is remembered of a design, else what comes of its steps now."""
        found = self.known(DESIGNS, steps)
        if found is None:
            found = measure(steps)
            self.keep(DESIGNS, steps, found)
        return replace(found, simulated=bool(found.simulated))

    def known(self, table: Table[T], steps: Steps, least: Extents = ()) -> T | None:
        """What is remembered of a design; ``least``: what its outputs have to cover."""
        return self.get(table, *self._key(table, steps, least))

    def keep(self, table: Table[T], steps: Steps, found: T, least: Extents = ()) -> None:
        """Remember what was found."""
        self.put(table, self._key(table, steps, least), found)

    def _key(self, table: Table[Any], steps: Steps, least: Extents) -> tuple[str, str]:
        given = steps.given
        chosen: tuple[object, ...] = (
            sorted(given.parameters),
            given.sizes,
            given.generator,
            tuple(steps.flags),
            steps.sharing,
            steps.memory,
        )
        if table is BOUNDS:
            chosen = (*chosen, least)
        return source_key(steps.buffer.path, steps.buffer.data), repr(chosen)


def source_key(path: str, data: bytes) -> str:
    """What tells sources and versions of s2s apart."""
    digest = hashlib.sha256(_version())
    for text in _texts(Path(path).parent, data, set()):
        digest.update(text)
    return digest.hexdigest()


def _texts(folder: Path, data: bytes, seen: set[Path]) -> Iterator[bytes]:
    """A source, and the headers beside it that it includes."""
    yield data
    for match in _INCLUDE.finditer(data):
        path = folder / match[1].decode("utf-8", "replace")
        if path not in seen and path.is_file():
            seen.add(path)
            yield from _texts(path.parent, path.read_bytes(), seen)


@cache
def _version() -> bytes:
    """A digest of the code that a result depends on."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        for folder in importlib.import_module(f"s2s.{room}").__path__:
            for path in sorted(Path(folder).rglob("*")):
                if path.suffix in (".py", ".toml", ".h", ".cpp"):
                    digest.update(path.read_bytes())
    for name in _OWN:
        digest.update((Path(__file__).parent / name).read_bytes())
    return digest.digest()
