"""A C file: parsed, its regions changed by passes, or edited by a target."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from s2s.driver import passes
from s2s.driver.options import Options, Outcome
from s2s.frontends.c.odd_text import oddity
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.reading import read_source
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.frontends.c.unit import LinkedFiles, Unit
    from s2s.targets.request import Request
    from s2s.targets.target import Edits


def transform(buffer: SourceBuffer, flags: Sequence[str], options: Options) -> Outcome:
    """The file with its regions changed by the passes. Raises UserError for what is no C."""
    whole = _is_edited(options)
    parsed = _parsed(buffer, flags, options, _prepare(buffer, options), may_hide=whole)
    if isinstance(parsed, Outcome):
        return parsed
    others = (other for other, _ in options.others)
    return replace(
        _transformed(parsed, buffer, flags, options), read=(*sorted(parsed.unit.included), *others)
    )


def _transformed(
    parsed: _Parsed, buffer: SourceBuffer, flags: Sequence[str], options: Options
) -> Outcome:
    source, unit = parsed.source, parsed.unit
    unit, options, graphs = _apply_file_passes(unit, options, buffer, parsed.prepared)
    if graphs is not None and not (options.passes or options.explain):
        changed = unit.buffer.data != source.data
        text = unit.buffer.data if changed else buffer.data
        return Outcome(buffer.path, buffer.data, text, graphs)
    if graphs is not None:
        options = replace(options, line=None, only=())  # lines are others' now
    shown = buffer if parsed.hidden else unit.buffer
    before = list(parsed.hidden)
    from s2s.driver.looks import wanted
    from s2s.driver.races import look_for_races
    from s2s.frontends.c.definitions import definitions
    from s2s.frontends.c.rewritten import not_rewritten

    whole = options.explain or options.schedule is not None
    every = definitions(unit, wanted(options.passes, parallel=options.parallel), every=whole)
    chosen = [c for c in not_rewritten(unit, every, before) if _is_asked(unit, c, options)]
    said = (*before, *(graphs or ()), *unit.vectorize.diagnostics)
    if not chosen:
        said = (*said, *look_for_races(unit, said, options))
        return Outcome(buffer.path, buffer.data, shown.data, said)
    from s2s.driver.file_edits import FileEdits
    from s2s.frontends.c.regions import functions_of  # only now is what lifts needed

    work = FileEdits(unit, options, list(functions_of(unit, chosen)))
    edits = work.run()
    edits = [*edits, *unit.vectorize.done(edits)]
    said = (*said, *work.remarks.diagnostics)
    said = (*said, *look_for_races(unit, said, options, work.races))
    if options.probe:
        from s2s.driver.probe import annotate_remarks

        said = annotate_remarks(shown, edits, said, options.compiler, flags)
    text = apply_edits(shown.data, edits)
    found = "\n".join(work.remarks.parts)
    outcome = Outcome(
        buffer.path, buffer.data, text, said, found, regions=work.remarks.regions(edits)
    )
    return replace(outcome, edits=tuple(edits)) if shown.data == buffer.data else outcome


def _is_asked(unit: Unit, definition: Any, options: Options) -> bool:
    """Whether a function is asked about: all are, or those around some lines."""
    from s2s.frontends.c import clang

    return options.asks_about(unit.buffer, Span(*clang.extent(definition)[:2]))


def edit(way: Edits, request: Request, options: Options) -> Outcome:
    """The file with a target's edits. Raises UserError for what is no C."""
    buffer = request.buffer
    parsed = _parsed(buffer, request.flags, options)
    if isinstance(parsed, Outcome):
        return parsed
    done = way.edit(parsed.unit, request)
    text = apply_edits(buffer.data, done.edits)
    return Outcome(
        buffer.path, buffer.data, text, done.diagnostics, done.explanation, edits=done.edits
    )


@dataclass(frozen=True)
class _Parsed:
    """A file as it was parsed: after the edits that came first, without what is ``hidden``."""

    unit: Unit
    source: SourceBuffer
    prepared: tuple[Edit, ...] = ()
    hidden: tuple[Diagnostic, ...] = ()


