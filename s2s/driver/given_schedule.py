"""A schedule that the user gives: what is asked of which region, as JSON (docs/schedules.md).

Regions and loops are named, by ids or by ``file:line``; nothing counts positions.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.located_json import Value, from_data, read_located
from s2s.source.reading import read_source
from s2s.source.records import dataclass
from s2s.source.spelling import did_you_mean

VERSION = 1
_TOP = ("version", "file", "passes", "regions")
_ENTRY = (
    "region", "function", "at", "by", "history", "separate", "disjoint", "steps", "statements",
    "tree", "dimensions", "gain", "pass", "among",
)  # fmt: skip
_WAYS = ("steps", "statements", "tree", "pass")


@dataclass(frozen=True)
class Entry:
    """What is asked of one region; ``members`` are those of its object in the file."""

    name: Value
    members: Mapping[str, Value]

    @property
    def region(self) -> str:
        return self.name.text()

    def flag(self, key: str) -> bool:
        """A member that is true or false. Raises UserError."""
        found = self.members.get(key)
        if found is None:
            return False
        if not isinstance(found.value, bool):
            raise found.wrong("true or false is expected")
        return found.value

    @property
    def way(self) -> str:
        """Which of ``steps``, ``statements``, ``tree`` and ``pass`` it is."""
        return next(key for key in _WAYS if key in self.members)


@dataclass(frozen=True)
class GivenSchedule:
    """All that is asked of a file. ``passes`` act on the text of what has no entry."""

    entries: tuple[Entry, ...]
    passes: tuple[str, ...] = ()
    used: set[str] = field(default_factory=set, compare=False)
    """Regions for which there was something to order."""
    seen: dict[str, Location] = field(default_factory=dict, compare=False)
    """The outermost loops of all statements that were tried as regions."""

    @property
    def passes_of_regions(self) -> tuple[str, ...]:
        """The passes that entries name, and those among which they were chosen; empty: default."""
        among = {spec for e in self.entries if "among" in e.members
                 for spec in e.members["among"].texts()}  # fmt: skip
        chosen = {e.members["pass"].text() for e in self.entries if e.way == "pass"}
        return tuple(sorted(among | chosen)) if among else ()

    def entry_for(self, name: str, function: str, at: Location) -> Entry | None:
        """What is asked of a region, by its outermost loop and the loop's place."""
        self.seen.setdefault(name, at)
        for entry in self.entries:
            if is_named(entry.region, name, at) or self._is_first_of(entry, function, name):
                self.used.add(entry.region)
                return entry
        return None

    def _is_first_of(self, entry: Entry, function: str, name: str) -> bool:
        """Whether an entry names a function, and this is the first region that is tried of it."""
        first = next((known for known in self.seen if known.startswith(f"{function}/")), "")
        return entry.region == function and first == name

    def check_used(self) -> None:
        """Raise UserError for an entry that no region is named by."""
        for entry in self.entries:
            if entry.region not in self.used:
                known = [*dict.fromkeys(name.partition("/")[0] for name in self.seen), *self.seen]
                known += [f"{at.path}:{at.line}" for at in self.seen.values()]
                hint = did_you_mean(entry.region, known)
                raise entry.name.wrong(f"no region is named '{entry.region}'{hint}")


def is_named(given: str, name: str, at: Location) -> bool:
    """Whether a text is the id of something, or its place as ``file:line``."""
    if given == name:
        return True
    path, _, line = given.rpartition(":")
    return line == str(at.line) and path in (at.path, os.path.basename(at.path))


def read_schedule(path: str) -> GivenSchedule:
    """The schedule in a file. Raises UserError."""
    data = read_source(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        place = Location(path, 1, 1, 1, 1)
        raise UserError(Diagnostic(Severity.ERROR, "not UTF-8", "schedule", place)) from None
    return _given(read_located(path, text))


def schedule_of(data: Mapping[str, Any]) -> GivenSchedule:
    """The schedule that values of Python are. Raises UserError."""
    return _given(from_data(data))


def _given(top: Value) -> GivenSchedule:
    if isinstance(top.value, dict) and "regions" not in top.value and "region" in top.value:
        return GivenSchedule((_entry(top),))
    members = top.members(_TOP)
    version = members.get("version")
    if version is not None and version.number() != VERSION:
        raise version.wrong(f"version {version.value} is not known; this is version {VERSION}")
    if "regions" not in members:
        raise top.wrong("there are no 'regions'")
    entries = tuple(_entry(value) for value in members["regions"].items())
    _check_once(entries)
    passes = members["passes"].texts() if "passes" in members else []
    return GivenSchedule(entries, tuple(passes))


def _entry(value: Value) -> Entry:
    members = value.members(_ENTRY)
    if "region" not in members:
        raise value.wrong("the 'region' is not named: an id such as 'f/i', or 'file.c:12'")
    ways = [key for key in _WAYS if key in members]
    if len(ways) != 1:
        found = " and ".join(f"'{key}'" for key in ways) or "none"
        text = f"one of {', '.join(_WAYS)} says what is to be done, not {found}"
        raise value.wrong(text, ways[1] if ways else "region")
    entry = Entry(members["region"], members)
    _ = entry.region, entry.flag("separate"), entry.flag("disjoint")
    return entry


def _check_once(entries: Iterable[Entry]) -> None:
    seen: set[str] = set()
    for entry in entries:
        if entry.region in seen:
            raise entry.name.wrong(f"region '{entry.region}' is there twice")
        seen.add(entry.region)
