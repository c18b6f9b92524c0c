"""The driver in a process of its own.

The parser is a library in C++ that some inputs crash (ten megabytes of brackets do). That must not
take s2s along, which still has a line to say and other files to write.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from s2s.driver.child import Limit, in_child
from s2s.source.diagnostics import (
    Diagnostic,
    InternalError,
    Location,
    Severity,
    UsageError,
    UserError,
)
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.driver.options import Options, Outcome

T = TypeVar("T")

_COMPILER_ERROR = re.compile(r"^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$", re.MULTILINE)
_COMPILER_TIME_LIMIT = 60.0


class DriverError(InternalError):
    """A defect that ended the driver; ``trace`` shows where, if the driver could still tell."""

    def __init__(self, text: str, trace: str = "") -> None:
        super().__init__(text)
        self.trace = trace


@dataclass(frozen=True)
class _Refusal:
    """The driver's UserError, in a form that goes through a pipe."""

    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class _Misuse:
    """The driver's UsageError."""

    text: str


@dataclass(frozen=True)
class _Defect:
    text: str
    trace: str


def transform_file(
    path: str, flags: Sequence[str], options: Options, seconds: int = Limit.processor
) -> Outcome:
    """``driver.transform_file``; raises what it does for users' errors, DriverError for a defect.

    Raises OutOfTimeError after ``seconds`` of processor time, besides what measuring may take.
    """
    measuring = math.ceil(2 * options.tune.budget) if options.tune else 0
    answer = in_child(lambda: _answer(path, flags, options), Limit(seconds + measuring))
    if answer is None:
        _refuse_what_the_compiler_refuses(path, flags)
        if in_child(lambda: _parses(path, flags), Limit(seconds)) is None:
            from s2s.driver.transform import too_deep

            return too_deep(path, flags, options)
        raise DriverError("the parser crashed")
    if isinstance(answer, _Refusal):
        raise UserError(*answer.diagnostics)
    if isinstance(answer, _Misuse):
        raise UsageError(answer.text)
    if isinstance(answer, _Defect):
        raise DriverError(answer.text, answer.trace)
    return answer


def transform_named(
    path: str, name: str, flags: Sequence[str], options: Options, seconds: int = Limit.processor
) -> Outcome:
    """``transform_file`` of a text that stands under another path, with its name in all it says."""
    if path == name:
        return transform_file(path, flags, options, seconds)
    try:
        return _renamed(transform_file(path, flags, options, seconds), path, name)
    except UserError as error:
        raise UserError(*_renamed(error.diagnostics, path, name)) from error


def _renamed(value: T, path: str, name: str) -> T:
    """A value with a name in place of a path in all texts that are part of it."""
    found: Any = value
    if isinstance(value, str):
        found = value.replace(path, name)
    elif isinstance(value, tuple):
        found = tuple(_renamed(item, path, name) for item in value)
    elif is_dataclass(value) and not isinstance(value, type):
        parts = {one.name: getattr(value, one.name) for one in fields(value)}
        found = replace(value, **{key: _renamed(part, path, name) for key, part in parts.items()})
    return cast("T", found)


def _parses(path: str, flags: Sequence[str]) -> bool:
    """Whether the parser comes to an end: a stack that is full ends the process."""
    from s2s.frontends.c.parse import parse_as_compiled
    from s2s.source import SourceBuffer

    with open(path, "rb") as stream:
        parse_as_compiled(SourceBuffer(path, stream.read()), flags)
    return True


def _answer(
    path: str, flags: Sequence[str], options: Options
) -> Outcome | _Refusal | _Misuse | _Defect:
    try:
        from s2s.driver import transform as driver

        return driver.transform_file(path, flags, options)
    except UserError as error:
        return _Refusal(error.diagnostics)
    except UsageError as error:
        return _Misuse(str(error))
    except Exception as error:
        import traceback

        kind = [] if isinstance(error, InternalError) else [type(error).__name__]
        text = ": ".join([*kind, *filter(None, [str(error)])])
        return _Defect(text, "".join(traceback.format_exception(error)))


def _refuse_what_the_compiler_refuses(path: str, flags: Sequence[str]) -> None:
    """Raise UserError with the compiler's first error, if it has one.

    What crashes a parser is mostly not C, and then the user wants to know where.
    """
    import subprocess

    command = ["gcc", "-fsyntax-only", "-w", "-fmax-errors=1", "-fno-diagnostics-show-caret"]
    try:
        done = subprocess.run(
            [*command, *flags, path],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_COMPILER_TIME_LIMIT,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return
    found = _COMPILER_ERROR.search(done.stderr.decode("utf-8", "surrogateescape"))
    if done.returncode > 0 and found:
        line, column = int(found[2]), int(found[3])
        place = Location(found[1], line, column, line, column + 1)
        raise UserError(Diagnostic(Severity.ERROR, found[4], "parse", place))
