"""What README.md and docs/ say exists: commands and options, files, links, and what s2s prints.

Samples of output have a marker in front that names the command, the first line and the last one.
`S2S_UPDATE_DOCS=1 python -m pytest tests/house/test_docs.py` writes what s2s prints now into them.
"""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from s2s.cli import cc_settings, remembered
from s2s.cli import main as cli
from s2s.driver import passes
from tests.house.rooms import FOLDERS, MAY_IMPORT
from tests.places import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
CHECKED_FOLDERS = (*FOLDERS, "benchmarks", "docs", "tests")

_FENCED = re.compile(r"^([ \t]*)```(\w*)\n(.*?)^[ \t]*```$", re.DOTALL | re.MULTILINE)
_SAMPLE = re.compile(
    r"^<!-- printed by: s2s (?P<command>[^;\n]+); "
    r'from "(?P<first>[^"\n]+)" to "(?P<last>[^"\n]+)" -->\n'
    r"```\w*\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def shell_commands() -> Iterator[tuple[str, str]]:
    """The lines of shell blocks that begin with s2s, without comments, and their pages."""
    for page in PAGES:
        for _, language, block in _FENCED.findall(page.read_text(encoding="utf-8")):
            if language == "sh":
                lines = block.replace("\\\n", " ").splitlines()
                yield from ((named(page), line) for line in lines if line.startswith("s2s "))


def inline_code() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        text = _FENCED.sub("", page.read_text(encoding="utf-8"))
        found = re.findall(r"`([^`]+)`", text)
        yield from ((named(page), " ".join(code.split())) for code in found)


def test_there_are_pages_and_commands() -> None:
    assert len(PAGES) > 4
    assert len(list(shell_commands())) > 10


@pytest.mark.parametrize(("page", "line"), list(shell_commands()))
def test_a_command_is_understood(page: str, line: str) -> None:
    argv = shlex.split(re.split(r"\s[|>]\s", line)[0], comments=True)[1:]
    if argv[0] == "cc":
        own, command = remembered.split(argv[1:])
        cc_settings.read_settings(own)
        assert command
        return
    command_line, _ = cli._split(argv)
    args = cli._parser(command_line).parse_args(command_line)
    for spec in getattr(args, "passes", None) or ():
        passes.check(spec)


def test_named_options_exist(capsys: pytest.CaptureFixture[str]) -> None:
    for command in cli._COMMANDS:
        assert cli.main([command, "--help"]) == 0
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    named_here = {(page, code.split()[0]) for page, code in inline_code() if code[:2] == "--"}
    options = {(page, option.split("=")[0]) for page, option in named_here}
    assert {(page, option) for page, option in options if option not in {"--", *known}} == set()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_named_files_exist_and_hold_what_they_are_named_for(page: Path) -> None:
    for code in {code for where, code in inline_code() if where == named(page)}:
        match = re.fullmatch(r"([\w./-]+)(?::([A-Za-z_]\w*))?", code)
        if not match or match[1].split("/")[0] not in CHECKED_FOLDERS or "/" not in match[1]:
            continue
        if "NAME" in match[1] or "TARGET" in match[1]:
            continue
        path = ROOT / match[1]
        assert path.exists(), code
        if match[2]:
            defined = rf"^\s*(def|class) {match[2]}\b|^{match[2]}\b.* = "
            assert re.search(defined, path.read_text(encoding="utf-8"), re.MULTILINE), code


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_relative_links_resolve(page: Path) -> None:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        linked = page.parent / file if file else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_imports_are_those_of_the_design() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(s2s\.[\w.]+)` \(`[\w/]+`\) \|[^|]*\|([^|]*)\|$", text, re.MULTILINE)
    told = {room: set(re.findall(r"`s2s\.([\w.]+)`", allowed)) for room, allowed in rows}
    assert told == {room: set(names.split()) for room, names in MAY_IMPORT.items()}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_samples_are_what_is_printed(
    page: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    text = page.read_text(encoding="utf-8")

    def printed(match: re.Match[str]) -> str:
        assert cli.main(shlex.split(match["command"])) == 0
        lines = capfd.readouterr().out.splitlines()
        first = next(i for i, line in enumerate(lines) if match["first"] in line)
        last = next(i for i, line in enumerate(lines) if i >= first and match["last"] in line)
        sample = "".join(f"{line}\n" for line in lines[first : last + 1])
        return match[0].replace(match["text"], sample)

    fresh = _SAMPLE.sub(printed, text)
    assert len(_SAMPLE.findall(text)) == text.count("<!-- printed by:")
    if os.environ.get("S2S_UPDATE_DOCS"):
        page.write_text(fresh, encoding="utf-8")
    assert fresh == text or os.environ.get("S2S_UPDATE_DOCS")
