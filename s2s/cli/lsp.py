"""``s2s lsp``: a language server on standard input and output."""

from __future__ import annotations

import argparse
import os
import sys

from s2s.cli import compile_commands
from s2s.cli.arguments import positive
from s2s.cli.editor.worker import Task
from s2s.cli.reporting import complain
from s2s.source.diagnostics import UsageError, UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How files are looked at."""
    parser.add_argument(
        "-p",
        dest="build_directory",
        metavar="BUILD_DIR",
        help="take compiler flags of files that it has from BUILD_DIR/compile_commands.json",
    )
    parser.add_argument(
        "--passes", metavar="LIST", help="passes with their options, as of 's2s transform'"
    )
    parser.add_argument(
        "--compiler", metavar="COMMAND", default="gcc", help="what compiles it (default: gcc)"
    )
    parser.add_argument(
        "--no-check",
        dest="check",
        action="store_false",
        help="leave out executing results on small sizes against the source",
    )
    parser.add_argument(
        "--time-limit",
        type=positive,
        default=60,
        metavar="SECONDS",
        help="processor time for a few functions (default: %(default)s)",
    )


def main(args: argparse.Namespace) -> int:
    """Serve until the client ends the session."""
    from s2s.source.compiler import is_compiler

    try:
        from s2s.cli.editor.server import make_server
    except ImportError as error:
        raise UsageError(
            f"a language server needs pygls: pip install 's2s[lsp]' ({error})"
        ) from None
    if not is_compiler(args.compiler):
        raise UsageError(f"'{args.compiler}' is no compiler like gcc or clang")
    passes = None if args.passes is None else tuple(args.passes.split(","))
    if passes is not None:
        _check_passes(passes)
    given = tuple(compile_commands.source_flags(args.cflags))
    if args.build_directory is not None:
        _say_without_database(args.build_directory)

    def flags_of(path: str) -> tuple[str, ...]:
        if args.build_directory is None:
            return given
        try:
            return (*compile_commands.flags_for(args.build_directory, path), *given)
        except UserError:
            return given

    model = Task(
        "", b"", passes=passes, compiler=args.compiler, check=args.check, seconds=args.time_limit
    )
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what anything else prints is no part of the protocol
        make_server(model, flags_of).start_io(sys.stdin.buffer, answers)
    return 0


def _say_without_database(build_directory: str) -> None:
    """Say that flags are not known yet: a build that is configured later brings them."""
    try:
        compile_commands.check(build_directory)
    except UserError as error:
        complain(f"s2s: warning: {error}; until it is there, flags are those after '--'\n")


def _check_passes(specs: tuple[str, ...]) -> None:
    from s2s.driver import passes

    for spec in specs:
        passes.check(spec)
