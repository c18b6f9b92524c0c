"""Compiling and executing what was emitted for Emu, against the source."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from s2s.frontends.c.cilk import parse_cilk
from s2s.frontends.c.flatten import flatten_includes
from s2s.frontends.c.text import identifiers
from s2s.net import Mismatch
from s2s.net.emu import functions, whole
from s2s.net.emu.deferred import loops_of
from s2s.net.emu.harmless import foreign_call
from s2s.net.emu.harness import Harness, find_exported
from s2s.net.emu.programs import Refusal, build_emitted, build_source
from s2s.net.emu.whole import Seen
from s2s.source import SourceBuffer
from s2s.source.compiler_answers import builtin_include_flags
from s2s.source.diagnostics import Diagnostic, Severity
from s2s.source.records import dataclass


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
        return _checked(_Pair(buffer, _usable(flags), emitted, Path(name)), execute)


def _usable(flags: Sequence[str]) -> list[str]:
    """What the preprocessor is told; levels of optimization do not matter here."""
    found: list[str] = []
    for number, flag in enumerate(flags):
        if flag in ("-I", "-D", "-U", "-isystem", "-iquote", "-include"):
            found += flags[number : number + 2]
        elif re.match(r"-[IDU].|-std=", flag):
            found.append(flag)
    return found


@dataclass
class _Pair:
    """The source and what was emitted, with what they are compiled with."""

    buffer: SourceBuffer
    flags: list[str]
    emitted: bytes
    folder: Path

    def built(self, harness: str) -> tuple[Path, Path]:
        """Both programs. Raises Unusable, and Mismatch where only the emitted one is refused."""
        path = Path(self.buffer.path).resolve()
        ours = build_emitted(self.emitted, self.flags, self.folder, harness)
        theirs = build_source(path, self.flags, self.folder, harness)
        try:
            source = theirs.done()
        except Refusal as refusal:
            ours.process.communicate()
            raise _Unusable(f"gcc refuses the source: {refusal.said}") from None
        try:
            return source, ours.done()
        except Refusal as refusal:
            raise Mismatch(f"the emitted program does not compile: {refusal.said}") from None

    def names_of(self, loops: set[str]) -> list[str]:
        return sorted({re.sub(r"^s2s_|_\d+$", "", name) for name in loops})


class _Unusable(Exception):
    """Why nothing can be executed."""


def _checked(pair: _Pair, execute: bool) -> list[Diagnostic]:
    is_program = "main" in identifiers(pair.emitted)
    seen = Seen(frozenset())
    left = loops_of(pair.emitted)
    try:
        if is_program or not execute:
            source, program = pair.built("" if is_program else _NO_MAIN)
            if not execute:
                return []
            seen = _whole(pair, source, program)
            left -= _loops(seen)
        if left and not is_program:
            called = _functions(pair, pair.names_of(left))
            left -= _loops(called)
            seen = Seen(seen.reached, "; ".join(filter(None, [seen.why, called.why])))
    except _Unusable as problem:
        return [_said(pair.buffer, f"not compiled and not executed: {problem}")]
    return [_left(pair, left, seen.why)] if left else []


def _loops(seen: Seen) -> set[str]:
    return {re.sub("_home$", "", name) for name in seen.reached}


_NO_MAIN = "\n#undef main\nint main(void) { return 0; }\n"


def _whole(pair: _Pair, source: Path, program: Path) -> Seen:
    foreign = foreign_call(source, pair.emitted)
    if foreign:
        return Seen(frozenset(), f"the program calls '{foreign}'")
    return whole.compare(source, program, "argv" in identifiers(pair.emitted))


def _functions(pair: _Pair, names: list[str]) -> Seen:
    """Functions whose arguments can be made up, of those that reach some.

    What nobody can call from elsewhere may count on what its callers give it, and so does a whole
    program; promises about graphs are not kept by what is made up.
    """
    if _PROMISE.search(pair.buffer.data):
        pair.built(_NO_MAIN)
        return Seen(frozenset(), "nothing is made up that keeps what '#pragma s2s' says")
    system = builtin_include_flags("gcc", "c")
    unit, _ = parse_cilk(flatten_includes(pair.buffer, pair.flags), pair.flags, system)
    harness = Harness(unit)
    text, called = harness.text(find_exported(unit, names))
    why = "; ".join(sorted(set(harness.why.values())))
    if not called:
        pair.built(_NO_MAIN)
        return Seen(frozenset(), why)
    source, program = pair.built(text)
    foreign = foreign_call(source, pair.emitted)
    if foreign:
        return Seen(frozenset(), f"the program calls '{foreign}'")
    seen = functions.compare(source, program, called)
    return Seen(seen.reached, "; ".join(filter(None, [why, seen.why])))


_PROMISE = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+s2s\b", re.MULTILINE)


def _left(pair: _Pair, loops: set[str], why: str) -> Diagnostic:
    names = pair.names_of(loops)
    listed = ", ".join(f"'{name}'" for name in names[:4]) + (", ..." if len(names) > 4 else "")
    number = f"{len(loops)} parallel loop{'s' if len(loops) > 1 else ''}"
    reason = f" ({why})" if why else ""
    return _said(pair.buffer, f"not executed against the source: {number} in {listed}{reason}")


def _said(buffer: SourceBuffer, text: str) -> Diagnostic:
    return Diagnostic(Severity.REMARK, f"{buffer.path}: {text}", "emu-check")
