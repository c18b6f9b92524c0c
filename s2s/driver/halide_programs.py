"""Halide-like C++ in several files: which of them are programs, which only have parts of one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*([<"])([^">\n]+)[>"]', re.MULTILINE)
_MOST = 60
"""Headers that are looked into."""


def include_flags(paths: Sequence[str]) -> tuple[str, ...]:
    """The flags that bring other files of a program into its first one."""
    return tuple(word for path in paths for word in ("-include", str(Path(path).resolve())))


def split_programs(
    files: Mapping[str, bytes], flags: Mapping[str, Sequence[str]]
) -> tuple[list[str], list[str]]:
    """The pipelines that are programs, and those that the programs take functions from.

    A program has a generator or ``main``; without any, what has a function to begin with is one.
    Where nothing is, each is taken for a program. Raises UserError.
    """
    from s2s.frontends.halide.evaluate import Entry, program_in

    if len(files) < 2:
        return list(files), []
    found = {path: program_in(path, data, flags[path]) for path, data in files.items()}
    most = max(found.values())
    if most == Entry.NONE:
        return list(files), []
    programs = [path for path in files if found[path] == most]
    return programs, [path for path in files if found[path] != most]


def includes_halide(path: str, flags: Sequence[str], data: bytes) -> bool:
    """Whether a text includes Halide.h, itself or by headers beside it or in ``-I`` folders."""
    folders = [Path(flag[2:]) for flag in flags if flag.startswith("-I") and len(flag) > 2]
    pairs = pairwise(flags)
    folders += [Path(folder) for flag, folder in pairs if flag in ("-I", "-iquote")]
    waiting, seen = [(Path(path).parent, data)], set[Path]()
    while waiting and len(seen) <= _MOST:
        beside, text = waiting.pop()
        for opening, name in _INCLUDE.findall(text):
            header = Path(name.decode("utf-8", "surrogateescape"))
            if header.name == "Halide.h":
                return True
            places = [beside, *folders] if opening == b'"' else folders
            found = next((f / header for f in places if (f / header).is_file()), None)
            if found is not None and found not in seen:
                seen.add(found)
                waiting.append((found.parent, found.read_bytes()))
    return False
