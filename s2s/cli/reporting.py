"""What is said to the user, in the form that was asked for, and how s2s exits."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from enum import IntEnum

from s2s.cli.render import Sources, as_json, as_line, as_text, printable
from s2s.cli.root_causes import Filter, Regions
from s2s.driver.child import OutOfTimeError
from s2s.source import Edit
from s2s.source.diagnostics import Diagnostic, InternalError, Severity, UserError

_ALWAYS = (Severity.WARNING, Severity.ERROR)


class Status(IntEnum):
    """Exit statuses of ``s2s``."""

    DONE = 0
    USER_ERROR = 1
    USAGE = 2
    UNCHANGED = 3
    INTERNAL = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class Reporter:
    """Gathers what is said of all files and says it in the form that was asked for.

    Text is written as it comes; JSON is one array and SARIF one file, at the end. Errors and
    warnings are said even when remarks are not wanted. Text that is not ``verbose`` has one line
    for each region and a summary; a filter (``wanted``) picks among all that is said.
    """

    def __init__(
        self, remarks: str = "text", sarif: str | None = None, *, wanted: Filter | None = None,
        verbose: bool = True, yaml: str | None = None,
    ) -> None:  # fmt: skip
        self.sources = Sources()
        self._filter = wanted
        self._verbose = verbose
        self._regions = Regions()
        self._remarks = remarks
        self._sarif, self._yaml = sarif, yaml
        self._edits: dict[str, Sequence[Edit]] = {}
        self._said: dict[str, list[Diagnostic]] = {}
        self.begin("")

    def begin(self, name: str) -> None:
        """What is said from now on is about the file ``name``, or about none."""
        self._of = self._said.setdefault(name, [])

    def edited(self, name: str, edits: Sequence[Edit]) -> None:
        """The edits of a file, which SARIF has as fixes."""
        self._edits[name] = edits

    def say(self, diagnostics: Iterable[Diagnostic]) -> None:
        said = list(diagnostics)
        self._of += said
        for diagnostic in self._shown(said):
            short = not self._verbose and diagnostic.severity not in _ALWAYS
            form = as_line if short else as_text
            complain(form(diagnostic, self.sources))

    def say_internal(self, name: str, error: Exception) -> None:
        """One line for a defect of s2s, or for work that took too long."""
        text = internal_error(name, error)
        kind = "time" if isinstance(error, OutOfTimeError) else "internal"
        self._of.append(Diagnostic(Severity.ERROR, text, kind))
        if self._remarks != "json":
            complain(text + "\n")

    def finish(self) -> Status:
        """Write what is written once; the status says whether that went well."""
        status = Status.DONE
        try:
            self._write_files()
        except UserError as error:
            self.say(error.diagnostics)
            status = Status.USER_ERROR
        if self._remarks == "json":
            import json

            said = (diagnostic for of in self._said.values() for diagnostic in of)
            values = [as_json(diagnostic) for diagnostic in said]
            complain(json.dumps(values, indent=2) + "\n")
        summary = self._regions.summary()
        if summary and self._remarks == "text" and self._filter is None:
            complain(f"s2s: {summary}\n")
        return status

    def _write_files(self) -> None:
        """The logs for other tools that were asked for. Raises UserError."""
        if self._sarif:
            from s2s.cli.sarif import merge

            merge(self._sarif, self._said, self.sources, self._edits)
        if self._yaml:
            from s2s.cli.remarks_yaml import as_yaml, functions_by_text
            from s2s.source.output import write_file

            functions = functions_by_text(self.sources.line)
            write_file(self._yaml, as_yaml(self._said, functions))

    def _shown(self, said: list[Diagnostic]) -> Iterable[Diagnostic]:
        if self._remarks != "text":
            return [d for d in said if self._remarks == "none" and d.severity in _ALWAYS]
        if self._filter is not None:
            return filter(self._filter.wants, said)
        return said if self._verbose else self._regions.condensed(said)


def internal_error(name: str, error: Exception) -> str:
    """What to say of a defect, or of work that took too long.

    S2S_TRACEBACK in the environment shows where a defect is, too.
    """
    if os.environ.get("S2S_TRACEBACK"):
        import traceback

        complain(getattr(error, "trace", "") or "".join(traceback.format_exception(error)))
    if isinstance(error, OutOfTimeError):
        return printable(f"{name}: {error}")
    kind = [] if isinstance(error, InternalError) else [type(error).__name__]
    return printable(": ".join([name, "internal error", *kind, *filter(None, [str(error)])]))


def complain(text: str) -> None:
    """Write to standard error, if the process has one."""
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()
