"""The remarks of all units of a build in one log, as tools read them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from s2s.cli.remarks_yaml import as_yaml, functions_by_text
from s2s.cli.render import Sources
from s2s.cli.reports.build import Times
from s2s.cli.reports.units import ReportedUnit
from s2s.cli.sarif import as_sarif
from s2s.source import Edit
from s2s.source.diagnostics import Diagnostic, Location
from s2s.source.records import dataclass

_MICROSECONDS = 1e6


@dataclass
class Remarks:
    """Remarks by the paths of files, relative to where this runs if they are below it."""

    units: Sequence[ReportedUnit]
    times: Times

    def __post_init__(self) -> None:
        self._sources = Sources()
        self._said: dict[str, list[Diagnostic]] = {}
        self._edits: dict[str, list[Edit]] = {}
        for unit in self.units:
            self._add(unit)

    def _add(self, unit: ReportedUnit) -> None:
        """What is said of a unit; the same of a file that is compiled twice stands once."""
        name = _from_here(unit.path)
        said = self._said.setdefault(name, [])
        moved = (_moved(d, unit.directory) for d in unit.diagnostics)
        said += [d for d in moved if d not in said]
        if unit.source is not None:
            self._sources.add(name, unit.source)
            edits = [Edit(e["start"], e["end"], e["text"].encode()) for e in unit.edits]
            self._edits[name] = self._edits.get(name) or edits

    def as_sarif(self) -> bytes:
        """One run with all results."""
        return as_sarif(self._said, self._sources, edits=self._edits)

    def as_yaml(self) -> bytes:
        """A document for each remark, hot where a profile has its line."""
        functions = functions_by_text(self._sources.line)
        return as_yaml(self._said, functions, self._hotness)

    def _hotness(self, said: Diagnostic) -> int:
        if said.location is None:
            return 0
        lines = self.times.get(os.path.realpath(said.location.path), {})
        return round(lines.get(said.location.line, 0.0) * _MICROSECONDS)


def _from_here(path: str) -> str:
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def _moved(said: Diagnostic, directory: str) -> Diagnostic:
    """With places as they are called from here, not from where the unit was compiled."""
    return replace(
        said,
        location=_place(said.location, directory),
        region=_place(said.region, directory),
        notes=tuple(_moved(note, directory) for note in said.notes),
    )


def _place(at: Location | None, directory: str) -> Location | None:
    if at is None:
        return None
    return replace(at, path=_from_here(os.path.normpath(os.path.join(directory, at.path))))
