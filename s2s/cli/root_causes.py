"""What of all that is said about a file is worth a line: for each region its remark, or the first
reason that stands in the way.

Passes are asked one after the other, and each says why it does not act. Most of that only says that
a pass is about something else; what kept the region from being understood stands among its notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from s2s.source.diagnostics import Diagnostic, Location, Severity, UsageError
from s2s.source.records import dataclass

# A defect or what makes a whole region unreadable hides everything else about it.
_FIRST = ("internal", "parse", "budget", "effects", "lift", "inline")
# Defects, and what leaves without having been compared or proved, are said beside remarks, too.
_BESIDE_REMARKS = frozenset({"internal", "check", "proof"})
_WORDS = {severity.value: severity for severity in Severity}
_LINES = re.compile(r"(\d+)(?:-(\d+))?")
_NAMES = re.compile(r"'[^']*'")
_GROUPS = 3


@dataclass(frozen=True)
class Filter:
    """What the user wants to see: kinds (``remark``), passes (``popp``), lines (``120-180``)."""

    kinds: frozenset[Severity] = frozenset()
    ids: frozenset[str] = frozenset()
    lines: tuple[range, ...] = ()

    @staticmethod
    def read(text: str) -> Filter:
        """Items separated by commas. Raises UsageError."""
        kinds, ids, lines = set(), set(), []
        for item in filter(None, text.split(",")):
            if found := _LINES.fullmatch(item):
                first = int(found[1])
                lines.append(range(first, int(found[2] or first) + 1))
            elif item in _WORDS:
                kinds.add(_WORDS[item])
            elif re.fullmatch(r"[a-z][a-z0-9-]*", item):
                ids.add(item)
            else:
                raise UsageError(f"'--show {text}': '{item}' is no kind, pass or range of lines")
        return Filter(frozenset(kinds), frozenset(ids), tuple(lines))

    def wants(self, said: Diagnostic) -> bool:
        if self.kinds and said.severity not in self.kinds:
            return False
        if self.ids and said.id not in self.ids:
            return False
        place = said.location
        if not self.lines or place is None:
            return not self.lines
        return any(
            place.line in r or r.start in range(place.line, place.end_line) for r in self.lines
        )


@dataclass
class Regions:
    """The regions that were looked at, and why those stayed that stayed."""

    changed: int = 0
    reasons: list[Diagnostic] = field(default_factory=list)
    content: int = 0
    """Regions in which no pass finds anything to gain."""

    def condensed(self, said: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
        """One diagnostic for each region, errors and warnings as they are, in their order."""
        groups = grouped(said)
        for key, group in groups:
            if key is None:
                yield from group
                continue
            remarks = [d for d in group if d.severity is Severity.REMARK]
            beside = [d for d in group if d.id in _BESIDE_REMARKS]
            self.changed += bool(remarks)
            yield from (replace(d, notes=()) for d in (*remarks, *beside))
            if remarks or beside:
                continue
            cause = root_cause(group)
            if cause is None:
                self.content += 1
            else:
                self.reasons.append(cause)
                yield cause

    def summary(self) -> str:
        """A line about all regions; empty where all were changed."""
        count = self.changed + len(self.reasons) + self.content
        if not self.reasons and not self.content:
            return ""
        parts = [f"{self.changed} of {count} region{'s' * (count != 1)} changed"]
        groups: dict[str, list[Diagnostic]] = {}
        for reason in self.reasons:
            groups.setdefault(_NAMES.sub("'...'", reason.text), []).append(reason)
        ordered = sorted(groups.values(), key=len, reverse=True)
        for group in ordered[:_GROUPS]:
            first = group[0]
            at = f", first at {first.location.path}:{first.location.line}" if first.location else ""
            parts.append(f"{len(group)} {first.text}{at}")
        others = sum(map(len, ordered[_GROUPS:]))
        if others:
            parts.append(f"{others} for other reasons")
        if self.content:
            parts.append(f"{self.content} with nothing to gain")
        return "; ".join(parts)


def root_cause(group: Iterable[Diagnostic]) -> Diagnostic | None:
    """The reason that hides the others; None where passes only say that they are not needed."""
    every = [d for said in group for d in (replace(said, notes=()), *said.notes)]
    every = [replace(d, severity=Severity.MISSED) for d in every if not d.needless]
    return min(every, key=lambda d: (_rank(d), every.index(d)), default=None)


def _rank(said: Diagnostic) -> int:
    if said.id not in _FIRST:
        return len(_FIRST)
    # What is inside is looked at once more by itself, and says more.
    return _FIRST.index(said.id) if "orphaned" not in said.text else len(_FIRST)


def grouped(said: Sequence[Diagnostic]) -> list[tuple[Location | None, list[Diagnostic]]]:
    """Diagnostics by region; warnings and errors, and what is about whole files, are in none."""
    regions = [d.region for d in said if d.region is not None]
    groups: list[tuple[Location | None, list[Diagnostic]]] = []
    known: dict[Location, list[Diagnostic]] = {}
    for one in said:
        key = one.region or _around(one.location, regions) or one.location
        if one.severity in (Severity.WARNING, Severity.ERROR) or key is None:
            groups.append((None, [one]))
        elif key in known:
            known[key].append(one)
        else:
            known[key] = [one]
            groups.append((key, known[key]))
    return groups


def _around(place: Location | None, regions: Sequence[Location]) -> Location | None:
    """The region whose lines hold a place."""
    for region in regions:
        if place and region.path == place.path and region.line <= place.line <= region.end_line:
            return region
    return None
