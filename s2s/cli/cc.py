"""``s2s cc -- gcc ...``: the compiler's drop-in, which compiles the transformed text.

A build must not notice. The command that the user wrote is run as it is, in place of this process,
unless one of its C sources changed; then that text is compiled from a temporary directory under
the source's own name, so that objects, dependency files and all else get the names that they
always had. ``#line`` directives, prefix maps and a search path put first keep what the compiler
says and finds. Whatever goes wrong on this way, the user's own command is what runs in the end: it
reports the user's errors itself, and one line for each file says what went wrong here.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from s2s.cli.cc_logs import Logs
from s2s.cli.cc_settings import LAUNCHER, USAGE, Settings, read_settings
from s2s.cli.cc_units import Result, find_sources, make, unpacked, why_left_alone
from s2s.cli.log_files import LOGGED, write_again
from s2s.cli.remembered import NOTHING, become, find_place, is_disabled, recall, split
from s2s.driver.child import SignalledError, clean_end, held_back
from s2s.source.compiler import CommandLine, Input, command_line, names

if TYPE_CHECKING:
    from s2s.cli.cc_units import Transform
    from s2s.cli.compile_transformed import Compiled

_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
_USAGE_ERROR, _NOTHING_CHANGED, _INTERNAL_ERROR = 2, 3, 70

_NO_OBJECTS = frozenset(names("-E -M -MM -fsyntax-only --analyze -### -emit-ast -emit-pch"))


def main(argv: Sequence[str], place: str | None = None, told: bytes | None = None) -> int:
    """Run ``s2s cc`` with what follows ``cc`` on its command line; the exit status.

    ``place`` is where to remember what comes of it, ``told`` what another has just found out.
    """
    try:
        own, command = split(argv)
        if len(own) == 2 and own[0] == LAUNCHER and not command:
            from s2s.cli.launcher.building import build

            build(own[1])
            return 0
        settings = read_settings(own, command)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else _USAGE_ERROR
    try:
        place = find_place(argv) if place is None else place
        return run(command, settings, place=place, told=told)
    except SignalledError as signalled:
        signal.signal(signalled.number, signal.SIG_DFL)
        os.kill(os.getpid(), signalled.number)
        return 128 + signalled.number


def run(
    command: Sequence[str],
    settings: Settings | None = None,
    *,
    transform: Transform | None = None,
    execute: Callable[[Sequence[str]], int] | None = None,
    place: str = "",
    told: bytes | None = None,
) -> int:
    """Compile with ``command``, its sources transformed where that changes them.

    ``execute`` runs the untouched command; by default it takes the place of this process. ``place``
    is where to remember what came of it, ``told`` what another has just found out of it.
    """
    settings = settings or Settings()
    execute = execute or (_call if settings.require_change else _become)
    if not command:
        print(USAGE, file=sys.stderr)
        return _USAGE_ERROR
    line, logs = command_line(command), Logs(tuple(command))
    known = recall(place) if place and told is None else told
    if is_disabled() or known == NOTHING:
        return execute(command)
    if known is not None and known.startswith(LOGGED):
        write_again(known)
        return execute(command)
    sources = find_sources(line)
    if why := why_left_alone(line):
        _leave_alone(line, sources, why, logs)
    if not sources or why:
        return execute(command)
    with clean_end():
        results = unpacked(known)
        logs.remembered = results is not None and told is None
        if results is None:
            results, _ = make(line, sources, settings, logs, place, transform=transform)
        elif logs.wanted:
            logs.unchanged(results)
        if results is None:
            return execute(command)
        with suppress(Exception):
            _report(results, settings)
        if settings.strict and any(result.internal for result in results):
            return _INTERNAL_ERROR
        changed = [r for r in results if r.outcome and r.outcome.changed]
        if changed:
            compiled = _compile(line, changed, logs)
            if compiled.status is not None:
                return compiled.status
            return _fall_back(command, changed, compiled.reason, execute, logs)
    status = execute(command)
    return _NOTHING_CHANGED if settings.require_change and not status else status


def _leave_alone(line: CommandLine, sources: list[Input], why: str, logs: Logs) -> None:
    """Say that a command is left to the compiler, where something is compiled that would count."""
    if not sources or any(word.name in _NO_OBJECTS for word in line.words):
        return
    logs.left_alone(sources, why)
    if not line.is_known_compiler:
        _say(sources[0].path, why)


def _fall_back(
    command: Sequence[str], changed: list[Result], reason: str,
    execute: Callable[[Sequence[str]], int], logs: Logs,
) -> int:  # fmt: skip
    """Compile the user's own text, and say so; if that fails, too, the compiler has said it."""
    status = _as_if_become(command) if execute is _become else execute(command)
    logs.fell_back(changed, reason if not status else "the compiler refuses the source")
    if not status:
        for result in changed:
            _say(result.source.path, f"the original text is compiled: {reason}")
    return status


