"""Which of the files of the command line are programs, and the compiler's flags of each."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from s2s.cli import compile_commands
from s2s.source.diagnostics import UsageError
from s2s.targets.registry import find

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence


def programs_of(args: argparse.Namespace) -> list[str]:
    """The files that are transformed, without those that only have parts of another.

    Compute files of Clockwork belong to their memory files, files of Halide-like C++ without a
    program of their own to the ones that have one (``args.helpers``). Raises UserError.
    """
    if len(args.files) < 2:
        return list(args.files)
    flags = {name: file_flags(name, args) for name in args.files if name != "-"}
    helpers = helpers_among(flags)
    args.helpers = helpers
    files = [name for name in args.files if name not in helpers]
    if not find(args.target).names_files:
        return files
    from s2s.driver.clockwork_files import without_compute_files

    return without_compute_files(files)


def helpers_among(flags: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Which files only have functions for the Halide programs in the others. Raises UserError."""
    from s2s.driver.transform import is_pipeline

    found = {}
    for name, own in flags.items():
        with suppress(OSError), open(name, "rb") as stream:
            data = stream.read()
            if is_pipeline(name, own, data):
                found[name] = data
    if len(found) < 2:
        return ()
    from s2s.driver.halide_programs import split_programs

    return tuple(split_programs(found, flags)[1])


def program_flags(name: str, args: argparse.Namespace) -> tuple[str, ...]:
    """The flags of a file, with those that bring in the other files of its Halide program."""
    helpers, flags = getattr(args, "helpers", ()), file_flags(name, args)
    if not helpers or name == "-" or os.path.splitext(name)[1] in (".c", ".i"):
        return flags
    from s2s.driver.halide_programs import include_flags

    return (*include_flags(helpers), *flags)


def file_flags(name: str, args: argparse.Namespace) -> tuple[str, ...]:
    """The compiler's flags of a file: of the build, then of the command line."""
    given = tuple(compile_commands.source_flags(args.cflags))
    if args.build_directory is None:
        return given
    if name == "-":
        raise UsageError("the standard input is in no compilation database: '-p' needs a FILE")
    return (*compile_commands.flags_for(args.build_directory, name), *given)
