"""What is made once and kept in the user's cache, by the content that it is made from."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path

from s2s.source.folders import cache_folder


def kept_place(kind: str, name: str, content: bytes, ending: str) -> Path | None:
    """Where the user's cache has what is made from some content; None without a cache."""
    home = cache_folder()
    key = hashlib.sha256(content).hexdigest()[:24]
    return Path(home, kind, f"{name}-{key}{ending}") if home else None


def keep(place: Path, make: Callable[[Path], object]) -> Path | None:
    """A file of the cache, made if it is not there yet; None where it cannot be written.

    ``make`` gets the path of a temporary file, which is renamed when it is whole.
    """
    if place.is_file():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as folder:
            made = Path(folder, place.name)
            make(made)
            made.replace(place)
    except OSError:
        return None
    return place
