"""One file through the house: text to SCoPs, transforms, text."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.driver.options import DEFAULTS, Options, Outcome
from s2s.frontends.c.odd_text import oddity
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.flags import may_interchange, may_reassociate

if TYPE_CHECKING:
    from s2s.frontends.c.parse import Unit
    from s2s.frontends.c.program import Program


# Syntax trees are walked recursively; generated code has sums of thousands of terms.
_DEEPEST = 50_000


def transform_file(path: str, flags: Sequence[str] = (), options: Options = DEFAULTS) -> Outcome:
    """Transform one C file compiled with ``flags`` (no source name, no -o, no -c among them).

    Raises UserError when the file cannot be read or parsed.
    """
    try:
        return _through_the_house(path, flags, options)
    except Exception as error:
        if not _is_too_deep(error):
            raise
    return too_deep(path, flags, options)


def _is_too_deep(error: Exception) -> bool:
    """Whether the interpreter's limit was met, perhaps in a call of the parser's library."""
    return isinstance(error, RecursionError) or "RecursionError" in str(error)


def too_deep(path: str, flags: Sequence[str], options: Options) -> Outcome:
    """What becomes of a file whose constructs are nested too deeply to be parsed or walked.

    Raises UserError where the source is no result of its own.
    """
    data, place = _read(path), Location(path, 1, 1, 1, 1)
    text = "its constructs are nested too deeply for the parser, as sums of very many terms are"
    if not keeps_source(path, flags, data, options):
        raise UserError(Diagnostic(Severity.ERROR, text, "parse", place))
    missed = Diagnostic(Severity.MISSED, f"left as it is: {text}", "parse", place)
    return Outcome(path, data, data, (missed,))


def _through_the_house(path: str, flags: Sequence[str], options: Options) -> Outcome:
    if not options.reassociate and may_reassociate(flags):
        options = replace(options, reassociate=True)
    if may_interchange(flags, options.compiler):
        options = replace(options, interchanges=True)
    buffer = SourceBuffer(path, _read(path))
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))
    if options.target == "aie":
        from s2s.targets.aie import target

        return target.transform(buffer, flags, options)
    if options.target == "emu":
        from s2s.targets.emu.target import transform

        return transform(buffer, flags, options)
    if is_pipeline(path, flags, buffer.data):
        from s2s.driver import pipelines as tensor_pipelines

        return tensor_pipelines.transform(buffer, flags, options)
    odd = oddity(buffer.data, flags)
    if odd is not None:
        place = buffer.location(Span(odd[0], odd[0] + 1))
        missed = Diagnostic(Severity.MISSED, f"left as it is: {odd[1]}", "parse", place)
        return Outcome(path, buffer.data, buffer.data, (missed,))
    from s2s.frontends.c.parse import language_is_cxx, parse
    from s2s.source.compiler import parser_flags

    language = "c++" if language_is_cxx(path, flags) else "c"
    prepared = _prepare(buffer, options)
    source = SourceBuffer(path, apply_edits(buffer.data, prepared)) if prepared else buffer
    include = parser_flags(flags, "gcc", language)
    unit = parse(source, flags, include, on_disk=not prepared)
    hidden: tuple[Diagnostic, ...] = ()
    if unit.errors:
        readable = None if prepared else _readable(unit, flags, options)
        if readable is None:
            return _unparsed(buffer, flags, unit.errors)
        unit, hidden = readable
    unit.program = _program(options.others)
    unit, options, graphs = _apply_file_passes(unit, options, buffer, prepared)
    if graphs is not None and not (options.passes or options.explain):
        changed = unit.buffer.data != source.data
        return Outcome(path, buffer.data, unit.buffer.data if changed else buffer.data, graphs)
    graphs = graphs or ()
    if options.target == "cuda":
        return _with_kernels(unit, options)
    from s2s.driver.looks import wanted
    from s2s.driver.races import look_for_races
    from s2s.frontends.c.definitions import definitions
    from s2s.frontends.c.rewritten import not_rewritten

    before = list(hidden)
    every = definitions(unit, wanted(options.passes), every=options.explain)
    chosen = list(not_rewritten(unit, every, before))
    said = (*before, *graphs, *unit.vectorize.diagnostics)
    shown = buffer if hidden else unit.buffer
    if not chosen:
        said = (*said, *look_for_races(unit, said, strict=options.strict))
        return Outcome(path, buffer.data, shown.data, said)
    from s2s.driver.file_edits import FileEdits
    from s2s.frontends.c.regions import functions_of  # only now is what lifts needed

    found = list(functions_of(unit, chosen))
    work = FileEdits(unit, options, found)
    edits = work.run()
    edits = [*edits, *unit.vectorize.done(edits)]
    text = apply_edits(shown.data, edits)
    said = (*said, *work.remarks.diagnostics)
    said = (*said, *look_for_races(unit, said, strict=options.strict))
    if options.probe:
        from s2s.driver.probe import annotated

        said = annotated(shown, edits, said, options.compiler, flags)
    return Outcome(path, buffer.data, text, said, "\n".join(work.remarks.parts))


def _readable(
    unit: Unit, flags: Sequence[str], options: Options
) -> tuple[Unit, tuple[Diagnostic, ...]] | None:
    """The file without functions that only the compiler can read, with a remark for each."""
    from s2s.driver import passes

    edits_only = options.target == "cpu" and options.tune is None
    if not edits_only or passes.on_files(options.passes):
        return None
    if not _compiler_accepts(unit.buffer.path, flags):
        return None
    from s2s.frontends.c.hidden import without_unreadable

    return without_unreadable(unit)


def keeps_source(path: str, flags: Sequence[str], data: bytes, options: Options) -> bool:
    """Whether the source itself is a right result where s2s fails: C for the host is."""
    return options.target == "cpu" and not is_pipeline(path, flags, data)


def is_pipeline(path: str, flags: Sequence[str], data: bytes) -> bool:
    """Whether a file is Halide-like C++."""
    if b"Halide.h" not in data:
        return False
    from s2s.driver import pipelines as tensor_pipelines

    return tensor_pipelines.is_pipeline(path, flags, data)


def _prepare(buffer: SourceBuffer, options: Options) -> tuple[Edit, ...]:
    """What passes on files edit before the file is parsed."""
    from s2s.driver import passes

    chosen = passes.on_files(options.passes)
    if not chosen:
        return ()
    from s2s.driver.file_passes import prepare

    return prepare(chosen, options, buffer.data)


def _apply_file_passes(
    unit: Unit, options: Options, original: SourceBuffer, prepared: tuple[Edit, ...]
) -> tuple[Unit, Options, tuple[Diagnostic, ...] | None]:
    """The file after the passes on files, which come first; what they say, None without them."""
    from s2s.driver import passes

    chosen = passes.on_files(options.passes)
    if not chosen:
        return unit, options, None
    from s2s.driver.file_passes import FileWork

    work = FileWork(unit, options, original)
    work.run(chosen, prepared)
    others = tuple(s for s in options.passes if s not in chosen)
    return work.unit, replace(options, passes=others), tuple(work.diagnostics)


def _with_kernels(unit: Unit, options: Options) -> Outcome:
    """The file with kernels for a GPU."""
    from s2s.driver.kernels import Offload
    from s2s.frontends.c.regions import functions

    work = Offload(unit, options, list(functions(unit, lambda loop: "[" in loop.body)))
    buffer, edits = unit.buffer, work.run()
    text = apply_edits(buffer.data, edits)
    return Outcome(buffer.path, buffer.data, text, tuple(work.diagnostics))


def _program(others: Sequence[tuple[str, tuple[str, ...]]]) -> Program | None:
    """The other files of the program; one that cannot be read has nothing to say here."""
    from s2s.frontends.c.parse import language_is_cxx, parse
    from s2s.frontends.c.program import OtherFile, Program
    from s2s.source.compiler import parser_flags

    def parsed(buffer: SourceBuffer, flags: tuple[str, ...]) -> Unit:
        language = "c++" if language_is_cxx(buffer.path, flags) else "c"
        return parse(buffer, flags, parser_flags(flags, "gcc", language))

    found = []
    for path, flags in others:
        with suppress(UserError):
            found.append(OtherFile(SourceBuffer(path, _read(path)), flags, parsed))
    return Program(found) if found else None


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise UserError(
            Diagnostic(Severity.ERROR, f"{path}: {error.strerror or error}", "input")
        ) from None
    if b"\0" in data:
        raise UserError(Diagnostic(Severity.ERROR, f"{path}: not a text file", "input"))
    return data


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
