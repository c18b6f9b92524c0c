"""What ``s2s cc`` logs of one unit: what changed and what not, why, and how long it took.

``docs/reports.md`` describes the format; ``VERSION`` is raised when a reader has to know.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from s2s import __version__
from s2s.cli.render import as_json
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.driver.options import Outcome
    from s2s.driver.results import Dependence, Region
    from s2s.source import Edit, SourceBuffer
    from s2s.source.diagnostics import Diagnostic, Location

SCHEMA = "s2s-unit-log"
VERSION = 1
_MOST_DEPENDENCES = 120
_MOST_LINES = 3
_MOST_TEXT = 90
_MOST_ORDER = 300

CHANGED, UNCHANGED, NO_LOOPS = "changed", "unchanged", "no loops"
LEFT_ALONE, FELL_BACK, FAILED = "left alone", "fell back", "failed"
STATES = (CHANGED, UNCHANGED, NO_LOOPS, LEFT_ALONE, FELL_BACK, FAILED)
"""``changed``: the new text is in the program. ``unchanged``: nothing was transformed. ``no
loops``: no look was needed. ``left alone``: the command is of a kind that s2s takes no part in.
``fell back``: the new text was not used. ``failed``: there was no new text for a mistake or a
limit. In the last three ``reason`` says why."""


@dataclass(frozen=True)
class Unit:
    """A unit of a build: the command that compiles it, run in ``directory``, and its source."""

    source: str
    command: tuple[str, ...]
    directory: str
    remembered: bool = False

    @property
    def path(self) -> str:
        return os.path.normpath(os.path.join(self.directory, self.source))

    @property
    def name(self) -> str:
        """The name of its log, which no other unit has."""
        words = "\0".join((self.directory, self.source, *self.command))
        key = blake2b(words.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        stem = os.path.basename(self.source).encode("utf-8", "replace").decode()[:60]
        return f"{stem}-{key}.json"


def log_of(
    unit: Unit,
    state: str,
    *,
    reason: str = "",
    outcome: Outcome | None = None,
    diagnostics: Sequence[Diagnostic] = (),
    seconds: float = 0.0,
    compiling: float | None = None,
) -> tuple[str, bytes]:
    """A unit's log: its name and a line of JSON. Times are seconds: transforming, ``compiling``."""
    values: dict[str, Any] = {
        "remembered": unit.remembered,
        "schema": SCHEMA,
        "version": VERSION,
        "s2s": __version__,
        "unit": unit.path,
        "source": unit.source,
        "directory": unit.directory,
        "command": list(unit.command),
        "state": state,
        "reason": " ".join(reason.split()),
        "seconds": {
            "transform": round(seconds, 3),
            "compile": None if compiling is None else round(compiling, 3),
        },
        "diagnostics": [as_json(diagnostic) for diagnostic in diagnostics],
        **(contents_of(outcome) if outcome else {"digest": "", "edits": [], "regions": []}),
    }
    return unit.name, json.dumps(values).encode()


def contents_of(outcome: Outcome) -> dict[str, Any]:
    """The regions of a file and the edits of it, by lines and by bytes."""
    from s2s.source import SourceBuffer

    buffer = SourceBuffer(outcome.path, outcome.original)
    return {
        "digest": blake2b(outcome.original, digest_size=20).hexdigest(),
        "edits": edits_of(outcome),
        "regions": [_region(region, buffer) for region in outcome.regions],
    }


def _region(region: Region, buffer: SourceBuffer) -> dict[str, Any]:
    """A region as plain values; lines count from 1."""
    ids = [loop.id for loop in region.loops]
    depths = {id_: 0 for id_ in ids}
    for statement in region.statements:
        depths |= {id_: depth for depth, id_ in enumerate(statement.loops)}
    after = region.after
    return {
        "id": region.id,
        "function": region.function,
        "line": region.at.line,
        "end_line": region.at.end_line,
        "by": region.pass_name,
        "guard": region.guard,
        "loops": [
            {"id": loop.id, "line": loop.at.line, "depth": depths[loop.id],
             "text": _text(buffer, loop.at)}
            for loop in region.loops
        ],
        "statements": [
            {"name": s.name, "line": s.at.line, "end_line": s.at.end_line, "text": s.text,
             "order": _order(after.map_texts.get(s.name, "")) if after else ""}
            for s in region.statements
        ],
        "dependences": [_dependence(d) for d in region.dependences[:_MOST_DEPENDENCES]],
        "left_out": max(0, len(region.dependences) - _MOST_DEPENDENCES),
        "dimensions": [
            {"name": d.name, "role": d.role, "runs": d.parallel, "size": d.size}
            for d in (after.dimensions if after else ())
        ],
    }  # fmt: skip


def _dependence(item: Dependence) -> dict[str, Any]:
    """``carried`` is the number, from 1, of the outermost loop that carries it; 0: none does."""
    carried = next((k for k, sign in enumerate(item.direction, 1) if sign != "="), 0)
    return {
        "source": item.source,
        "target": item.target,
        "kind": item.kind,
        "arrays": list(item.arrays),
        "line": item.source_at.line,
        "to_line": item.target_at.line,
        "carried": carried,
        "distance": [
            sign if far is None else str(far)
            for far, sign in zip(item.distance, item.direction, strict=True)
        ],
        "race": item.race,
    }


def _text(buffer: SourceBuffer, at: Location) -> str:
    """The source's text of a place, on one line."""
    lines = range(at.line, min(at.end_line, at.line + _MOST_LINES) + 1)
    try:
        texts = [buffer.line_text(line) for line in lines]
    except IndexError:
        return ""
    raw = "\n".join(texts).encode("utf-8", "replace")
    end = len(raw)
    if at.end_line == lines[-1]:
        last = texts[-1].encode("utf-8", "replace")
        end = len(raw) - len(last) + at.end_column - 1
    words = " ".join(raw[at.column - 1 : end].decode("utf-8", "replace").split())
    return words if len(words) <= _MOST_TEXT else words[: _MOST_TEXT - 3] + "..."


def _order(text: str) -> str:
    """A map of isl without its parameters and its domain."""
    found = re.search(r"\{ *(.*?)(?: :|\}$)", text)
    words = found[1].strip() if found else ""
    return words if len(words) <= _MOST_ORDER else words[: _MOST_ORDER - 3] + "..."


def edits_of(outcome: Outcome) -> list[dict[str, Any]]:
    """The edits that make the new text; whole lines where the driver tells no single ones."""
    from s2s.source import SourceBuffer, Span

    buffer = SourceBuffer(outcome.path, outcome.original)
    edits = list(outcome.edits or ()) if outcome.changed else []
    if outcome.changed and not edits:
        edits = _line_edits(buffer, outcome.text)
    found = []
    for edit in sorted(edits):
        place = buffer.location(Span(edit.start, edit.end))
        found.append(
            {
                "start": edit.start,
                "end": edit.end,
                "line": place.line,
                "end_line": place.end_line,
                "text": edit.text.decode("utf-8", "replace"),
            }
        )
    return found


def _line_edits(buffer: SourceBuffer, text: bytes) -> list[Edit]:
    """The lines that differ, as edits."""
    from difflib import SequenceMatcher

    from s2s.source import Edit

    old, new = buffer.data.splitlines(keepends=True), text.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        Edit(starts[a], starts[b], b"".join(new[c:d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]
