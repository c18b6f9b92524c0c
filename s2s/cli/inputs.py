"""What is handed to the driver, looked at first.

The parser's words for a directory, a binary or a Fortran file are hundreds of syntax errors; here
each of them is one sentence.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field

from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

_C = (".c", ".i", ".h", ".inc")
_CXX = (".C", ".H", ".cc", ".cp", ".cpp", ".CPP", ".cxx", ".c++", ".ii", ".hh", ".hpp", ".hxx")
C_SUFFIXES = frozenset(_C + _CXX)
_LAYERS = ".m"
"""Files of layers, which a target takes or refuses."""


@dataclass(frozen=True)
class Source:
    """An input: the name that messages use, the file that the driver reads, and its bytes."""

    name: str
    path: str
    data: bytes = field(repr=False)
    extra_flags: tuple[str, ...] = ()


@contextmanager
def open_source(name: str, flags: Sequence[str]) -> Iterator[Source]:
    """The source ``name``, or the standard input for ``-``; raises UserError if it is not C."""
    if name != "-":
        yield _file(name, flags)
        return
    import tempfile

    data = _standard_input()
    _check_text("<stdin>", data)
    with tempfile.TemporaryDirectory(prefix="s2s-") as directory:
        path = os.path.join(directory, "stdin.c")
        with open(path, "wb") as stream:
            stream.write(data)
        yield Source("<stdin>", path, data, ("-iquote", os.getcwd()))


@contextmanager
def open_text(name: str, text: str | bytes | None, flags: Sequence[str]) -> Iterator[Source]:
    """The file ``name``, or a text in its place; raises UserError if it is not C.

    The text is put elsewhere under the same name, where quoted includes are looked for beside the
    file.
    """
    if text is None:
        yield _file(name, flags)
        return
    import tempfile

    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    _check_suffix(name, flags)
    _check_text(name, data)
    with tempfile.TemporaryDirectory(prefix="s2s-") as directory:
        path = os.path.join(directory, os.path.basename(name))
        with open(path, "wb") as stream:
            stream.write(data)
        beside = os.path.dirname(os.path.abspath(name))
        yield Source(name, path, data, ("-iquote", beside))


def input_error(path: str, reason: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, f"{path}: {reason}", "input"))


def _file(name: str, flags: Sequence[str]) -> Source:
    try:
        _check_kind(name, os.stat(name).st_mode)
        _check_suffix(name, flags)
        with open(name, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise input_error(name, error.strerror or str(error)) from error
    _check_text(name, data)
    return Source(name, name, data)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise input_error("standard input", "closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise input_error("standard input", error.strerror or str(error)) from error


def _check_kind(name: str, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise input_error(name, "is a directory, not a C source file")
    if not stat.S_ISREG(mode):
        raise input_error(name, "not a regular file; '-' reads the standard input")


def _check_suffix(name: str, flags: Sequence[str]) -> None:
    suffix = os.path.splitext(name)[1]
    if suffix in C_SUFFIXES or suffix == _LAYERS or any(flag.startswith("-x") for flag in flags):
        return
    reason = f"the suffix '{suffix}' is not one of C" if suffix else "no suffix"
    raise input_error(name, f"not a C source file: {reason}; '-- -x c' takes it as C")


def _check_text(name: str, data: bytes) -> None:
    position = data.find(b"\0")
    if position < 0:
        return
    location = SourceBuffer(name, data).location(Span(position, position + 1))
    raise UserError(Diagnostic(Severity.ERROR, "not C source text: a NUL byte", "input", location))
