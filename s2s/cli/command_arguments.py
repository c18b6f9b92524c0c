"""The options of the commands that drive a file through the house."""

from __future__ import annotations

import argparse
import importlib
import os

from s2s.cli.arguments import positive, values_of
from s2s.cli.flags import add_flags
from s2s.driver.child import Limit
from s2s.driver.offload.settings import OffloadOptions
from s2s.targets import registry
from s2s.targets.source_options import SourceOptions
from s2s.tuning import settings

_SOURCE = "Halide-like C++"


def add_transform_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``transform`` takes."""
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
    _add_jobs(parser)
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


def add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``explain`` takes."""
    parser.add_argument("file", metavar="FILE[:LINE]", help="C source; LINE picks its region")
    _add_target(parser)
    _add_driver_arguments(parser)


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``report`` takes."""
    importlib.import_module("s2s.cli.report").add_arguments(parser)
    _add_jobs(parser, len(os.sched_getaffinity(0)), "all cores")
    _add_remark_files(parser)
    _add_driver_arguments(parser)


def _add_jobs(parser: argparse.ArgumentParser, most: int = 1, said: str = "1") -> None:
    parser.add_argument(
        "-j",
        "--jobs",
        type=positive,
        default=most,
        metavar="N",
        help=f"files that are transformed at once, in processes of their own (default: {said})",
    )


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
        "--flags",
        dest="more_flags",
        default="",
        metavar="FLAGS",
        help="the compiler's flags in one word, before those after '--': for files of options, and"
        " for tools that put files last",
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


def add_tune_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``tune`` takes."""
    importlib.import_module("s2s.cli.tune_kernels").add_arguments(parser)
    importlib.import_module("s2s.cli.tune_designs").add_arguments(parser)
    importlib.import_module("s2s.cli.tune_mappings").add_arguments(parser)
    add_flags(parser, _SOURCE, SourceOptions)
    parser.add_argument("--clear", action="store_true", help="forget all choices")
    parser.add_argument("--tune-cache", metavar="FILE", help="where they are remembered")
