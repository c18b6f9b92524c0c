"""Where s2s remembers things."""

from __future__ import annotations

import os
import sys


def cache_folder() -> str:
    """The user's folder for what s2s remembers; empty where there is no place for one.

    On Linux it is that of the XDG Base Directory Specification, as platformdirs has it: each file
    of a build asks for it, and the library alone takes a tenth of the time of a file without loops.
    """
    if sys.platform == "linux":
        home = os.environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache")
        folder = os.path.join(home, "s2s")
    else:
        from platformdirs import user_cache_dir

        folder = user_cache_dir("s2s", appauthor=False)
    return folder if os.path.isabs(folder) else ""
