"""Diagnostics as SARIF 2.1.0, the form that code hosts and editors take from analyzers.

Columns are code points here, as the format wants, not bytes. Remarks and missed opportunities are
both notes to a reader of SARIF; the property ``severity`` keeps them apart.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias
from urllib.parse import quote_from_bytes

from s2s import __version__
from s2s.cli.render import Json, Sources
from s2s.source.diagnostics import Diagnostic, Location, Severity
from s2s.source.output import output_error, write_file

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_NAME = "s2s"
_BASE = "PWD"
_LEVELS = {
    Severity.REMARK: "note",
    Severity.MISSED: "note",
    Severity.NOTE: "note",
    Severity.WARNING: "warning",
    Severity.ERROR: "error",
}


Log: TypeAlias = dict[str, Any]
# What was said of each file that was looked at, nothing perhaps; of no file under no name.
Said: TypeAlias = Mapping[str, Sequence[Diagnostic]]


def as_sarif(said: Said, sources: Sources, log: Log | None = None) -> bytes:
    """A SARIF log of what was said; in ``log``, one of earlier runs, it replaces the same files'.

    Each working directory has one run in it, since code hosts take few runs and many results.
    """
    log = log or {"$schema": _SCHEMA, "version": "2.1.0", "runs": []}
    run = _run_of(log)
    units = {_unit(name) for name in said}
    results = [r for r in run["results"] if r.get("properties", {}).get("unit") not in units]
    for name, diagnostics in said.items():
        results += [_result(diagnostic, _unit(name), sources) for diagnostic in diagnostics]
    rules = sorted({result["ruleId"] for result in results})
    for result in results:
        result["ruleIndex"] = rules.index(result["ruleId"])
    driver = {"name": _NAME, "version": __version__, "rules": [{"id": rule} for rule in rules]}
    run.update({"tool": {"driver": driver}, "results": results})
    return (json.dumps(log, indent=2) + "\n").encode()


def merge(path: str, said: Said, sources: Sources) -> None:
    """Put what was said into the log at ``path``, beside what a build's other units have there.

    Raises UserError for a file that cannot be written, or that is no log and would be lost.
    """
    with _locked(path):
        write_file(path, as_sarif(said, sources, _read(path)))


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Others that write to the same directory's logs wait, where its file system knows how."""
    import fcntl

    directory = os.path.dirname(os.path.realpath(path)) or "."
    try:
        descriptor = os.open(directory, os.O_RDONLY)
    except OSError:
        yield  # writing says why
        return
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _read(path: str) -> Log | None:
    """The log that is there, None for none. Raises UserError for what is something else."""
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as stream:
            data = stream.read()
        if not data.strip():
            return None
        log = json.loads(data)
    except (OSError, ValueError):
        log = None
    runs = log.get("runs") if isinstance(log, dict) else None
    if isinstance(runs, list) and all(isinstance(run, dict) for run in runs):
        found: Log = log
        return found
    raise output_error(path, "is no SARIF log, and stays as it is")


def _run_of(log: Log) -> Log:
    """The run of this tool in this working directory."""
    bases = {_BASE: {"uri": _file_uri(os.path.join(os.getcwd(), ""))}}
    for run in log["runs"]:
        ours = run.get("tool", {}).get("driver", {}).get("name") == _NAME
        if ours and run.get("originalUriBaseIds") == bases and "results" in run:
            found: Log = run
            return found
    made: Log = {
        "tool": {},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": bases,
        "results": [],
    }
    log["runs"].append(made)
    return made


def _unit(name: str) -> str:
    return _artifact(name)["uri"] if name else ""


def _result(diagnostic: Diagnostic, unit: str, sources: Sources) -> Json:
    result: dict[str, Json] = {
        "ruleId": diagnostic.id,
        "ruleIndex": 0,
        "level": _LEVELS[diagnostic.severity],
        "message": _message(diagnostic.text),
        "properties": {"severity": diagnostic.severity.value, "unit": unit},
    }
    if diagnostic.location:
        result["locations"] = [{"physicalLocation": _physical(diagnostic.location, sources)}]
    if diagnostic.notes:
        result["relatedLocations"] = [
            _related(note, number, sources)
            for number, note in enumerate(_flattened(diagnostic.notes))
        ]
    return result


def _related(note: Diagnostic, number: int, sources: Sources) -> Json:
    related: dict[str, Json] = {"id": number, "message": _message(note.text)}
    if note.location:
        related["physicalLocation"] = _physical(note.location, sources)
    return related


def _flattened(notes: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for note in notes:
        yield note
        yield from _flattened(note.notes)


def _message(text: str) -> Json:
    """Braces are doubled: single ones would be placeholders (section 3.11.5 of the standard)."""
    return {"text": text.replace("{", "{{").replace("}", "}}")}


def _physical(at: Location, sources: Sources) -> Json:
    return {
        "artifactLocation": {**_artifact(at.path)},
        "region": {
            "startLine": at.line,
            "startColumn": sources.code_point_column(at.path, at.line, at.column),
            "endLine": at.end_line,
            "endColumn": sources.code_point_column(at.path, at.end_line, at.end_column),
        },
    }


def _artifact(path: str) -> dict[str, str]:
    """A file below the working directory relative to it, so that the log can travel."""
    relative = os.path.normpath(path)
    if os.path.isabs(relative) or relative.startswith(os.pardir):
        return {"uri": _file_uri(os.path.abspath(path))}
    return {"uri": quote_from_bytes(os.fsencode(relative)), "uriBaseId": _BASE}


def _file_uri(path: str) -> str:
    return "file://" + quote_from_bytes(os.fsencode(path))
