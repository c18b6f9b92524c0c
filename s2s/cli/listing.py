"""``s2s passes`` and ``s2s targets``: what there is to choose from."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from collections.abc import Iterator

from s2s.cli.reporting import Reporter, Status
from s2s.source import output
from s2s.source.diagnostics import UserError
from s2s.targets import registry
from s2s.targets.registry import find


def list_passes(args: argparse.Namespace) -> int:
    """List the passes, their options with defaults, and what these are for."""
    from s2s.cli.plugins import as_warnings
    from s2s.driver import passes

    lines: list[str] = []
    for name in passes.names():
        try:
            lines += _about_pass(name)
        except UserError as error:  # of a package that is broken
            Reporter().say(as_warnings(error))
    output.write_standard_output("".join(map(_fitted, lines)).encode())
    return Status.DONE


def _about_pass(name: str) -> Iterator[str]:
    from s2s.driver import passes

    yield f"{name}\t{passes.summary(name)}\n"
    for option in passes.options(name):
        default = passes.spell_value(option.default)
        yield f"  {name}:{option.name}={default}\t{option.help} ({passes.kind(option)})\n"


def list_targets(args: argparse.Namespace) -> int:
    """List the values of ``--target``; one that cannot be loaded says why."""
    lines = map(_fitted, map(_about_target, registry.names()))
    output.write_standard_output("".join(lines).encode())
    return Status.DONE


def _about_target(name: str) -> str:
    try:
        return f"{name}\t{find(name).help}\n"
    except UserError as error:
        return f"{name}\t{error}\n"


def _fitted(line: str) -> str:
    """A name and what it is for: as wide as a terminal, or a tab between them for programs."""
    if sys.stdout is None or not sys.stdout.isatty():
        return line
    name, text = line.rstrip("\n").split("\t", 1)
    width = shutil.get_terminal_size().columns
    indent = " " * (len(name) - len(name.lstrip()) + 4)
    lines = textwrap.wrap(f"{name}  {text}", width, subsequent_indent=indent)
    return "".join(f"{one}\n" for one in lines)
