"""The units that a report is about: from the logs that ``s2s cc`` left, or transformed here."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from s2s.cli.render import from_json
from s2s.cli.unit_log import CHANGED, FAILED, SCHEMA, STATES, UNCHANGED, VERSION, contents_of
from s2s.driver.options import Outcome
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass


@dataclass(frozen=True)
class ReportedUnit:
    """One unit: ``source`` is its text, None where it is gone or another one by now.

    ``edits`` and ``regions`` are as in the log; ``seconds`` are those of transforming it.
    """

    path: str
    name: str
    state: str
    reason: str
    command: str
    seconds: float
    diagnostics: tuple[Diagnostic, ...]
    edits: tuple[Mapping[str, Any], ...]
    regions: tuple[Mapping[str, Any], ...]
    source: bytes | None
    remembered: bool = False
    directory: str = ""


def read_logs(folder: str) -> list[ReportedUnit]:
    """The units of a build, by their paths. Raises UserError for what cannot be read."""
    try:
        names = sorted(n for n in os.listdir(folder) if n.endswith(".json") and n[0] != ".")
    except OSError as error:
        raise report_error(folder, error.strerror or str(error)) from error
    units = [unit for name in names if (unit := read_log(os.path.join(folder, name)))]
    if not units:
        raise report_error(folder, "no logs of 's2s cc' here: a build writes them to S2S_LOG_DIR")
    return sorted(units, key=lambda unit: (unit.path, unit.command))


def report_error(path: str, text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, f"{path}: {text}", "report"))


def read_log(path: str) -> ReportedUnit | None:
    """A unit's log; None for another JSON file. Raises UserError for one that cannot be read."""
    try:
        with open(path, "rb") as stream:
            values = json.load(stream)
    except (OSError, ValueError) as error:
        raise report_error(path, f"is no log of 's2s cc': {error}") from error
    if not isinstance(values, dict) or values.get("schema") != SCHEMA:
        return None
    if values.get("version") != VERSION:
        text = f"version {values.get('version')} of the log is not known here (it is {VERSION})"
        raise report_error(path, text)
    try:
        return _unit_of(values)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise report_error(path, f"is no log of 's2s cc': {error!r}") from error


def _unit_of(values: Mapping[str, Any]) -> ReportedUnit:
    if values["state"] not in STATES:
        raise ValueError(values["state"])
    path = str(values["unit"])
    return ReportedUnit(
        path, str(values["source"]), str(values["state"]), str(values["reason"]),
        " ".join(map(str, values["command"])), float(values["seconds"]["transform"]),
        tuple(map(from_json, values["diagnostics"])),
        tuple(dict(edit) for edit in values["edits"]),
        tuple(dict(region) for region in values["regions"]),
        _source(path, str(values["digest"])),
        bool(values["remembered"]), str(values["directory"]),
    )  # fmt: skip


def _source(path: str, digest: str) -> bytes | None:
    """The source's text; None where it is gone or has changed since the build."""
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError:
        return None
    same = not digest or blake2b(data, digest_size=20).hexdigest() == digest
    return data if same else None


def unit_of_outcome(
    outcome: Outcome, name: str, flags: Sequence[str], seconds: float
) -> ReportedUnit:
    """A file that was transformed for the report."""
    contents = contents_of(outcome)
    return ReportedUnit(
        os.path.abspath(name), name, CHANGED if outcome.changed else UNCHANGED, "",
        " ".join(flags), seconds, outcome.diagnostics, tuple(contents["edits"]),
        tuple(contents["regions"]), outcome.original,
    )  # fmt: skip


def failed_unit(name: str, diagnostics: Sequence[Diagnostic], reason: str) -> ReportedUnit:
    """A file that could not be transformed."""
    source = _source(name, "")
    return ReportedUnit(
        os.path.abspath(name), name, FAILED, reason, "", 0.0, tuple(diagnostics), (), (), source
    )


def shorten(units: Sequence[ReportedUnit]) -> Iterator[tuple[ReportedUnit, str]]:
    """Each unit with its path below the folder that all of them are in."""
    folders = {os.path.dirname(unit.path) for unit in units}
    common = os.path.commonpath(folders) if folders else ""
    for unit in units:
        yield unit, unit.path if common in ("", os.sep) else os.path.relpath(unit.path, common)
