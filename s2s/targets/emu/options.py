"""What the command line says about ``--target emu``."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

STEPS = ("fuse", "flip", "changed", "arrays", "remote", "home", "batch", "registers")
HEADERS = ("new", "old")
SETTINGS = (("--emu-steps", STEPS), ("--emu-headers", "new"))


@dataclass(frozen=True)
class EmuOptions:
    """The transformations to try, and whether headers have their new or their old names.

    ``fuse`` merges loops over the same vertices, ``flip`` turns pulling along edges into pushing
    or the reverse, ``changed`` lets only vertices push that have changed, ``arrays`` puts static
    arrays on all nodelets, ``remote`` sends updates whose value nobody wants, ``home`` starts
    threads where their data is, ``batch`` visits several neighbours before the thread goes home,
    ``registers`` keeps what is read from files out of memory.
    """

    steps: tuple[str, ...] = STEPS
    headers: str = "new"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Emu")
    group.add_argument(
        "--emu-steps",
        type=_steps,
        default=STEPS,
        metavar="LIST",
        help=f"transformations to try, separated by commas, or 'none' (default: {','.join(STEPS)})",
    )
    group.add_argument(
        "--emu-headers", choices=HEADERS, default="new", help="names of headers (default: new)"
    )


def from_arguments(args: argparse.Namespace) -> EmuOptions:
    return EmuOptions(args.emu_steps, args.emu_headers)


def _steps(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",")) if text != "none" else ()
    for name in names:
        if name not in STEPS:
            raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(STEPS)}")
    return names
