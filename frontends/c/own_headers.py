"""The headers of its own that a file includes, found by their names: no parser reads anything.

For a look at a file that is to cost next to nothing. Conditions are not evaluated, so headers and
macros of branches that are not taken are among those that are found.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from itertools import pairwise

from s2s.frontends.c.macro_words import FewMacros
from s2s.frontends.c.text import hash_lines
from s2s.source.records import dataclass

_INCLUDE = re.compile(
    rb"[ \t]*(?:#|%:)[ \t]*(?:include(?:_next)?|import)\b[ \t]*"
    rb"(?:\"(?P<near>[^\"\n]+)\"|<(?P<far>[^>\n]+)>|(?P<macro>\w*))"
)
# Lines of directives that begin otherwise than the pattern above has it.
_ODD = re.compile(rb"\*/[ \t]*(?:#|%:)|^[ \t]*(?:#|%:)[ \t]*(?:/\*|\\\r?\n)|\?\?=")
# Flags and variables of the environment after which other folders, or other files, are read.
_OTHER_FLAGS = (
    "-include", "-imacros", "-isystem", "-idirafter", "-iprefix", "-iwith", "-isysroot",
    "--sysroot", "-cxx-isystem", "-I-", "-nostdinc",
)  # fmt: skip
_OTHER_FOLDERS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_SYSTEM = "/usr/"


class NotFoundError(Exception):
    """Only a parser can tell which headers a file includes."""


@dataclass
class OwnHeaders:
    """The own headers of a file, ``texts`` by their paths.

    Headers that no folder of ``flags`` has, and those in folders of the system, are not its own.
    """

    path: str
    data: bytes
    flags: Sequence[str]
    texts: dict[str, bytes] = field(default_factory=dict)

    def find(self) -> OwnHeaders:
        """Look for them. Raises NotFoundError."""
        odd = any(f.startswith(_OTHER_FLAGS) for f in self.flags)
        if odd or any(map(os.environ.get, _OTHER_FOLDERS)):
            raise NotFoundError
        macros: set[str] = set()
        waiting = [(os.path.dirname(self.path), self.data)]
        while waiting:
            folder, data = waiting.pop()
            for near, far, macro in _included(data):
                if macro is not None:
                    macros.add(macro)
                    continue
                header = self._find(folder, near, far)
                if header is not None and header not in self.texts:
                    self.texts[header] = _read(header)
                    waiting.append((os.path.dirname(header), self.texts[header]))
        if "" in macros or not macros.isdisjoint(self.macros.names):
            raise NotFoundError
        return self

    @cached_property
    def macros(self) -> FewMacros:
        """The macros of the file, of these headers and of the flags."""
        return FewMacros((self.data, *self.texts.values()), self.flags)

    def _find(self, folder: str, near: bytes | None, far: bytes | None) -> str | None:
        """The path of a header of the program."""
        folders = [f[2:] for f in self.flags if f.startswith("-I") and len(f) > 2]
        if near is not None:
            quoted = [value for flag, value in pairwise(self.flags) if flag == "-iquote"]
            folders = [folder, *quoted, *folders]
        name = os.fsdecode(near or far or b"")
        for place in folders:
            path = os.path.normpath(os.path.join(place, name))
            if os.path.isfile(path):
                return None if path.startswith(_SYSTEM) else path
        return None


@lru_cache(maxsize=512)  # the files of a build include the same headers
def _included(data: bytes) -> tuple[tuple[bytes | None, bytes | None, str | None], ...]:
    """What a text includes: the name in quotes, in angle brackets, or the macro that gives it.

    Raises NotFoundError.
    """
    lines = hash_lines(data)
    if any(map(_ODD.search, lines)):
        raise NotFoundError
    return tuple(
        (m["near"], m["far"], None if m["macro"] is None else m["macro"].decode())
        for m in filter(None, map(_INCLUDE.match, lines))
    )


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        raise NotFoundError from None
