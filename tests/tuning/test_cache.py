"""The cache of choices: what it keeps, and what it survives."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from s2s.tuning.cache import SCHEMA, Cache, Record
from tests.places import ROOT

RECORD = Record("popp:sizes=8x8", 2.0, 0.5, "n = 9", 3, "x.c:4", "2026-01-02T03:04:05Z")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(str(tmp_path / "deep" / "tune.sqlite"))


def test_hit_and_miss(cache: Cache) -> None:
    assert cache.get("a") is None
    cache.put("a", RECORD)
    assert cache.get("a") == RECORD
    assert cache.get("b") is None
    assert Cache(cache.path).get("a") == RECORD
    assert cache.warnings == []


def test_the_last_measurement_counts(cache: Cache) -> None:
    cache.put("a", RECORD)
    cache.put("a", Record("", failure="calls f"))
    assert cache.get("a") == Record("", failure="calls f")


def test_ratio() -> None:
    assert RECORD.ratio == 4.0
    assert Record("", failure="why").ratio == 1.0


def test_clear(cache: Cache) -> None:
    assert cache.clear() == 0
    cache.put("a", RECORD)
    cache.put("b", RECORD)
    assert len(cache.records()) == 2
    assert cache.clear() == 2
    assert cache.records() == [] and cache.get("a") is None


def test_another_schema_is_a_fresh_start(cache: Cache) -> None:
    cache.put("a", RECORD)
    with sqlite3.connect(cache.path) as database:
        database.execute("ALTER TABLE choices ADD COLUMN other")
        database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    database.close()
    assert cache.get("a") is None
    cache.put("a", RECORD)
    assert cache.get("a") == RECORD
    assert cache.warnings == []


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b"\0" * 5000])
def test_a_damaged_file_is_a_warning_and_a_fresh_start(cache: Cache, damage: bytes) -> None:
    cache.put("a", RECORD)
    Path(cache.path).write_bytes(damage)
    assert cache.get("a") is None
    assert len(cache.warnings) == 1 and "is damaged" in cache.warnings[0]
    cache.put("a", RECORD)
    assert cache.get("a") == RECORD


def test_damaged_pages_are_a_fresh_start(cache: Cache) -> None:
    for number in range(200):
        cache.put(str(number), RECORD)
    data = bytearray(Path(cache.path).read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    Path(cache.path).write_bytes(data)
    assert cache.get("7") is None
    cache.put("7", RECORD)
    assert cache.get("7") == RECORD
    assert len(cache.warnings) == 1


def test_a_place_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    cache = Cache(str(tmp_path / "file" / "tune.sqlite"))
    cache.put("a", RECORD)
    cache.put("a", RECORD)
    assert cache.get("a") is None
    assert len(cache.warnings) == 1 and "cannot be used" in cache.warnings[0]


def test_no_place_at_all_forgets_silently() -> None:
    cache = Cache("")
    cache.put("a", RECORD)
    assert cache.get("a") is None and cache.warnings == [] and cache.clear() == 0


_WRITER = """
import sys
from s2s.tuning.cache import Cache, Record
cache = Cache(sys.argv[1])
for number in range(15):
    cache.put(f"{sys.argv[2]} {number}", Record("popp", 2.0, 1.0))
    assert cache.get(f"{sys.argv[2]} {number}") is not None
assert not cache.warnings, cache.warnings
"""


def test_processes_share_it(cache: Cache) -> None:
    command = [sys.executable, "-c", _WRITER, cache.path]
    running = [subprocess.Popen([*command, str(n)], cwd=ROOT) for n in range(4)]
    assert [process.wait(timeout=120) for process in running] == [0] * 4
    assert len(cache.records()) == 4 * 15
