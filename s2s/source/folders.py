"""Where s2s remembers things."""

from __future__ import annotations

import os


def cache_folder() -> str:
    """The user's folder for what s2s remembers; empty where there is no place for one."""
    from platformdirs import user_cache_dir

    folder = user_cache_dir("s2s", appauthor=False)
    return folder if os.path.isabs(folder) else ""
