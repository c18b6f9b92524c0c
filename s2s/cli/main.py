"""The command line ``s2s``.

A compiler wrapper runs once per file of a build, so start-up is cheap: what a command needs is
imported when that command runs, and only the chosen command declares its options.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from s2s import __version__
from s2s.cli import commands, config
from s2s.cli.arguments import positive, values_of
from s2s.cli.ending import end_well
from s2s.cli.flags import add_flags
from s2s.cli.reporting import Status
from s2s.cli.suggestions import Parser
from s2s.driver.child import Limit
from s2s.driver.offload.settings import OffloadOptions
from s2s.source.diagnostics import UsageError
from s2s.targets import registry
from s2s.targets.source_options import SourceOptions
from s2s.tuning import settings

_SOURCE = "Halide-like C++"
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
            command_line = config.apply(given, command_line, parser.command, _all_parsers)
        args = parser.parse_args(command_line)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else Status.USAGE
    args.cflags = cflags
    if cflags and "-- " not in _COMMANDS[args.command].usage:
        raise UsageError(f"'s2s {args.command}' has no use for what follows '--'")
    return int(args.run(args))


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """What is meant for s2s, and the compiler's flags after the first ``--``."""
    if "--" not in argv:
        return argv, []
    middle = argv.index("--")
    return argv[:middle], argv[middle + 1 :]


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
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"s2s {__version__}")
    subparsers = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True
    )
    for name, command in _COMMANDS.items():
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
            sub.add_argument(
                config.NO_CONFIG, action="store_true", help="take no options from a file"
            )
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


def _all_parsers() -> Iterator[argparse.ArgumentParser]:
    """The parsers of all commands that take options from a file."""
    for name in sorted(config.COMMANDS):
        found = _parser([name]).command
        if found is not None:
            yield found


def _add_transform_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="C source; '-' is standard input")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUT",
        help="the result: a file, 'DIRECTORY/', or '-' (default) for standard output",
    )
    parser.add_argument(
        "--diff", action="store_true", help="print the change as a patch, in place of the text"
    )
    parser.add_argument("--in-place", action="store_true", help="write each result over its source")
    parser.add_argument(
        "-j",
        "--jobs",
        type=positive,
        default=1,
        metavar="N",
        help="files that are transformed at once (default: 1)",
    )
    parser.add_argument(
        "--remarks",
        choices=("text", "json", "none"),
        default="text",
        help="how to say on standard error what was done and what not (default: text)",
    )
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="say all reasons, with notes and the source's lines, in place of a line per region",
    )
    parser.add_argument(
        "--show",
        metavar="LIST",
        help="say only what is of these kinds, passes and lines, separated by commas:"
        " remark,missed,popp,120-180",
    )
    parser.add_argument(
        "--schedule", metavar="FILE", help="put regions into the orders of FILE, in place of passes"
    )
    parser.add_argument(
        "--save-schedule", metavar="FILE", help="write the new orders, as --schedule takes them"
    )
    _add_remark_files(parser)
    parser.add_argument(
        "--require-change", action="store_true", help="exit with 3 when nothing was transformed"
    )
    _add_target(parser)
    _add_driver_arguments(parser)
    settings.add_arguments(parser)


def _add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE[:LINE]", help="C source; LINE picks its region")
    _add_target(parser)
    _add_driver_arguments(parser)


def _add_report_arguments(parser: argparse.ArgumentParser) -> None:
    importlib.import_module("s2s.cli.report").add_arguments(parser)
    _add_remark_files(parser)
    _add_driver_arguments(parser)


def _add_remark_files(parser: argparse.ArgumentParser) -> None:
    """Files of remarks for other tools."""
    parser.add_argument("--sarif", metavar="FILE", help="write the remarks as SARIF 2.1.0, too")
    parser.add_argument(
        "--remarks-yaml", metavar="FILE", help="write the remarks as LLVM's tools read them, too"
    )


