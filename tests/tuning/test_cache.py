"""The cache of choices: what it keeps, and what it survives."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from s2s.tuning.aie.measured import Measured
from s2s.tuning.aie.store import MEASURED
from s2s.tuning.cache import SCHEMA, Cache
from s2s.tuning.choice import CHOICES, Record, newest_first
from tests.places import ROOT

RECORD = Record("popp:sizes=8x8", 2.0, 0.5, "n = 9", 3, "x.c:4", "2026-01-02T03:04:05Z")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(str(tmp_path / "deep" / "tune.sqlite"))


def test_hit_and_miss(cache: Cache) -> None:
    assert cache.get(CHOICES, "a") is None
    cache.put(CHOICES, ("a",), RECORD)
    assert cache.get(CHOICES, "a") == RECORD
    assert cache.get(CHOICES, "b") is None
    assert Cache(cache.path).get(CHOICES, "a") == RECORD
    assert cache.warnings == []


def test_the_last_measurement_counts(cache: Cache) -> None:
    cache.put(CHOICES, ("a",), RECORD)
    cache.put(CHOICES, ("a",), Record("", failure="calls f"))
    assert cache.get(CHOICES, "a") == Record("", failure="calls f")


def test_ratio() -> None:
    assert RECORD.ratio == 4.0
    assert Record("", failure="why").ratio == 1.0


def test_clear(cache: Cache) -> None:
    assert cache.clear(CHOICES) == 0
    cache.put(CHOICES, ("a",), RECORD)
    cache.put(CHOICES, ("b",), RECORD)
    assert len(newest_first(cache)) == 2
    assert cache.clear(CHOICES) == 2
    assert newest_first(cache) == [] and cache.get(CHOICES, "a") is None


def test_another_schema_is_a_fresh_start(cache: Cache) -> None:
    cache.put(CHOICES, ("a",), RECORD)
    with sqlite3.connect(cache.path) as database:
        database.execute("ALTER TABLE choices ADD COLUMN other")
        database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    database.close()
    assert cache.get(CHOICES, "a") is None
    cache.put(CHOICES, ("a",), RECORD)
    assert cache.get(CHOICES, "a") == RECORD
    assert cache.warnings == []


def test_a_file_of_an_older_s2s_is_a_fresh_start(cache: Cache) -> None:
    Path(cache.path).parent.mkdir()
    with sqlite3.connect(cache.path) as database:
        database.execute("CREATE TABLE choices (key TEXT PRIMARY KEY, spec, failure)")
        database.execute("INSERT INTO choices VALUES ('a', 'popp', '')")
        database.execute("CREATE TABLE measured (contraction TEXT, mapping TEXT, cycles)")
        database.execute("CREATE TABLE others (name TEXT)")
        database.execute("PRAGMA user_version = 1")
    database.close()
    assert cache.get(CHOICES, "a") is None
    cache.put(MEASURED, ("c", "m"), Measured(cycles=7))
    assert cache.find(MEASURED) == {("c", "m"): Measured(cycles=7)}
    with closing(sqlite3.connect(cache.path)) as database:
        assert database.execute("SELECT * FROM others").fetchall() == []
    assert cache.warnings == []


def test_one_file_has_choices_and_measured_kernels(cache: Cache) -> None:
    cache.put(CHOICES, ("a",), RECORD)
    for contraction, mapping in ("c", "m"), ("c", "n"), ("d", "m"):
        cache.put(MEASURED, (contraction, mapping), Measured(failure=mapping))
    assert {mapping for _, mapping in cache.find(MEASURED, "c")} == {"m", "n"}
    assert cache.get(MEASURED, "d", "m") == Measured(failure="m")
    assert cache.clear(MEASURED) == 3
    assert cache.get(CHOICES, "a") == RECORD


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b"\0" * 5000])
def test_a_damaged_file_is_a_warning_and_a_fresh_start(cache: Cache, damage: bytes) -> None:
    cache.put(CHOICES, ("a",), RECORD)
    Path(cache.path).write_bytes(damage)
    assert cache.get(CHOICES, "a") is None
    assert len(cache.warnings) == 1 and "is damaged" in cache.warnings[0]
    cache.put(CHOICES, ("a",), RECORD)
    assert cache.get(CHOICES, "a") == RECORD


def test_damaged_pages_are_a_fresh_start(cache: Cache) -> None:
    for number in range(200):
        cache.put(CHOICES, (str(number),), RECORD)
    data = bytearray(Path(cache.path).read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    Path(cache.path).write_bytes(data)
    assert cache.get(CHOICES, "7") is None
    cache.put(CHOICES, ("7",), RECORD)
    assert cache.get(CHOICES, "7") == RECORD
    assert len(cache.warnings) == 1


def test_a_place_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    cache = Cache(str(tmp_path / "file" / "tune.sqlite"))
    cache.put(CHOICES, ("a",), RECORD)
    cache.put(CHOICES, ("a",), RECORD)
    assert cache.get(CHOICES, "a") is None
    assert len(cache.warnings) == 1 and "cannot be used" in cache.warnings[0]


def test_no_place_at_all_forgets_silently() -> None:
    cache = Cache("")
    cache.put(CHOICES, ("a",), RECORD)
    assert cache.get(CHOICES, "a") is None and cache.warnings == [] and cache.clear(CHOICES) == 0


_WRITER = """
import sys
from s2s.tuning.cache import Cache
from s2s.tuning.choice import CHOICES, Record
cache = Cache(sys.argv[1])
for number in range(15):
    cache.put(CHOICES, (f"{sys.argv[2]} {number}",), Record("popp", 2.0, 1.0))
    assert cache.get(CHOICES, f"{sys.argv[2]} {number}") is not None
assert not cache.warnings, cache.warnings
"""


def test_processes_share_it(cache: Cache) -> None:
    command = [sys.executable, "-c", _WRITER, cache.path]
    running = [subprocess.Popen([*command, str(n)], cwd=ROOT) for n in range(4)]
    assert [process.wait(timeout=120) for process in running] == [0] * 4
    assert len(newest_first(cache)) == 4 * 15
