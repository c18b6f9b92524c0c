"""What ``s2s cc`` logs of one unit: what changed and what not, why, and how long it took.

``docs/reports.md`` describes the format; ``VERSION`` is raised when a reader has to know.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from s2s import __version__
from s2s.cli.render import as_json

if TYPE_CHECKING:
    from s2s.driver.options import Outcome
    from s2s.source import Edit, SourceBuffer
    from s2s.source.diagnostics import Diagnostic

SCHEMA = "s2s-unit-log"
VERSION = 1

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
    return {
        "digest": blake2b(outcome.original, digest_size=20).hexdigest(),
        "edits": edits_of(outcome),
        "regions": [asdict(region) for region in outcome.regions],
    }


def edits_of(outcome: Outcome) -> list[dict[str, Any]]:
    """The edits that make the new text; whole lines where the driver tells no single ones."""
    from s2s.source import SourceBuffer, Span

    buffer = SourceBuffer(outcome.path, outcome.original)
    edits = list(outcome.edits) if outcome.changed else []
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
