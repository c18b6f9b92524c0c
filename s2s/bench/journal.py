"""What a bench has measured so far, so that one that was ended can go on.

Each row is appended as soon as it is there, to a file of the user's cache folder that is known by
what was asked for and by this package's files; it goes when all is measured. So what was reported
of a case that was not finished stays, too: only its other rows are measured.
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

_BESIDE = ("analyses", "emitters", "frontends", "simulators")


class Journal:
    """The rows of cases by places and names; with ``resume`` those of an earlier run are known.

    ``finished`` are the cases of which there are no other rows.
    """

    def __init__(self, request: Request, *, resume: bool) -> None:
        folder = cache_folder()
        self._path = Path(folder, "bench", f"{_key(request)}.rows") if folder else None
        self.known: dict[str, list[Any]] = {}
        self.finished: set[str] = set()
        self._broken: set[str] = set()
        if self._path is None:
            return
        if resume:
            self._read(self._path)
        else:
            self.remove()

    def _read(self, path: Path) -> None:
        """All that is complete; a run may have ended while it wrote, and what is half goes."""
        with suppress(OSError), path.open("r+b") as stream:
            end = 0
            while True:
                try:
                    name, rows = pickle.load(stream)
                except Exception:  # the end, or half an entry
                    stream.truncate(end)
                    return
                end = stream.tell()
                self.known.setdefault(name, []).extend(rows)
                if not rows:
                    self.finished.add(name)

    def add(self, name: str, row: Any) -> None:
        """Keep a row of a case; one that cannot be kept is measured again, and all after it."""
        self._append(name, [row])

    def finish(self, name: str) -> None:
        """Say that a case has no more rows than those that were kept."""
        self._append(name, [])

    def _append(self, name: str, rows: Sequence[Any]) -> None:
        if self._path is None or name in self._broken:
            return
        try:
            entry = pickle.dumps((name, list(rows)))
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as stream:
                stream.write(entry)
        except (OSError, pickle.PicklingError, AttributeError, TypeError):
            self._broken.add(name)

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
        for top in (package, *(package.parent / name for name in _BESIDE))
        for kind in ("*.py", "*.toml")
        for path in top.rglob(kind)
    )
    text = repr((same, os.getcwd(), s2s.__version__, stamps))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
