"""Measured mappings, remembered: a search that was stopped goes on where it was.

What is remembered depends on the contraction, the mapping, and the code of the steps, the printer,
the simulator and the limits of a measurement; results of other versions are not found again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from s2s.scop.contraction import Contraction
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.mapping_text import to_json
from s2s.tuning.aie.measured import Measured
from s2s.tuning.cache import Cache, Table

MEASURED = Table("measured", Measured, "contraction", "mapping")


class Store(Cache):
    """The cache, for a search."""

    def known(self, contraction: Contraction) -> dict[str, Measured]:
        """What is remembered of a contraction, by the mapping's text."""
        found = self.find(MEASURED, key_of(contraction))
        return {mapping: measured for (_, mapping), measured in found.items()}

    def add(self, contraction: Contraction, mapping: Mapping, measured: Measured) -> None:
        """Remember one result."""
        self.put(MEASURED, (key_of(contraction), to_json(mapping)), measured)


def key_of(contraction: Contraction) -> str:
    """What tells contractions and versions of s2s apart."""
    words = f"{_version()}\n{contraction}\n{contraction.arguments}"
    return hashlib.sha256(words.encode()).hexdigest()


@cache
def _version() -> str:
    """A digest of the code that a result depends on."""
    digest = hashlib.sha256()
    for path in sorted(_sources()):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    import s2s.emitters.aie
    import s2s.simulators.aie
    import s2s.transforms.aie
    import s2s.tuning.aie.bound
    import s2s.tuning.aie.measured

    yield Path(s2s.tuning.aie.bound.__file__)
    yield Path(s2s.tuning.aie.measured.__file__)
    for package in (s2s.emitters.aie, s2s.simulators.aie, s2s.transforms.aie):
        for folder in package.__path__:
            for suffix in ("*.py", "*.toml"):
                yield from Path(folder).rglob(suffix)
