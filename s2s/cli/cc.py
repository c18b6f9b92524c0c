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
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2s.cli.remembered import NOTHING, become, find_place, is_disabled, keep, recall, split
from s2s.driver.child import Limit, OutOfTimeError, SignalledError, clean_end, held_back, in_child
from s2s.source.compiler import CommandLine, Input, command_line, names
from s2s.source.diagnostics import UsageError

if TYPE_CHECKING:
    import argparse

    from s2s.cli.stand_in import Staged
    from s2s.driver.options import Options, Outcome
    from s2s.source.diagnostics import Diagnostic
    from s2s.tuning.measuring import Measuring

    Transform = Callable[[str, Sequence[str], Options], Outcome]

USAGE = "usage: s2s cc [--passes LIST] [--strict] [--remarks=KIND] [...] -- COMPILER ARGS"

_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
_USAGE_ERROR, _NOTHING_CHANGED, _INTERNAL_ERROR = 2, 3, 70

_LEFT_ALONE = frozenset(
    names(
        "-E -M -MM -MJ -fsyntax-only -include-pch -emit-pch -emit-ast --analyze -### --coverage"
        " -coverage -ftest-coverage -fbranch-probabilities -fcoverage-mapping -fpreprocessed"
        " -fdirectives-only -fmodules"
    )
)
_REMARKS = ("text", "json", "none")
_LEFT_ALONE_PREFIXES = ("-fprofile-", "-fauto-profile", "-fplugin")


@dataclass(frozen=True)
class Settings:
    """The options of ``s2s cc`` itself."""

    passes: tuple[str, ...] | None = None
    strict: bool = False
    reassociate: bool = False
    parallel: bool = False
    spacelimit: int = 0
    probe: bool = False
    remarks: str = "none"
    sarif: str | None = None
    require_change: bool = False
    time_limit: int = Limit.processor
    tuning: argparse.Namespace | None = None


@dataclass(frozen=True)
class _Result:
    """What became of one source; ``failure`` says why there is no outcome."""

    source: Input
    outcome: Outcome | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    failure: str = ""
    internal: bool = False


def main(argv: Sequence[str]) -> int:
    """Run ``s2s cc`` with what follows ``cc`` on its command line; the exit status."""
    try:
        own, command = split(argv)
        settings = _settings(own)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else _USAGE_ERROR
    try:
        return run(command, settings, place=find_place(argv))
    except SignalledError as signalled:
        signal.signal(signalled.number, signal.SIG_DFL)
        os.kill(os.getpid(), signalled.number)
        return 128 + signalled.number


def _settings(own: Sequence[str]) -> Settings:
    remarks = os.environ.get("S2S_REMARKS") or "none"
    if remarks not in _REMARKS:
        raise UsageError(f"S2S_REMARKS={remarks} is none of {', '.join(_REMARKS)}")
    if not own:
        return Settings(remarks=remarks)
    import argparse

    from s2s.cli.arguments import positive
    from s2s.tuning.settings import add_arguments

    parser = argparse.ArgumentParser(prog="s2s cc", usage=USAGE[7:], allow_abbrev=False)
    parser.add_argument("--passes", type=_passes)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--reassociate", action="store_true")
    parser.add_argument("--parallel", action="store_true")
    parser.add_argument("--spacelimit", type=positive, default=0)
    parser.add_argument("--probe", action="store_true")
    parser.add_argument("--remarks", choices=_REMARKS, default=remarks)
    parser.add_argument("--sarif", metavar="FILE")
    parser.add_argument("--require-change", action="store_true")
    parser.add_argument("--time-limit", type=positive, default=Limit.processor)
    add_arguments(parser)
    args = parser.parse_args(list(own))
    _check_settings(args)
    given = vars(args)
    tuning = argparse.Namespace(**{k: given.pop(k) for k in list(given) if k.startswith("tune")})
    return Settings(**given, tuning=tuning if tuning.tune else None)


def _check_settings(args: argparse.Namespace) -> None:
    from s2s.cli.ineffective import check_passes, check_tuning

    check_passes(args)
    check_tuning(args)


def _passes(text: str) -> tuple[str, ...]:
    import argparse

    from s2s.driver import passes
    from s2s.source.diagnostics import UserError

    specs = tuple(text.split(","))
    try:
        for spec in specs:
            passes.check(spec)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return specs


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
    line = command_line(command)
    sources = _sources(line)
    known = recall(place) if place else None
    if not sources or is_disabled() or known == NOTHING:
        return execute(command)
    begun = time.time()
    if not transform and not any(_may_change(source, settings) for source in sources):
        keep(place, (source.path for source in sources), NOTHING, begun)
        return execute(command)
    with clean_end():
        results = _unpacked(known) or _transformed(line, sources, settings, transform)
        _remember(place, results, settings, begun)
        with suppress(Exception):
            _report(results, settings)
        if settings.strict and any(result.internal for result in results):
            return _INTERNAL_ERROR
        changed = [r for r in results if r.outcome and r.outcome.changed]
        status, reason = _compile_transformed(line, changed) if changed else (None, "")
    if status is not None:
        return status
    status = _as_if_become(command) if reason and execute is _become else execute(command)
    if reason and not status:  # otherwise it is the user's error, and the compiler has said it
        for result in changed:
            _say(result.source.path, f"the original text is compiled: {reason}")
    return _NOTHING_CHANGED if settings.require_change and not changed and not status else status


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


