"""The flags of a file from ``compile_commands.json``, as build systems write it.

An entry holds a whole command; the driver wants only what changes the meaning of the text. The
compiler, the source, the outputs and the dependency files are taken out, and relative search
paths are made absolute, because the command was meant to run in the entry's directory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from s2s.cli.inputs import C_SUFFIXES
from s2s.source.compiler import is_compiler
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

if TYPE_CHECKING:
    import json

_NAME = "compile_commands.json"
# To look through more files for what they define takes longer than it is worth.
_MOST_FILES = 200
_DROPPED_WITH_VALUE = ("-o", "-MF", "-MT", "-MQ", "-MJ")
_LANGUAGE_FILES = frozenset({"-include", "-imacros"})


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_DROPPED = _words("-c -S -E -M -MM -MD -MMD -MP -MG -MV -save-temps -pipe")
_SEPARATE_VALUE = _words(
    "-D -U -x -L -T -u -z -A -arch -target --param -mllvm -iprefix -iwithprefix "
    "-iwithprefixbefore -Xclang -Xpreprocessor -Xassembler -Xlinker"
)
_PATH_OPTIONS = _words(
    "-iquote -isystem -idirafter -isysroot -imacros -include -iframework "
    "--sysroot= --sysroot -I -F -B"
)


def flags_for(build_directory: str, path: str) -> tuple[str, ...]:
    """Flags with which ``path`` is compiled according to the directory's compilation database.

    Raises UserError when the database cannot be read or has no entry for the file.
    """
    directory, arguments = _command(build_directory, path)
    flags = source_flags(_without_compiler(arguments), directory, os.path.realpath(path))
    return tuple(flags)


def sources(build_directory: str) -> list[tuple[str, tuple[str, ...]]]:
    """The C files that a build compiles, each once, with their flags; none where they are many.

    Raises UserError as ``flags_for``.
    """
    database = os.path.join(build_directory, _NAME)
    entries = _entries(database)
    if len(entries) > _MOST_FILES:
        return []
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        directory = os.path.join(build_directory, _text(entry, "directory", database))
        path = os.path.realpath(os.path.join(directory, _text(entry, "file", database)))
        if path not in found and path.endswith(".c") and os.path.isfile(path):
            flags = source_flags(_without_compiler(_arguments(entry, database)), directory, path)
            found[path] = tuple(flags)
    return list(found.items())


def check(build_directory: str) -> None:
    """Raises UserError when a directory has no database that can be read."""
    _entries(os.path.join(build_directory, _NAME))


def compiler_for(build_directory: str, path: str) -> str:
    """The compiler of ``path`` according to the database. Raises UserError as ``flags_for``."""
    _, arguments = _command(build_directory, path)
    flags = _without_compiler(arguments)
    before = arguments[: len(arguments) - len(flags)]
    return next((word for word in reversed(before) if is_compiler(word)), "gcc")


def _command(build_directory: str, path: str) -> tuple[str, list[str]]:
    """The entry's directory and the words of its command."""
    database = os.path.join(build_directory, _NAME)
    wanted = os.path.realpath(path)
    for entry in _likely_first(_entries(database), path, database):
        directory = os.path.join(build_directory, _text(entry, "directory", database))
        if os.path.realpath(os.path.join(directory, _text(entry, "file", database))) == wanted:
            return directory, _arguments(entry, database)
    raise _error(database, f"no entry for '{path}'")


def _likely_first(
    entries: list[dict[str, object]], path: str, database: str
) -> list[dict[str, object]]:
    """Entries for files of the same name first: resolving each of many paths is slow."""
    name = os.path.basename(path)
    return sorted(
        entries, key=lambda entry: os.path.basename(_text(entry, "file", database)) != name
    )


def source_flags(
    arguments: Sequence[str], directory: str | None = None, source: str | None = None
) -> Iterator[str]:
    """What of a compiler's arguments changes the meaning of the text.

    With ``directory``, relative paths are taken from there and made absolute; ``source`` is the
    resolved path of the file being compiled, which is left out.
    """
    words = iter(_expanded(arguments, directory))
    for word in words:
        if word in _DROPPED_WITH_VALUE:
            next(words, None)
        elif word in _SEPARATE_VALUE:
            yield from (word, next(words, ""))
        elif word in _PATH_OPTIONS:
            yield from (word, _absolute(word, next(words, ""), directory))
        elif not _is_dropped(word) and not _is_source(word, directory, source):
            yield _with_absolute_path(word, directory)


