"""Where s2s remembers things."""

import os

import platformdirs
import pytest

from s2s.source.folders import cache_folder


@pytest.mark.parametrize("home", [None, "", "/somewhere/else", "  ", "/with/end/"])
def test_the_folder_is_the_one_of_the_library(
    home: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", home)
    assert cache_folder() == platformdirs.user_cache_dir("s2s", appauthor=False)


def test_a_folder_without_a_root_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", os.path.join("here", "below"))
    assert cache_folder() == ""
