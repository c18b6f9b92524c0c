"""What was measured, remembered in an SQLite database.

Nothing depends on the cache: where it cannot be read or written it is empty, with a warning. Each
operation opens the database anew and waits for other processes, so that any number of them may use
it at the same time.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, fields
from typing import TypeVar

SCHEMA = 1
_WAIT_SECONDS = 20.0
_CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

T = TypeVar("T")


@dataclass(frozen=True)
class Record:
    """What came out of measuring a region.

    ``spec`` is the pass with its options, empty for the original text; the seconds are the
    original's and the winner's; ``failure`` says why nothing could be measured. ``place`` and
    ``when`` (ISO 8601, UTC) are for the reader.
    """

    spec: str
    original_seconds: float = 0.0
    seconds: float = 0.0
    sizes: str = ""
    tried: int = 0
    place: str = ""
    when: str = ""
    failure: str = ""

    @property
    def ratio(self) -> float:
        """How many times as fast as the original the winner was."""
        return self.original_seconds / self.seconds if self.seconds > 0 else 1.0


_COLUMNS = tuple(f.name for f in fields(Record))
_QUOTED = ", ".join(f'"{name}"' for name in _COLUMNS)


@dataclass
class Cache:
    """The database at ``path``; an empty path is a cache that forgets. ``warnings`` grows."""

    path: str
    warnings: list[str] = field(default_factory=list)

    def get(self, key: str) -> Record | None:
        """What is remembered under a key."""
        question = f"SELECT {_QUOTED} FROM choices WHERE key = ?"
        if not os.path.exists(self.path):
            return None
        row = self._do(lambda db: db.execute(question, (key,)).fetchone())
        return Record(*row) if row else None

    def put(self, key: str, record: Record) -> None:
        """Remember, in the place of what was there."""
        values = (key, *(getattr(record, name) for name in _COLUMNS))
        marks = ", ".join("?" * len(values))
        command = f"INSERT OR REPLACE INTO choices (key, {_QUOTED}) VALUES ({marks})"
        self._do(lambda db: db.execute(command, values))

    def records(self) -> list[Record]:
        """All that is remembered, newest first."""
        if not os.path.exists(self.path):
            return []
        question = f'SELECT {_QUOTED} FROM choices ORDER BY "when" DESC, "place"'
        rows = self._do(lambda db: db.execute(question).fetchall())
        return [Record(*row) for row in rows or ()]

    def clear(self) -> int:
        """Forget everything; how many records there were."""
        if not os.path.exists(self.path):
            return 0
        return self._do(lambda db: db.execute("DELETE FROM choices").rowcount) or 0

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """``work`` on the open database; None, with a warning, where that is impossible."""
        if not self.path:
            return None
        try:
            try:
                return self._try(work)
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _CORRUPT:
                    raise
                self._warn(f"'{self.path}' is damaged ({error}); starting a new one")
                self._remove()
                return self._try(work)
        except (sqlite3.Error, OSError) as error:
            self._warn(f"'{self.path}' cannot be used: {error}")
            return None

    def _try(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with closing(self._open()) as database, database:
            return work(database)

    def _open(self) -> sqlite3.Connection:
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        database = sqlite3.connect(self.path, timeout=_WAIT_SECONDS)
        try:
            if database.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
                _create(database)
        except BaseException:
            database.close()
            raise
        return database

    def _remove(self) -> None:
        for path in _files(self.path):
            with suppress(FileNotFoundError):
                os.unlink(path)

    def _warn(self, text: str) -> None:
        warning = f"tune cache: {text}"
        if warning not in self.warnings:
            self.warnings.append(warning)


def _files(path: str) -> Iterator[str]:
    yield from (path, f"{path}-journal", f"{path}-wal", f"{path}-shm")


def _create(database: sqlite3.Connection) -> None:
    """Make the tables, unless another process has done so meanwhile; older schemas are dropped."""
    database.execute("BEGIN IMMEDIATE")
    if database.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
        database.execute("DROP TABLE IF EXISTS choices")
        database.execute(f"CREATE TABLE choices (key TEXT PRIMARY KEY, {_QUOTED})")
        database.execute(f"PRAGMA user_version = {SCHEMA}")
    database.execute("COMMIT")
