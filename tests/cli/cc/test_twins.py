"""Commands that compile the same text twice: the second one is answered as the first was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from s2s.cli.remembered import NOTHING, find_place, keep
from s2s.cli.twins import find_twin, shared


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("S2S_CACHE", raising=False)
    _write("a.c", "int a;\n")
    _write("a.h", "int b;\n")
    return tmp_path


def _write(name: str, text: str) -> None:
    Path(name).write_text(text)
    os.utime(name, (1, 1))


def _asked(command: str, told: bytes = NOTHING) -> list[str]:
    """Whether a command is found out about: its words, if it is."""
    argv, asked = command.split(), list[str]()
    place = find_place(argv)

    def find_out() -> bytes:
        asked.append(command)
        keep(place, ["a.c", "a.h"], told, 2.0)
        return told

    assert shared(place, find_twin(argv), find_out) == told
    return asked


def test_a_twin_is_not_looked_at(folder: Path) -> None:
    assert _asked("gcc -O2 -c a.c -o a.o")
    assert not _asked("gcc -O2 -fPIC -DPIC -MD -MF deps/a.d -c a.c -o pic/a.o")
    assert not _asked("gcc -O2 -c a.c -opic/b.o")


@pytest.mark.parametrize(
    "other", ["gcc -O3 -fPIC -c a.c", "gcc -O2 -DN=2 -c a.c", "--parallel -- gcc -O2 -c a.c"]
)
def test_others_are(other: str, folder: Path) -> None:
    assert _asked("gcc -O2 -c a.c")
    assert _asked(other)


@pytest.mark.parametrize(("name", "text"), [("a.c", "int c;\n"), ("a.h", "int d;\n")])
def test_changed_files_are(name: str, text: str, folder: Path) -> None:
    assert _asked("gcc -O2 -c a.c")
    _write(name, text)
    assert _asked("gcc -O2 -fPIC -c a.c")


@pytest.mark.parametrize("text", ["#ifdef PIC\n#endif\n", "#if __PIC__ > 1\n#endif\n"])
def test_those_of_a_text_that_asks_are(text: str, folder: Path) -> None:
    _write("a.h", text)
    assert _asked("gcc -O2 -c a.c")
    assert _asked("gcc -O2 -fPIC -c a.c")


def test_what_changes_is_found_out_for_each(folder: Path) -> None:
    assert _asked("gcc -O2 -c a.c", b"changed")
    assert _asked("gcc -O2 -fPIC -c a.c", b"changed")
