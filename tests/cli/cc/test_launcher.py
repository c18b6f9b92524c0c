"""The program that stands before ``s2s cc``: it compiles what is known to stay, and asks else."""

from __future__ import annotations

import os
import random
import subprocess
import time
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

import pytest

from s2s.cli import remembered
from s2s.cli.launcher import building
from s2s.source.diagnostics import UsageError

PLAIN = ("gcc", "-O2", "-c", "x.c")


class House:
    """A folder with sources, a compiler and an s2s that say when they are run."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.log = folder / "work", folder / "log"
        self.set = monkeypatch.setenv
        for name in ("work/sub", "bin", "cache"):
            (folder / name).mkdir(parents=True)
        for program in ("gcc", "s2s"):
            path = folder / "bin" / program
            path.write_text(f'#!/bin/sh\necho {program} "$@" >> {self.log}\n')
            path.chmod(0o755)
        record = folder / "RECORD"
        record.write_text("files of this s2s\n" * 50)
        monkeypatch.setattr(remembered, "_known_tool", [record.read_bytes()])
        monkeypatch.setattr(remembered, "record", lambda: str(record))
        monkeypatch.setattr(building, "record", lambda: str(record))
        self.record = record
        monkeypatch.setattr("sys.argv", [str(folder / "bin" / "s2s"), "cc"])
        self.launcher = folder / "launcher"
        building.build(str(self.launcher))
        monkeypatch.setenv("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        for name in ("S2S_CACHE", "S2S_REMARKS", "S2S_LOG_DIR", "S2S_DISABLE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.chdir(self.folder)
        self.write("x.c", '#include "x.h"\n')
        self.write("x.h", "int x;\n")

    def write(self, name: str, text: str) -> None:
        """Write a file that is older than what is kept from now on."""
        path = self.folder / name
        path.write_text(text)
        os.utime(path, (time.time() - 100,) * 2)

    def keep(self, argv: Sequence[str], result: bytes = remembered.NOTHING) -> str:
        """Keep what came of a command; its place."""
        place = remembered.find_place(argv)
        assert place
        remembered.keep(place, ["x.h", str(self.folder / "x.c")], result, time.time() - 10)
        assert remembered.recall(place) == result
        return place

    def run(self, argv: Sequence[str]) -> str:
        """What the launcher runs: all words."""
        self.log.unlink(missing_ok=True)
        subprocess.run([self.launcher, *argv], check=True)
        return self.log.read_text(errors="surrogateescape").rstrip("\n")


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    return House(tmp_path, monkeypatch)


def test_asks_what_is_not_known(house: House) -> None:
    assert house.run(PLAIN) == "s2s cc gcc -O2 -c x.c"


def test_compiles_what_stays(house: House) -> None:
    house.keep(PLAIN)
    assert house.run(PLAIN) == "gcc -O2 -c x.c"


def test_options_are_for_s2s(house: House) -> None:
    argv = ("--parallel", "--", *PLAIN)
    house.keep(argv)
    assert house.run(argv) == "s2s cc --parallel -- gcc -O2 -c x.c"


@pytest.mark.parametrize(
    "change",
    [
        lambda house: house.write("x.c", '#include "x.h"\n '),
        lambda house: house.write("x.h", "int y;\n"),
        lambda house: (house.folder / "x.h").unlink(),
        lambda house: house.record.write_text("of another s2s"),
        lambda house: house.write("s2s.toml", ""),
        lambda house: house.write("pyproject.toml", "[tool.s2s]\n"),
        lambda house: house.set("CPATH", "sub"),
        lambda house: house.set("PATH", os.environ["PATH"] + ":/nowhere"),
        lambda house: house.set("S2S_REMARKS", "text"),
        lambda house: house.set("S2S_DISABLE", "1"),
        lambda house: house.set("S2S_CACHE", "0"),
        lambda house: house.set("S2S_LOG_DIR", "/nowhere"),
        lambda house: house.set("XDG_CACHE_HOME", "/nowhere"),
    ],
)
def test_asks_where_something_changed(house: House, change: Callable[[House], object]) -> None:
    house.keep(PLAIN)
    assert house.run(PLAIN).startswith("gcc ")
    change(house)
    assert house.run(PLAIN).startswith("s2s ")


@pytest.mark.parametrize("result", [b"", b"nothing ", b"nothinG", b"something", b"x" * 100])
def test_asks_where_something_came_of_it(house: House, result: bytes) -> None:
    house.keep(PLAIN, result)
    assert house.run(PLAIN).startswith("s2s ")


def test_asks_where_an_entry_is_damaged(house: House) -> None:
    place = Path(house.keep(PLAIN))
    whole = place.read_bytes()
    for size in range(len(whole)):
        place.write_bytes(whole[:size])
        assert house.run(PLAIN).startswith("s2s "), size
    place.write_bytes(whole.replace(b"\n2\n", b"\n9\n"))
    assert house.run(PLAIN).startswith("s2s ")


def test_asks_about_files_of_words(house: House) -> None:
    house.write("words", "-O2")
    argv = ("gcc", "@words", "-c", "x.c")
    house.keep(argv)
    assert house.run(argv).startswith("s2s ")


def test_links_where_nothing_has_options(house: House) -> None:
    assert house.run(("gcc", "x.o")) == "gcc x.o"
    assert house.run(("gcc", "-xc", "x.o")).startswith("s2s ")
    house.write("s2s.toml", "")
    assert house.run(("gcc", "x.o")).startswith("s2s ")


@pytest.mark.parametrize("size", [0, 1, 127, 128, 129, 255, 256, 257, 70_000, 131_072])
def test_hashes_contents_of_all_sizes(house: House, size: int) -> None:
    house.write("x.h", "h" * size)
    house.keep(PLAIN)
    assert house.run(PLAIN).startswith("gcc ")


def test_finds_the_same_key_as_python(house: House) -> None:
    """Commands drawn at random, from several folders, with and without files of options."""
    draw = random.Random(7)
    names = ("x.c", "./x.c", "sub/../x.c", "sub/.././/x.c", str(house.folder / "x.c"), "sub/y.cc")
    words = ("-O3", "-DA=b c", "", "-I", "sub", "-DÄ=\udcff", "x.o", "-O0", "-g")
    house.write("sub/y.cc", "int y;\n")
    for count in range(60):
        for name, text in (("s2s.toml", ""), ("sub/s2s.toml", "a"), ("pyproject.toml", "s2s = 1")):
            (house.folder / name).unlink(missing_ok=True)
            if draw.random() < 0.3:
                house.write(name, text)
        more = draw.choices(words, k=draw.randrange(4))
        argv = ["gcc", *more, f"-DN={count}", *draw.choices(names, k=draw.randrange(1, 3))]
        assert house.run(argv).startswith("s2s "), argv
        house.keep(argv)
        assert house.run(argv).startswith("gcc "), argv


def test_has_no_warnings(tmp_path: Path) -> None:
    text = (files("s2s.cli.launcher") / "launcher.c").read_bytes()
    command = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", '-DS2S_COMMAND="a"']
    command += ['-DS2S_RECORD="b"', "-x", "c", "-", "-o", str(tmp_path / "out")]
    subprocess.run(command, input=text, check=True)


def test_needs_an_installed_s2s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "record", lambda: str(tmp_path / "none"))
    with pytest.raises(UsageError):
        building.build(str(tmp_path / "launcher"))
    assert not (tmp_path / "launcher").exists()
