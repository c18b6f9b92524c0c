"""The command line ``s2s``.

A compiler wrapper runs once per file of a build, so start-up is cheap: what a command needs is
imported when that command runs, and only the chosen command declares its options.
"""

from __future__ import annotations

import argparse
import importlib
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence

from s2s import __version__
from s2s.cli import commands, config, listing
from s2s.cli.command_arguments import (
    add_explain_arguments,
    add_report_arguments,
    add_transform_arguments,
    add_tune_arguments,
)
from s2s.cli.config_files import NO_CONFIG
from s2s.cli.ending import end_well
from s2s.cli.endless_inputs import refuse_endless_inputs
from s2s.cli.reporting import Status
from s2s.cli.suggestions import Parser
from s2s.source.diagnostics import UsageError
from s2s.source.records import dataclass

_STATUSES = """\
exit status: 0 done (transformed or not), 1 error in the input, 2 usage,
3 nothing transformed under --require-change, 70 internal error (C for the host is left
as it was with status 0, unless --strict is given)"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``s2s`` with ``argv`` (the process's arguments by default); the exit status."""
    return end_well(lambda: _run(list(sys.argv[1:] if argv is None else argv)))


def _run(argv: list[str]) -> int:
    if argv[:1] == ["cc"] and argv[1:] not in ([], ["--"], ["-h"], ["--help"]):
        return _cc(argv[1:])
    command_line, cflags = _split(argv)
    given = config.read_config(command_line)
    parser = _parser(command_line, given.words)
    try:
        if given.given and parser.command is not None:
            command_line = config.apply(given, command_line, parser.command, all_parsers)
        args = parser.parse_args(command_line)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else Status.USAGE
    refuse_endless_inputs(args)
    args.cflags = [*_more_flags(args), *cflags]
    if cflags and "-- " not in _COMMANDS[args.command].usage:
        raise UsageError(f"'s2s {args.command}' has no use for what follows '--'")
    return int(args.run(args))


def _more_flags(args: argparse.Namespace) -> list[str]:
    """The compiler's flags of ``--flags``. Raises UsageError."""
    text = getattr(args, "more_flags", "")
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"'--flags {text}': {error}") from None


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """What is meant for s2s, and the compiler's flags after the first ``--``."""
    middle = argv.index("--") if "--" in argv else len(argv)
    own = argv[:middle]
    for place in range(len(own) - 2, -1, -1):
        if own[place] == "--flags":  # its value looks like an option
            own[place : place + 2] = [f"--flags={own[place + 1]}"]
    return own, argv[middle + 1 :]


@dataclass(frozen=True)
class _Command:
    help: str
    usage: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def _parser(words: list[str], more: Sequence[str] = ()) -> Parser:
    """The parser for a command line; ``words`` are a default of the chosen command's.

    ``more`` are words that a file adds to them.
    """
    chosen = next((word for word in words if not word.startswith("-")), None)
    parser = Parser(
        prog="s2s",
        description="Source-to-source transformer for C with OpenMP.",
        epilog=_STATUSES,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"s2s {__version__}")
    subparsers = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True
    )
    # The parsers of the other commands take most of the time, and have nothing to say.
    alone = chosen in _COMMANDS and chosen == words[0]
    for name, command in _COMMANDS.items():
        if alone and name != chosen:
            continue
        sub = subparsers.add_parser(
            name,
            help=command.help,
            description=command.help[0].upper() + command.help[1:] + ".",
            usage=f"s2s {name} {command.usage}",
            allow_abbrev=False,
        )
        sub.set_defaults(run=command.run, words=[*words, *more])
        if name == chosen:
            command.add_arguments(sub)
            parser.command = sub
        if name in config.COMMANDS:
            sub.add_argument(NO_CONFIG, action="store_true", help="take no options from a file")
    return parser


def whole_parser() -> argparse.ArgumentParser:
    """The parser with the options of all commands and targets: what the others are parts of."""
    parser = _parser([])
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                sub.set_defaults(words=["--help"])
                _COMMANDS[name].add_arguments(sub)
    return parser


def all_parsers() -> Iterator[argparse.ArgumentParser]:
    """The parsers of all commands that take options from a file."""
    for name in sorted(config.COMMANDS):
        found = _parser([name]).command
        if found is not None:
            yield found


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    """For commands without options of their own."""


def _add_cc_arguments(parser: argparse.ArgumentParser) -> None:
    importlib.import_module("s2s.cli.cc_settings").add_arguments(parser)


