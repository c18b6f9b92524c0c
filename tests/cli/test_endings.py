"""How the process ends when it is asked to, and what it leaves: nothing."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from s2s.cli import cc, cc_settings
from s2s.cli.limited import limited
from s2s.driver import child
from s2s.driver import transform as driver
from s2s.driver.child import Limit, OutOfTimeError, in_child
from s2s.source.diagnostics import UserError
from tests.cli.conftest import environment

pytestmark = pytest.mark.in_child
Run = Callable[..., subprocess.CompletedProcess[bytes]]

# Writes its process id, then computes for good. Who is started in the background ignores SIGINT.
_SLOW = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from s2s.driver import child
from s2s.driver import transform as driver
def slow(*_):
    with open("pid.new", "w") as stream:
        stream.write(str(os.getpid()))
    os.rename("pid.new", "pid")
    while True:
        pass
driver.transform_file = slow
if "{kernel}" == "without":
    child._kernel_ends_orphans = lambda: False
from s2s.entry import main
sys.exit(main())
"""


def _wait_until(holds: Callable[[], bool], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def _is_alive(process: int) -> bool:
    """Whether a process computes; one that nobody has waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="states of processes are in /proc")
@pytest.mark.parametrize("kernel", ["with", "without"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_worker_ends_with_its_parent(kernel: str, number: signal.Signals) -> None:
    Path("x.c").write_text("int x;\n")
    command = [sys.executable, "-c", _SLOW.format(kernel=kernel), "transform", "x.c"]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE) as parent:
        assert _wait_until(Path("pid").exists)
        worker = int(Path("pid").read_text())
        assert _is_alive(worker)
        parent.send_signal(number)
        parent.wait(60)
    assert _wait_until(lambda: not _is_alive(worker))


def _sleep() -> str:
    time.sleep(1.5)
    return "done"


def _spin() -> NoReturn:
    while True:
        pass


def test_a_limit_is_of_processor_time() -> None:
    """Waiting costs none of it: another process's work is not this one's."""
    assert in_child(_sleep, Limit(1)) == "done"
    with pytest.raises(OutOfTimeError, match="1 s of processor time; '--time-limit SECONDS'"):
        in_child(_spin, Limit(1))


def test_the_clock_on_the_wall_ends_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Limit, "wall", 0.3)
    with pytest.raises(OutOfTimeError, match=r"given up after 0\.3 s"):
        in_child(lambda: time.sleep(60), Limit(1, idle=0.2))


def test_the_clock_on_the_wall_lets_work_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loaded machine gives a process little time for each second of the clock."""
    monkeypatch.setattr(Limit, "wall", 0.05)
    with pytest.raises(OutOfTimeError, match="1 s of processor time"):
        in_child(_spin, Limit(1, idle=1.5))


def test_signals_reach_a_child_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handler of the parent does not run in the child, not even right after the fork."""
    ended: list[int] = []
    monkeypatch.setattr(child, "_end_with", lambda _: os.kill(os.getpid(), signal.SIGTERM))
    previous = signal.signal(signal.SIGTERM, lambda *_: ended.append(1))
    try:
        assert in_child(lambda: "never") is None
    finally:
        signal.signal(signal.SIGTERM, previous)
    assert not ended


# A delay of start-up is given in steps of imports, not of time: the signal comes with the n-th.
_AT_IMPORT = """
import os, signal, sys
import s2s.entry
class Interrupt:
    process, left = os.getpid(), {count}
    def find_spec(self, *_):
        Interrupt.left -= 1
        if Interrupt.left == 0 and os.getpid() == self.process:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
sys.argv = ["s2s", *{arguments}]
sys.exit(s2s.entry.main())
"""


@pytest.mark.parametrize("count", [1, 3, 10, 25, 45, 60])
@pytest.mark.parametrize("command", ["transform", "cc"])
def test_interrupted_while_importing(command: str, count: int) -> None:
    Path("x.c").write_text("void f(int n, double *a) { for (int i = 1; i < n; i++) a[i] = 2; }\n")
    arguments = {"transform": ["transform", "x.c"], "cc": ["cc", "--", "gcc", "-O2", "-c", "x.c"]}[
        command
    ]
    script = _AT_IMPORT.format(count=count, arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(), capture_output=True, check=False
    )
    assert done.stderr == b""
    assert done.returncode in (130, -signal.SIGINT) or (done.returncode == 0 and count > 25)


@pytest.mark.parametrize("delay", [0.05, 0.08, 0.11, 0.15, 0.2, 0.3])
def test_interrupted_after_a_while(delay: float) -> None:
    """Where Python itself starts, nothing of s2s runs yet."""
    Path("x.c").write_text("void f(int n, double *a) { for (int i = 1; i < n; i++) a[i] = 2; }\n")
    command = [sys.executable, "-m", "s2s", "transform", "x.c", "-o", "out.c", "--remarks=none"]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1].decode()
    ours = {Path(name).name for name in re.findall(r'"([^"]*/s2s/[^"]*)"', said)}
    assert ours <= {"__init__.py", "__main__.py"}, said  # which import what is quiet
    if not said:  # the signal itself ends what has not come to s2s yet
        assert process.returncode in (130, 0, -signal.SIGINT)


def _never(*_: object) -> NoReturn:
    _spin()


_PIPELINE = '#include "Halide.h"\nclass G : public Halide::Generator<G> { };\n'


@pytest.mark.parametrize(
    ("name", "text", "options", "status"),
    [
        ("x.c", "int x;\n", (), 0),
        ("x.c", "int x;\n", ("--strict",), 70),
        ("x.c", "int x;\n", ("--target", "emu"), 70),
        ("x.cpp", _PIPELINE, (), 70),
    ],
)
def test_a_file_that_takes_too_long(
    run: Run, monkeypatch: pytest.MonkeyPatch,
    name: str, text: str, options: tuple[str, ...], status: int,
) -> None:  # fmt: skip
    """It is given up, and that is said, whatever kind of file it is."""
    monkeypatch.setattr(driver, "transform_file", _never)
    Path(name).write_text(text)
    result = run("transform", name, "-o", "out", "--time-limit", "1", *options)
    limit = "given up after 1 s of processor time; '--time-limit SECONDS' allows for more"
    assert result.stderr.decode() == f"{name}: {limit}\n"
    assert result.returncode == status
    assert Path("out").exists() == (status == 0)


def test_a_compiler_whose_source_takes_too_long(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    loop = "for (int i = 1; i < 99; i++) for (int j = 1; j < 99; j++) a[i][j] = a[j][i - 1];"
    Path("x.c").write_text(f"void f(int (*a)[99]) {{ {loop} }}\n")
    monkeypatch.setattr(driver, "transform_file", _never)
    settings = cc_settings.Settings(strict=True, time_limit=1)
    assert cc.run(["gcc", "-c", "x.c"], settings, execute=lambda _: 0) == 70
    assert "x.c: given up after 1 s of processor time" in capfd.readouterr().err


def test_a_simulation_that_takes_too_long() -> None:
    """In a process of its own, since limits count what a process has taken before."""
    Path("spin.c").write_text("int main(void) { volatile int on = 1; while (on) ; return 0; }\n")
    command = ["simulate", "spin.c", "--machine", "emu-chick", "--time-limit", "1"]
    result = subprocess.run(
        [sys.executable, "-m", "s2s", *command], env=environment(), capture_output=True, check=False
    )
    assert result.returncode == 1
    assert b"'--time-limit' allows for more" in result.stderr


def test_a_limit_of_this_process_ends_with_its_block() -> None:
    before = resource.getrlimit(resource.RLIMIT_CPU)
    said = r"x\.cc: given up after 1 s of processor time"
    with pytest.raises(UserError, match=said), limited(1, "x.cc"):
        _spin()
    assert resource.getrlimit(resource.RLIMIT_CPU) == before
    with limited(1, "x.cc"):
        time.sleep(0.01)
