"""``--probe``: asks the compiler which of the new loops it vectorizes, and which of the old ones.

The remark about a region then says so. The compiler works on the whole file twice, so nothing of
this happens unless it is asked for, and some text has changed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace

from s2s.driver.vectorized import CannotCompileError, Kind, compile_asking
from s2s.source import Edit, SourceBuffer, apply_edits
from s2s.source.diagnostics import Diagnostic, Location, Severity
from s2s.source.records import dataclass

# A compiler vectorizes nothing without optimization.
_OPTIMIZED = "-O3"


@dataclass(frozen=True)
class Probe:
    """What a compiler says of a file before and after some edits."""

    buffer: SourceBuffer
    edits: tuple[Edit, ...]
    compiler: str
    before: frozenset[int]
    """Lines of the original in which loops are vectorized; those of the new text are ``after``."""
    after: frozenset[int]

    def annotated(self, said: Diagnostic) -> Diagnostic:
        """A remark about new code with what the compiler makes of it; others as they are."""
        edit = self._edit_at(said.location) if said.severity is Severity.REMARK else None
        if edit is None:
            return said
        new = sorted(self.after.intersection(self._new_lines(edit)))
        old = self.before.intersection(self._lines(self.buffer.data, edit.start, edit.end))
        return replace(said, text=f"{said.text}; {self._words(new, bool(old))}")

    def _words(self, new: list[int], was_vectorized: bool) -> str:
        name = os.path.basename(self.compiler)
        also = " (so it did the source's)" if was_vectorized else ""
        if not new:
            return f"{name} vectorizes no new loop{also}"
        what = "loop, line" if len(new) == 1 else "loops, lines"
        return f"{name} vectorizes the new {what} {', '.join(map(str, new))}{also}"

    def _edit_at(self, place: Location | None) -> Edit | None:
        """The edit whose part of the original holds a place."""
        if place is None or place.path != self.buffer.path:
            return None
        for edit in self.edits:
            if place.line in self._lines(self.buffer.data, edit.start, edit.end):
                return edit
        return None

    def _new_lines(self, edit: Edit) -> range:
        """The lines of an edit's new code; the source's own text, as fallback, is not new."""
        moved = sum(len(e.text) - (e.end - e.start) for e in self.edits if e.end <= edit.start)
        start = edit.start + moved
        kept = self.buffer.data[edit.start : edit.end].strip()
        at = edit.text.rfind(kept) if kept else -1
        end = start + (len(edit.text) if at < 0 else at)
        return self._lines(apply_edits(self.buffer.data, self.edits), start, end)

    @staticmethod
    def _lines(data: bytes, start: int, end: int) -> range:
        first = data.count(b"\n", 0, start) + 1
        return range(first, first + data.count(b"\n", start, max(start, end - 1)) + 1)


def annotate_remarks(
    buffer: SourceBuffer, edits: Sequence[Edit], said: Sequence[Diagnostic],
    compiler: str, flags: Sequence[str],
) -> tuple[Diagnostic, ...]:  # fmt: skip
    """The remarks, with what the compiler makes of the new code; a warning if it cannot tell."""
    if not edits:
        return tuple(said)
    used = flags if any(flag.startswith("-O") for flag in flags) else (*flags, _OPTIMIZED)
    try:
        probe = Probe(
            buffer,
            tuple(sorted(edits)),
            compiler,
            _vectorized(buffer.data, buffer.path, compiler, used),
            _vectorized(apply_edits(buffer.data, edits), buffer.path, compiler, used),
        )
    except CannotCompileError as error:
        text = f"'{compiler}' cannot tell what it vectorizes: {error}"
        return (*said, Diagnostic(Severity.WARNING, text, "probe"))
    return tuple(probe.annotated(one) for one in said)


def _vectorized(data: bytes, path: str, compiler: str, flags: Sequence[str]) -> frozenset[int]:
    """Lines in which a text, compiled in the place of a file, has vectorized loops."""
    place = os.path.dirname(os.path.abspath(path))
    with tempfile.TemporaryDirectory(prefix="s2s-") as folder:
        copy = os.path.join(folder, os.path.basename(path))
        with open(copy, "wb") as stream:
            stream.write(data)
        quoted = (*flags, f"-iquote{place}", "-w")
        found = compile_asking(compiler, quoted, copy, os.path.join(folder, "probe.o"))
    return frozenset(r.line for r in found if r.path == copy and r.kind is Kind.LOOP)
