"""What the command line says about a program's sizes and parameters, whichever way it is taken."""

from __future__ import annotations

import os
from dataclasses import field

from s2s.source.records import dataclass
from s2s.targets.flags import flag

Sizes = tuple[tuple[str, tuple[int, ...]], ...]


def _sizes(text: str) -> Sizes:
    return tuple(_size(part) for part in text.split(","))


def _size(text: str) -> tuple[str, tuple[int, ...]]:
    name, _, extents = text.partition("=")
    parts = extents.split("x")
    if not name or not all(p.isascii() and p.isdigit() and int(p) for p in parts):
        raise ValueError(f"'{text}' is not NAME=WxH...")
    return name, tuple(map(int, parts))


def _parameter(text: str) -> tuple[tuple[str, str]]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ValueError(f"'{text}' is not NAME=VALUE")
    return ((name, value),)


@dataclass(frozen=True)
class SourceOptions:
    """Of Halide-like C++, and of C where a target takes its loop nests.

    ``sizes`` are extents by name of outputs and inputs, innermost dimension first; ``parameters``
    the values of generator parameters; ``generator`` the registered name of one of several. For C
    sizes and parameters are the values of scalar parameters, and the generator is a function.
    """

    sizes: Sizes = field(
        default=(),
        metadata=flag(
            "extents of an output (or input), innermost first: output=1536x2560, or of its"
            " variables: x=1536,y=2560; what is not given is an argument of the C function",
            name="--size",
            metavar="NAME=WxH...",
            parse=_sizes,
            repeated=True,
        ),
    )
    parameters: tuple[tuple[str, str], ...] = field(
        default=(),
        metadata=flag(
            "a generator parameter: schedule=2",
            name="--param",
            metavar="NAME=VALUE",
            parse=_parameter,
            repeated=True,
        ),
    )
    generator: str = field(
        default="",
        metadata=flag(
            "the registered name of one of several generators", name="--generator", metavar="NAME"
        ),
    )


def header_name(destination: str | None) -> str:
    """The header beside a C file; empty where the text does not go to a file."""
    if destination is None:
        return ""
    stem, _ = os.path.splitext(os.path.basename(destination))
    return f"{stem}.h"
