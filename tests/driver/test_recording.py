"""What is recorded of regions, and that recording changes nothing of what is done."""

from __future__ import annotations

from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.source import apply_edits

STEPS = Path(__file__).with_name("recording.c").read_text()


def test_recording_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "steps.c"
    path.write_text(STEPS)
    outcome = transform_file(str(path), (), Options(record=True))
    plain = transform_file(str(path), (), Options())
    assert (outcome.text, outcome.diagnostics) == (plain.text, plain.diagnostics)
    assert plain.regions == () and outcome.changed
    assert apply_edits(outcome.original, outcome.edits or ()) == outcome.text
    (region,) = outcome.regions
    assert [(d.kind, d.distance) for d in region.dependences] == [("flow", (0, 2))]
