"""What becomes of the sources of one command of a build.

Found out here, whoever asks: the command itself, or the server of a build for it.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from s2s.cli.heard_directives import will_hear_simd
from s2s.cli.log_files import log_folder
from s2s.cli.remembered import NOTHING, keep
from s2s.driver.child import Limit, OutOfTimeError, in_child
from s2s.source.compiler import CommandLine, Input, names
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.cli.cc_logs import Logs
    from s2s.cli.cc_settings import Settings
    from s2s.driver.options import Options, Outcome
    from s2s.source.diagnostics import Diagnostic
    from s2s.tuning.measuring import Measuring

    Transform = Callable[[str, Sequence[str], Options], Outcome]
    Run = Callable[[Callable[[], list["Result"]], Limit], list["Result"] | None]

_LEFT_ALONE = frozenset(
    names(
        "-E -M -MM -MJ -fsyntax-only -include-pch -emit-pch -emit-ast --analyze -### --coverage"
        " -coverage -ftest-coverage -fbranch-probabilities -fcoverage-mapping -fpreprocessed"
        " -fdirectives-only -fmodules"
    )
)
_LEFT_ALONE_PREFIXES = ("-fprofile-", "-fauto-profile", "-fplugin")


@dataclass(frozen=True)
class Result:
    """What became of one source; ``failure`` says why there is no outcome.

    ``seconds`` is how long its transformation took.
    """

    source: Input
    outcome: Outcome | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    failure: str = ""
    internal: bool = False
    seconds: float = 0.0


def make(
    line: CommandLine, sources: Sequence[Input], settings: Settings, logs: Logs, place: str,
    *, transform: Transform | None = None, run: Run = in_child, looked: bool = False,
) -> tuple[list[Result] | None, bytes | None]:  # fmt: skip
    """What becomes of a command's sources, None where none needs a look, and how it is remembered.

    That is kept at ``place``, if there is one; None where it is nothing to remember. With
    ``looked``, ``told_by_words`` is known to tell nothing.
    """
    begun = time.time()
    told = None if transform or looked else told_by_words(line, sources, settings, logs, place)
    if told is not None:
        return None, told
    results = transformed(line, sources, settings, transform, run)
    stay = logs.unchanged(results) if logs.wanted else NOTHING
    return results, _remember(place, results, settings, begun, stay)


def told_by_words(
    line: CommandLine, sources: Sequence[Input], settings: Settings, logs: Logs, place: str
) -> bytes | None:
    """How it is remembered that a command's sources stay, which is kept at ``place``.

    None where their words do not tell.
    """
    begun = time.time()
    read = _read_without_parser(line, sources, settings)
    if read is None:
        return None
    told = logs.without_loops(sources) if logs.wanted else NOTHING
    keep(place, read, told, begun)
    return told


def unpacked(known: bytes | None) -> list[Result] | None:
    """What came of the same command before, if that is known."""
    if known is None:
        return None
    import pickle

    try:
        results: list[Result] = pickle.loads(known)
    except Exception:  # of another version, perhaps
        return None
    return results


def _remember(
    place: str, results: list[Result], settings: Settings, begun: float, stay: bytes
) -> bytes | None:
    """Keep what came of a command, unless it was measured or something went wrong.

    ``stay`` is what to keep where nothing changed and nothing is to be said.
    """
    read = [result.outcome.read for result in results if result.outcome]
    wrong = len(read) < len(results) or any(r.failure or _internal(r) for r in results)
    measured = settings.tuning is not None or settings.probe
    if wrong or measured or any(one is None for one in read):
        return None
    said = settings.remarks != "none" or settings.sarif or settings.require_change
    result = stay
    if said or settings.strict or any(r.outcome and r.outcome.changed for r in results):
        import pickle

        result = pickle.dumps(results)
    included = (path for one in read for path in one or ())
    keep(place, (*included, *(one.source.path for one in results)), result, begun)
    return result


def _internal(result: Result) -> bool:
    return any(d.id == "internal" for d in result.diagnostics)


def why_left_alone(line: CommandLine) -> str:
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


def find_sources(line: CommandLine) -> list[Input]:
    """The C sources of a command."""
    return [source for source in line.inputs if source.language and os.path.isfile(source.path)]


def _read_without_parser(
    line: CommandLine, sources: Sequence[Input], settings: Settings
) -> list[str] | None:
    """The files that tell that default passes would look at nothing in a command's sources.

    None where something may be there. The parser's library alone takes longer to load than
    compilers take for a small file.
    """
    if settings.passes is not None or settings.require_change or settings.sarif is not None:
        return None
    from s2s.driver.looks import find_looked_at

    read: list[str] = []
    for source in sources:
        found = find_looked_at(source.path, line.flags_for(source), parallel=settings.parallel)
        if found is None:
            return None
        read += found
    return read


def transformed(
    line: CommandLine, sources: Sequence[Input], settings: Settings, transform: Transform | None,
    run: Run,
) -> list[Result]:  # fmt: skip
    """Transform the sources in a process of its own: a parser that crashes must not end a build."""
    measuring = settings.tuning.tune_budget if settings.tuning is not None else 0.0
    limit = Limit(math.ceil(len(sources) * (settings.time_limit + 2 * measuring)))
    failure = "the transformer did not end well"
    try:
        results = run(lambda: _each(line, sources, settings, transform), limit)
    except OutOfTimeError as error:
        results, failure = None, str(error)
    if results is None:
        return [Result(source, failure=failure, internal=True) for source in sources]
    return results


def _each(
    line: CommandLine, sources: Sequence[Input], settings: Settings, transform: Transform | None
) -> list[Result]:
    heard = will_hear_simd(line, sources)
    return [_one(line, source, settings, transform, heard=heard) for source in sources]


def _one(
    line: CommandLine,
    source: Input,
    settings: Settings,
    transform: Transform | None,
    *,
    heard: bool,
) -> Result:
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
        hears_simd=heard,
        spacelimit=settings.spacelimit,
        tune=_tuning(line, settings),
        probe=settings.probe,
        budget=settings.budget,
    )
    try:
        outcome = (transform or transform_file)(source.path, line.flags_for(source), options)
    except UserError as error:
        return Result(source, None, error.diagnostics, f"not transformed: {error}")
    except Exception as error:
        return Result(source, None, (), f"internal error: {error!r}", internal=True)
    taken = time.perf_counter() - begun
    return Result(source, outcome, outcome.diagnostics, seconds=taken)


def _tuning(line: CommandLine, settings: Settings) -> Measuring | None:
    if settings.tuning is None:
        return None
    from s2s.cli.stand_in import preprocessor_arguments
    from s2s.tuning.measuring import from_arguments

    return from_arguments(settings.tuning, line.compiler, preprocessor_arguments(line))
