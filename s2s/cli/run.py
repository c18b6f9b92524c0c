"""``s2s run``: what a program computes here, by its kind."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from types import ModuleType


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the kind of program that the command line names."""
    _way(parser.get_default("words")).add_arguments(parser)


def main(args: argparse.Namespace) -> int:
    """Run it; the exit status."""
    return int(_way(args.words).main(args))


def _way(words: Sequence[str]) -> ModuleType:
    """The module for a kind of program; another kind, such as a folder, is chosen here."""
    return importlib.import_module("s2s.cli.run_pipeline")
