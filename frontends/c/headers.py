"""The headers that C files begin with, as libclang has them in memory.

Most of what a small file takes to parse goes into the system's headers, and a file that is
transformed is parsed several times. Who parses files that begin with the same headers for the
second time has them precompiled, and reads them no more. They are kept for as long as the process
lives, in memory. A file that is parsed again with edits made shares the program's own headers, too:
who asks has read them a moment ago, and the parser refuses them if they have changed after all.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from clang import cindex

from s2s.frontends.c import clang
from s2s.source.records import dataclass

_MOST = 16
_NAME = "s2s-headers.h"
_OPTIONS = cindex.TranslationUnit.PARSE_INCOMPLETE | 0x10
"""The latter for a unit that is saved for others (CXTranslationUnit_ForSerialization)."""

# What may come before a file's first line of its own: what is no text, and directives with the
# system's headers and with macros that only these ask for.
_PART = re.compile(
    rb"\s+|/\*.*?\*/|//[^\n]*(?<!\\)\n"
    rb"|(?m:^)(#[ \t]*(?:include[ \t]*<[^>\n]+>|define[ \t]+_[A-Z]\w*(?:[ \t]+\w+)?)[ \t]*)"
    rb"(?=\r?\n|/[*/])",
    re.DOTALL,
)
# The same with the program's own headers, and with all macros that are a word or nothing.
_OWN_PART = re.compile(
    rb"\s+|/\*.*?\*/|//[^\n]*(?<!\\)\n"
    rb"|(?m:^)(#[ \t]*(?:include[ \t]*(?:<[^>\n]+>|\"[^\"\n]+\")"
    rb"|define[ \t]+\w+(?:[ \t]+\w+)?)[ \t]*)(?=\r?\n|/[*/])",
    re.DOTALL,
)
# Flags that bring text of their own, or another language.
_OTHERS = re.compile(r"-include|-imacros|-x|-f?modules")
_ABOUT_THEM = re.compile(r"\bPCH\b|AST file|precompiled")


@dataclass(eq=False)
class Headers:
    """Precompiled headers: a file in memory for libclang, and the unit that it was made of."""

    number: int
    unit: Any

    def __del__(self) -> None:
        with suppress(OSError):
            os.close(self.number)

    @property
    def path(self) -> str:
        return f"/proc/self/fd/{self.number}"

    def parse(
        self, path: str, arguments: Sequence[str], unsaved: Sequence[tuple[str, bytes]] | None,
        options: int,
    ) -> Any | None:  # fmt: skip
        """A file that begins with the headers; its unit's own children are without theirs.

        None where they can no longer be used, because one of the files has changed.
        """
        words = [*arguments, "-include-pch", self.path]
        with suppress(cindex.TranslationUnitLoadError):
            index = cindex.Index.create(excludeDecls=True)
            unit = index.parse(path, words, unsaved, options)
            if not any(_ABOUT_THEM.search(said.spelling) for said in unit.diagnostics):
                return unit
        for key in [key for key, found in _kept.items() if found is self]:
            _kept[key] = None
            _refused.add(key)
        return None

    @cached_property
    def included(self) -> frozenset[str]:
        """The files that they are."""
        return frozenset(item.include.name for item in self.unit.get_includes())

    @cached_property
    def declared(self) -> tuple[Any, ...]:
        """A cursor for each of their declarations."""
        return tuple(clang.children(self.unit.cursor))

    @cached_property
    def names(self) -> dict[str, Any]:
        """A cursor for each function and variable that they declare."""
        return clang.named(self.declared)


_Key = tuple[bytes, tuple[str, ...], str, str]
_kept: OrderedDict[_Key, Headers | None] = OrderedDict()
"""None for what was asked for once, or cannot be had."""
_refused: set[_Key] = set()


def headers_of(
    text: bytes, arguments: Sequence[str], is_system: Callable[[str], bool]
) -> Headers | None:
    """The headers that a C file begins with, where another file began with them before.

    ``arguments`` are libclang's, ``-x c`` first; ``is_system`` says whether a file is no program's.
    """
    if any(_OTHERS.match(word) for word in arguments[2:]) or not hasattr(os, "memfd_create"):
        return None
    lines = b"\n".join(found[1].strip() for found in _directives(text, _PART))
    if b"include" not in lines:
        return None
    return _known((lines, tuple(arguments), os.getcwd(), ""), is_system)


def own_headers_of(
    path: str, text: bytes, arguments: Sequence[str]
) -> tuple[Headers, bytes] | None:
    """The headers that a C file begins with, the program's among them, and its text without.

    What follows in the text stays where it is. None where the first of them are the system's alone,
    or nobody has asked for the same before.
    """
    if any(_OTHERS.match(word) for word in arguments[2:]) or not hasattr(os, "memfd_create"):
        return None
    found = list(_directives(text, _OWN_PART))
    if not any(b'"' in directive[1] for directive in found):
        return None
    lines = b"\n".join(directive[1].strip() for directive in found)
    folder = os.path.dirname(path) or os.curdir
    known = _known((lines, tuple(arguments), os.getcwd(), folder), lambda _: True)
    if known is None:
        return None
    pieces, place = [], 0
    for directive in found:
        pieces += [text[place : directive.start(1)], b" " * len(directive[1])]
        place = directive.end(1)
    return known, b"".join([*pieces, text[place:]])


def _known(key: _Key, is_system: Callable[[str], bool]) -> Headers | None:
    """What is kept, made for the second who asks."""
    seen = key in _kept
    known = _kept.pop(key, None)
    if known is None and seen and key not in _refused:
        known = _made(key, is_system)
        if known is None:
            _refused.add(key)
    _kept[key] = known
    if len(_kept) > _MOST:
        _kept.popitem(last=False)
    return known


def _directives(text: bytes, part_of: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    place = 0
    while part := part_of.match(text, place):
        place = part.end()
        if part[1]:
            yield part


def _made(key: _Key, is_system: Callable[[str], bool]) -> Headers | None:
    lines, arguments, _, around = key
    words = ["-x", "c-header", *arguments[2:]]
    with tempfile.TemporaryDirectory(prefix="s2s-headers-") as folder:
        name = os.path.join(around or folder, _NAME)  # of no file: headers are looked for beside it
        place = os.path.join(folder, "headers.pch")
        try:
            unit = cindex.Index.create().parse(name, words, [(name, lines + b"\n")], _OPTIONS)
            if any(said.severity >= cindex.Diagnostic.Error for said in unit.diagnostics):
                return None
            if not all(is_system(item.include.name) for item in unit.get_includes()):
                return None
            unit.save(place)
            with open(place, "rb") as stream:
                data = stream.read()
        except (cindex.TranslationUnitLoadError, cindex.TranslationUnitSaveError, OSError):
            return None
    number = os.memfd_create("s2s-headers")
    with open(number, "wb", closefd=False) as stream:
        stream.write(data)
    return Headers(number, unit)
