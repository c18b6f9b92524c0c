"""Targets that take a whole program's text: passes first, then what is the target's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from s2s.driver.options import Options, Outcome
from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, UserError
from s2s.targets.forms import ProgramText
from s2s.targets.request import Request
from s2s.targets.target import Programs

Transform = Callable[[str, Sequence[str], Options], Outcome]


def transform(way: Programs, request: Request, options: Options, run_passes: Transform) -> Outcome:
    """The program as the target prints it; ``run_passes`` is the way of C for the host.

    Raises UserError for what the target refuses, Mismatch for a wrong result.
    """
    buffer, front = request.buffer, _after_passes(way, request, options, run_passes)
    if front is None or not front.changed:
        done = way.emit(ProgramText(buffer, buffer), request)
        said = done.diagnostics
    else:
        changed = SourceBuffer(buffer.path, front.text)
        try:
            done = way.emit(ProgramText(buffer, changed), request)
        except UserError:
            way.emit(ProgramText(buffer, buffer), request)  # says it where it stands in the source
            raise
        said = _in_source(buffer, changed, done.diagnostics)
    earlier = front.diagnostics if front is not None else ()
    done = replace(done, diagnostics=(*earlier, *said))
    return Outcome.of(buffer, done, done.check(options.check))


def _after_passes(
    way: Programs, request: Request, options: Options, run_passes: Transform
) -> Outcome | None:
    """The file after the target's passes; None where there are none."""
    specs = way.passes(request.options)
    if not specs:
        return None
    plain = replace(options, target="cpu", passes=specs, tune=None, probe=False, of_target=None)
    return run_passes(request.buffer.path, [*way.flags, *request.flags], plain)


def _in_source(
    source: SourceBuffer, changed: SourceBuffer, said: Sequence[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """What is said about changed text, at the lines of the source that it came from."""
    old, new = source.data.split(b"\n"), changed.data.split(b"\n")
    lines: dict[int, int] = {}
    for _, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for j in range(j1, j2):
            lines[j + 1] = min(i1 + j - j1, max(i2 - 1, i1)) + 1
    return tuple(_moved(one, source.path, lines) for one in said)


def _moved(said: Diagnostic, path: str, lines: dict[int, int]) -> Diagnostic:
    place = said.location
    if place is None or place.path != path:
        return said
    line, last = (lines.get(n, n) for n in (place.line, place.end_line))
    moved = replace(place, line=line, end_line=max(line, last))
    return replace(said, location=moved)
