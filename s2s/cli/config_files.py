"""Where files with options may be. What runs for each file of a build asks, too: few imports."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NO_CONFIG = "--no-config"
OWN, SHARED = "s2s.toml", "pyproject.toml"


def candidates(start: str) -> Iterator[tuple[str, bytes]]:
    """Files that may have options, with their contents, from a folder upwards.

    The first ``s2s.toml`` ends it: it has options whatever it says.
    """
    folder = os.path.abspath(start)
    while True:
        for name in (OWN, SHARED):
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as stream:
                    data = stream.read()
            except OSError:
                continue
            if name == OWN or b"s2s" in data:
                yield path, data
            if name == OWN:
                return
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above
