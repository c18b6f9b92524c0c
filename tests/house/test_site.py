"""The site of docs/ is built without a warning, its links lead somewhere, it fetches nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT


def test_the_site_is_built_and_its_links_lead_somewhere(tmp_path: Path) -> None:
    for package in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    site, state = tmp_path / "site", tmp_path / "state"
    done = subprocess.run(
        [*command, "-d", str(state), str(ROOT / "docs"), str(site)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(site).as_posix(): path.read_text() for path in site.rglob("*.html")}
    assert len(pages) > 20
    for page, text in pages.items():
        loaded = re.findall(r'(?:src|rel="stylesheet"[^>]*href)="([^"]+)"', text)
        assert [link for link in loaded if "//" in link] == [], page
        for link in re.findall(r'<a [^>]*href="([^"#?]+)', text):
            if not re.match(r"[a-z]+:", link):
                assert (site / page).parent.joinpath(link).exists(), (page, link)
