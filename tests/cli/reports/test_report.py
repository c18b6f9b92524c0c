"""What ``s2s report`` makes of the logs of a build, and of files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from s2s.cli.reports.nests import loop_lines, nest_depth
from s2s.cli.reports.page import make_page
from tests.cli.conftest import FakeDriver
from tests.cli.reports.logs import NEW, SOURCE, log, write

_HERE = Path(__file__).parent

Run = Callable[..., CompletedProcess[bytes]]


def data_of(page: Path) -> Any:
    found = re.search(
        r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL
    )
    assert found is not None
    return json.loads(found[1])


def report(run: Run, *words: str) -> Any:
    done = run("report", *words, "-o", "page.html")
    assert (done.returncode, done.stderr) == (0, b"")
    return data_of(Path("page.html"))


def test_a_build_by_its_logs(run: Run) -> None:
    write(
        Path("logs"), [log(Path("b/one.c").resolve()), log(Path("b/two.c").resolve(), "unchanged")]
    )
    data = report(run, "logs")
    assert [(file["name"], file["state"]) for file in data["files"]] == [
        ("one.c", "changed"), ("two.c", "unchanged"),
    ]  # fmt: skip
    changed, called = data["files"][0]["regions"][:2]
    assert changed["lines"] == [3, 5] and changed["changed"] and changed["by"] == ["permute"]
    assert changed["new"] == "  " + NEW
    assert [depth for depth, _ in changed["after"]] == [0, 1]
    assert changed["guard"] == "n >= 8 && (n > 2 || n < 0)"
    assert [d[2] for d in changed["dependences"]] == ["flow", "anti"]
    assert changed["gain"] == 0 and called["gain"] == 1
    assert data["texts"][called["cause"][2]] == "call to 'unknown' may write any array"
    assert [region["state"] for region in data["files"][0]["regions"]] == [
        "changed", "unchanged", "warning",
    ]  # fmt: skip


def test_a_source_that_has_changed_is_not_shown(run: Run) -> None:
    path = Path("b/one.c").resolve()
    write(Path("logs"), [log(path)])
    path.write_text(SOURCE + "// more\n")
    (file,) = report(run, "logs")["files"]
    assert file["source"] is None and "has changed" in file["noSource"]
    assert file["regions"][0]["new"] == NEW


def test_a_profile_gives_seconds(run: Run) -> None:
    write(Path("logs"), [log(Path("b/one.c").resolve())])
    loops = [{"file": "b/one.c", "line": line, "seconds": s} for line, s in ((10, 2.5), (3, 9))]
    Path("profile.json").write_text(json.dumps({"loops": loops}))
    data = report(run, "logs", "profile.json")
    assert data["timed"]
    assert [region["times"] for region in data["files"][0]["regions"]] == [
        [[3, 9.0]], [[10, 2.5]], [],
    ]  # fmt: skip
    assert [region["gain"] for region in data["files"][0]["regions"]] == [0, 2.5, 0]


def test_records_of_a_benchmark_become_charts(run: Run) -> None:
    record = {
        "suite": "s", "metric": "speedup", "unit": "x", "note": "", "published": 3.0,
        "case": "a", "variant": "gcc", "value": 2.0,
    }  # fmt: skip
    other = {**record, "variant": "clang", "value": None, "published": None}
    third = {**record, "variant": "clang", "case": "b", "published": None}
    Path("bench.json").write_text(
        json.dumps({"setting": {"cpu": "c"}, "records": [record, other, third]})
    )
    (chart,) = report(run, "bench.json")["charts"]
    assert chart["names"] == ["gcc", "clang"]
    assert chart["rows"] == [["a", [2.0, None], [3.0, None]], ["b", [None, 2.0], [None, None]]]


def test_a_file_is_transformed(run: Run) -> None:
    Path("turn.c").write_text((_HERE / "turned.c").read_text())
    (file,) = report(run, "turn.c")["files"]
    (region,) = file["regions"]
    assert region["changed"] and [loop[2] for loop in region["before"]]
    assert region["dimensions"]


def test_a_folder_of_files(run: Run) -> None:
    for name in ("p/a.c", "p/q/b.c"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("int main(void) { return 0; }\n")
    files = report(run, "p")["files"]
    assert [(file["name"], file["state"]) for file in files] == [
        ("a.c", "unchanged"), ("q/b.c", "unchanged"),
    ]  # fmt: skip


def test_the_same_content_is_transformed_once(
    run: Run, driver: FakeDriver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Until it, what it includes, another file of its program or an option is another one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("S2S_CACHE", raising=False)

    def write_old(name: str, text: str) -> None:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
        os.utime(name, (1e9, 1e9))

    def calls(*words: str) -> tuple[int, list[bool]]:
        driver.calls.clear()
        files = report(run, *words)["files"]
        return len(driver.calls), [file["remembered"] for file in files]

    for name in ("p/a.c", "p/b.c", "inc/h.h"):
        write_old(name, f"int x; // {name}\n")
    driver.outcome["read"] = (str(Path("inc/h.h").resolve()),)
    assert calls("p", "-j", "2") == (2, [False, False])
    whole = data_of(Path("page.html"))
    assert calls("p") == (0, [True, True])
    again = data_of(Path("page.html"))
    for file in (*whole["files"], *again["files"]):
        file["seconds"] = file["remembered"] = None
    assert again == whole
    write_old("p/a.c", "int y;\n")
    assert calls("p") == (1, [False, True])
    write_old("inc/h.h", "int z;\n")
    assert calls("p") == (2, [False, False])
    assert calls("p", "--parallel") == (2, [False, False])
    assert calls("p/a.c", "p/b.c") == (2, [False, False])  # one program
    write_old("p/b.c", "int z;\n")
    assert calls("p/a.c", "p/b.c") == (2, [False, False])
    monkeypatch.setenv("S2S_CACHE", "0")
    assert calls("p") == (2, [False, False])


def test_a_file_that_is_no_c_is_on_the_page_too(run: Run) -> None:
    Path("p").mkdir()
    Path("p/a.c").write_text("int main(void) { return }\n")
    done = run("report", "p", "-o", "page.html")
    assert done.returncode == 1 and b"p/a.c:1:" in done.stderr
    (file,) = data_of(Path("page.html"))["files"]
    assert file["state"] == "failed" and file["said"][0][0] == "error"


def test_a_line_at_the_end_of_a_build(run: Run) -> None:
    fallen = log(Path("b/two.c").resolve(), "fell back", reason="it does not compile")
    write(Path("logs"), [log(Path("b/one.c").resolve()), fallen])
    done = run("report", "--summary", "logs")
    assert done.stdout.decode() == (
        "s2s: 2 units (1 changed, 1 fell back); 1 of 4 regions changed; most often in the way (2):"
        " call to 'unknown' may write any array; 1 kept as they were, first two.c: it does not"
        " compile; 1.0 s in s2s\n"
    )


def test_one_run_of_sarif_for_a_build(run: Run) -> None:
    """Of units in several directories; what is said twice of a file stands once."""
    logs = [log(Path(name).resolve()) for name in ("b/one.c", "c/two.c")]
    write(Path("logs"), [*logs, {**logs[0], "command": ["gcc", "-O1", "-c", "one.c"]}])
    assert run("report", "logs", "--sarif", "x.sarif", "--remarks-yaml", "x.yaml").returncode == 0
    (sarif,) = json.loads(Path("x.sarif").read_bytes())["runs"]
    places = [r["locations"][0]["physicalLocation"] for r in sarif["results"]]
    assert {p["artifactLocation"]["uri"] for p in places} == {"b/one.c", "c/two.c"}
    assert len(sarif["results"]) == 6
    assert sum("fixes" in result for result in sarif["results"]) == 2
    assert Path("x.yaml").read_text().count("--- !Passed") == 2


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({"logs/a.txt": "x"}, "logs: no logs of 's2s cc' here"),
        ({"logs/a.json": "{"}, "logs/a.json: is no log of 's2s cc'"),
        ({"logs/a.json": '{"schema": "s2s-unit-log", "version": 9}'}, "version 9 of the log"),
        ({"logs/a.json": '{"schema": "s2s-unit-log", "version": 1}'}, "is no log of 's2s cc'"),
    ],
)
def test_what_is_no_log(run: Run, files: dict[str, str], text: str) -> None:
    for name, content in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(content)
    done = run("report", "logs", "-o", "page.html")
    assert done.returncode == 1 and text in done.stderr.decode()
    assert not Path("page.html").exists()


@pytest.mark.parametrize("text", ["[]", '{"loops": [3]}', '{"records": 3}', "{"])
def test_json_of_another_kind(run: Run, text: str) -> None:
    Path("x.json").write_text(text)
    done = run("report", "x.json", "-o", "page.html")
    assert done.returncode == 1 and done.stderr.startswith(b"s2s: error: x.json: ")


def test_usage(run: Run) -> None:
    Path("x.c").write_text("int x;\n")
    assert run("report", "x.c").returncode == 2
    assert run("report", "x.c", "-o", "x.c").returncode == 2
    assert run("report", "x.c", "x.c", "-o", "p").returncode == 2
    assert Path("x.c").read_text() == "int x;\n"


def test_a_pipe_is_no_source(run: Run) -> None:
    os.mkfifo("pipe.c")
    done = run("report", "pipe.c", "-o", "page.html")
    assert done.returncode == 2 and b"pipe.c: not a regular file" in done.stderr
    assert not Path("page.html").exists()


def test_data_cannot_end_its_script() -> None:
    page = make_page({"title": "</title><b>", "kind": "build", "text": "</script><!--\u2028"})
    assert page.count(b"</script>") == page.count(b"<script")
    assert b"<b>" not in page and b"<!--" not in page


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("x = 1;", 0),
        ("for (;;) x;", 1),
        ("for (i = 0; i < n; i++)\n for (;;) { if (x) y; }", 2),
        ("for (;;) x; for (;;) y;", 1),
        ("while (a) { b; } do { for (;;) ; } while (c);", 2),
        ("// for (;;) for (;;)\nfor (;;) { s = \"for (\"; }", 1),
        ("if (x) { for (;;) { while (y) { z; } } } else for (;;) ;", 2),
    ],
)  # fmt: skip
def test_depth_of_nests(text: str, depth: int) -> None:
    assert nest_depth(text) == depth


def test_directives_are_as_deep_as_their_loops() -> None:
    text = "#pragma omp parallel for\n    for (a) {\n#pragma omp simd\n        for (b)\n    }\n"
    text += "    for (c)\n"
    assert loop_lines(text) == [
        (0, "#pragma omp parallel for"), (0, "for (a)"), (1, "#pragma omp simd"), (1, "for (b)"),
        (0, "for (c)"),
    ]  # fmt: skip
