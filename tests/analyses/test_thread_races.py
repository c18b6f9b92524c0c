"""Certain races among what threads execute, and none where a program has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.analyses.concurrency.races import Race
from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_PROGRAMS = Path(__file__).parent / "thread_races"


def test_the_warning_names_the_variable_and_both_places(tmp_path: Path) -> None:
    path = tmp_path / "both.c"
    path.write_text((_PROGRAMS / "shared_scalar.c").read_text())
    said = transform_file(str(path), ["-fopenmp"], Options()).diagnostics
    warnings = [d for d in said if d.id == "race"]
    assert warnings and all("'g'" in w.text for w in warnings)
    for warning in warnings:
        (note,) = warning.notes
        places = (warning.location, note.location)
        assert all(at is not None and at.line in (6, 7) for at in places)


def test_a_file_without_loops_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "no_loop.c"
    path.write_text((_PROGRAMS / "no_loop.c").read_text())
    for explain in (False, True):
        said = transform_file(str(path), ["-fopenmp"], Options(explain=explain)).diagnostics
        assert [d.id for d in said].count("race") == 1


def test_a_defect_is_told_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "defect.c"
    path.write_text((_PROGRAMS / "no_loop.c").read_text())

    def fail(execution: object) -> list[Race]:
        raise KeyError(execution)

    monkeypatch.setattr("s2s.analyses.concurrency.races.races", fail)
    done = transform_file(str(path), ["-fopenmp"], Options())
    assert [d.id for d in done.diagnostics] == ["internal"]
    with pytest.raises(KeyError):
        transform_file(str(path), ["-fopenmp"], Options(strict=True))
