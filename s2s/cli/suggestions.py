"""Parsers whose errors are one line, which says what was probably meant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import NoReturn

from s2s.source.spelling import closest

USAGE = 2
_CHOICE = re.compile(r"invalid choice: '(?P<name>[^']*)' \(choose from (?P<known>.*)\)$")
_UNKNOWN = re.compile(r"unrecognized arguments: (?P<name>--?[\w-]+)")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line.

    ``command`` is the parser of the chosen command, which the words are for that none has use for.
    """

    command: argparse.ArgumentParser | None = None

    def error(self, message: str) -> NoReturn:
        hint = self._meant(message)
        self.exit(USAGE, f"{self.prog}: error: {message}{hint} (see '{self.prog} --help')\n")

    def _meant(self, message: str) -> str:
        if found := _CHOICE.search(message):
            known = re.findall(r"'([^']*)'", found["known"])
        elif found := _UNKNOWN.search(message):
            known = list(long_options(self.command or self))
        else:
            return ""
        name = closest(found["name"], known)
        return "" if name is None else f"; did you mean '{name}'?"


def long_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """All long options of a parser."""
    for action in parser._actions:
        yield from (option for option in action.option_strings if option.startswith("--"))
