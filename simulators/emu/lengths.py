"""How many accesses runs had: by that of the last one the time is known that another one has left.

A program may do anything, so nothing else tells how long it will run. What is known of a program
and its arguments is kept in the user's cache, if the run was not a short one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from s2s.source.folders import cache_folder
from s2s.source.records import dataclass

LONG = 1_000_000
"""Accesses of a run that is worth remembering: about a second of them."""


@dataclass(frozen=True)
class Length:
    """That of the last run of the program ``path`` with these arguments."""

    path: str
    arguments: Sequence[str]

    @property
    def _file(self) -> Path | None:
        folder = cache_folder() if os.environ.get("S2S_CACHE", "1") != "0" else ""
        words = "\0".join([os.path.abspath(self.path), *self.arguments])
        key = blake2b(words.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        return Path(folder, "emu", "lengths", key) if folder else None

    def recall(self) -> int:
        """Its accesses; 0 where it is not known."""
        with contextlib.suppress(OSError, ValueError):
            return int(self._file.read_text()) if self._file is not None else 0
        return 0

    def keep(self, accesses: int) -> None:
        """Remember a run."""
        file = self._file
        if file is None or accesses < LONG:
            return
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(str(accesses))
