"""``s2s cc -- gcc ...``: the compiler's drop-in, which compiles the transformed text.

A build must not notice. The command that the user wrote is run as it is, in place of this process,
unless one of its C sources changed; then that text is compiled from a temporary directory under
the source's own name, so that objects, dependency files and all else get the names that they
always had. ``#line`` directives, prefix maps and a search path put first keep what the compiler
says and finds. Whatever goes wrong on this way, the user's own command is what runs in the end: it
reports the user's errors itself, and one line for each file says what went wrong here.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2s.cli.cc_logs import Logs
from s2s.cli.cc_settings import USAGE, Settings, read_settings
from s2s.cli.log_files import LOGGED, log_folder, write_again
from s2s.cli.remembered import NOTHING, become, find_place, is_disabled, keep, recall, split
from s2s.driver.child import Limit, OutOfTimeError, SignalledError, clean_end, held_back, in_child
from s2s.source.compiler import CommandLine, Input, command_line, names

if TYPE_CHECKING:
    from s2s.cli.compile_transformed import Compiled
    from s2s.driver.options import Options, Outcome
    from s2s.source.diagnostics import Diagnostic
    from s2s.tuning.measuring import Measuring

    Transform = Callable[[str, Sequence[str], Options], Outcome]

_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
_USAGE_ERROR, _NOTHING_CHANGED, _INTERNAL_ERROR = 2, 3, 70

_LEFT_ALONE = frozenset(
    names(
        "-E -M -MM -MJ -fsyntax-only -include-pch -emit-pch -emit-ast --analyze -### --coverage"
        " -coverage -ftest-coverage -fbranch-probabilities -fcoverage-mapping -fpreprocessed"
        " -fdirectives-only -fmodules"
    )
)
_NO_OBJECTS = frozenset(names("-E -M -MM -fsyntax-only --analyze -### -emit-ast -emit-pch"))
_LEFT_ALONE_PREFIXES = ("-fprofile-", "-fauto-profile", "-fplugin")


@dataclass(frozen=True)
class _Result:
    """What became of one source; ``failure`` says why there is no outcome.

    ``seconds`` is how long its transformation took.
    """

    source: Input
    outcome: Outcome | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    failure: str = ""
    internal: bool = False
    seconds: float = 0.0


def main(argv: Sequence[str]) -> int:
    """Run ``s2s cc`` with what follows ``cc`` on its command line; the exit status."""
    try:
        own, command = split(argv)
        settings = read_settings(own, command)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else _USAGE_ERROR
    try:
        return run(command, settings, place=find_place(argv))
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
) -> int:
    """Compile with ``command``, its sources transformed where that changes them.

    ``execute`` runs the untouched command; by default it takes the place of this process. ``place``
    is where to remember what came of it.
    """
    settings = settings or Settings()
    execute = execute or (_call if settings.require_change else _become)
    if not command:
        print(USAGE, file=sys.stderr)
        return _USAGE_ERROR
    line, logs = command_line(command), Logs(tuple(command))
    known = recall(place) if place else None
    if is_disabled() or known == NOTHING:
        return execute(command)
    if known is not None and known.startswith(LOGGED):
        write_again(known)
        return execute(command)
    sources = _sources(line)
    if why := _why_left_alone(line):
        _leave_alone(line, sources, why, logs)
    if not sources or why:
        return execute(command)
    begun = time.time()
    if not transform and not any(_may_change(source, settings) for source in sources):
        result = logs.without_loops(sources) if logs.wanted else NOTHING
        keep(place, (source.path for source in sources), result, begun)
        return execute(command)
    with clean_end():
        results = _unpacked(known)
        logs.remembered = results is not None
        results = results or _transformed(line, sources, settings, transform)
        stay = logs.unchanged(results) if logs.wanted else NOTHING
        _remember(place, results, settings, begun, stay)
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
    command: Sequence[str], changed: list[_Result], reason: str,
    execute: Callable[[Sequence[str]], int], logs: Logs,
) -> int:  # fmt: skip
    """Compile the user's own text, and say so; if that fails, too, the compiler has said it."""
    status = _as_if_become(command) if execute is _become else execute(command)
    logs.fell_back(changed, reason if not status else "the compiler refuses the source")
    if not status:
        for result in changed:
            _say(result.source.path, f"the original text is compiled: {reason}")
    return status


def _unpacked(known: bytes | None) -> list[_Result] | None:
    """What came of the same command before, if that is known."""
    if known is None:
        return None
    import pickle

    try:
        results: list[_Result] = pickle.loads(known)
    except Exception:  # of another version, perhaps
        return None
    return results


