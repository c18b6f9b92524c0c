"""Where the machine compiles: folders that go, and the engine that is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from s2s.simulators.amber import compile as compiling


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def _left(folders: Path, process: int, hours: float) -> Path:
    folder = folders / f"s2s-amber-{process}-abc"
    folder.mkdir()
    (folder / "design").write_text("")
    then = time.time() - 3600 * hours
    os.utime(folder, (then, then))
    return folder


def test_folders_go(folders: Path) -> None:
    with compiling.work_folder() as own:
        assert own.is_dir()
    with pytest.raises(ValueError, match="wrong"), compiling.work_folder() as own:
        raise ValueError("wrong")
    assert list(folders.iterdir()) == []


def test_what_killed_processes_left_goes(folders: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left, new = _left(folders, gone.pid, 2), folders / "s2s-amber-none"
    new.mkdir()
    alive = _left(folders, os.getpid(), 2)
    with compiling.work_folder():
        assert not left.exists()
    assert alive.exists() and new.exists()
    recent = _left(folders, gone.pid, 0.5)
    with compiling.work_folder():
        assert recent.exists()


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("home", ["cache", "taken"])
def test_the_engine_is_kept(home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the user's cache; where that is no folder in one of its own."""
    (tmp_path / "taken").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / home))
    ran: list[str] = []

    def compiled(_: str, *words: str) -> None:
        ran.append(words[-1])
        Path(words[-1]).touch()

    monkeypatch.setattr(compiling, "_compile", compiled)
    compiling._cached_engine.cache_clear()
    first = compiling._engine("g++", tmp_path, "engine")
    compiling._cached_engine.cache_clear()
    second = compiling._engine("g++", tmp_path, "engine")
    compiling._cached_engine.cache_clear()
    assert first == second
    assert Path(first).is_file()
    kept = home == "cache"
    assert (Path(first).parent.parent.parent == tmp_path / "cache") == kept
    assert len(ran) == (1 if kept else 2)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_what_designs_begin_with_is_precompiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    compiling._precompiled.cache_clear()
    header = compiling._precompiled("g++")
    assert header == compiling._precompiled("/usr/bin/g++")
    assert compiling._precompiled("clang++") is None
    compiling._precompiled.cache_clear()
    source = tmp_path / "design.cpp"
    source.write_text('#include "clockwork_standard_compute_units.h"\nhw_uint<16> word = 3;\n')
    command = ["g++", *compiling.FLAGS, f"-I{compiling.INCLUDE}", "-include", str(header)]
    command += ["-fsyntax-only", "-H", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"! {header}.gch\n" in done.stderr
