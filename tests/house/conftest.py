"""What tests of the house share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.installed import Installed, can_build, install


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the wheel is installed, once."""
    if not can_build():
        pytest.skip("wheels are built without a network by setuptools 70.1 and later")
    folder = tmp_path_factory.mktemp("installed")
    install(folder)
    return folder


@pytest.fixture
def installed(environment: Path, tmp_path: Path) -> Iterator[Installed]:
    """s2s as a user has it, in an empty folder."""
    work = tmp_path / "work"
    work.mkdir()
    yield Installed(environment / "venv" / "bin", work)
