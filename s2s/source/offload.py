"""What a program with offloaded regions is written as: ``manifest.json``, for all who read it.

The host's C calls ``int NAME(arrays...)`` for a region; the manifest says for each region which
device runs it, in what format its code is, in which files, and what its arrays are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, field
from math import prod
from pathlib import Path
from typing import Any

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

FORMAT = 1
NAME = "manifest.json"
C_TYPES = {
    "int8": "signed char", "uint8": "unsigned char", "int16": "short", "uint16": "unsigned short",
    "int32": "int", "uint32": "unsigned", "int64": "long", "uint64": "unsigned long",
    "float32": "float", "float64": "double", "float16": "_Float16",
}  # fmt: skip
SIZES = {
    "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8,
    "uint64": 8, "float16": 2, "float32": 4, "float64": 8,
}  # fmt: skip
"""Bytes of an element."""


@dataclass(frozen=True)
class Argument:
    """An array of a region: ``direction`` is in, out, inout or constant; extents outermost first.

    A constant has the same elements in each call, and is bound once.
    """

    name: str
    type: str
    extents: tuple[int, ...]
    direction: str

    @property
    def elements(self) -> int:
        return prod(self.extents)

    @property
    def bytes(self) -> int:
        return self.elements * SIZES[self.type]

    @property
    def is_written(self) -> bool:
        return self.direction in ("out", "inout")


@dataclass(frozen=True)
class Region:
    """A part of the program that a device runs.

    ``format`` is ``c``, ``json`` or ``bytes``, the files are beside the manifest, the device's own
    code first. ``line``: where the host's text is; ``operations``: what it does, for people;
    ``key`` says that two regions are the same code for the same device.
    """

    name: str
    device: str
    format: str
    files: tuple[str, ...]
    arguments: tuple[Argument, ...]
    line: int
    operations: tuple[str, ...] = ()
    macs: int = 0
    key: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def moved(self) -> int:
        """Bytes that a call moves, constants aside."""
        of = {"in": 1, "out": 1, "inout": 2}
        return sum(of.get(a.direction, 0) * a.bytes for a in self.arguments)


@dataclass(frozen=True)
class Manifest:
    """``host`` is the host's C file, ``source`` the user's."""

    source: str
    host: str
    regions: tuple[Region, ...]

    def region(self, name: str) -> Region:
        """The region of a name; KeyError where there is none."""
        for region in self.regions:
            if region.name == name:
                return region
        raise KeyError(name)

    def write(self) -> bytes:
        """As JSON."""
        return (json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n").encode()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder. Raises UserError."""
    path = folder / NAME
    try:
        table = json.loads(path.read_bytes())
        if table["format"] != FORMAT:
            raise ValueError(f"format {table['format']}, not {FORMAT}")
        return Manifest(table["source"], table["host"], tuple(_regions(table["regions"])))
    except OSError as error:
        raise _error(f"{path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise _error(f"{path}: is no manifest of offloaded regions: {error}") from None


def _regions(rows: Iterable[Mapping[str, Any]]) -> Iterable[Region]:
    for row in rows:
        arguments = tuple(
            Argument(a["name"], a["type"], tuple(a["extents"]), a["direction"])
            for a in row["arguments"]
        )
        lists = {"files": tuple(row["files"]), "operations": tuple(row["operations"])}
        yield Region(**{**row, **lists, "arguments": arguments})


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "offload"))
