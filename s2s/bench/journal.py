"""What a bench has measured so far, so that one that was ended can go on.

Each case's rows are appended as soon as they are there, to a file of the user's cache folder that
is known by what was asked for and by this package's files; it goes when all is measured.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import s2s
from s2s.bench.suite import Request
from s2s.source.folders import cache_folder


class Journal:
    """The rows of cases by places and names; with ``resume`` those of an earlier run are known."""

    def __init__(self, request: Request, *, resume: bool) -> None:
        folder = cache_folder()
        self._path = Path(folder, "bench", f"{_key(request)}.rows") if folder else None
        self.known: dict[str, list[Any]] = {}
        if self._path is None:
            return
        if resume:
            self._read(self._path)
        else:
            self.remove()

    def _read(self, path: Path) -> None:
        """All that is complete; a run may have ended while it wrote."""
        with suppress(OSError), path.open("rb") as stream:
            while True:
                try:
                    name, rows = pickle.load(stream)
                except Exception:  # the end, or half an entry
                    return
                self.known[name] = rows

    def add(self, name: str, rows: Sequence[Any]) -> None:
        """Keep the rows of a case; rows that cannot be kept are measured again."""
        if self._path is None:
            return
        with suppress(OSError, pickle.PicklingError, AttributeError, TypeError):
            entry = pickle.dumps((name, list(rows)))
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as stream:
                stream.write(entry)

    def remove(self) -> None:
        """Forget the run."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink()


def _key(request: Request) -> str:
    """What tells one run from others, files that are written apart."""
    same = replace(request, json=None, csv=None, plot=None, out=None, resume=False)
    package = Path(s2s.__file__).resolve().parent
    stamps = sorted(
        (str(path), path.stat().st_mtime_ns)
        for top in (package, *(package.parent / n for n in ("analyses", "emitters", "frontends")))
        for path in top.rglob("*.py")
    )
    text = repr((same, os.getcwd(), s2s.__version__, stamps))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
