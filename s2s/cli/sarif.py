"""Diagnostics as SARIF 2.1.0, the form that code hosts and editors take from analyzers.

Columns are code points here, as the format wants, not bytes. Remarks and missed opportunities are
both notes to a reader of SARIF; the property ``severity`` keeps them apart.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias
from urllib.parse import quote_from_bytes

from s2s import __version__
from s2s.cli.fingerprints import line_hashes
from s2s.cli.render import Json, Sources
from s2s.cli.rule_texts import rule_texts
from s2s.source import Edit, SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Location, Severity
from s2s.source.output import output_error, write_file

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_NAME = "s2s"
_BASE = "PWD"
_STEPS_OF_A_RACE = 2
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


# The edits that make each file's new text.
Edits: TypeAlias = Mapping[str, Sequence[Edit]]


def as_sarif(
    said: Said, sources: Sources, log: Log | None = None, edits: Edits | None = None
) -> bytes:
    """A SARIF log of what was said; in ``log``, one of earlier runs, it replaces the same files'.

    Each working directory has one run in it, since code hosts take few runs and many results.
    With ``edits`` remarks have them as fixes, each in one: all fixes together are the new text.
    """
    log = log or {"$schema": _SCHEMA, "version": "2.1.0", "runs": []}
    run = _run_of(log)
    units = {_unit(name) for name in said}
    results = [r for r in run["results"] if r.get("properties", {}).get("unit") not in units]
    for name, diagnostics in said.items():
        made = [_result(diagnostic, _unit(name), sources) for diagnostic in diagnostics]
        if edits and edits.get(name):
            _add_fixes(name, made, diagnostics, edits[name], sources)
        results += made
    rules = sorted({result["ruleId"] for result in results})
    for result in results:
        result["ruleIndex"] = rules.index(result["ruleId"])
    driver = {"name": _NAME, "version": __version__, "rules": [_rule(rule) for rule in rules]}
    run.update({"tool": {"driver": driver}, "results": results})
    return (json.dumps(log, indent=2) + "\n").encode()


def _rule(name: str) -> Json:
    short, help_ = rule_texts(name)
    return {
        "id": name,
        "shortDescription": {"text": short},
        "fullDescription": {"text": f"{short}."},
        "help": {"text": help_},
    }


def _add_fixes(
    name: str, results: Sequence[Any], said: Sequence[Diagnostic], edits: Sequence[Edit],
    sources: Sources,
) -> None:  # fmt: skip
    """Give each remark the edits at its lines; the first one also those that belong to none."""
    buffer = SourceBuffer(name, sources.data(name))
    remarks = [
        (d.location, result) for d, result in zip(said, results, strict=True)
        if d.severity is Severity.REMARK and d.location is not None and d.location.path == name
    ]  # fmt: skip
    if not remarks:
        return
    chosen: dict[int, list[Json]] = {}
    for edit in sorted(edits):
        lines = buffer.location(Span(edit.start, edit.end))
        number = next(
            (i for i, (at, _) in enumerate(remarks)
             if lines.line <= at.end_line and at.line <= lines.end_line), 0,
        )  # fmt: skip
        region: Json = dict(_region(lines, sources))
        text: Json = {"text": edit.text.decode("utf-8", "replace")}
        chosen.setdefault(number, []).append({"deletedRegion": region, "insertedContent": text})
    for number, replacements in chosen.items():
        result = remarks[number][1]
        change: Json = {"artifactLocation": {**_artifact(name)}, "replacements": replacements}
        words: Json = {"text": result["message"]["text"]}
        result["fixes"] = [{"description": words, "artifactChanges": [change]}]


def merge(path: str, said: Said, sources: Sources, edits: Edits | None = None) -> None:
    """Put what was said into the log at ``path``, beside what a build's other units have there.

    Raises UserError for a file that cannot be written, or that is no log and would be lost.
    """
    with _locked(path):
        write_file(path, as_sarif(said, sources, _read(path), edits))


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
        if mark := _fingerprint(diagnostic.location, sources):
            result["partialFingerprints"] = {"primaryLocationLineHash": mark}
    if diagnostic.notes:
        notes = list(_flattened(diagnostic.notes))
        result["relatedLocations"] = [
            _related(note, number, sources) for number, note in enumerate(notes)
        ]
        result["message"] = {"text": _with_links(diagnostic.text, notes)}
    if diagnostic.id == "race":
        result |= _flow(diagnostic, sources)
    return result


def _fingerprint(at: Location, sources: Sources) -> str:
    """GitHub's hash of the line; empty where the file cannot be read."""
    hashes = line_hashes(sources.data(at.path).decode("utf-8", "replace"))
    return hashes[at.line - 1] if sources.data(at.path) and at.line <= len(hashes) else ""


def _with_links(text: str, notes: Sequence[Diagnostic]) -> str:
    """The text and links to the places of notes: code hosts show only those that are linked."""
    words = _escape(text)
    places = [(n, note) for n, note in enumerate(notes) if note.location is not None]
    links = [f"[{_escape(note.text, in_link=True)}]({n})" for n, note in places]
    return f"{words} ({'; '.join(links)})" if links else words


def _flow(diagnostic: Diagnostic, sources: Sources) -> dict[str, Json]:
    """The two accesses of a race as one flow, which code hosts show as steps."""
    both = [d for d in (diagnostic, *_flattened(diagnostic.notes)) if d.location is not None]
    if len(both) < _STEPS_OF_A_RACE:
        return {}
    steps: list[Json] = [
        {
            "location": {
                "message": _message(said.text),
                "physicalLocation": _physical(said.location, sources),
            }
        }
        for said in both
        if said.location is not None
    ]
    return {"codeFlows": [{"threadFlows": [{"locations": steps}]}]}


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
    return {"text": _escape(text)}


def _escape(text: str, *, in_link: bool = False) -> str:
    """Braces are doubled: single ones would be placeholders (section 3.11.5 of the standard).

    What could be taken for a link has its brackets escaped (section 3.11.6).
    """
    words = text.replace("{", "{{").replace("}", "}}")
    if in_link or re.search(r"\[[^]]*\]\(", words):
        words = words.replace("[", "\\[").replace("]", "\\]")
    return words


def _physical(at: Location, sources: Sources) -> Json:
    return {"artifactLocation": {**_artifact(at.path)}, "region": _region(at, sources)}


def _region(at: Location, sources: Sources) -> dict[str, Json]:
    return {
        "startLine": at.line,
        "startColumn": sources.code_point_column(at.path, at.line, at.column),
        "endLine": at.end_line,
        "endColumn": sources.code_point_column(at.path, at.end_line, at.end_column),
    }


def _artifact(path: str) -> dict[str, str]:
    """A file below the working directory relative to it, so that the log can travel."""
    relative = os.path.normpath(path)
    if os.path.isabs(relative) or relative.startswith(os.pardir):
        return {"uri": _file_uri(os.path.abspath(path))}
    return {"uri": quote_from_bytes(os.fsencode(relative)), "uriBaseId": _BASE}


def _file_uri(path: str) -> str:
    return "file://" + quote_from_bytes(os.fsencode(path))
