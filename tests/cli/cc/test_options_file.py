"""Options of ``s2s cc`` and ``s2s lsp`` from ``s2s.toml`` and ``pyproject.toml``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from s2s.cli import cc, remembered
from s2s.cli.cc_settings import Settings, read_settings
from s2s.cli.main import main
from s2s.driver import transform
from s2s.driver.options import Options, Outcome
from s2s.source.diagnostics import UsageError

COMMAND = ("gcc", "-Iinclude", "-c", "src/a.c")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("S2S_REMARKS", raising=False)
    for name in ("src", "include"):
        Path(name).mkdir()
    Path("src/a.c").write_text("int f(int n) { while (n > 7) n -= 3; return n; }\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s2s.toml", '[cc]\npasses = ["permute", "reverse"]\n'),
        ("src/s2s.toml", '[cc]\npasses = "permute,reverse"\n[transform]\nparallel = true\n'),
        ("pyproject.toml", '[tool.s2s]\npasses = ["permute", "reverse"]\nruns = 2\n'),
        ("src/pyproject.toml", '[tool.s2s.cc]\npasses = ["permute", "reverse"]\n'),
    ],
)
def test_options_come_from_the_file_above_the_source(name: str, text: str) -> None:
    Path(name).write_text(text)
    assert read_settings([], COMMAND) == Settings(passes=("permute", "reverse"))
    assert read_settings(["--no-config"], COMMAND) == Settings()
    given = read_settings(["--strict", "--passes=popp"], COMMAND)
    assert given == Settings(passes=("popp",), strict=True)


def test_folders_of_headers_and_other_tools_do_not_count() -> None:
    Path("include/s2s.toml").write_text("[cc]\nstrict = true\n")
    Path("pyproject.toml").write_text("[tool.other]\nuses = 's2s'\n")
    assert read_settings([], COMMAND) == Settings()


def test_the_environment_is_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("s2s.toml").write_text('[cc]\nremarks = "json"\n')
    assert read_settings([], COMMAND).remarks == "json"
    monkeypatch.setenv("S2S_REMARKS", "text")
    assert read_settings([], COMMAND).remarks == "text"
    assert read_settings(["--remarks=none"], COMMAND).remarks == "none"


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("[cc]\nparalel = true\n", (2, 1), "did you mean 'parallel'?"),
        ('[cc]\n\npasses = "pemute"\n', (3, 1), "did you mean 'permute'?"),
        ("nosuch = 1\n", (1, 1), "has no option 'nosuch'"),
        ("[cc\n", (1, 4), "Expected"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, place: tuple[int, int], what: str) -> None:
    Path("s2s.toml").write_text(text)
    with pytest.raises(UsageError, match=what.replace("?", r"\?")) as raised:
        read_settings([], COMMAND)
    at = raised.value.at
    assert at is not None and (at.path, at.line, at.column) == ("s2s.toml", *place)


def test_what_is_remembered_depends_on_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way, without the transformation: what it is asked for, or nothing if known."""
    monkeypatch.setenv("XDG_CACHE_HOME", os.path.abspath("cache"))
    monkeypatch.delenv("S2S_CACHE", raising=False)
    asked: list[tuple[str, ...] | None] = []

    def run() -> list[tuple[str, ...] | None]:
        def fake(path: str, flags: object, options: Options) -> Outcome:
            Path("asked").write_text(",".join(options.passes))
            data = Path(path).read_bytes()
            return Outcome(path, data, data, (), read=(path,))

        monkeypatch.setattr(transform, "transform_file", fake)
        Path("asked").unlink(missing_ok=True)
        place = remembered.find_place(COMMAND)
        settings = read_settings([], COMMAND)
        assert place and cc.run(COMMAND, settings, execute=lambda _: 0, place=place) == 0
        said = Path("asked").read_text() if Path("asked").exists() else None
        asked.append(None if said is None else tuple(said.split(",")))
        return asked[-1:]

    os.utime("src/a.c", (0, 0))
    assert run() == [None]  # nothing in it that default passes look at
    Path("s2s.toml").write_text('[cc]\npasses = "permute"\n')
    assert run() == [("permute",)]
    assert run() == [None]
    Path("src/s2s.toml").write_text('[cc]\npasses = "reverse"\n')
    assert run() == [("reverse",)]
    Path("src/s2s.toml").unlink()
    assert run() == [None]


def test_the_language_server_takes_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[argparse.Namespace] = []

    def serve(args: argparse.Namespace) -> int:
        seen.append(args)
        return 0

    monkeypatch.setattr("s2s.cli.lsp.main", serve)
    Path("s2s.toml").write_text('[lsp]\np = "build"\npasses = ["popp"]\ntime-limit = 7\n')
    assert main(["lsp", "--passes", "permute", "--", "-O2"]) == 0
    assert main(["lsp", "--no-config"]) == 0
    first, second = seen
    assert (first.build_directory, first.passes, first.time_limit) == ("build", "permute", 7)
    assert (second.build_directory, second.passes, second.time_limit) == (None, None, 60)
    Path("s2s.toml").write_text("[lsp]\nchek = true\n")
    assert main(["lsp"]) == 2
    assert "s2s.toml:2:1: error: " in capsys.readouterr().err
