"""SARIF 2.1.0: the parts of the standard that readers of the file rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from s2s import __version__
from s2s.diagnostics import Diagnostic, Location, Severity
from s2s.render import Sources
from s2s.sarif import as_sarif


def run_of(*diagnostics: Diagnostic, path: str = "x.c", data: bytes = b"") -> Any:
    sources = Sources()
    sources.add(path, data)
    log = json.loads(as_sarif(diagnostics, sources))
    assert log["version"] == "2.1.0"
    assert "sarif-schema-2.1.0" in log["$schema"]
    (run,) = log["runs"]
    return run


def place(line: int, column: int, end_line: int, end_column: int, path: str = "x.c") -> Location:
    return Location(path, line, column, end_line, end_column)


def test_empty_run_is_complete() -> None:
    run = run_of()
    assert run["results"] == []
    assert run["tool"]["driver"] == {"name": "s2s", "version": __version__, "rules": []}


@pytest.mark.parametrize(
    ("severity", "level"),
    [
        (Severity.REMARK, "note"),
        (Severity.MISSED, "note"),
        (Severity.WARNING, "warning"),
        (Severity.ERROR, "error"),
    ],
)
def test_level(severity: Severity, level: str) -> None:
    (result,) = run_of(Diagnostic(severity, "text", "popp"))["results"]
    assert result["level"] == level
    assert result["properties"]["severity"] == severity.value
    assert result["message"] == {"text": "text"}
    assert "locations" not in result


def test_rules_are_listed_once_and_referred_to() -> None:
    said = [Diagnostic(Severity.REMARK, "t", rule) for rule in ("popp", "effects", "popp")]
    run = run_of(*said)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert sorted(rules) == ["effects", "popp"]
    for result, diagnostic in zip(run["results"], said, strict=True):
        assert rules[result["ruleIndex"]] == result["ruleId"] == diagnostic.id


def test_region_counts_code_points() -> None:
    data = "int a;\n/* é漢 */ x = 1;\n".encode()
    run = run_of(Diagnostic(Severity.REMARK, "t", "r", place(2, 13, 2, 14)), data=data)
    assert run["columnKind"] == "unicodeCodePoints"
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 10, "endLine": 2, "endColumn": 11}
    assert data.decode().splitlines()[1][9] == "x"


def test_region_over_lines() -> None:
    run = run_of(Diagnostic(Severity.REMARK, "t", "r", place(1, 2, 2, 2)), data=b"{  \n }\n")
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 2, "endLine": 2, "endColumn": 2}


def test_notes_are_related_locations() -> None:
    inner = Diagnostic(Severity.NOTE, "inner", "", None)
    outer = Diagnostic(Severity.NOTE, "outer", "", place(1, 1, 1, 2), (inner,))
    (result,) = run_of(Diagnostic(Severity.WARNING, "race", "race", None, (outer,)))["results"]
    related = result["relatedLocations"]
    assert [entry["message"]["text"] for entry in related] == ["outer", "inner"]
    assert len({entry["id"] for entry in related}) == 2
    assert related[0]["physicalLocation"]["region"]["startLine"] == 1
    assert "physicalLocation" not in related[1]


def test_braces_are_not_placeholders() -> None:
    (result,) = run_of(Diagnostic(Severity.REMARK, "{ S[i] }", "r"))["results"]
    assert result["message"]["text"] == "{{ S[i] }}"


def uri_of(path: str) -> Any:
    run = run_of(Diagnostic(Severity.REMARK, "t", "r", place(1, 1, 1, 1, path)), path=path)
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    base = run["originalUriBaseIds"].get(location.get("uriBaseId"), {"uri": ""})["uri"]
    return base, location["uri"]


@pytest.mark.parametrize("path", ["x.c", "./sub/../x.c", "a b#%é.c", "dir:x.c"])
def test_relative_paths_stay_below_the_working_directory(path: str) -> None:
    base, uri = uri_of(path)
    assert base == Path.cwd().as_uri() + "/"
    assert urlparse(uri).scheme == "" and "#" not in uri and " " not in uri
    assert Path.cwd() / unquote(uri) == Path.cwd() / Path(path.replace("sub/../", ""))


@pytest.mark.parametrize("path", ["/usr/include/stdio.h", "../other/x.c"])
def test_other_paths_are_absolute(path: str) -> None:
    base, uri = uri_of(path)
    assert base == ""
    assert uri.startswith("file:///") and ".." not in uri
