"""``s2s cc`` has a server of the build find out about units: same answers, nothing left behind."""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from s2s.cli import ask_server, build_server, cc_logs, cc_settings, cc_units
from s2s.cli.remembered import NOTHING
from s2s.source.compiler import command_line
from tests.cli.cc.test_remembered import LOOPS, QUIET

NOTHING_TO_SEE = "int f(int n) { return n; }\n"
MANY_LOOPS = "\n".join(
    f"void f{k}(double (*a)[{k + 9}], int n) {{ for (int i = 1; i < n; i++)"
    f" for (int j = 1; j < n; j++) a[j][i] = a[j - 1][i - 1] + {k}; }}"
    for k in range(60)
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in ("S2S_CACHE", "S2S_LOG_DIR", "S2S_REMARKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("S2S_SERVER", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(build_server, "_IDLE", 60.0)
    monkeypatch.chdir(tmp_path)
    Path("b.h").write_text("#define N 3\n")
    for name, text in (("quiet", QUIET), ("loops", LOOPS), ("none", NOTHING_TO_SEE)):
        Path(f"{name}.c").write_text(text)
    yield tmp_path
    for server in _servers(tmp_path):
        os.kill(server, signal.SIGKILL)


def _servers(folder: Path) -> list[int]:
    """Processes that hold the lock of one of the folder's servers."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            links = [os.readlink(path) for path in (process / "fd").iterdir()]
        except OSError:
            continue
        if any(link.startswith(f"{folder}/cache/s2s/cc-server/") for link in links):
            found.append(int(process.name))
    return found


def _found_here(*argv: str) -> bytes | None:
    settings = cc_settings.read_settings((), argv)
    line, logs = command_line(argv), cc_logs.Logs(argv)
    return cc_units.make(line, cc_units.find_sources(line), settings, logs, "")[1]


def _comparable(told: bytes | None) -> object:
    if told is None or told == NOTHING:
        return told
    results = pickle.loads(told)
    return [(r.source, r.outcome.text, r.outcome.edits, r.diagnostics, r.failure) for r in results]


def _is_over(*processes: int) -> bool:
    """Whether processes end within some seconds."""
    for _ in range(200):
        if not any(os.path.exists(f"/proc/{number}") for number in processes):
            return True
        time.sleep(0.05)
    return False


def test_answers_are_those_of_the_command_itself(folder: Path) -> None:
    Path("wrong.c").write_text("int f( { for (int i = 1; i < 3; i++) a[i] = a[i - 1]; }\n")
    for name in ("none", "quiet", "loops", "wrong"):
        argv = ("gcc", "-O2", "-c", f"{name}.c")
        told = ask_server.ask(argv, "")
        assert _comparable(told) == _comparable(_found_here(*argv))
        assert (told is None) == (name == "wrong")
    assert ask_server.ask(("gcc", "none.o", "-o", "none"), "") == NOTHING
    assert ask_server.ask(("--tune", "--", "gcc", "-c", "loops.c"), "") is None
    assert ask_server.ask(("--wrong", "--", "gcc", "-c", "loops.c"), "") is None
    assert len(_servers(folder)) == 1


def test_a_server_that_nobody_asks_ends(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_server, "_IDLE", 1.0)
    assert ask_server.ask(("gcc", "-c", "none.c"), "") in (NOTHING, None)  # None: it has ended
    assert _is_over(*_servers(folder))
    assert not os.listdir("cache/s2s/cc-server")


def test_directory_and_environment_are_those_of_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = ("gcc", "-O2", "-c", "x.c")
    texts: list[bytes] = []
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "x.c").write_text(LOOPS.replace("400", "300" if name == "one" else "200"))
        (folder / name / "own").mkdir()
        (folder / name / "own" / "b.h").write_text(f"#define N {len(texts)}\n")
        monkeypatch.chdir(folder / name)
        monkeypatch.setenv("CPATH", str(folder / name / "own"))
        monkeypatch.setenv("S2S_REMARKS", "text")
        told = ask_server.ask(argv, "")
        assert told is not None
        assert _comparable(told) == _comparable(_found_here(*argv))
        (result,) = pickle.loads(told)
        texts.append(result.outcome.text)
        assert str(folder / name / "own" / "b.h") in result.outcome.read
    assert texts[0] != texts[1]
    assert len(_servers(folder)) == 1


def test_words_of_headers_are_those_of_the_moment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server keeps what it has read of a header, by its contents; size and time may stay."""
    argv = ("gcc", "-O2", "-c", "x.c")
    monkeypatch.setenv("S2S_REMARKS", "text")  # what was parsed is told
    calm, nest = "#define LOOP(i)" + 27 * " " + "\n", "#define LOOP(i) for (i = 1; i < 99; i++)\n"
    body = "LOOP(i) LOOP(j) a[j][i] = a[j - 1][i - 1] + 1;"
    for name, place in (("one", "x"), ("two", "y")):
        (folder / name).mkdir()
        Path(name, "x.c").write_text(
            f'#include "{place}.h"\nvoid f(double (*a)[99]) {{ int i = 1, j = 1; {body} }}\n'
        )
    for name, place, text in (("one", "x", calm), ("two", "y", nest), ("one", "x", nest)):
        monkeypatch.chdir(folder / name)
        Path(f"{place}.h").write_text(text)
        os.utime(f"{place}.h", (1e9, 1e9))
        told = ask_server.ask(argv, "")
        assert (told == NOTHING) == (text == calm)
        assert _comparable(told) == _comparable(_found_here(*argv))
    assert len(_servers(folder)) == 1


def test_many_at_once_have_one_server(folder: Path) -> None:
    children = []
    for _ in range(6):
        if not (child := os.fork()):
            os._exit(ask_server.ask(("gcc", "-c", "none.c"), "") != NOTHING)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
    assert len(_servers(folder)) == 1


def test_a_server_that_is_killed_is_replaced(folder: Path) -> None:
    assert ask_server.ask(("gcc", "-c", "none.c"), "") == NOTHING
    (server,) = _servers(folder)
    os.kill(server, signal.SIGKILL)
    assert _is_over(server)
    assert ask_server.ask(("gcc", "-c", "none.c"), "") == NOTHING


def test_a_server_that_hangs_is_asked_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    argv = ("gcc", "-c", "none.c")
    assert ask_server.ask(argv, "") == NOTHING
    (server,) = _servers(folder)
    os.kill(server, signal.SIGSTOP)
    monkeypatch.setattr(ask_server, "_LONGEST_WAIT", 0.1)
    assert ask_server.ask(argv, "") is None
    assert [n for n in os.listdir("cache/s2s/cc-server") if not n.endswith(".lock")] == []
    monkeypatch.setattr(ask_server, "_LONGEST_WAIT", 60.0)
    assert ask_server.ask(argv, "") is None  # at once: it has the lock, and no name
    os.kill(server, signal.SIGKILL)
    assert _is_over(server)
    assert ask_server.ask(argv, "") == NOTHING


def test_what_killed_servers_left_is_removed(folder: Path) -> None:
    place = folder / "cache" / "s2s" / "cc-server"
    place.mkdir(parents=True, mode=0o700)
    for name, age in (("old", 2 * 24 * 3600), ("young", 60)):
        (place / name).touch()
        os.utime(place / name, (time.time() - age,) * 2)
    assert ask_server.ask(("gcc", "-c", "none.c"), "") == NOTHING
    assert {"old", "young"} & {*os.listdir(place)} == {"young"}


def test_signals_of_who_asks_first_do_not_matter(folder: Path) -> None:
    if not (asking := os.fork()):
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        os._exit(ask_server.ask(("gcc", "-c", "none.c"), "") != NOTHING)
    assert not os.waitpid(asking, 0)[1]
    assert ask_server.ask(("gcc", "-c", "quiet.c"), "") is not None
    (server,) = _servers(folder)
    os.kill(server, signal.SIGTERM)
    assert _is_over(server)


def test_work_ends_with_the_command_that_asked(folder: Path) -> None:
    Path("many.c").write_text(MANY_LOOPS)
    assert ask_server.ask(("gcc", "-c", "none.c"), "") == NOTHING
    (server,) = _servers(folder)
    if not (asking := os.fork()):
        ask_server.ask(("gcc", "-c", "many.c"), "")
        os._exit(0)
    of_server = Path(f"/proc/{server}/task/{server}/children")
    working: list[int] = []
    while not (below := working and _children(working[0])):
        working = [int(number) for number in of_server.read_text().split()]
        assert not os.waitpid(asking, os.WNOHANG)[0]
    os.kill(asking, signal.SIGKILL)
    os.waitpid(asking, 0)
    assert _is_over(*working, *below)


def _children(process: int) -> list[int]:
    try:
        return [
            int(n) for n in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except OSError:
        return []


@pytest.mark.parametrize(
    "hindrance", ["switched off", "preloaded", "open to others", "a file", "no place", "own file"]
)
def test_without_a_server_nobody_is_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, hindrance: str
) -> None:
    place = folder / "cache" / "s2s" / "cc-server"
    if hindrance == "switched off":
        monkeypatch.setenv("S2S_SERVER", "0")
    elif hindrance == "preloaded":
        monkeypatch.setenv("LD_PRELOAD", "libc.so.6")
    elif hindrance == "open to others":
        place.mkdir(parents=True)
        place.chmod(0o777)
    elif hindrance == "a file":
        (folder / "cache").write_text("")
    elif hindrance == "no place":
        monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    source = "/dev/fd/3" if hindrance == "own file" else "none.c"
    assert ask_server.ask(("gcc", "-xc", "-c", source), "") is None
    assert not _servers(folder)
