"""Diagnostics as SARIF 2.1.0, the form that code hosts and editors take from analyzers.

Columns are code points here, as the format wants, not bytes. Remarks and missed opportunities are
both notes to a reader of SARIF; the property ``severity`` keeps them apart.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote_from_bytes

from s2s import __version__
from s2s.diagnostics import Diagnostic, Location, Severity
from s2s.render import Json, Sources

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_BASE = "PWD"
_LEVELS = {
    Severity.REMARK: "note",
    Severity.MISSED: "note",
    Severity.NOTE: "note",
    Severity.WARNING: "warning",
    Severity.ERROR: "error",
}


def as_sarif(diagnostics: Sequence[Diagnostic], sources: Sources) -> bytes:
    """A SARIF log of one run of s2s that said ``diagnostics``."""
    rules = sorted({diagnostic.id for diagnostic in diagnostics})
    log: Json = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "s2s",
                        "version": __version__,
                        "rules": [{"id": rule} for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {_BASE: {"uri": _file_uri(os.path.join(os.getcwd(), ""))}},
                "results": [_result(diagnostic, rules, sources) for diagnostic in diagnostics],
            }
        ],
    }
    return (json.dumps(log, indent=2) + "\n").encode()


def _result(diagnostic: Diagnostic, rules: Sequence[str], sources: Sources) -> Json:
    result: dict[str, Json] = {
        "ruleId": diagnostic.id,
        "ruleIndex": rules.index(diagnostic.id),
        "level": _LEVELS[diagnostic.severity],
        "message": _message(diagnostic.text),
        "properties": {"severity": diagnostic.severity.value},
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
        "artifactLocation": _artifact(at.path),
        "region": {
            "startLine": at.line,
            "startColumn": sources.code_point_column(at.path, at.line, at.column),
            "endLine": at.end_line,
            "endColumn": sources.code_point_column(at.path, at.end_line, at.end_column),
        },
    }


def _artifact(path: str) -> Json:
    """A file below the working directory relative to it, so that the log can travel."""
    relative = os.path.normpath(path)
    if os.path.isabs(relative) or relative.startswith(os.pardir):
        return {"uri": _file_uri(os.path.abspath(path))}
    return {"uri": quote_from_bytes(os.fsencode(relative)), "uriBaseId": _BASE}


def _file_uri(path: str) -> str:
    return "file://" + quote_from_bytes(os.fsencode(path))