def _parsed(
    buffer: SourceBuffer, flags: Sequence[str], options: Options,
    prepared: tuple[Edit, ...] = (), *, may_hide: bool = False,
) -> _Parsed | Outcome:  # fmt: skip
    """The syntax of a file; what comes of it where it has to stay as it is.

    With ``may_hide`` functions that only the compiler can read are left out. Raises UserError.
    """
    odd = oddity(buffer.data, flags)
    if odd is not None:
        place = buffer.location(Span(odd[0], odd[0] + 1))
        missed = Diagnostic(Severity.MISSED, f"left as it is: {odd[1]}", "parse", place)
        return Outcome(buffer.path, buffer.data, buffer.data, (missed,))
    from s2s.frontends.c.parse import parse_as_compiled

    source = SourceBuffer(buffer.path, apply_edits(buffer.data, prepared)) if prepared else buffer
    unit = parse_as_compiled(source, flags, on_disk=not prepared)
    hidden: tuple[Diagnostic, ...] = ()
    if unit.errors:
        readable = _readable(unit, flags) if may_hide and not prepared else None
        if readable is None:
            return _unparsed(buffer, flags, unit.errors)
        unit, hidden = readable
    unit.program = _program(options.others)
    return _Parsed(unit, source, prepared, hidden)


def _is_edited(options: Options) -> bool:
    """Whether all that is done to a file are edits of functions, one by one."""
    return options.tune is None and not passes.on_files(options.passes)


def _readable(unit: Unit, flags: Sequence[str]) -> tuple[Unit, tuple[Diagnostic, ...]] | None:
    """The file without functions that only the compiler can read, with a remark for each."""
    if not _compiler_accepts(unit.buffer.path, flags):
        return None
    from s2s.frontends.c.hidden import hide_unreadable

    return hide_unreadable(unit)


def _prepare(buffer: SourceBuffer, options: Options) -> tuple[Edit, ...]:
    """What passes on files edit before the file is parsed."""
    chosen = passes.on_files(options.passes)
    if not chosen:
        return ()
    from s2s.driver.file_passes import prepare

    return prepare(chosen, options, buffer.data)


def _apply_file_passes(
    unit: Unit, options: Options, original: SourceBuffer, prepared: tuple[Edit, ...]
) -> tuple[Unit, Options, tuple[Diagnostic, ...] | None]:
    """The file after the passes on files, which come first; what they say, None without them."""
    chosen = passes.on_files(options.passes)
    if not chosen:
        return unit, options, None
    from s2s.driver.file_passes import FileWork

    work = FileWork(unit, options, original)
    work.run(chosen, prepared)
    others = tuple(s for s in options.passes if s not in chosen)
    return work.unit, replace(options, passes=others), tuple(work.diagnostics)


def _program(others: Sequence[tuple[str, tuple[str, ...]]]) -> LinkedFiles | None:
    """The other files of the program; one that cannot be read has nothing to say here."""
    from s2s.frontends.c.parse import parse_as_compiled
    from s2s.frontends.c.unit import LinkedFiles, OtherFile

    found = []
    for path, flags in others:
        with suppress(UserError):
            found.append(OtherFile(SourceBuffer(path, read_source(path)), flags, parse_as_compiled))
    return LinkedFiles(found) if found else None


def _unparsed(
    buffer: SourceBuffer, flags: Sequence[str], errors: tuple[Diagnostic, ...]
) -> Outcome:
    """A file that libclang refuses: the user's error, unless the compiler takes the file."""
    if _compiler_accepts(buffer.path, flags):
        place = errors[0].location or Location(buffer.path, 1, 1, 1, 1)
        text = f"left as it is: the parser says '{errors[0].text}', though the compiler accepts it"
        missed = Diagnostic(Severity.MISSED, text, "parse", place)
        return Outcome(buffer.path, buffer.data, buffer.data, (missed,))
    raise UserError(*errors[:1])


def _compiler_accepts(path: str, flags: Sequence[str]) -> bool:
    import subprocess

    from s2s.frontends.c.parse import language_is_cxx

    compiler = "g++" if language_is_cxx(path, flags) else "gcc"
    command = [compiler, "-fsyntax-only", "-w", *flags, path]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0 and os.path.exists(path)
