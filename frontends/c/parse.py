"""C and C++ files parsed by libclang: as they are compiled, again after edits."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from clang import cindex

from s2s.frontends.c.bodies import called_from, declare_only, move_bodies
from s2s.frontends.c.converter import Converter
from s2s.frontends.c.headers import headers_of, own_headers_of
from s2s.frontends.c.unit import OWN_INCLUDES, Unit, outside, real
from s2s.source import Edit, SourceBuffer
from s2s.source.compiler import asks_for_openmp
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

CXX_SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".CPP"})


# What gcc accepts with a warning (or silently) and clang refuses by default.
_LENIENT = (
    "-Wno-everything", "-Wno-implicit-int", "-Wno-implicit-function-declaration",
    "-Wno-int-conversion", "-Wno-incompatible-pointer-types", "-Wno-return-type",
    "-Wno-incompatible-function-pointer-types", "-flax-vector-conversions=all",
    "-fno-caret-diagnostics", "-ferror-limit=20",
)  # fmt: skip


def language_is_cxx(path: str, flags: Sequence[str]) -> bool:
    """Whether a file is C++: by ``-x``, by ``-std``, or by its suffix."""
    for position, flag in enumerate(flags):
        if flag == "-x" and position + 1 < len(flags):
            return flags[position + 1].startswith("c++")
        if flag.startswith("-xc"):
            return flag.startswith("-xc++")
    return os.path.splitext(path)[1] in CXX_SUFFIXES


def parse(
    buffer: SourceBuffer, flags: Sequence[str], system: Sequence[str] = (), *,
    on_disk: bool = True, shown: bytes | None = None,
) -> Unit:  # fmt: skip
    """Parse a buffer with a compiler's flags; what the parser sees is ``shown`` instead, if given.

    Then headers of the program count as read before, too.

    ``system`` are the flags that let libclang find the builtin headers and know the machine.
    OpenMP is not enabled in the parser (its bodies would be hidden) but ``_OPENMP`` is defined when
    the flags ask for it. Syntax errors end up in ``Unit.errors``. Raises UserError for names that
    libclang does not take.
    """
    _check_names(buffer.path, flags)
    is_cxx = language_is_cxx(buffer.path, flags)
    arguments = [f for f in flags if not re.match(r"-f|-O|-g|-W|-m|-qopenmp", f)]
    if is_cxx and not any(f.startswith("-x") for f in arguments):
        arguments = ["-x", "c++", *arguments]
    elif not is_cxx and not any(f.startswith("-x") for f in arguments):
        arguments = ["-x", "c", *arguments]
    if asks_for_openmp(flags):
        arguments.append("-D_OPENMP=201511")
    arguments += ["-isystem", OWN_INCLUDES, *system, *_LENIENT]
    options = 0
    if re.search(rb"(?:#|%:)[^\n]*\bif", buffer.data):
        options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    text = buffer.data if shown is None else shown
    places = outside(tuple(system))
    own = None if is_cxx or shown is None else own_headers_of(buffer.path, text, arguments)
    headers, rest = own or (None, text)
    unsaved = None if on_disk and _is_on_disk(buffer) else [(buffer.path, rest)]
    handle = headers.parse(buffer.path, arguments, unsaved, options) if headers else None
    if handle is None and not is_cxx:
        unsaved = unsaved and [(buffer.path, text)]
        headers = headers_of(text, arguments, lambda p: real(p).startswith(places))
        handle = headers.parse(buffer.path, arguments, unsaved, options) if headers else None
    headers = None if handle is None else headers
    try:
        handle = handle or cindex.Index.create().parse(buffer.path, arguments, unsaved, options)
    except cindex.TranslationUnitLoadError:  # a machine that nobody here knows
        known = [a for a in arguments if not a.startswith("-m")]
        handle = cindex.Index.create().parse(buffer.path, known, unsaved, options)
    return Unit(
        buffer,
        handle,
        Converter(buffer.path),
        is_cxx,
        tuple(flags),
        tuple(system),
        _errors(handle),
        headers=headers,
    )


def parse_as_compiled(buffer: SourceBuffer, flags: Sequence[str], *, on_disk: bool = True) -> Unit:
    """Parse a buffer with the builtin headers and the machine of the compiler that is at hand."""
    from s2s.source.compiler_answers import parser_flags

    language = "c++" if language_is_cxx(buffer.path, flags) else "c"
    return parse(buffer, flags, parser_flags(flags, "gcc", language), on_disk=on_disk)


def parse_again(unit: Unit, buffer: SourceBuffer, more: Sequence[str] = ()) -> Unit:
    """Parse other text under the same name and flags, and ``more`` of them."""
    again = parse(buffer, (*unit.flags, *more), unit.system, on_disk=False)
    again.program = unit.program
    again.read_again = unit.read_again
    return again


def parse_edited(
    unit: Unit, edits: Sequence[Edit], buffer: SourceBuffer, *, calls: bool = True,
    more: Sequence[str] = (),
) -> Unit:  # fmt: skip
    """Parse a file with edits made, for what it says of the functions that they change.

    The bodies of others are not looked at; with ``calls``, those that may be called there are.
    ``more`` are flags after those of the file.
    """
    unit.read_again[0] += len(buffer.data)
    moved = move_bodies(unit.bodies, edits)
    wanted = called_from(buffer.data, moved, set(unit.macro_words)) if calls else set()
    hidden = [body for body in moved.apart if not body.kept and body.name not in wanted]
    if not hidden:
        return parse_again(unit, buffer, more)
    shown = declare_only(buffer.data, hidden)
    flags = (*unit.flags, *more)
    again = parse(buffer, flags, unit.system, on_disk=False, shown=shown)
    if again.errors:
        return parse_again(unit, buffer, more)
    again.program = unit.program
    again.bodies = moved.all
    again.read_again = unit.read_again
    return again


def _check_names(path: str, flags: Sequence[str]) -> None:
    """Raises UserError where a name has bytes that are no UTF-8, which libclang takes alone."""
    for word in (path, *flags):
        try:
            word.encode()
        except UnicodeEncodeError:
            text = f"{word}: a name that is not UTF-8 cannot be given to libclang"
            raise UserError(Diagnostic(Severity.ERROR, text, "input")) from None


def _is_on_disk(buffer: SourceBuffer) -> bool:
    try:
        return os.stat(buffer.path).st_size == len(buffer.data)
    except OSError:
        return False


def _errors(handle: Any) -> tuple[Diagnostic, ...]:
    found = []
    for item in handle.diagnostics:
        if item.severity < cindex.Diagnostic.Error:
            continue
        place = None
        if item.location.file is not None:
            line, column = item.location.line, item.location.column
            place = Location(item.location.file.name, line, column, line, column + 1)
        found.append(Diagnostic(Severity.ERROR, item.spelling, "parse", place))
    return tuple(found)
