"""Options from a file: ``s2s.toml``, or ``[tool.s2s]`` in ``pyproject.toml``.

The file is looked for upwards from the first file of the command line (``s2s cc``: the first source
of the compiler's); the first folder that has one counts. A table for each command has its options
by their long names; what stands before the tables is for each command that has such an option::

    [tool.s2s]
    compiler = "clang-19"

    [tool.s2s.transform]
    passes = ["popp:sizes=16x8", "permute"]
    parallel = true

What the command line gives goes first. ``--no-config`` looks for no file.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from s2s.cli.config_files import NO_CONFIG, OWN, candidates
from s2s.cli.suggestions import long_options
from s2s.source.diagnostics import Location, UsageError
from s2s.source.records import dataclass
from s2s.source.spelling import did_you_mean

COMMANDS = frozenset(
    {"transform", "cc", "explain", "verify", "simulate", "check", "tune", "bench", "run", "lsp"}
)
"""The commands that take options from a file."""


@dataclass(frozen=True)
class Given:
    """An option in a file: its key, its value, the words of a command line, its place."""

    key: str
    value: Any
    at: Location
    common: bool
    """Whether it stands before the tables, for all commands."""

    @property
    def option(self) -> str:
        return f"-{self.key}" if len(self.key) == 1 else f"--{self.key.replace('_', '-')}"

    @property
    def words(self) -> list[str]:
        """The option as it is written in a command line; nothing for ``false``."""
        if isinstance(self.value, bool):
            return [self.option] if self.value else []
        text = _text(self.value)
        return [self.option, text] if len(self.key) == 1 else [f"{self.option}={text}"]


@dataclass(frozen=True)
class Config:
    """What a file says about one command."""

    path: str = ""
    given: tuple[Given, ...] = ()
    words: list[str] = field(default_factory=list)


def read_config(words: Sequence[str], start: str = "") -> Config:
    """The options for a command line, whose first word is the command.

    ``start`` is the folder to begin in, by default that of the first file. Raises UsageError.
    """
    command = words[0] if words else ""
    if command not in COMMANDS or NO_CONFIG in words or {"-h", "--help"} & set(words):
        return Config()
    found = _find(start or _start(words[1:]))
    if found is None:
        return Config()
    path, prefix, text = found
    given = tuple(_given(path, prefix, text, command))
    return Config(path, given, [word for one in given for word in one.words])


def apply(
    config: Config,
    words: Sequence[str],
    parser: argparse.ArgumentParser,
    others: Callable[[], Iterator[argparse.ArgumentParser]],
) -> list[str]:
    """A command line with the options of a file that it does not give itself, after the command.

    ``parser`` is the command's, ``others`` are those of all commands. Raises UsageError.
    """
    extra: list[str] = []
    for one in config.given:
        action = parser._option_string_actions.get(one.option)
        if action is None or one.key in ("help", NO_CONFIG[2:]):
            if not (one.common and any(one.option in p._option_string_actions for p in others())):
                known = [option[2:] for option in long_options(parser)]
                raise _wrong(one, f"'{parser.prog}' has no option '{one.key}'"
                             f"{did_you_mean(one.key, known)}")  # fmt: skip
            continue
        _check(parser, action, one)
        if not _is_given(action, words):
            extra += one.words
    return [*words[:1], *extra, *words[1:]]


def _check(parser: argparse.ArgumentParser, action: argparse.Action, one: Given) -> None:
    """Raise UsageError for a value that the option does not take."""
    if action.nargs == 0:
        if not isinstance(one.value, bool):
            raise _wrong(one, f"'{one.key}' is true or false")
        return
    if isinstance(one.value, bool | Mapping):
        raise _wrong(one, f"'{one.key}' needs a value")
    try:
        value = parser._get_value(action, _text(one.value))
        parser._check_value(action, value)
    except (argparse.ArgumentError, argparse.ArgumentTypeError) as error:
        text = str(error).split(": ", 1)[-1]
        hint = did_you_mean(_text(one.value), map(str, action.choices)) if action.choices else ""
        text = text.split(" (choose from")[0] if hint else text
        raise _wrong(one, f"'{one.key}': {text}{hint}") from None


def _wrong(one: Given, text: str) -> UsageError:
    return UsageError(text, one.at)


def _is_given(action: argparse.Action, words: Sequence[str]) -> bool:
    options = action.option_strings
    return any(
        word in options or any(word.startswith(f"{option}=") for option in options)
        or any(len(o) == 2 and word.startswith(o) and word[1:2] != "-" for o in options)
        for word in words
    )  # fmt: skip


def _text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _start(words: Sequence[str]) -> str:
    """The folder of the first file that a command line names, or the current one."""
    for word in words:
        path = word if os.path.exists(word) else word.rpartition(":")[0]
        if path and not word.startswith("-") and os.path.exists(path):
            return path if os.path.isdir(path) else os.path.dirname(path) or "."
    return "."


def _find(start: str) -> tuple[str, str, str] | None:
    """The nearest file with options upwards: its path, the prefix of its tables, its text."""
    for path, data in candidates(start):
        text = _text_of(path, data)
        prefix = "" if os.path.basename(path) == OWN else "tool.s2s"
        if not prefix or re.search(r"tool\s*\.\s*s2s\b", text):
            return os.path.relpath(path) if _is_near(path) else path, prefix, text
    return None


def _is_near(path: str) -> bool:
    return not os.path.relpath(path).startswith(os.path.join("..", ".."))


def _text_of(path: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError("not UTF-8", Location(path, 1, 1, 1, 1)) from None


def _given(path: str, prefix: str, text: str, command: str) -> Iterator[Given]:
    """What is for a command: what stands before the tables, then its own table."""
    import tomllib

    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(place[1]), int(place[2])) if place else (1, 1)
        said = str(error).split(" (at ")[0]
        raise UsageError(said, Location(path, line, column, line, column + 1)) from None
    for word in prefix.split(".") if prefix else ():
        table = table.get(word, {})
        if not isinstance(table, dict):
            raise UsageError(f"'{prefix}' is not a table", Location(path, 1, 1, 1, 1))
    of_command: dict[str, Any] = {}
    common = {}
    for key, value in table.items():
        if isinstance(value, dict):
            if key not in COMMANDS:
                hint = did_you_mean(key, sorted(COMMANDS))
                said = f"no command '{key}' takes options from a file{hint}"
                raise UsageError(said, _place(path, text, _joined(prefix, key), ""))
            of_command = value if key == command else of_command
        else:
            common[key] = value
    for key, value in common.items():
        if key not in of_command:
            yield Given(key, value, _place(path, text, prefix, key), True)
    for key, value in of_command.items():
        yield Given(key, value, _place(path, text, _joined(prefix, command), key), False)


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def _place(path: str, text: str, table: str, key: str) -> Location:
    """Where a key of a table stands, or the table itself: the parser does not say."""
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[+\s*([^\]]*?)\s*\]+", line)
        if head:
            inside = re.sub(r"[\s\"']", "", head[1])
            if not key and inside == table:
                return _on(path, number, line, head.group().strip())
        elif key and inside == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return _on(path, number, line, key)
    return Location(path, 1, 1, 1, 1)


def _on(path: str, number: int, line: str, word: str) -> Location:
    column = line.index(word) + 1
    return Location(path, number, column, number, column + len(word))
