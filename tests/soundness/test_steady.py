"""Parameters in memory that a region may write: new code where the guard sees that none is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.harness import check

_PROGRAMS = sorted((Path(__file__).parent / "steady").glob("*.c"))


@pytest.mark.parametrize("path", _PROGRAMS, ids=lambda path: path.stem)
def test_values_that_are_written_meanwhile(path: Path, tmp_path: Path) -> None:
    result = check(tmp_path, path.read_text(), name=path.name)
    assert result.transformed
    assert not result.different
    assert "keeps its value" in (tmp_path / f"new_{path.name}").read_text()
