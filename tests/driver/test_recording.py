"""What is recorded of regions, and that recording changes nothing of what is done."""

from __future__ import annotations

from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.source import apply_edits

STEPS = """\
static double a[500][400];
void steps(void)
{
  for (int j = 399; j >= 0; j -= 3)
    for (int i = 2; i < 500; i++)
      a[i][j] = a[i - 2][j] + 1;
}
"""


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
