"""The line that says how far work is."""

import io
import subprocess
import sys
import time

import pytest

from s2s.cli import progress
from s2s.cli.progress import Progress
from s2s.driver.child import in_child
from s2s.source import work_done


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _terminal(monkeypatch: pytest.MonkeyPatch) -> _Terminal:
    """A terminal in place of standard error, which pytest sets anew after fixtures."""
    found = _Terminal()
    monkeypatch.setattr(progress, "DELAY", 0.02)
    monkeypatch.setattr("sys.stderr", found)
    monkeypatch.setenv("TERM", "xterm")
    return found


def test_long_work_is_shown_with_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "72")
    with Progress("transforming", 3) as line:
        line.step("transforming b[1].c")
        end = time.monotonic() + 20
        while "b[1].c" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.02)
    assert "transforming b[1].c" in terminal.getvalue() and "1/3" in terminal.getvalue()
    assert "\x1b[3" not in terminal.getvalue()  # no colours


def test_the_parts_of_one_piece_of_work_are_counted_in_its_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = _terminal(monkeypatch)
    monkeypatch.setattr(progress, "_EVERY", 0.02)

    def work() -> None:
        """As a file whose functions have these many loops."""
        work_done.begin(40)
        work_done.advance(17, inside=True)

    with Progress("explaining a.c") as line:
        in_child(work)
        end = time.monotonic() + 20
        while "17/40" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.02)
        with work_done.counted(5):
            in_child(work)  # what is around it counts otherwise
            work_done.advance()
        while "1/5" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.02)
        line.step()
    assert "17/40" in terminal.getvalue() and "-:--:--" in terminal.getvalue()
    work()  # nobody follows


def test_a_program_that_is_started_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch)
    monkeypatch.setattr(progress, "_EVERY", 0.02)
    with Progress("simulating a.c"):
        (told,) = work_done.begin_outside(90)
        counts = f"import os; os.pwrite({told}, (50).to_bytes(8, 'little'), 0)"
        subprocess.run([sys.executable, "-S", "-c", counts], pass_fds=(told,), check=True)
        end = time.monotonic() + 20
        while "50/90" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.02)
        with work_done.counted(5):
            assert work_done.begin_outside(90) == ()
    assert "50/90" in terminal.getvalue()
    assert work_done.begin_outside(90) == ()  # nobody follows


def test_work_that_tells_nothing_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch)
    with Progress("simulating a.c", at_most=600):
        end = time.monotonic() + 20
        while "processor" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.02)
    assert "of at most 600 s of processor time" in terminal.getvalue()


def test_short_work_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch)
    monkeypatch.setattr(progress, "DELAY", 60.0)
    with Progress("transforming", 3) as line:
        line.step()
    assert terminal.getvalue() == ""


def test_nothing_goes_into_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    with Progress("transforming", 3):
        time.sleep(0.05)
    assert pipe.getvalue() == ""
