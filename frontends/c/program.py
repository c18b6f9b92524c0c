"""The other files of a program: definitions of functions that a file only declares."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from s2s.source import SourceBuffer

if TYPE_CHECKING:
    from s2s.frontends.c.parse import Unit


@dataclass
class OtherFile:
    """A file that is parsed when somebody asks for a function in it."""

    buffer: SourceBuffer
    flags: tuple[str, ...]
    parse: Callable[[SourceBuffer, tuple[str, ...]], Unit]

    @cached_property
    def unit(self) -> Unit | None:
        """The parsed file; None where it has errors, which are said when its turn comes."""
        unit = self.parse(self.buffer, self.flags)
        return None if unit.errors else unit

    def mentions(self, name: str) -> bool:
        return bool(re.search(rb"\b%s\s*\(" % re.escape(name.encode()), self.buffer.data))


@dataclass
class Program:
    """The files that are linked with the one at hand."""

    others: Sequence[OtherFile]
    _found: dict[str, tuple[Unit, Any] | None] = field(default_factory=dict)

    def definition(self, name: str) -> tuple[Unit, Any] | None:
        """File and cursor of the only external definition of a function, if there is one."""
        if name not in self._found:
            found = [
                (file.unit, cursor)
                for file in self.others
                if file.mentions(name) and file.unit is not None
                for cursor in file.unit.functions()
                if cursor.spelling == name and cursor.storage_class.name != "STATIC"
            ]
            self._found[name] = found[0] if len(found) == 1 else None
        return self._found[name]
