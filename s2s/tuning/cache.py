"""What was measured, remembered in an SQLite database: choices for regions, kernels, designs.

Nothing depends on the cache: where it cannot be read or written it is empty, with a warning. Each
operation opens the database anew and waits for other processes, so that any number of them may use
it at the same time.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import field, fields
from typing import Any, Generic, TypeVar

from s2s.source.records import dataclass

SCHEMA = 4
_WAIT_SECONDS = 20.0
_CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_TABLES = ("choices", "measured", "designs", "mapped_designs", "bounds", "estimates", "mappings")

T = TypeVar("T")


class Table(Generic[T]):
    """Records of one dataclass, each under texts that are its ``keys``."""

    def __init__(self, name: str, record: Callable[..., T], *keys: str) -> None:
        assert name in _TABLES
        columns: Any = record
        self.name, self.record, self.keys = name, record, keys
        self.columns = tuple(one.name for one in fields(columns))

    def definition(self) -> str:
        """Its columns in SQL."""
        columns = ", ".join(f'"{name}"' for name in (*self.keys, *self.columns))
        return f"{self.name} ({columns}, PRIMARY KEY ({', '.join(self.keys)}))"


@dataclass
class Cache:
    """The database at ``path``; an empty path is a cache that forgets. ``warnings`` grows."""

    path: str
    warnings: list[str] = field(default_factory=list)

    def get(self, table: Table[T], *key: str) -> T | None:
        """What is remembered under a key."""
        return next(iter(self.find(table, *key).values()), None)

    def find(self, table: Table[T], *first: str) -> dict[tuple[str, ...], T]:
        """All that is remembered under keys that begin so, by key."""
        question = f"SELECT * FROM {table.name}"
        if first:
            question += " WHERE " + " AND ".join(f"{name} = ?" for name in table.keys[: len(first)])
        if not os.path.exists(self.path):
            return {}
        rows = self._do(table, lambda db: db.execute(question, first).fetchall())
        count = len(table.keys)
        return {row[:count]: table.record(*row[count:]) for row in rows or ()}

    def put(self, table: Table[T], key: tuple[str, ...], record: T) -> None:
        """Remember, in the place of what was there."""
        values = (*key, *(getattr(record, name) for name in table.columns))
        marks = ", ".join("?" * len(values))
        command = f"INSERT OR REPLACE INTO {table.name} VALUES ({marks})"
        self._do(table, lambda db: db.execute(command, values))

    def clear(self, table: Table[Any]) -> int:
        """Forget all of a table; how many records there were."""
        if not os.path.exists(self.path):
            return 0
        return self._do(table, lambda db: db.execute(f"DELETE FROM {table.name}").rowcount) or 0

    def _do(self, table: Table[Any], work: Callable[[sqlite3.Connection], T]) -> T | None:
        """``work`` on the open database; None, with a warning, where that is impossible."""
        if not self.path:
            return None
        try:
            try:
                return self._try(table, work)
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _CORRUPT:
                    raise
                self._warn(f"'{self.path}' is damaged ({error}); starting a new one")
                self._remove()
                return self._try(table, work)
        except (sqlite3.Error, OSError) as error:
            self._warn(f"'{self.path}' cannot be used: {error}")
            return None

    def _try(self, table: Table[Any], work: Callable[[sqlite3.Connection], T]) -> T:
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        with closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS)) as database:
            if _schema(database) != SCHEMA:
                _empty(database)
            with database:
                database.execute(f"CREATE TABLE IF NOT EXISTS {table.definition()}")
                return work(database)

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


def _schema(database: sqlite3.Connection) -> int:
    version: int = database.execute("PRAGMA user_version").fetchone()[0]
    return version


def _empty(database: sqlite3.Connection) -> None:
    """Drop tables of another schema, unless another process has done so meanwhile."""
    database.execute("BEGIN IMMEDIATE")
    if _schema(database) != SCHEMA:
        for name in _TABLES:
            database.execute(f"DROP TABLE IF EXISTS {name}")
        database.execute(f"PRAGMA user_version = {SCHEMA}")
    database.execute("COMMIT")