def _is_dropped(word: str) -> bool:
    return (
        word in _DROPPED
        or word == "--"
        or word.startswith((*_DROPPED_WITH_VALUE, "-save-temps=", "-Wp,-M"))
    )


def _is_source(word: str, directory: str | None, source: str | None) -> bool:
    if source is None or word.startswith("-"):
        return False
    return os.path.realpath(os.path.join(directory or "", word)) == source


def _with_absolute_path(word: str, directory: str | None) -> str:
    for option in _PATH_OPTIONS:
        if word.startswith(option):
            return option + _absolute(option, word[len(option) :], directory)
    return word


def _absolute(option: str, value: str, directory: str | None) -> str:
    """``value`` seen from ``directory``; ``=`` and ``$SYSROOT`` stand for the system root.

    A forced include that is not there is left alone: the compiler then looks along its path.
    """
    if directory is None or not value or value.startswith(("=", "$SYSROOT")):
        return value
    joined = os.path.abspath(os.path.join(directory, value))
    return value if option in _LANGUAGE_FILES and not os.path.exists(joined) else joined


def _expanded(arguments: Sequence[str], directory: str | None) -> Iterator[str]:
    """The arguments with the content of response files (``@file``) in their place."""
    for argument in arguments:
        path = os.path.join(directory or "", argument[1:])
        if argument.startswith("@") and os.path.isfile(path):
            yield from _response_file(path)
        else:
            yield argument


def _response_file(path: str) -> list[str]:
    import shlex

    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            return shlex.split(stream.read())
    except OSError as error:
        raise _error(path, error.strerror or str(error)) from error
    except ValueError as error:
        raise _error(path, f"cannot be split into words: {error}") from error


def _without_compiler(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments after the compiler and its launchers (``ccache gcc``, ``s2s cc -- gcc``)."""
    first = 1
    while first < len(arguments) and _may_be_compiler(arguments[first]):
        first += 1
    if "--" in arguments[first : first + 1]:
        return _without_compiler(arguments[first + 1 :])
    return arguments[first:]


def _may_be_compiler(word: str) -> bool:
    return not word.startswith(("-", "@")) and os.path.splitext(word)[1] not in C_SUFFIXES


def _entries(database: str) -> list[dict[str, object]]:
    import json

    try:
        with open(database, encoding="utf-8-sig") as stream:
            content = json.load(stream)
    except json.JSONDecodeError as error:
        raise _error("malformed JSON", error.msg, _place(database, error)) from error
    except UnicodeDecodeError as error:
        raise _error(database, f"malformed JSON: not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise _error(database, "malformed JSON: nested too deeply") from error
    except OSError as error:
        raise _error(database, error.strerror or str(error)) from error
    if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
        raise _error(database, "not a compilation database: a list of objects is expected")
    return content


def _place(database: str, error: json.JSONDecodeError) -> Location:
    line_start = error.doc.rfind("\n", 0, error.pos) + 1
    column = len(error.doc[line_start : error.pos].encode()) + 1
    return Location(database, error.lineno, column, error.lineno, column + 1)


def _text(entry: dict[str, object], key: str, database: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str):
        raise _error(database, f"an entry has no text '{key}'")
    return value


def _arguments(entry: dict[str, object], database: str) -> list[str]:
    arguments = entry.get("arguments")
    if isinstance(arguments, list) and all(isinstance(word, str) for word in arguments):
        return arguments
    import shlex

    try:
        return shlex.split(_text(entry, "command", database))
    except ValueError as error:
        reason = f"the command of '{entry.get('file')}' cannot be split into words: {error}"
        raise _error(database, reason) from error


def _error(subject: str, reason: str, location: Location | None = None) -> UserError:
    return UserError(
        Diagnostic(Severity.ERROR, f"{subject}: {reason}", "compile-commands", location)
    )
