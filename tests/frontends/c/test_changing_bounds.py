"""What is said of bounds in memory that a region may change."""

from __future__ import annotations

from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_PROGRAM = Path(__file__).with_name("changing_bounds.c").read_text()


def test_the_reason_is_what_may_change_the_bound(tmp_path: Path) -> None:
    source = tmp_path / "x.c"
    source.write_text(_PROGRAM)
    outcome = transform_file(str(source), ["-O3", "-fopenmp"], Options(strict=True))
    said = [d.text for d in outcome.diagnostics if d.id == "lift"]
    wanted = "'dims[2]' may change while the loops run: what is written to 'a' may be"
    assert any(text.startswith(wanted) for text in said)
