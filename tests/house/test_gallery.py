"""The pages of docs/gallery are what s2s prints and makes now.

``S2S_UPDATE_DOCS=1`` writes them; read the difference then.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from s2s.cli.main import main
from tests.house.gallery import render
from tests.places import ROOT

PAGES = sorted((ROOT / "docs" / "gallery").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
def test_a_page_is_what_is_printed(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    before = page.read_text(encoding="utf-8")
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")

    def run(line: str) -> str:
        command, *words = shlex.split(line)
        assert command == "s2s"
        status = main(words)
        said = b"".join(capsysbinary.readouterr()).decode()
        assert status == 0, f"{line}:\n{said}"
        return said

    now = render(before, tmp_path, run)
    if os.environ.get("S2S_UPDATE_DOCS"):
        page.write_text(now, encoding="utf-8")
    else:
        assert now == before
