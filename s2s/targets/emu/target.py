"""``s2s transform --target emu``: a program with parallel loops as C for Emu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, UserError

if TYPE_CHECKING:
    from s2s.driver.options import Options, Outcome
    from s2s.rewriters.emu.lower import Lowered


def transform(buffer: SourceBuffer, flags: Sequence[str], options: Options) -> Outcome:
    """The program in one file, its own headers included.

    Loops are fused and edges flipped first, C to C; then comes what is Emu's own.
    Raises UserError for what cannot be parsed or has no counterpart on Emu.
    """
    from s2s.driver.options import Outcome
    from s2s.net.emu import check

    front = _with_graphs(buffer, flags, options)
    if front is None or not front.changed:
        done = _lowered(buffer, flags, options)
        said = done.diagnostics
    else:
        changed = SourceBuffer(buffer.path, front.text)
        try:
            done = _lowered(changed, flags, options)
        except UserError:
            _lowered(buffer, flags, options)  # says it where it stands in the source
            raise
        said = _in_source(buffer, changed, done.diagnostics)
    earlier = front.diagnostics if front is not None else ()
    unchecked = check(buffer, flags, done.text, execute=options.check)
    return Outcome(buffer.path, buffer.data, done.text, (*earlier, *said, *unchecked))


def _lowered(buffer: SourceBuffer, flags: Sequence[str], options: Options) -> Lowered:
    from s2s.rewriters.emu.lower import Choices, lower
    from s2s.source.compiler import parser_flags

    steps = ("arrays", "remote", "home", "batch", "registers")
    on = {step: step in options.emu.steps for step in steps}
    system = parser_flags(flags)
    return lower(buffer, flags, system, Choices(**on, headers=options.emu.headers))


def _with_graphs(buffer: SourceBuffer, flags: Sequence[str], options: Options) -> Outcome | None:
    """The file behind the pass for graphs; None where it is not wanted."""
    from s2s.driver.transform import transform_file

    steps = options.emu.steps
    if "fuse" not in steps and "flip" not in steps:
        return None
    switches = (f"{name}={str(name in steps).lower()}" for name in ("fuse", "changed", "remote"))
    flip = "any" if "flip" in steps else "no"
    spec = ":".join(("graph:machine=emu", *switches, f"flip={flip}"))
    plain = replace(options, target="cpu", passes=(spec,), tune=None, probe=False)
    return transform_file(buffer.path, ["-fopenmp", *flags], plain)


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
