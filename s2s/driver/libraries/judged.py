"""What was decided of a nest of a program."""

from __future__ import annotations

from s2s.driver.libraries.deciding import Decision
from s2s.driver.operations import Nest
from s2s.source import Edit
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Judged:
    """A nest with what was decided, and its edit if it goes to a library."""

    nest: Nest
    decision: Decision
    edit: Edit | None = None
    depth: int = 0
