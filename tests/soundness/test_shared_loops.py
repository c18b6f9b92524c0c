"""Loops that threads of a caller's team share: random programs, with several numbers of threads."""

from __future__ import annotations

from pathlib import Path

from tests.soundness.harness import COMMON, check
from tests.soundness.shared_loops import SharedLoops
from tests.soundness.work_arrays import WorkArrays


def test_random_shared_loops(tmp_path: Path) -> None:
    result = check(tmp_path, SharedLoops(6).program(COMMON, functions=3))
    assert "hoisted the shared loop" in result.messages
    assert "one shared loop" in result.messages
    assert result.different == ""


def test_random_work_arrays(tmp_path: Path) -> None:
    result = check(tmp_path, WorkArrays(7).program(COMMON, functions=3))
    assert "with copies of" in result.messages
    assert result.different == ""
