"""What the command line says about measuring."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import field

from s2s.source.folders import cache_folder
from s2s.source.records import dataclass

DEFAULT_BUDGET = 120.0


@dataclass(frozen=True)
class Tuning:
    """How to measure, and where to remember.

    ``compiler`` and ``flags`` are what the program is built with; ``sizes`` are values of
    parameters by their spelling. ``budget`` is seconds for one file. With ``run`` the user's own
    program is timed: ``build`` and ``run`` are shell commands in which ``{}`` is the C source and
    ``{dir}`` a directory for the program. ``progress`` is a file descriptor for a line that says
    what is going on, None for silence.
    """

    compiler: tuple[str, ...] = ("gcc",)
    flags: tuple[str, ...] = ()
    cache: str = ""
    sizes: Mapping[str, int] = field(default_factory=dict)
    budget: float = DEFAULT_BUDGET
    build: str = ""
    run: str = ""
    progress: int | None = None


def default_cache() -> str:
    """The cache's path where the user names none; empty if there is no place for one."""
    folder = cache_folder()
    return os.path.join(folder, "tune.sqlite") if folder else ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that ``measuring.from_arguments`` reads."""
    parser.add_argument(
        "--tune", action="store_true", help="measure which passes gain here, and remember it"
    )
    parser.add_argument(
        "--tune-size",
        type=_sizes,
        default={},
        metavar="NAME=NUMBER,...",
        help="values of the regions' parameters to measure with (default: beyond the caches)",
    )
    parser.add_argument(
        "--tune-budget",
        type=_seconds,
        default=DEFAULT_BUDGET,
        metavar="SECONDS",
        help=f"time for measuring the regions of one file (default: {DEFAULT_BUDGET:.0f})",
    )
    parser.add_argument("--tune-cache", metavar="FILE", help="where the choices are remembered")
    parser.add_argument(
        "--tune-build",
        default="",
        metavar="COMMAND",
        help="with --tune-run: builds the program; {} is the C source, {dir} a directory for it",
    )
    parser.add_argument(
        "--tune-run",
        default="",
        metavar="COMMAND",
        help="measure this command instead of regions on their own; {} and {dir} as above",
    )


def _sizes(text: str) -> dict[str, int]:
    try:
        return parse_sizes(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds")
    return seconds


def parse_sizes(text: str) -> dict[str, int]:
    """``n=2048,steps=64`` as a mapping. Raises ValueError that says what is wrong."""
    sizes = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        try:
            sizes[name.strip()] = int(value)
        except ValueError:
            raise ValueError(f"'{part}' is not NAME=NUMBER") from None
        if not name.strip() or not equals:
            raise ValueError(f"'{part}' is not NAME=NUMBER")
    return sizes
