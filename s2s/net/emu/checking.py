"""Compiling and executing what was emitted for Emu, against the source."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from s2s.diagnostics import Diagnostic, Severity
from s2s.frontends.c.text import identifiers
from s2s.net import Mismatch
from s2s.net.emu.deferred import loops_of
from s2s.net.emu.harmless import foreign_call
from s2s.net.emu.programs import Refusal, build_emitted, build_source
from s2s.net.emu.whole import Seen, compare
from s2s.source import SourceBuffer


def check(
    buffer: SourceBuffer, flags: Sequence[str], emitted: bytes, *, execute: bool
) -> list[Diagnostic]:
    """What could not be checked. Raises Mismatch where the emitted text is wrong.

    It has to compile, with headers that give Emu's operations a meaning on the host, where the
    source does; with ``execute`` both run, and have to do the same.
    """
    if shutil.which("gcc") is None:
        return [_said(buffer, "not compiled and not executed: there is no gcc")]
    with tempfile.TemporaryDirectory(prefix="s2s-net-") as name:
        return _checked(buffer, _usable(flags), emitted, Path(name), execute)


def _usable(flags: Sequence[str]) -> list[str]:
    """What the preprocessor is told; levels of optimization do not matter here."""
    found: list[str] = []
    for number, flag in enumerate(flags):
        if flag in ("-I", "-D", "-U", "-isystem", "-iquote", "-include"):
            found += flags[number : number + 2]
        elif re.match(r"-[IDU].|-std=", flag):
            found.append(flag)
    return found


def _checked(
    buffer: SourceBuffer, flags: list[str], emitted: bytes, folder: Path, execute: bool
) -> list[Diagnostic]:
    whole = "main" in identifiers(emitted)
    path = Path(buffer.path).resolve()
    ours = build_emitted(emitted, flags, folder, "" if whole else _NO_MAIN)
    theirs = build_source(path, flags, folder, "" if whole else _NO_MAIN)
    try:
        source = theirs.done()
    except Refusal as refusal:
        ours.process.communicate()
        return [_said(buffer, f"not compiled: gcc refuses the source: {refusal.said}")]
    try:
        program = ours.done()
    except Refusal as refusal:
        raise Mismatch(f"the emitted program does not compile: {refusal.said}") from None
    if not execute:
        return []
    seen = _executed(emitted, source, program) if whole else Seen(frozenset())
    left = loops_of(emitted) - {re.sub("_home$", "", name) for name in seen.reached}
    return [_left(buffer, left, seen.why)] if left else []


_NO_MAIN = "\n#undef main\nint main(void) { return 0; }\n"


def _executed(emitted: bytes, source: Path, program: Path) -> Seen:
    foreign = foreign_call(source, emitted)
    if foreign:
        return Seen(frozenset(), f"the program calls '{foreign}'")
    return compare(source, program, "argv" in identifiers(emitted))


def _left(buffer: SourceBuffer, loops: set[str], why: str) -> Diagnostic:
    names = sorted({re.sub(r"^s2s_|_\d+$", "", name) for name in loops})
    listed = ", ".join(f"'{name}'" for name in names[:4]) + (", ..." if len(names) > 4 else "")
    number = f"{len(loops)} parallel loop{'s' if len(loops) > 1 else ''}"
    reason = f" ({why})" if why else ""
    return _said(buffer, f"not executed against the source: {number} in {listed}{reason}")


def _said(buffer: SourceBuffer, text: str) -> Diagnostic:
    return Diagnostic(Severity.REMARK, f"{buffer.path}: {text}", "emu-check")
