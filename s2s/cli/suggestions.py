"""Parsers whose errors are one line, which says what was probably meant."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, NoReturn

from s2s.cli.help_layout import HelpLayout
from s2s.source.output import write_standard_output
from s2s.source.spelling import closest

USAGE = 2
_REQUIRED = "the following arguments are required"
_CHOICE = re.compile(r"invalid choice: '(?P<name>[^']*)' \(choose from (?P<known>.*)\)$")
_UNUSED = "unrecognized arguments: "
_UNKNOWN = re.compile(rf"{_UNUSED}(?P<name>--?[\w-]+)")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line.

    ``command`` is the parser of the chosen command, which the words are for that none has use for.
    """

    command: argparse.ArgumentParser | None = None
    _words: Sequence[str] = ()

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **{"formatter_class": HelpLayout, **named})

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self._words = sys.argv[1:] if args is None else list(args)
        return super().parse_known_args(args, namespace)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help goes out as results do: a full disk and a reader that has gone are no defects."""
        if file is not None and file is sys.stdout:
            write_standard_output(message.encode())
        else:
            super()._print_message(message, file)

    def error(self, message: str) -> NoReturn:
        unknown = next(self._unknown(), None) if message.startswith(_REQUIRED) else None
        if unknown is not None:
            message = f"{_UNUSED}{unknown}"
        hint = self._meant(message)
        prog = self.command.prog if self.command and _UNUSED in message else self.prog
        self.exit(USAGE, f"{prog}: error: {message}{hint} (see '{prog} --help')\n")

    def _unknown(self) -> Iterator[str]:
        """Long options that are none: more to the point than what else is missing."""
        known = [*long_options(self), "--"]
        for word in takewhile(lambda word: word != "--", self._words):
            name = word.partition("=")[0]
            if word.startswith("--") and not any(one.startswith(name) for one in known):
                yield word

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
