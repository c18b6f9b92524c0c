"""SARIF 2.1.0: the parts of the standard that readers of the file rely on."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from s2s import __version__
from s2s.cli.render import Sources
from s2s.cli.sarif import as_sarif, merge
from s2s.source import Edit, apply_edits
from s2s.source.diagnostics import Diagnostic, Location, Severity

Run = Callable[..., CompletedProcess[bytes]]
Spawn = Callable[..., CompletedProcess[bytes]]


def run_of(*diagnostics: Diagnostic, path: str = "x.c", data: bytes = b"") -> Any:
    sources = Sources()
    sources.add(path, data)
    log = json.loads(as_sarif({path: diagnostics}, sources))
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


def test_what_looks_like_a_link_is_none() -> None:
    (result,) = run_of(Diagnostic(Severity.REMARK, "'a[i](j)' is called", "r"))["results"]
    assert result["message"]["text"] == r"'a\[i\](j)' is called"


def test_notes_with_places_are_linked_from_the_message() -> None:
    note = Diagnostic(Severity.NOTE, "the other one", "race", place(2, 1, 2, 2))
    said = Diagnostic(Severity.WARNING, "a race", "race", place(1, 1, 1, 2), (note,))
    (result,) = run_of(said, data=b"a\nb\n")["results"]
    assert result["message"]["text"] == "a race ([the other one](0))"
    (flow,) = result["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    lines = [s["location"]["physicalLocation"]["region"]["startLine"] for s in steps]
    assert lines == [1, 2]


@pytest.mark.parametrize("rule", ["popp", "race", "no-such-rule"])
def test_rules_have_texts(rule: str) -> None:
    run = run_of(Diagnostic(Severity.REMARK, "t", rule))
    (described,) = run["tool"]["driver"]["rules"]
    for key in ("shortDescription", "fullDescription", "help"):
        assert 0 < len(described[key]["text"]) <= 1024


def test_a_place_has_the_fingerprint_of_its_line() -> None:
    said = Diagnostic(Severity.REMARK, "t", "r", place(2, 1, 2, 2))
    (result,) = run_of(said, data=b" a\nb\n  \t\tc\n d")["results"]
    assert result["partialFingerprints"] == {"primaryLocationLineHash": "54703d4cd895b18:1"}


def test_fixes_together_are_the_new_text() -> None:
    """Each edit is in one fix, also one that is far from every remark; columns are code points."""
    data = "/* é */ one;\nfar;\ntwo;\n".encode()
    edits = [
        Edit(9, 12, b"1"),
        Edit(data.index(b"far"), data.index(b"far") + 3, b"near"),
        Edit(data.index(b"two"), data.index(b"two"), b"2 "),
    ]
    said = [Diagnostic(Severity.REMARK, "t", "r", place(n, 1, n, 2)) for n in (1, 3)]
    sources = Sources()
    sources.add("x.c", data)
    (run,) = json.loads(as_sarif({"x.c": said}, sources, edits={"x.c": edits}))["runs"]
    lines = data.decode().splitlines(keepends=True)
    found = []
    for result in run["results"]:
        (fix,) = result["fixes"]
        (change,) = fix["artifactChanges"]
        assert fix["description"]["text"] and change["artifactLocation"]["uri"] == "x.c"
        for replacement in change["replacements"]:
            region = replacement["deletedRegion"]
            ends = [
                len("".join(lines[: region[f"{end}Line"] - 1]).encode())
                + len(lines[region[f"{end}Line"] - 1][: region[f"{end}Column"] - 1].encode())
                for end in ("start", "end")
            ]
            found.append(Edit(ends[0], ends[1], replacement["insertedContent"]["text"].encode()))
    assert apply_edits(data, found) == apply_edits(data, edits)
    assert [len(r["fixes"][0]["artifactChanges"][0]["replacements"]) for r in run["results"]] == [
        2,
        1,
    ]


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


def _units(path: str) -> list[str]:
    """The files that a log has results for, each with what was said."""
    log = json.loads(Path(path).read_bytes())
    results = [result for run in log["runs"] for result in run["results"]]
    return sorted(f"{r['properties']['unit']}: {r['ruleId']}" for r in results)


_LOOP = "void {0}(int n, double *a) {{ for (int i = 1; i < n; i++) a[i] = a[i - 1] * 2; }}\n"


def test_units_of_a_build_share_a_log(spawn: Spawn) -> None:
    """Also where they are compiled at the same time; a unit's own results are replaced."""
    units = ["u0.c", "u1.c"]
    for unit in units:
        Path(unit).write_text(_LOOP.format(unit[:2]))
    command = ["cc", "--sarif", "all.sarif", "--", "gcc", "-O3", "-c"]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda unit: spawn(*command, unit), units))
    found = _units("all.sarif")
    assert {line.partition(":")[0] for line in found} == set(units)
    spawn(*command, units[0])
    assert _units("all.sarif") == found
    assert not list(Path().glob(".s2s*"))


def _said(*texts: str) -> list[Diagnostic]:
    return [Diagnostic(Severity.REMARK, text, text) for text in texts]


def test_what_is_said_of_a_file_is_replaced(tmp_path: Path) -> None:
    path, sources = str(tmp_path / "log"), Sources()
    merge(path, {"a.c": _said("one", "two"), "b.c": _said("one")}, sources)
    merge(path, {"a.c": _said("three"), "c.c": []}, sources)
    assert _units(path) == ["a.c: three", "b.c: one"]
    (run,) = json.loads(Path(path).read_bytes())["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["one", "three"]
    assert all(rules[r["ruleIndex"]] == r["ruleId"] for r in run["results"])
    merge(path, {"a.c": [], "b.c": []}, sources)
    assert _units(path) == []


def test_runs_of_other_tools_and_directories_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    other = {"tool": {"driver": {"name": "other"}}, "results": [{"message": {"text": "t"}}]}
    path.write_text(json.dumps({"version": "2.1.0", "runs": [other]}))
    merge(str(path), {"a.c": _said("one")}, Sources())
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    merge(str(path), {"a.c": _said("two")}, Sources())
    runs = json.loads(path.read_bytes())["runs"]
    assert runs[0] == other
    assert [run["results"][0]["ruleId"] for run in runs[1:]] == ["one", "two"]


@pytest.mark.parametrize("text", ["# mine\n", "[]", '{"runs": 3}', "{"])
def test_another_file_in_the_place_of_a_log(run: Run, text: str) -> None:
    Path("x.c").write_text("int x;\n")
    Path("log").write_text(text)
    result = run("transform", "x.c", "-o", "y.c", "--sarif", "log")
    assert result.returncode == 1
    assert result.stderr == b"s2s: error: log: is no SARIF log, and stays as it is [output]\n"
    assert Path("log").read_text() == text


def test_an_empty_file_becomes_a_log(run: Run) -> None:
    Path("x.c").write_text("int x;\n")
    Path("log").touch()
    assert run("transform", "x.c", "-o", "y.c", "--sarif", "log").returncode == 0
    assert _units("log") == []
