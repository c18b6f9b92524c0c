"""Passes of other packages: listed, checked and run as those of s2s."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

PASS = '''
"""Turned loops: a pass of somebody else. More about it."""

from dataclasses import dataclass, field
from typing import ClassVar

from s2s.transforms.reverse import Reverse


@dataclass(frozen=True)
class Turn(Reverse):
    """The pass."""

    name: ClassVar[str] = "turn"
    unused: int = field(default=3, metadata={"help": "nothing", "least": 2})
'''
ENTRY = "[s2s.passes]\nturn = turned:Turn\nwrong = turned:Reverse\ngone = nowhere:Pass\n"
LOOP = Path(__file__).with_name("installed_passes.c").read_text()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with an installed distribution that has a pass."""
    (tmp_path / "turned.py").write_text(PASS)
    about = tmp_path / "turned-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: turned\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY)
    (tmp_path / "a.c").write_text(LOOP)
    return tmp_path


def _s2s(site: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(site), str(ROOT)))
    return subprocess.run(
        [sys.executable, "-m", "s2s", *argv], cwd=site, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


def test_it_is_run(site: Path) -> None:
    done = _s2s(site, "transform", "a.c", "--passes", "turn:unused=4", "--strict")
    assert "the loop over 'i' runs backwards" in done.stdout
    assert "[turn]" in done.stderr
    assert done.returncode == 0


def test_its_options_are_checked(site: Path) -> None:
    done = _s2s(site, "transform", "a.c", "--passes", "turn:unused=1")
    assert done.returncode == 2
    assert "option 'unused' of pass 'turn' is a whole number from 2 on, not '1'" in done.stderr


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("wrong", "'turned:Reverse' is no such pass"),
        ("gone", "No module named 'nowhere'"),
    ],
)
def test_what_cannot_be_loaded_is_the_users_error(site: Path, name: str, why: str) -> None:
    done = _s2s(site, "transform", "a.c", "--passes", name)
    assert done.returncode == 1
    assert f"pass '{name}' of turned 1.0 cannot be loaded: " in done.stderr
    assert why in done.stderr


def test_it_is_listed(site: Path) -> None:
    (site / "turned-1.0.dist-info" / "entry_points.txt").write_text(ENTRY.split("wrong")[0])
    listed = _s2s(site, "passes").stdout.splitlines()
    assert "turn\tTurned loops: a pass of somebody else. More about it" in listed
    assert "  turn:unused=3\tnothing (a whole number from 2 on)" in listed
    names = [line.partition("\t")[0] for line in listed if not line.startswith(" ")]
    assert names[-1] == "turn" and "reverse" in names
