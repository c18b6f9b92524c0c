"""Whether what a command reads is something that has an end.

A command that opens a named pipe waits until somebody writes into it.
"""

from __future__ import annotations

import argparse
import os
import stat
from collections.abc import Iterator

from s2s.source.diagnostics import UsageError

_READ = ("file", "files", "words_given", "graph", "schedule", "inputs", "input", "expect")
"""Where commands have the names of what they read, some as NAME=FILE."""


def refuse_endless_inputs(args: argparse.Namespace) -> None:
    """Raise UsageError for a pipe, a device or a socket among the inputs of a command."""
    for name in _names(args):
        try:
            mode = os.stat(name).st_mode
        except (OSError, ValueError):
            continue  # what is not there is said by the command
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise UsageError(f"{name}: not a regular file, but {_kind(mode)}")


def _names(args: argparse.Namespace) -> Iterator[str]:
    for where in _READ:
        value = getattr(args, where, None)
        for name in [value] if isinstance(value, str) else value or ():
            yield name
            yield name.partition("=")[2]


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"
