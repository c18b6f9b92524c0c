"""``s2s run``: what a program computes here, by its kind."""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Sequence
from types import ModuleType


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the kind of program that the command line names."""
    words = parser.get_default("words")
    _way(words).add_arguments(parser)
    if {"-h", "--help"} & set(words) and not _is_folder(words):
        from s2s.cli import run_devices

        run_devices.add_options(parser.add_argument_group("a FOLDER that '--offload' has written"))


def main(args: argparse.Namespace) -> int:
    """Run it; the exit status."""
    return int(_way(args.words).main(args))


def _way(words: Sequence[str]) -> ModuleType:
    """The module for a kind of program."""
    name = "run_devices" if _is_folder(words) else "run_pipeline"
    return importlib.import_module(f"s2s.cli.{name}")


def _is_folder(words: Sequence[str]) -> bool:
    """Whether a program with regions on devices is named: a folder with a manifest."""
    from s2s.source.offload import NAME

    return any(os.path.isfile(os.path.join(word, NAME)) for word in words)
