"""Objects of files that are linked with every text of a suite, compiled once for some flags."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from pathlib import Path

from s2s.source.records import dataclass
from s2s.tuning import measure


@dataclass
class Objects:
    """Objects in a folder of their own."""

    compiler: str
    folder: Path
    made: dict[tuple[Path, tuple[str, ...]], Path] = field(default_factory=dict)

    def of(self, parts: Iterable[tuple[Path, tuple[str, ...]]]) -> list[Path]:
        """An object for each file with its flags. Raises MeasurementError."""
        self.folder.mkdir(exist_ok=True)
        found = []
        for file, flags in parts:
            if (file, flags) not in self.made:
                place = self.folder / f"{len(self.made)}-{file.name}.o"
                measure.compile_object(self.compiler, flags, file, place, times=1)
                self.made[file, flags] = place
            found.append(self.made[file, flags])
        return found
