"""The regions of a unit as a report shows them: what was recorded, said and edited, by lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from s2s.cli.reports.nests import loop_lines, nest_depth
from s2s.cli.reports.units import ReportedUnit
from s2s.cli.root_causes import grouped, root_cause
from s2s.cli.unit_log import FELL_BACK
from s2s.source import Edit, apply_edits
from s2s.source.diagnostics import Diagnostic, Location, Severity
from s2s.source.records import dataclass

# How much an unchanged nest counts for: a loop more around it is worth some of less depth.
_PER_LOOP = 4


@dataclass
class Region:
    """Lines ``first`` to ``last`` with all that is known of them."""

    first: int
    last: int
    records: list[Mapping[str, Any]] = field(default_factory=list)
    said: list[Diagnostic] = field(default_factory=list)
    edits: list[Mapping[str, Any]] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)
    withheld: str = ""
    """Why its new text is not in the program."""

    def takes(self, first: int, last: int) -> bool:
        """Whether it shares a line with others."""
        return self.first <= last and first <= self.last

    def widen(self, other: Region) -> None:
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)
        for name in ("records", "said", "edits", "warnings"):
            getattr(self, name).extend(getattr(other, name))

    @property
    def state(self) -> str:
        """What became of it, in a word or two."""
        if self.edits:
            return "fell back" if self.withheld else "changed"
        if not self.records and not self.said:
            return "warning"
        return "nothing to gain" if self.cause is None else "unchanged"

    @property
    def cause(self) -> Diagnostic | None:
        """What keeps it from being changed; None where it is, or where nothing is to be gained."""
        if self.edits:
            return Diagnostic(Severity.MISSED, self.withheld, "cc") if self.withheld else None
        return root_cause(d for d in self.said if d.severity is not Severity.REMARK)

    @property
    def shown(self) -> list[Mapping[str, Any]]:
        """The records whose loops are drawn: of what changed, or else the outermost."""
        changed = [r for r in self.records if r["by"]]
        rest = [
            r for r in self.records
            if not any(r is not o and _inside(r, o) for o in self.records)
        ]  # fmt: skip
        return changed or rest


def _inside(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    lines = one["line"], one["end_line"]
    others = other["line"], other["end_line"]
    return lines != others and others[0] <= lines[0] and lines[1] <= others[1]


def regions_of(unit: ReportedUnit) -> list[Region]:
    """The regions of a unit, by lines; those that share lines are one."""
    found: list[Region] = []
    for record in unit.regions:
        found.append(Region(record["line"], record["end_line"], [record]))
    for edit in unit.edits:
        found.append(Region(edit["line"], _last_line(edit), edits=[edit]))
    for place, said in grouped(unit.diagnostics):
        if place is not None and _is_here(place, unit):
            found.append(Region(place.line, max(place.end_line, place.line), said=list(said)))
    for warning in _warnings(unit):
        assert warning.location is not None
        lines = warning.location.line, warning.location.end_line
        found.append(Region(*lines, warnings=[warning]))
    merged: list[Region] = []
    for region in sorted(found, key=lambda r: (r.first, -r.last)):
        if merged and merged[-1].takes(region.first, region.last):
            merged[-1].widen(region)
        else:
            merged.append(region)
    if unit.state == FELL_BACK:
        for region in merged:
            region.withheld = unit.reason
    return merged


def _warnings(unit: ReportedUnit) -> Iterator[Diagnostic]:
    for said in unit.diagnostics:
        place = said.location
        if said.severity is Severity.WARNING and place is not None and _is_here(place, unit):
            yield said


def about_the_unit(unit: ReportedUnit, regions: Sequence[Region]) -> list[Diagnostic]:
    """Errors and warnings that are about no region."""
    told = [id(w) for region in regions for w in region.warnings]
    return [
        said for said in unit.diagnostics
        if said.severity in (Severity.WARNING, Severity.ERROR) and id(said) not in told
    ]  # fmt: skip


def _is_here(place: Location, unit: ReportedUnit) -> bool:
    return place.path in (unit.name, unit.path)


def _last_line(edit: Mapping[str, Any]) -> int:
    """The last line that an edit touches; one up to a line's beginning leaves that line alone."""
    return max(int(edit["line"]), int(edit["end_line"]))


def source_lines(source: bytes | None, region: Region) -> str:
    """The source's text of a region."""
    if source is None:
        return ""
    lines = source.split(b"\n")[region.first - 1 : region.last]
    return b"\n".join(lines).decode("utf-8", "replace")


def new_lines(source: bytes | None, region: Region) -> str:
    """The text that stands there now; of a source that is gone, what was put in."""
    if not region.edits:
        return ""
    if source is None:
        return "\n".join(edit["text"] for edit in region.edits)
    lines = source.split(b"\n")
    start = sum(len(line) + 1 for line in lines[: region.first - 1])
    data = b"\n".join(lines[region.first - 1 : region.last])
    inside = [
        Edit(e["start"] - start, min(e["end"] - start, len(data)), e["text"].encode())
        for e in region.edits
    ]
    return apply_edits(data, inside).decode("utf-8", "replace")


def depth_of(region: Region, text: str) -> int:
    """How deep its loops are nested."""
    recorded = [loop["depth"] + 1 for r in region.records for loop in r["loops"]]
    return max(recorded, default=0) or nest_depth(text)


def gain_of(region: Region, depth: int, seconds: float | None) -> float:
    """What an unchanged region is worth: measured seconds, or a number that grows with depth."""
    if region.state == "changed":
        return 0.0
    if seconds is not None:
        return seconds
    return float(_PER_LOOP ** (depth - 1)) if region.cause is not None and depth else 0.0


def loops_after(text: str, guarded: bool) -> list[tuple[int, str]]:
    """The loops of the new text and how deep they are; of what is ``guarded`` the new branch."""
    new = text.rpartition("} else {")[0] if guarded else ""
    return loop_lines(new or text)