def _remember(place: str, results: list[_Result], settings: Settings, begun: float) -> None:
    """Keep what came of a command, unless it was measured or something went wrong."""
    read = [result.outcome.read for result in results if result.outcome]
    wrong = len(read) < len(results) or any(r.failure or _internal(r) for r in results)
    measured = settings.tuning is not None or settings.probe
    if not place or wrong or measured or any(one is None for one in read):
        return
    said = settings.remarks != "none" or settings.sarif or settings.require_change
    result = NOTHING
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


def _sources(line: CommandLine) -> list[Input]:
    """The C sources to transform; none if the command is not one that we take a part in.

    Preprocessing shows the user's own text; coverage and profiles are about the user's own lines
    and branches; a precompiled header is nothing to run.
    """
    odd = any(
        word.name in _LEFT_ALONE
        or word.name.startswith(_LEFT_ALONE_PREFIXES)
        or (word.name == "-I" and word.value == "-")
        or (word.name == "-Xpreprocessor" and (word.value or "").startswith("-M"))
        for word in line.words
    )
    reads_standard_input = any(source.path == "-" for source in line.inputs)
    makes_header = (line.last("-o") or "").endswith((".gch", ".pch"))
    if odd or reads_standard_input or makes_header or not line.is_known_compiler:
        return []
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

    options = Options(
        passes=settings.passes or Options().passes,
        strict=settings.strict,
        reassociate=settings.reassociate,
        parallel=settings.parallel,
        compiler=line.compiler[-1],
        spacelimit=settings.spacelimit,
        tune=_tuning(line, settings),
        probe=settings.probe,
    )
    try:
        outcome = (transform or transform_file)(source.path, line.flags_for(source), options)
    except UserError as error:
        return _Result(source, None, error.diagnostics, f"not transformed: {error}")
    except Exception as error:
        return _Result(source, None, (), f"internal error: {error!r}", internal=True)
    return _Result(source, outcome, outcome.diagnostics)


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
        try:
            sarif.merge(settings.sarif, said, sources)
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


def _compile_transformed(line: CommandLine, changed: list[_Result]) -> tuple[int | None, str]:
    """Compile with the changed texts in the place of their originals; no status if that fails."""
    import shutil
    import tempfile

    try:
        directory = tempfile.mkdtemp(prefix="s2s-")
    except OSError as error:
        return None, f"no temporary directory: {error.strerror}"
    try:
        status, reason = _compile_in(directory, line, changed)
    except Exception as error:
        status, reason = None, repr(error)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return status, reason


def _compile_in(
    directory: str, line: CommandLine, changed: list[_Result]
) -> tuple[int | None, str]:
    from s2s.cli import stand_in

    staged: list[Staged] = []
    for number, result in enumerate(changed):
        one = result.outcome and stand_in.stage(
            line, result.source, result.outcome, os.path.join(directory, str(number))
        )
        if one:
            staged.append(one)
    if not staged:
        return None, "it cannot be compiled from another place"
    flags = stand_in.front_flags(staged)
    if any(one.searches_own_directory for one in staged) and not stand_in.finds_same_headers(
        directory, line, staged, flags
    ):
        return None, "the transformed text would include other headers"
    asked = (*_colour_flags(line), *_simd_flags(line, changed))
    command = stand_in.command(directory, line, staged, (*asked, *flags))
    status, output = _compile(command, line, staged)
    if status:
        return None, f"the transformed text does not compile{_first_error(output[1])}"
    for text, stream in zip(output, (sys.stdout, sys.stderr), strict=True):
        stream.flush()
        stream.buffer.write(text)
        stream.flush()
    return 0, ""


def _first_error(output: bytes) -> str:
    """What the compiler says of the first error, without places: these are in text nobody sees."""
    found = re.search(
        r"error: (?:\x1b\[[\d;]*[mK])*([^\n\x1b]+)", output.decode("utf-8", "replace")
    )
    return f" ({found[1]})" if found else ""


def _colour_flags(line: CommandLine) -> tuple[str, ...]:
    """Ask for the colours that the compiler would use if it wrote to the terminal itself."""
    decided = any(
        "diagnostics-color" in w.name or "color-diagnostics" in w.name for w in line.words
    )
    if decided or not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return ()
    return ("-fdiagnostics-color=always",)


_DIRECTIVE = re.compile(rb"#\s*pragma\s+omp\b|_Pragma\s*\(\s*\"\s*omp\b")


def _simd_flags(line: CommandLine, changed: list[_Result]) -> tuple[str, ...]:
    """Ask for the ``omp simd`` of new text in a build without OpenMP, which would warn of it.

    Where the source has directives of its own they stay as unheard as they are without s2s.
    """
    if any("openmp" in word.name for word in line.words):
        return ()
    outcomes = [result.outcome for result in changed if result.outcome]
    if any(_DIRECTIVE.search(outcome.original) for outcome in outcomes):
        return ()
    return ("-fopenmp-simd",) if any(_DIRECTIVE.search(o.text) for o in outcomes) else ()


def _compile(
    command: list[str], line: CommandLine, staged: list[Staged]
) -> tuple[int, tuple[bytes, bytes]]:
    """Run a compiler; its status and what it wrote. Its dependency files name the originals."""
    import subprocess

    from s2s.cli import stand_in

    try:
        with held_back():
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, close_fds=False
            )
        output = process.communicate()
    except SignalledError as signalled:
        process.send_signal(signalled.number)
        process.communicate()
        raise
    finally:
        complete = stand_in.mend_dependency_files(line, staged)
    return process.returncode or (0 if complete else 1), output
