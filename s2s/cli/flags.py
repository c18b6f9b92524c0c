"""Flags of the command line made of dataclasses of options (``s2s.targets.flags``)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from functools import partial
from typing import Any

from s2s.source.records import dataclass


@dataclass(frozen=True)
class Setting:
    """An option of the command line, what it is when not given, and its name in ``argparse``."""

    option: str
    default: object = False
    dest: str = ""

    @property
    def name(self) -> str:
        return self.dest or self.option[2:].replace("-", "_")

    def is_given(self, args: argparse.Namespace) -> bool:
        return hasattr(args, self.name) and getattr(args, self.name) != self.default


def add_flags(
    parser: argparse.ArgumentParser, title: str, options: type | None, prefix: str = ""
) -> None:
    """Declare a flag for each field, in a group; names begin with ``prefix`` unless they say."""
    if options is None:
        return
    group = parser.add_argument_group(title)
    for one in fields(options):
        about = one.metadata
        common = {"dest": _dest(one, prefix), "default": one.default, "help": about["help"]}
        if isinstance(one.default, bool):
            group.add_argument(_name(one, prefix), action="store_true", **common)
            continue
        value = {"type": _type(one), "metavar": about["metavar"]}
        if about["repeated"]:
            value["action"] = _Joined
        elif about["choices"] and isinstance(one.default, str):
            value["choices"] = about["choices"]
        group.add_argument(_name(one, prefix), **common, **value)


def read_flags(args: argparse.Namespace, options: type | None, prefix: str = "") -> Any:
    """The instance that the command line asks for; None where there are no options."""
    if options is None:
        return None
    return options(**{one.name: getattr(args, _dest(one, prefix)) for one in fields(options)})


def flag_settings(options: type | None, prefix: str = "") -> Iterator[Setting]:
    """The flags with their defaults, to see which are given."""
    for one in () if options is None else fields(options):
        yield Setting(_name(one, prefix), one.default, _dest(one, prefix))


class _Joined(argparse.Action):
    """Joins the tuples of a flag that is given several times."""

    def __call__(
        self, parser: object, namespace: argparse.Namespace, values: Any, option: object = None
    ) -> None:
        setattr(namespace, self.dest, (*getattr(namespace, self.dest), *values))


def _name(one: Field[Any], prefix: str) -> str:
    words = (prefix, one.name) if prefix else (one.name,)
    return one.metadata["name"] or "--" + "-".join(words).replace("_", "-")


def _dest(one: Field[Any], prefix: str) -> str:
    return f"{prefix}_{one.name}" if prefix else one.name


def _type(one: Field[Any]) -> Callable[[str], Any]:
    if one.metadata["parse"] is not None:
        return partial(_parsed, one.metadata["parse"])
    if isinstance(one.default, tuple):
        return partial(_parsed, partial(_members, one.metadata["choices"]))
    return type(one.default)


def _parsed(parse: Callable[[str], Any], text: str) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _members(choices: tuple[str, ...], text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",")) if text != "none" else ()
    for name in names:
        if name not in choices:
            raise ValueError(f"'{name}' is none of {', '.join(choices)}")
    return names
