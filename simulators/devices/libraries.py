"""C and C++ of a region as a shared library, compiled once and remembered by its content."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from s2s.simulators.devices.engines import EngineError
from s2s.source.compiler_answers import version_of
from s2s.source.folders import cache_folder

_FLAGS = ("-shared", "-fPIC", "-O2", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off")

_OF_NVCC = ("-shared", "-Xcompiler", "-fPIC", "-O2", "-w", "--fmad=false")
_SUFFIXES = {"gcc": ".c", "g++": ".cc", "nvcc": ".cu"}


def load_library(text: str, compiler: str, flags: Sequence[str] = ()) -> ctypes.CDLL:
    """The library that a text makes. Raises EngineError where no compiler takes it."""
    if shutil.which(compiler) is None:
        raise EngineError(f"there is no {compiler}")
    about = f"{version_of([compiler])}\0{_FLAGS}\0{tuple(flags)}\0{text}"
    name = hashlib.sha256(about.encode()).hexdigest()[:32]
    home = cache_folder()
    folder = Path(home, "engines") if home else Path(tempfile.mkdtemp(prefix="s2s-engine-"))
    kept = folder / f"{name}.so"
    if not kept.is_file():
        _compile(text, compiler, flags, kept)
    return ctypes.CDLL(str(kept))


def _compile(text: str, compiler: str, flags: Sequence[str], to: Path) -> None:
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=to.parent) as folder:
            source = Path(folder, f"engine{_SUFFIXES[compiler]}")
            source.write_text(text)
            made = Path(folder, "engine.so")
            own = _OF_NVCC if compiler == "nvcc" else _FLAGS
            command = [compiler, *own, *flags, str(source), "-o", str(made), "-lm"]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
            if done.returncode:
                said = [line for line in done.stderr.splitlines() if "error" in line]
                raise EngineError(f"{compiler} refuses it: {(said or ['no message'])[0]}")
            os.replace(made, to)
    except OSError as error:
        raise EngineError(f"{to.parent}: {error.strerror or error}") from None
