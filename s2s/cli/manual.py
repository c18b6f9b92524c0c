"""``s2s man``: the manual page, made of what the commands say of themselves."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from s2s import __version__
from s2s.source import output

_ENVIRONMENT = (
    ("S2S_CACHE", "0: 's2s cc' remembers nothing"),
    ("S2S_SERVER", "0: 's2s cc' starts and asks no server of the build"),
    ("S2S_DISABLE", "1: 's2s cc' leaves everything to the compiler"),
    ("S2S_REMARKS", "text or json: 's2s cc' says on standard error what it does"),
    ("S2S_LOG_DIR", "a folder in which 's2s cc' leaves a log of each unit, for 's2s report'"),
)
_WORD = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing is chosen."""


def main(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print the page of all commands of ``parser``."""
    output.write_standard_output(("\n".join(_page(parser)) + "\n").encode())
    return 0


def _page(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f'.TH S2S 1 "" "s2s {__version__}" "User Commands"'
    yield ".ad l"  # long options are not pulled apart
    yield from (".SH NAME", "s2s \\- source\\-to\\-source transformer for C with OpenMP and Halide")
    yield from (".SH SYNOPSIS", ".B s2s", "\\fICOMMAND\\fR [\\fIargument\\fR ...]")
    yield from (".SH DESCRIPTION", _text(parser.description or ""))
    yield ".SH COMMANDS"
    for name, command in _commands(parser):
        yield from (f'.SS "s2s {_text(name)}"', _text(command.description or ""))
        usage = " ".join(command.format_usage().split()).removeprefix("usage: ")
        yield from (".PP", f"\\fB{_text(usage)}\\fR")
        for group in command._action_groups:
            yield from _group(group)
    yield ".SH EXIT STATUS"
    statuses = (parser.epilog or "").removeprefix("exit status:")
    yield _text(" ".join(statuses.split()))
    yield ".SH ENVIRONMENT"
    for name, meaning in _ENVIRONMENT:
        yield from (".TP", f".B {name}", _text(meaning))


def _commands(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _group(group: argparse._ArgumentGroup) -> Iterator[str]:
    """The arguments of a group under its title, where the title says something."""
    shown = [a for a in group._group_actions if a.help != argparse.SUPPRESS and a.dest != "help"]
    if shown and group.title and group.title not in ("positional arguments", "options"):
        yield from (".PP", f".I {_text(group.title)}")
    for action in shown:
        yield from (".TP", _invocation(action))
        text = (action.help or "") % {**vars(action), "prog": "s2s"}
        yield _marked(" ".join(text.split()))


def _invocation(action: argparse.Action) -> str:
    """An option with its value, or the name of what is positional."""
    value = action.metavar
    if isinstance(value, tuple):
        value = " ".join(value)
    if value is None and action.choices is not None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    # Long choices may go on in the next line after each comma.
    taken = _text(value or action.dest.upper()).replace(",", ",\\:")
    if not action.option_strings:
        return f"\\fI{taken}\\fR"
    takes = "" if action.nargs == 0 else f"\\ \\fI{taken}\\fR"
    return ", ".join(f"\\fB{_text(option)}\\fR{takes}" for option in action.option_strings)


def _marked(text: str) -> str:
    """Prose in which options are bold."""
    pieces = _WORD.split(text)
    return "".join(
        f"\\fB{_text(piece)}\\fR" if k % 2 else _text(piece, first=k == 0)
        for k, piece in enumerate(pieces)
    )


def _text(text: str, *, first: bool = True) -> str:
    """Text as roff takes it: no escapes, no requests, hyphens that can be copied."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if first and plain.startswith((".", "'")) else plain
