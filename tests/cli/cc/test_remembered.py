"""What ``s2s cc`` remembers of a build: nothing that has changed since."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import s2s
from s2s.cli import cc, cc_settings, remembered
from s2s.driver import transform
from s2s.driver.options import Outcome

# A loop that is looked at and stays.
QUIET = """\
#include "b.h"
int main(void) { int a[3] = {0, N}, s = 0; for (int i = 0; i < 3; i++) s += a[i]; return s; }
"""
# Rows that are walked across: a nest that is always rewritten.
LOOPS = Path(__file__).with_name("remembered.c").read_text()


class Build:
    """Commands of a build in a folder, which the place of an entry depends on."""

    def __init__(self, folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real = transform.transform_file

        def log(path: str, *others: object) -> Outcome:
            (folder / "log").open("a").write(path + "\n")
            return real(path, *others)  # type: ignore[arg-type]

        monkeypatch.setattr(transform, "transform_file", log)
        monkeypatch.chdir(folder)
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        monkeypatch.delenv("S2S_CACHE", raising=False)
        self.folder = folder
        self.write("b.h", "#define N 3\n")

    def write(self, name: str, text: str) -> None:
        """Write a file that is older than what is built from now on."""
        path = self.folder / name
        path.write_text(text)
        os.utime(path, (time.time() - 100,) * 2)

    def __call__(self, *argv: str) -> int:
        """How many files one command transforms."""
        log = self.folder / "log"
        log.write_text("")
        settings = cc_settings.read_settings(*remembered.split(argv))
        command = remembered.split(argv)[1]
        place = remembered.find_place(argv)
        status = cc.run(command, settings, execute=_call, place=place)
        assert status == 0
        return len(log.read_text().split())


def _call(command: object) -> int:
    return subprocess.run(command, check=False).returncode  # type: ignore[call-overload,no-any-return]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def build(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    return Build(tmp_path, cache, monkeypatch)


def test_what_stays_is_known_the_next_time(build: Build) -> None:
    build.write("a.c", QUIET)
    command = ("gcc", "-O2", "-c", "a.c")
    assert (build(*command), build(*command)) == (1, 0)
    assert remembered.recall(remembered.find_place(command)) == remembered.NOTHING
    assert remembered.find_place(command) == remembered.find_place(("--", *command))


def test_text_without_loops_is_not_parsed(build: Build) -> None:
    build.write("a.c", "/* for */ int f(int n) { while (n > 7) n -= 3; return n; }\n")
    command = ("gcc", "-O2", "-c", "a.c")
    assert build(*command) == 0
    assert remembered.recall(remembered.find_place(command)) == remembered.NOTHING
    assert build("--passes=permute", "--", *command) == 1
    build.write("a.c", "void f(int *a, int n) { while (n > 7) { n -= 3; a[n] = a[n + 1]; } }\n")
    assert build(*command) == 1


def test_headers_tell_whether_there_are_loops(build: Build) -> None:
    text = "void f(int *a, int *b, int n) { int i; EACH(i, n) a[i] = b[2 * i]; }\n"
    build.write("a.c", f'#include "b.h"\n{text}')
    build.write("b.h", "#define EACH(i, n) i = n;\n")
    command = ("gcc", "-O2", "-c", "a.c")
    assert (build(*command), build(*command)) == (0, 0)
    build.write("b.h", "#define EACH(i, n) for (i = 0; i < n; i++)\n")
    assert build(*command) == 1


def test_what_is_changed_is_compiled_from_memory(build: Build) -> None:
    build.write("a.c", LOOPS)
    objects = []
    for name in ("first.o", "second.o"):
        assert build("--", "gcc", "-O2", "-c", "a.c", "-o", "o.o") == (name == "first.o")
        objects.append((build.folder / "o.o").rename(build.folder / name).read_bytes())
    subprocess.run(["gcc", "-O2", "-c", "a.c", "-o", "plain.o"], check=True)
    assert objects[0] == objects[1] != (build.folder / "plain.o").read_bytes()


@pytest.mark.parametrize(
    ("name", "text"),
    [("b.h", "#define N 4\n"), ("a.c", QUIET.replace("3", "4"))],
    ids=["header", "source"],
)
def test_a_file_that_is_read_has_changed(build: Build, name: str, text: str) -> None:
    build.write("a.c", QUIET)
    assert build("gcc", "-O2", "-c", "a.c") == 1
    before = (build.folder / name).read_text()
    build.write(name, text)
    assert build("gcc", "-O2", "-c", "a.c") == 1
    build.write(name, before)
    # The contents of the source are part of the place, so those of before are known still.
    assert build("gcc", "-O2", "-c", "a.c") == (name != "a.c")


def test_other_flags_folders_and_settings_are_others(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    build.write("a.c", QUIET)
    build.write("d.c", QUIET)
    (build.folder / "sub").mkdir()
    assert build("gcc", "-c", "a.c") == 1
    assert build("gcc", "-O1", "-c", "a.c") == 1
    assert build("--parallel", "--", "gcc", "-c", "a.c") == 1
    assert build("gcc", "-c", "a.c") == 0
    monkeypatch.setenv("CPATH", str(build.folder / "sub"))
    assert build("gcc", "-c", "a.c") == 1
    monkeypatch.chdir(build.folder / "sub")
    assert build("gcc", "-c", "../a.c") == 1
    assert build("gcc", "-c", "../a.c", "../d.c") == 2


def test_files_that_only_options_name(build: Build) -> None:
    build.write("odd.x", QUIET)
    build.write("more.h", "/* 1 */\n")
    command = ("gcc", "-include", "more.h", "-x", "c", "-c", "odd.x")
    assert (build(*command), build(*command)) == (1, 0)
    build.write("odd.x", QUIET.replace("3", "4"))
    assert (build(*command), build(*command)) == (1, 0)
    build.write("more.h", "/* 2 */\n")
    assert (build(*command), build(*command)) == (1, 0)
    build.write("words", "-DM=1 -c odd.x")
    words = ("gcc", "-x", "c", "@words")
    assert (build(*words), build(*words)) == (1, 0)
    build.write("words", "-DM=2 -c odd.x")
    assert (build(*words), build(*words)) == (1, 0)
    build.write("words", "@others")
    build.write("others", "-c odd.x")
    assert (build(*words), build(*words)) == (1, 1)


def test_remarks_are_said_again(build: Build, capfd: pytest.CaptureFixture[str]) -> None:
    build.write("a.c", LOOPS)
    command = ("--remarks=text", "--", "gcc", "-O2", "-c", "a.c")
    assert build(*command) == 1
    first = capfd.readouterr().err
    assert build(*command) == 0
    assert "a.c:" in first
    assert capfd.readouterr().err == first


def test_a_header_of_this_moment_is_not_trusted(build: Build) -> None:
    build.write("a.c", QUIET)
    os.utime(build.folder / "b.h", (time.time() + 5,) * 2)
    assert build("gcc", "-c", "a.c") == 1
    assert build("gcc", "-c", "a.c") == 1


def test_a_damaged_entry_is_none(build: Build) -> None:
    build.write("a.c", QUIET)
    command = ("gcc", "-O2", "-c", "a.c")
    assert build(*command) == 1
    place = Path(remembered.find_place(command))
    whole = place.read_bytes()
    for text in (b"", b"s2s cc 1\nmany\n", whole[:-1], whole[: len(whole) // 2]):
        place.write_bytes(text)
        assert remembered.recall(str(place)) is None
    assert build(*command) == 1
    assert place.read_bytes() == whole


def test_it_can_be_switched_off(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    build.write("a.c", QUIET)
    monkeypatch.setenv("S2S_CACHE", "0")
    assert build("gcc", "-c", "a.c") == 1
    assert build("gcc", "-c", "a.c") == 1


def test_old_entries_go(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_MOST", 6)
    folder = build.folder / "entries"
    for number in range(8):
        remembered.keep(str(folder / f"{number}"), (), b"x", 0.0)
        os.utime(folder / f"{number}", (number + 1,) * 2)
    assert sorted(os.listdir(folder)) == ["3", "4", "5", "6", "7"]


def test_little_is_loaded_for_what_is_known(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "a.c").write_text("int f(int n) { return n; }\n")
    os.utime(tmp_path / "a.c", (1, 1))
    compiler = tmp_path / "gcc"  # shows that the second run takes the place of the process at once
    compiler.write_text("#!/bin/sh\necho compiled\n")
    compiler.chmod(0o755)
    script = (
        "import sys, os; from s2s.entry import main; sys.argv = sys.argv[1:]\n"
        "if os.environ.get('LOUD'):\n"
        "    def loud(*words):\n"
        "        print(' '.join(m for m in ('re', 'dataclasses', 'typing', 'hashlib',\n"
        "              's2s.cli.main') if m in sys.modules), flush=True)\n"
        "        os._exit(0)\n"
        "    os.execvp = loud\n"
        "sys.exit(main())"
    )
    here = str(Path(s2s.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": here, "XDG_CACHE_HOME": str(cache)}
    environment.pop("S2S_CACHE", None)

    def run(**more: str) -> str:
        command = [sys.executable, "-c", script, "s2s", "cc", str(compiler), "-O2", "-c", "a.c"]
        done = subprocess.run(
            command, cwd=tmp_path, env={**environment, **more}, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        return done.stdout.strip()

    assert run() == "compiled"
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys; print('re' in sys.modules)"],
        env=environment, capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    assert run(LOUD="1") == ("re" if loaded == "True" else "")


@pytest.mark.parametrize(
    ("command", "debugging"),
    [
        ("gcc -g -c a.c", True),
        ("/usr/bin/gcc-12 -O2 -O0 -c a.c", True),
        ("clang -Og -g -c a.c", True),
        ("gcc -O -c a.c", False),
        ("gcc -O0 -Ofast -c a.c", False),
        ("cc -Os -c a.c", False),
        ("gcc @flags -c a.c", False),
        ("icc -c a.c", False),
        ("ccache gcc -c a.c", False),
        ("--parallel -- gcc -c a.c", False),
    ],
)
def test_what_is_compiled_for_debugging(
    command: str, debugging: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked: list[str] = []
    monkeypatch.setattr(remembered, "become", lambda words: asked.append("compiled"))
    monkeypatch.setattr(remembered, "recall", lambda place: None)
    remembered.become_if_nothing_to_do(command.split(), lambda *_: asked.append("asked"))
    assert asked == (["compiled"] if debugging else ["asked"])


@pytest.mark.parametrize("said", ["S2S_REMARKS", "S2S_LOG_DIR", "s2s.toml"])
def test_debugging_where_something_is_said(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert remembered.is_for_debugging(["gcc", "-c", "a.c"])
    if said.isupper() or "_" in said:
        monkeypatch.setenv(said, "text")
    else:
        (tmp_path / said).write_text("parallel = true\n")
    assert not remembered.is_for_debugging(["gcc", "-c", "a.c"])