def _become(command: Sequence[str]) -> int:
    """Let the command take the place of this process; returns only if it cannot start."""
    try:
        become(command)
    except OSError as error:
        return _cannot_start(command, error)
    raise AssertionError("a process that another has taken the place of")


def _as_if_become(command: Sequence[str]) -> int:
    """Run the command beside this process, for one who has a word to add, and end as it did."""
    status = _call(command)
    if status > 128 and status - 128 in {*signal.Signals}:
        with suppress(OSError, ValueError):
            signal.signal(status - 128, signal.SIG_DFL)
            os.kill(os.getpid(), status - 128)
    return status


def _call(command: Sequence[str]) -> int:
    import subprocess

    try:
        with clean_end():
            with held_back():
                process = subprocess.Popen(list(command), close_fds=False)
            status = process.wait()
    except OSError as error:
        return _cannot_start(command, error)
    except SignalledError as signalled:
        process.send_signal(signalled.number)
        process.wait()
        raise
    return status if status >= 0 else 128 - status


def _say(path: str, text: str) -> None:
    """What went wrong with a file, in one line."""
    print(f"s2s cc: {path}: {' '.join(text.split())}", file=sys.stderr, flush=True)


def _cannot_start(command: Sequence[str], error: OSError) -> int:
    print(f"s2s cc: {command[0]}: {error.strerror}", file=sys.stderr)
    return _NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_EXECUTABLE


def _report(results: list[Result], settings: Settings) -> None:
    """Say what was done, where the user asked for it, and always what failed."""
    for result in results:
        if why := _failure(result, settings):
            _say(result.source.path, why)
    if settings.remarks not in ("text", "json") and not settings.sarif and not settings.strict:
        return
    import json

    from s2s.cli import render, sarif

    sources = render.Sources()
    for result in results:
        if result.outcome:
            sources.add(result.outcome.path, result.outcome.original)
    diagnostics = [diagnostic for result in results for diagnostic in result.diagnostics]
    for diagnostic in diagnostics:
        if settings.remarks == "text":
            sys.stderr.write(render.as_text(diagnostic, sources))
        elif settings.remarks == "json":
            print(json.dumps(render.as_json(diagnostic)), file=sys.stderr)
    if settings.sarif:
        from s2s.source.diagnostics import UserError

        said = {result.source.path: result.diagnostics for result in results}
        edits = {r.source.path: r.outcome.edits or () for r in results if r.outcome}
        try:
            sarif.merge(settings.sarif, said, sources, edits)
        except UserError as error:
            print(f"s2s cc: {error}", file=sys.stderr)


def _failure(result: Result, settings: Settings) -> str:
    """What went wrong with a file; what the user wrote wrong is the compiler's to say."""
    if result.failure:
        theirs = any(d.id == "parse" for d in result.diagnostics)
        return "" if theirs and settings.remarks != "text" else result.failure
    failed = [d.text for d in result.diagnostics if d.id == "internal"]
    others = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
    return failed[0] + others if failed and settings.remarks == "none" else ""


def _compile(line: CommandLine, changed: list[Result], logs: Logs) -> Compiled:
    """Compile the new texts; those that could not be used although others were are said."""
    from s2s.cli.compile_transformed import KEPT, compile_transformed

    begun = time.perf_counter()
    compiled = compile_transformed(line, changed)
    if compiled.status is None:
        return compiled
    kept = [result for result in changed if result.source in compiled.kept]
    if logs.wanted:
        used = [result for result in changed if result not in kept]
        logs.changed(used, time.perf_counter() - begun)
        logs.fell_back(kept, KEPT)
    for result in kept:
        _say(result.source.path, f"the original text is compiled: {KEPT}")
    return compiled
