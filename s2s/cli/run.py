"""``s2s run``: what a program computes here, by its kind."""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Sequence
from types import ModuleType


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the kind of program that the command line names."""
    _way(parser.get_default("words")).add_arguments(parser)


def main(args: argparse.Namespace) -> int:
    """Run it; the exit status."""
    return int(_way(args.words).main(args))


def _way(words: Sequence[str]) -> ModuleType:
    """The module for a kind of program: a folder with a manifest is one with regions on devices."""
    from s2s.source.offload import NAME

    is_folder = any(os.path.isfile(os.path.join(word, NAME)) for word in words)
    return importlib.import_module(f"s2s.cli.{'run_devices' if is_folder else 'run_pipeline'}")
