"""The pages of docs/gallery are what s2s prints and makes now.

``S2S_UPDATE_DOCS=1`` writes them; read the difference then.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.gallery import render
from tests.places import ROOT

PAGES = sorted((ROOT / "docs" / "gallery").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_what_is_printed(page: Path, tmp_path: Path) -> None:
    before = page.read_text(encoding="utf-8")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "benchmarks").symlink_to(ROOT / "benchmarks")
    program = tmp_path / "s2s"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m s2s "$@"\n')
    program.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}

    def run(line: str) -> str:
        done = subprocess.run(
            line,
            shell=True,
            cwd=tmp_path / "work",
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}:\n{done.stdout}"
        return done.stdout

    now = render(before, tmp_path / "work", run)
    if os.environ.get("S2S_UPDATE_DOCS"):
        page.write_text(now, encoding="utf-8")
    else:
        assert now == before
