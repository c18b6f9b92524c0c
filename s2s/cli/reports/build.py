"""The data of a report about files: compact, since a browser makes the page of it on demand.

Texts that many regions share stand once, in a table; numbers point into it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from s2s import __version__
from s2s.cli.reports import regions as of_regions
from s2s.cli.reports.regions import Region, regions_of
from s2s.cli.reports.units import ReportedUnit, shorten
from s2s.source.diagnostics import Diagnostic, Severity
from s2s.source.records import dataclass

# What of the sources' text a page holds, all files together.
MOST_TEXT = 3_000_000
_NAMES = re.compile(r"'[^']*'")

Times = Mapping[str, Mapping[int, float]]
"""Measured seconds: for each file's real path those of loops, by line."""


@dataclass
class _Texts:
    """The table of texts."""

    known: dict[str, int] = field(default_factory=dict)

    def __call__(self, text: str) -> int:
        return self.known.setdefault(text, len(self.known))


@dataclass
class BuildData:
    """Makes the data of the page of a build or of some files."""

    units: Sequence[ReportedUnit]
    times: Times = field(default_factory=dict)
    room: int = MOST_TEXT
    """Bytes of sources that are still shown."""
    _texts: _Texts = field(default_factory=_Texts)

    def run(self, title: str, charts: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """All that the page shows."""
        files = [self._file(unit, short) for unit, short in shorten(self.units)]
        return {
            "kind": "build",
            "title": title,
            "s2s": __version__,
            "files": files,
            "charts": list(charts),
            "timed": bool(self.times),
            "texts": list(self._texts.known),
        }

    def _file(self, unit: ReportedUnit, short: str) -> dict[str, Any]:
        regions = regions_of(unit)
        times = self.times.get(os.path.realpath(unit.path), {})
        shown = [self._region(unit, region, times) for region in regions]
        source, why = self._source(unit)
        return {
            "name": short,
            "path": unit.path,
            "state": unit.state,
            "reason": unit.reason,
            "command": unit.command,
            "seconds": round(unit.seconds, 3),
            "remembered": unit.remembered,
            "source": source,
            "noSource": why,
            "gain": round(sum(r["gain"] for r in shown), 4),
            "regions": shown,
            "said": [self._said(d) for d in of_regions.about_the_unit(unit, regions)],
        }

    def _source(self, unit: ReportedUnit) -> tuple[str | None, str]:
        """A file's text and, where it is left out, why."""
        if unit.source is None:
            return None, "the source is gone, or has changed since it was compiled"
        if len(unit.source) > self.room:
            return None, "left out: the sources of this report are too large for one page"
        self.room -= len(unit.source)
        return unit.source.decode("utf-8", "replace"), ""

    def _region(
        self, unit: ReportedUnit, region: Region, times: Mapping[int, float]
    ) -> dict[str, Any]:
        text = of_regions.source_lines(unit.source, region)
        new = of_regions.new_lines(unit.source, region)
        depth = of_regions.depth_of(region, text)
        lines = range(region.first, region.last + 1)
        inside = sorted((line, s) for line, s in times.items() if line in lines)
        seconds = max((s for _, s in inside), default=None)
        known = seconds or 0.0 if self.times else None  # seconds and guesses are not mixed
        cause = region.cause
        guard = next((r["guard"] for r in region.shown if r["guard"]), "")
        done = [d.text for d in region.said if d.severity is Severity.REMARK]
        return {
            "lines": [region.first, region.last],
            "function": next((r["function"] for r in region.records), ""),
            "state": region.state,
            "changed": region.state == "changed",
            "by": sorted({r["by"] for r in region.records if r["by"]}),
            "done": [self._texts(text) for text in dict.fromkeys(done)],
            "cause": None if cause is None else self._said(cause),
            "group": -1 if cause is None else self._texts(_NAMES.sub("'...'", cause.text)),
            "why": [self._said(d) for d in _reasons(region)],
            "races": [self._said(d) for d in region.warnings],
            "depth": depth,
            "seconds": seconds,
            "times": [[line, round(s, 4)] for line, s in inside],
            "gain": round(of_regions.gain_of(region, depth, known), 4),
            "new": new,
            "before": [[loop["line"], loop["depth"], loop["text"]]
                       for r in region.shown for loop in r["loops"]],
            "after": [list(loop) for loop in of_regions.loops_after(new, bool(guard))],
            "guard": guard,
            "statements": [[s["name"], s["line"], self._texts(s["text"]), self._texts(s["order"])]
                           for r in region.shown for s in r["statements"]],
            "dependences": [_dependence(d) for r in region.shown for d in r["dependences"]],
            "dimensions": [[d["name"], d["role"], d["runs"], d["size"]]
                           for r in region.shown for d in r["dimensions"]],
            "leftOut": sum(r["left_out"] for r in region.shown),
        }  # fmt: skip

    def _said(self, said: Diagnostic) -> list[Any]:
        """A diagnostic: severity, id, text, path and line, notes."""
        place = said.location
        return [
            said.severity.value, said.id, self._texts(said.text),
            place.line if place else 0,
            [self._said(note) for note in said.notes if not note.needless],
        ]  # fmt: skip


def _reasons(region: Region) -> list[Diagnostic]:
    """Why the region stays, the root cause first; what passes are about otherwise is left out."""
    missed = [d for d in region.said if d.severity is Severity.MISSED]
    cause = region.cause
    return sorted(
        (d for d in missed if not d.needless or d.notes),
        key=lambda d: cause is None or d.text != cause.text,
    )


def _dependence(values: Mapping[str, Any]) -> list[Any]:
    return [
        values["source"], values["target"], values["kind"], ", ".join(values["arrays"]),
        values["line"], values["to_line"], values["carried"], ", ".join(values["distance"]),
    ]  # fmt: skip


def summary(units: Sequence[ReportedUnit]) -> str:
    """A line about a build: units, regions, and the first thing that stands in the way."""
    states = [unit.state for unit in units]
    parts = [f"{len(units)} unit{'s' * (len(units) != 1)}"]
    for state in dict.fromkeys(states):
        parts.append(f"{states.count(state)} {state}")
    every = [r for unit in units for r in regions_of(unit) if r.state != "warning"]
    changed = sum(region.state == "changed" for region in every)
    seconds = sum(unit.seconds for unit in units if not unit.remembered)
    text = f"{parts[0]} ({', '.join(parts[1:])}); {changed} of {len(every)} regions changed"
    causes: dict[str, list[Diagnostic]] = {}
    for region in every:
        if region.cause is not None:
            causes.setdefault(_NAMES.sub("'...'", region.cause.text), []).append(region.cause)
    if causes:
        first = max(causes.values(), key=len)
        text += f"; most often in the way ({len(first)}): {first[0].text}"
    fallen = [unit for unit in units if unit.state in ("fell back", "failed")]
    if fallen:
        text += f"; {len(fallen)} kept as they were, first {fallen[0].name}: {fallen[0].reason}"
    return f"{text}; {seconds:.1f} s in s2s"
