"""Make the program that stands before ``s2s cc`` (``launcher.c`` says what it does)."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.resources import files
from shutil import which

from s2s.cli.remembered import record
from s2s.source.diagnostics import UsageError

_FLAGS = ("-std=gnu11", "-O2", "-x", "c", "-")


def build(path: str) -> None:
    """Write the program to ``path``. Raises UsageError where it cannot be made here."""
    known_by = record()
    if sys.platform != "linux" or not os.path.isfile(known_by):
        raise UsageError("--launcher is for an installed s2s on Linux")
    compiler = which("cc") or which("gcc")
    if not compiler:
        raise UsageError("--launcher needs a C compiler, 'cc' or 'gcc'")
    command = ", ".join(_quoted(word) for word in _command())
    defined = (f"-DS2S_COMMAND={command}", f"-DS2S_RECORD={_quoted(known_by)}")
    temporary = f"{path}.{os.getpid()}"
    text = (files("s2s.cli.launcher") / "launcher.c").read_bytes()
    made = subprocess.run([compiler, *defined, "-o", temporary, *_FLAGS], input=text, check=False)
    if made.returncode:
        raise UsageError(f"--launcher: {compiler} cannot make {path}")
    os.replace(temporary, path)


def _command() -> list[str]:
    """What runs this s2s, whatever the directory is."""
    script = os.path.abspath(sys.argv[0])
    if os.path.basename(script) == "s2s" and os.access(script, os.X_OK):
        return [script]
    return [sys.executable, "-m", "s2s"]


def _quoted(text: str) -> str:
    """A string literal of C."""
    return '"' + "".join(f"\\{byte:03o}" for byte in os.fsencode(text)) + '"'
