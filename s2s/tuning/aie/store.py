"""Measured mappings in an SQLite database: a search that was stopped goes on where it was.

What is remembered depends on the contraction, the mapping, and the code of the steps, the printer,
the simulator and the limits of a measurement; results of other versions are not found again.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import astuple, fields
from functools import cache
from pathlib import Path

from s2s.scop.contraction import Contraction
from s2s.source.folders import cache_folder
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.mapping_text import from_json, to_json
from s2s.tuning.aie.measured import Measured

_COLUMNS = tuple(f.name for f in fields(Measured))
_WAIT_SECONDS = 20.0


class Store:
    """Results at ``path``; any number of processes may use it. An empty path remembers nothing."""

    def __init__(self, path: str) -> None:
        self.path = path

    def known(self, contraction: Contraction) -> dict[str, Measured]:
        """What is remembered of a contraction, by the mapping's text."""
        if not self.path or not os.path.exists(self.path):
            return {}
        columns = ", ".join(f'"{name}"' for name in _COLUMNS)
        question = f"SELECT mapping, {columns} FROM measured WHERE contraction = ?"
        with closing(self._open()) as database:
            rows = database.execute(question, (key_of(contraction),)).fetchall()
        return {mapping: Measured(*values) for mapping, *values in rows}

    def add(self, contraction: Contraction, mapping: Mapping, measured: Measured) -> None:
        """Remember one result."""
        if not self.path:
            return
        values = (key_of(contraction), to_json(mapping), *astuple(measured))
        marks = ", ".join("?" * len(values))
        with closing(self._open()) as database, database:
            database.execute(f"INSERT OR REPLACE INTO measured VALUES ({marks})", values)

    def best(self, contraction: Contraction) -> tuple[Mapping, Measured] | None:
        """The fastest mapping that is remembered."""
        good = {text: m for text, m in self.known(contraction).items() if m.is_good}
        if not good:
            return None
        text = min(good, key=lambda text: (good[text].cycles, text))
        return from_json(text), good[text]

    def clear(self) -> int:
        """Forget everything; how many results there were."""
        if not self.path or not os.path.exists(self.path):
            return 0
        with closing(self._open()) as database, database:
            return database.execute("DELETE FROM measured").rowcount

    def _open(self) -> sqlite3.Connection:
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        database = sqlite3.connect(self.path, timeout=_WAIT_SECONDS)
        columns = ", ".join(f'"{name}"' for name in _COLUMNS)
        database.execute(
            "CREATE TABLE IF NOT EXISTS measured"
            f" (contraction TEXT, mapping TEXT, {columns}, PRIMARY KEY (contraction, mapping))"
        )
        return database


def default_store() -> str:
    """The database where the user names none; empty if there is no place for one."""
    folder = cache_folder()
    return os.path.join(folder, "aie.sqlite") if folder else ""


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
