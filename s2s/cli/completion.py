"""``s2s completion``: a script that makes a shell complete commands, options and files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from s2s.source import output
from s2s.source.diagnostics import UsageError

_FILE = re.compile(r"FILE|OUT\b|PAGE|PROGRAM|WORD")
_FOLDER = re.compile(r"DIR")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The shell."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell it is for")


def main(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print the script for the options of ``parser``. Raises UsageError without shtab."""
    try:
        import shtab
    except ImportError:
        text = "completion needs shtab: pip install 's2s[completion]'"
        raise UsageError(text) from None
    for action in _actions(parser):
        if action.choices is not None:
            action.choices = tuple(action.choices)  # shtab takes a mapping for commands
        name = action.metavar if isinstance(action.metavar, str) else ""
        if _FILE.search(name):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif _FOLDER.search(name):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    output.write_standard_output(shtab.complete(parser, args.shell).encode())
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of its commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _actions(below)
        else:
            yield action
