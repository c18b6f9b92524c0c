"""Targets of s2s, and one that a package outside brings."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from s2s.cli.main import main
from tests.targets.installing import install

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package of ``tests/outside/toy``, installed; the folder it is in."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(install("toy", site)))
    yield site
    for name in [name for name in sys.modules if name.partition(".")[0] == "s2s_toy"]:
        del sys.modules[name]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process."""

    def run(*argv: str) -> CompletedProcess[str]:
        capfd.readouterr()
        status = main(argv)
        out, err = capfd.readouterr()
        return CompletedProcess(argv, status, out, err)

    return run