def _remember(
    place: str, results: list[_Result], settings: Settings, begun: float, stay: bytes
) -> None:
    """Keep what came of a command, unless it was measured or something went wrong.

    ``stay`` is what to keep where nothing changed and nothing is to be said.
    """
    read = [result.outcome.read for result in results if result.outcome]
    wrong = len(read) < len(results) or any(r.failure or _internal(r) for r in results)
    measured = settings.tuning is not None or settings.probe
    if not place or wrong or measured or any(one is None for one in read):
        return
    said = settings.remarks != "none" or settings.sarif or settings.require_change
    result = stay
    if said or settings.strict or any(r.outcome and r.outcome.changed for r in results):
        import pickle

        result = pickle.dumps(results)
    included = (path for one in read for path in one or ())
    keep(place, (*included, *(one.source.path for one in results)), result, begun)


def _internal(result: _Result) -> bool:
    return any(d.id == "internal" for d in result.diagnostics)


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


def _why_left_alone(line: CommandLine) -> str:
    """Why a command is not one that we take a part in; empty for one that is.

    Preprocessing shows the user's own text; coverage and profiles are about the user's own lines
    and branches; a precompiled header is nothing to run.
    """
    for word in line.words:
        if (
            word.name in _LEFT_ALONE
            or word.name.startswith(_LEFT_ALONE_PREFIXES)
            or (word.name == "-I" and word.value == "-")
            or (word.name == "-Xpreprocessor" and (word.value or "").startswith("-M"))
        ):
            return f"commands with '{word.name}' are left to the compiler"
    if any(source.path == "-" for source in line.inputs):
        return "the standard input is compiled as it is"
    if (line.last("-o") or "").endswith((".gch", ".pch")):
        return "a precompiled header is nothing to run"
    if not line.is_known_compiler:
        name = line.compiler[-1] if line.compiler else "the command"
        return f"'{name}' is no compiler like gcc or clang, and is run as it is"
    return ""


def _sources(line: CommandLine) -> list[Input]:
    """The C sources of a command."""
    return [source for source in line.inputs if source.language and os.path.isfile(source.path)]


def _may_change(source: Input, settings: Settings) -> bool:
    """Whether the words of a file have something that default passes would look at.

    The parser's library alone takes longer to load than compilers take for a small file.
    """
    from s2s.driver.looks import may_change

    try:
        with open(source.path, "rb") as stream:
            text = stream.read()
    except OSError:
        return True
    if settings.passes is not None or settings.require_change or settings.sarif is not None:
        return True
    return may_change(text)


def _transformed(
    line: CommandLine, sources: list[Input], settings: Settings, transform: Transform | None
) -> list[_Result]:
    """Transform the sources in a process of its own: a parser that crashes must not end a build."""
    measuring = settings.tuning.tune_budget if settings.tuning is not None else 0.0
    limit = Limit(math.ceil(len(sources) * (settings.time_limit + 2 * measuring)))
    failure = "the transformer did not end well"
    try:
        results = in_child(
            lambda: [_one(line, source, settings, transform) for source in sources], limit
        )
    except OutOfTimeError as error:
        results, failure = None, str(error)
    if results is None:
        return [_Result(source, failure=failure, internal=True) for source in sources]
    return results


def _one(
    line: CommandLine, source: Input, settings: Settings, transform: Transform | None
) -> _Result:
    from s2s.driver.options import Options
    from s2s.driver.transform import transform_file
    from s2s.source.diagnostics import UserError

    begun = time.perf_counter()
    options = Options(
        record=bool(log_folder()),
        passes=settings.passes or Options().passes,
        strict=settings.strict,
        reassociate=settings.reassociate,
        parallel=settings.parallel,
        compiler=line.compiler[-1],
        spacelimit=settings.spacelimit,
        tune=_tuning(line, settings),
        probe=settings.probe,
        budget=settings.budget,
    )
    try:
        outcome = (transform or transform_file)(source.path, line.flags_for(source), options)
    except UserError as error:
        return _Result(source, None, error.diagnostics, f"not transformed: {error}")
    except Exception as error:
        return _Result(source, None, (), f"internal error: {error!r}", internal=True)
    taken = time.perf_counter() - begun
    return _Result(source, outcome, outcome.diagnostics, seconds=taken)


def _tuning(line: CommandLine, settings: Settings) -> Measuring | None:
    if settings.tuning is None:
        return None
    from s2s.cli.stand_in import preprocessor_arguments
    from s2s.tuning.measuring import from_arguments

    return from_arguments(settings.tuning, line.compiler, preprocessor_arguments(line))


def _report(results: list[_Result], settings: Settings) -> None:
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


def _failure(result: _Result, settings: Settings) -> str:
    """What went wrong with a file; what the user wrote wrong is the compiler's to say."""
    if result.failure:
        theirs = any(d.id == "parse" for d in result.diagnostics)
        return "" if theirs and settings.remarks != "text" else result.failure
    failed = [d.text for d in result.diagnostics if d.id == "internal"]
    others = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
    return failed[0] + others if failed and settings.remarks == "none" else ""


def _compile(line: CommandLine, changed: list[_Result], logs: Logs) -> Compiled:
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
