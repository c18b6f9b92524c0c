"""g++ for the machine: designs in folders of their own, the engine once for all designs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.simulators.amber.problems import line_of, problem
from s2s.source.compiler_answers import version_of
from s2s.source.kept import keep, kept_place

if TYPE_CHECKING:
    from s2s.source.diagnostics import UserError

INCLUDE = Path(__file__).parent / "include"
FLAGS: tuple[str, ...] = ("-std=c++17", "-O2", "-w")

_HEADERS = (
    *("clockwork_standard_compute_units.h", "elements.h", "cycles.h"),
    *("hw_classes.h", "engine.h", "lives.h", "machine.h"),
)
"""What designs begin with, and what that includes."""

_PARTS = ("engine", "handshakes")
"""Sources of the engine."""

_ENGINE = ("engine.h", "handshakes.h", "lives.h", "machine.h")
"""What they include."""

_PREFIX = "s2s-amber-"
_ABANDONED = 3600
"""Seconds after which the folder of a process that is gone is removed."""


@contextmanager
def work_folder() -> Iterator[Path]:
    """A folder that goes when it is no longer needed; those that killed processes left go, too."""
    _remove_abandoned()
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-") as name:
        yield Path(name)


def _remove_abandoned() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = re.match(rf"{_PREFIX}(\d+)-", folder.name)
        with suppress(OSError):
            old = folder.stat().st_mtime < time.time() - _ABANDONED
            if owner and old and not _is_alive(int(owner[1])):
                shutil.rmtree(folder, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def compile_design(compiler: str, folder: Path, source: Path, to: Path) -> None:
    """Compile a design's text and link it with the engine. Raises UserError."""
    header = _precompiled(compiler)
    known = ("-include", header) if header else ()
    engine = [_engine(compiler, folder, part) for part in _PARTS]
    _compile(compiler, *known, f"-I{folder}", str(source), *engine, "-o", str(to))


def _engine(compiler: str, folder: Path, part: str) -> str:
    """An object file of the engine: that of the user's cache, or one in a folder if it has no
    place.
    """
    cached = _cached_engine(compiler, part)
    if cached is None:
        own = folder / f"{part}.o"
        _compile(compiler, "-c", str(INCLUDE / f"{part}.cpp"), "-o", str(own))
        return str(own)
    return cached


@lru_cache(maxsize=8)
def _cached_engine(compiler: str, part: str) -> str | None:
    """A part of the engine in the user's cache, compiled if it is not there yet."""
    kept = _place(compiler, part, (f"{part}.cpp", *_ENGINE), ".o")
    words = ("-c", str(INCLUDE / f"{part}.cpp"), "-o")
    if kept is None:
        return None
    return _made(kept, lambda made: _compile(compiler, *words, str(made)))


@lru_cache(maxsize=4)
def _precompiled(compiler: str) -> str | None:
    """A header of the user's cache with all that designs begin with, precompiled by g++.

    Reading these takes six times as long as the rest of most designs.
    """
    if not re.match(r"([\w.]+-)*g\+\+", Path(compiler).name):
        return None
    kept = _place(compiler, "design", _HEADERS, ".h.gch")
    if kept is None:
        return None
    header = kept.with_suffix("")
    text = "".join(f'#include "{name}"\n' for name in _HEADERS[:3])
    if _made(header, lambda made: made.write_text(text)) is None:
        return None
    words = ("-x", "c++-header", str(header), "-o")
    return _made(kept, lambda made: _compile(compiler, *words, str(made))) and str(header)


def _place(compiler: str, name: str, sources: Sequence[str], ending: str) -> Path | None:
    """Where the user's cache has what a compiler makes of our sources; None without a cache."""
    text = b"\0".join((INCLUDE / source).read_bytes() for source in sources)
    about = "\n".join((version_of([compiler]), *FLAGS)).encode()
    return kept_place("amber", name, text + b"\0" + about, ending)


def _made(kept: Path, make: Callable[[Path], object]) -> str | None:
    """A file of the cache, made if it is not there yet; None where it cannot be written."""
    found = keep(kept, make)
    return str(found) if found else None


def _compile(compiler: str, *arguments: str) -> None:
    command = [compiler, *FLAGS, f"-I{INCLUDE}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise _refused(done.stderr)


def _refused(said: str) -> UserError:
    """What the compiler says first, at the line of the memory or compute file it comes from."""
    first = next((line for line in said.splitlines() if "error: " in line), said.strip())
    match = re.match(r"(.+?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)", first)
    if match is None or match[1].startswith(f"{tempfile.gettempdir()}/{_PREFIX}"):
        return problem(f"g++ refuses the program: {first}")
    return problem(f"g++: {match[3]}", line_of(match[1], int(match[2])))