def _cc(argv: list[str]) -> int:
    """``s2s cc``: one ``--`` before the compiler is ours, all that follows is the compiler's."""
    cc = importlib.import_module("s2s.cli.cc")
    return int(cc.main(argv[1:] if argv[0] == "--" else argv))


def _cc_without_compiler(args: argparse.Namespace) -> int:
    raise UsageError("a compiler is needed: s2s cc -- gcc -c file.c")


def _lazily(
    module: str,
) -> tuple[Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]:
    """``add_arguments`` and ``main`` of a module that is imported when one of them is called."""

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        importlib.import_module(module).add_arguments(parser)

    def run(args: argparse.Namespace) -> int:
        return int(importlib.import_module(module).main(args))

    return add_arguments, run


def _about_all(
    module: str,
) -> tuple[Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]:
    """As ``_lazily``, of a module whose ``main`` takes the parser of all commands, too."""

    def run(args: argparse.Namespace) -> int:
        return int(importlib.import_module(module).main(args, whole_parser()))

    return _lazily(module)[0], run


_COMMANDS = {
    "transform": _Command(
        "rewrite the hot regions of C files",
        "FILE... [-o OUT] [options] [-- CFLAGS]",
        add_transform_arguments,
        commands.transform,
    ),
    "cc": _Command(
        "compile as COMPILER does, with its C sources transformed",
        "[options] -- COMPILER ARGS",
        _add_cc_arguments,
        _cc_without_compiler,
    ),
    "explain": _Command(
        "print regions, dependences, what was done and why not more",
        "FILE[:LINE] [options] [-- CFLAGS]",
        add_explain_arguments,
        commands.explain,
    ),
    "verify": _Command(
        "run original and transformed programs and compare what they do",
        "FILE... [options] [-- CFLAGS]",
        *_lazily("s2s.cli.verify"),
    ),
    "bench": _Command(
        "time original against transformed programs",
        "[options]",
        *_lazily("s2s.cli.bench"),
    ),
    "simulate": _Command(
        "run an emitted program on a simulated machine: values, and where the time goes",
        "FILE [ARG...] --machine NAME [options] [-- CFLAGS]",
        *_lazily("s2s.cli.simulate"),
    ),
    "run": _Command(
        "run a Halide-like C++ program on images and arrays, or a program with regions on devices",
        "PROGRAM... [[NAME=]FILE|NAME=VALUE]... | FOLDER [ARG...]  [options] [-- CFLAGS]",
        *_lazily("s2s.cli.run"),
    ),
    "profile": _Command(
        "run a program and show its hottest loops, with what is done there and why not more",
        "[-p BUILD_DIR] [--json FILE] [options] -- PROGRAM [ARG...]",
        *_lazily("s2s.cli.profile"),
    ),
    "check": _Command(
        "say what is wrong with a program for a machine: buffers, flags, races, alignment",
        "FILE [--machine NAME] [options]",
        *_lazily("s2s.cli.check"),
    ),
    "tune": _Command(
        "search for the best mapping or schedule; list or clear what is remembered",
        "FILE [--target NAME] [-o OUT] [options] [-- CFLAGS] | [--clear] [--tune-cache FILE]",
        add_tune_arguments,
        commands.tune,
    ),
    "report": _Command(
        "show what a build or files became: a page, a line, or remarks for tools",
        "FILE... [-o PAGE] [--summary] [options] [-- CFLAGS]",
        add_report_arguments,
        _lazily("s2s.cli.report")[1],
    ),
    "lsp": _Command(
        "serve an editor: remarks as diagnostics, rewritings as fixes, reasons where one points",
        "[options] [-- CFLAGS]",
        *_lazily("s2s.cli.lsp"),
    ),
    "completion": _Command(
        "print a script by which a shell completes commands, options and files",
        "SHELL",
        *_about_all("s2s.cli.completion"),
    ),
    "man": _Command("print the manual page", "", *_about_all("s2s.cli.manual")),
    "passes": _Command("list the passes and their options", "", _no_arguments, listing.list_passes),
    "targets": _Command("list the targets", "", _no_arguments, listing.list_targets),
    "plugins": _Command(
        "list what other packages bring", "", _no_arguments, _lazily("s2s.cli.plugins")[1]
    ),
    "new": _Command(
        "write a package with a pass, a target or a machine of your own",
        "pass|target|machine NAME [-o DIR]",
        *_lazily("s2s.cli.new"),
    ),
}
