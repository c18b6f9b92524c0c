"""docs/tutorial.md, command by command, in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tutorial import Commands, File, has_shape, parts
from tests.places import ROOT

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


def environment(folder: Path) -> dict[str, str]:
    """A command ``s2s`` of this checkout, a cache of its own, two threads."""
    (folder / "s2s").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m s2s "$@"\n')
    (folder / "s2s").chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "OMP_NUM_THREADS": "2",
        "COLUMNS": "120",
    }


def test_every_command_does_what_the_page_says(tmp_path: Path) -> None:
    pytest.importorskip("PIL", reason="pillow is not installed")
    (tmp_path / "bin").mkdir()
    (tmp_path / "work").mkdir()
    variables = environment(tmp_path / "bin")
    count = 0
    for part in parts(PAGE):
        if isinstance(part, File):
            (tmp_path / "work" / part.name).write_text(part.content)
            continue
        said = "".join(run(line, tmp_path / "work", variables) for line in part.lines)
        assert part.printed is None or has_shape(said, part.printed), f"{part.lines}:\n{said}"
        count += len(part.lines)
    assert count > 12
    assert (tmp_path / "work" / "soft.png").stat().st_size > 100


def run(line: str, folder: Path, variables: dict[str, str]) -> str:
    """What a command prints; with less work to do than on the page."""
    done = subprocess.run(
        line.replace("600 60", "96 8"),
        shell=True,
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{line}:\n{done.stdout}"
    return done.stdout


def test_shapes() -> None:
    assert has_shape("took 1.25 s\nfine\n", "took 0.3 s\nfine\n")
    assert has_shape("a\nb\nc 1e-05", "a\n...\nc 2e+06")
    assert not has_shape("took long", "took 0.3 s")
    assert not has_shape("a\nb", "a")
    found = list(
        parts("<!-- file: a.c -->\n```c\nint a;\n```\n\n```sh\nx\ny\n```\n\n```text\nz\n```\n")
    )
    assert found == [File("a.c", "int a;\n"), Commands(("x", "y"), "z\n")]
