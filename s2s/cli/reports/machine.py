"""The data of a page about a run on a simulated machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from s2s.source.pictures import Part, Picture, Timeline

MOST_SLICES = 20_000
"""Slices of a timeline that a page draws; a trace has all."""


def machine_data(picture: Picture) -> dict[str, Any]:
    """All that the page shows, names and lines of slices in tables."""
    return {
        "kind": "machine",
        "title": picture.title,
        "machine": picture.machine,
        "numbers": [list(number) for number in picture.numbers],
        "views": [[name, [_part(part) for part in parts]] for name, parts in picture.views],
    }


def _part(part: Part) -> dict[str, Any]:
    if not isinstance(part, Timeline):
        values = asdict(part)
        if "counts" in values:
            values["counts"] = [[line, list(row)] for line, row in sorted(values["counts"].items())]
        return values
    names: dict[str, int] = {}
    slices = part.slices[:MOST_SLICES]
    cut = len(slices) < len(part.slices)
    more = f"The first {MOST_SLICES:,} of {len(part.slices):,} slices. " if cut else ""
    end = max((s.start + s.length for s in slices), default=part.cycles) if cut else part.cycles
    return {
        "kind": part.kind,
        "title": part.title,
        "tracks": list(part.tracks),
        "cycles": end,
        "note": more + part.note,
        "slices": [
            [s.track, s.start, s.length, names.setdefault(s.name, len(names)), s.line]
            for s in slices
        ],
        "names": list(names),
    }