def _add_driver_arguments(parser: argparse.ArgumentParser) -> None:
    """Options that decide what the driver does."""
    parser.add_argument(
        "-p",
        dest="build_directory",
        metavar="BUILD_DIR",
        help="take compiler flags from BUILD_DIR/compile_commands.json",
    )
    parser.add_argument(
        "--passes",
        type=_passes,
        metavar="LIST",
        help="passes with their options, separated by commas: popp:sizes=16x8,permute:strip=32"
        " ('s2s passes' lists them)",
    )
    parser.add_argument(
        "--strict", action="store_true", help="an internal error ends with status 70"
    )
    parser.add_argument(
        "--reassociate",
        action="store_true",
        help="floating-point operations may change their order (as with -ffast-math)",
    )
    parser.add_argument(
        "--compiler",
        type=_compiler,
        metavar="COMMAND",
        help="what will compile the result, as 'gcc' (default) or 'clang-19': what gains depends on"
        " what it vectorizes by itself",
    )
    parser.add_argument(
        "--no-check",
        dest="check",
        action="store_false",
        help="leave out executing the result on small sizes against the source, which takes some"
        " tenths of a second; what is proved, is proved all the same",
    )
    parser.add_argument(
        "--time-limit",
        type=positive,
        default=Limit.processor,
        metavar="SECONDS",
        help="processor time for one file (default: %(default)s)",
    )
    parser.add_argument(
        "--budget",
        type=positive,
        default=0,
        metavar="SECONDS",
        help="processor time for one file after which no other loop nest is looked at, deep nests"
        " first (what is reached is then no longer the same on all machines)",
    )
    parser.add_argument(
        "--probe",
        action="store_true",
        help="ask the compiler which loops it vectorizes, old and new, and say so in the remarks",
    )
    parser.add_argument(
        "--spacelimit",
        type=positive,
        default=0,
        metavar="N",
        help="bound on the storage that renaming adds to a loop, in vectors"
        " ('#pragma vectorize spacelimit(N)' in front of a loop goes first)",
    )
    parser.add_argument(
        "--parallel", action="store_true", help="serial loops may become parallel ones"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="run new code for all sizes, also where no gain is expected",
    )
    parser.add_argument(
        "--no-happens-before",
        dest="happens_before",
        action="store_false",
        help="order programs with OpenMP as if the pragmas were not there, for comparison",
    )
    add_flags(parser, _SOURCE, SourceOptions)
    add_flags(parser, "Devices", OffloadOptions, "offload")
    targets = registry.known(_chosen_targets(parser))
    for name, target in targets.items():
        add_flags(parser, name.capitalize(), target.options, name)
    parser.set_defaults(targets=targets)


def _add_target(parser: argparse.ArgumentParser) -> None:
    others = any(name not in registry.OURS for name in _chosen_targets(parser))
    names = registry.names() if others else list(registry.OURS)
    parser.add_argument("--target", choices=names, default="cpu", help="default: cpu")


def _chosen_targets(parser: argparse.ArgumentParser) -> list[str]:
    """The targets that a command line names or gives flags to; for help all.

    The others are not even imported, and those of other packages, which have to be looked for
    among all that is installed, only where one is named.
    """
    words = parser.get_default("words")
    if {"-h", "--help"} & set(words):
        return registry.loadable()
    flagged = [n for n in registry.OURS if any(word.startswith(f"--{n}-") for word in words)]
    return ["cpu", *values_of("--target", words), *flagged]


def _passes(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"empty name in '{text}'")
    return names


def _compiler(text: str) -> str:
    from s2s.source.compiler import is_compiler

    if not is_compiler(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no compiler like gcc or clang")
    return text


def _add_tune_arguments(parser: argparse.ArgumentParser) -> None:
    importlib.import_module("s2s.cli.tune_kernels").add_arguments(parser)
    importlib.import_module("s2s.cli.tune_designs").add_arguments(parser)
    importlib.import_module("s2s.cli.tune_mappings").add_arguments(parser)
    add_flags(parser, _SOURCE, SourceOptions)
    parser.add_argument("--clear", action="store_true", help="forget all choices")
    parser.add_argument("--tune-cache", metavar="FILE", help="where they are remembered")


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
        _add_transform_arguments,
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
        _add_explain_arguments,
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
        _add_tune_arguments,
        commands.tune,
    ),
    "report": _Command(
        "show what a build or files became: a page, a line, or remarks for tools",
        "FILE... [-o PAGE] [--summary] [options] [-- CFLAGS]",
        _add_report_arguments,
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
    "passes": _Command(
        "list the passes and their options", "", _no_arguments, commands.list_passes
    ),
    "targets": _Command("list the targets", "", _no_arguments, commands.list_targets),
    "plugins": _Command(
        "list what other packages bring", "", _no_arguments, _lazily("s2s.cli.plugins")[1]
    ),
    "new": _Command(
        "write a package with a pass, a target or a machine of your own",
        "pass|target|machine NAME [-o DIR]",
        *_lazily("s2s.cli.new"),
    ),
}
