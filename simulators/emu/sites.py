"""Places in a program that can make a thread migrate, numbered."""

from __future__ import annotations

import re
from typing import Any

from s2s.source.records import dataclass


@dataclass(frozen=True)
class Site:
    """An expression by its text and the line where it stands."""

    path: str
    line: int
    text: str


class Sites:
    """Numbers for sites; number 0 stands for what no expression says (a function's end)."""

    def __init__(self) -> None:
        self._numbers: dict[Site, int] = {Site("", 0, "implicit synchronization"): 0}

    def of(self, node: Any) -> int:
        """The number of an expression of pycparser's."""
        from pycparser import c_generator

        coord = node.coord
        site = Site(
            str(coord.file) if coord else "",
            coord.line if coord else 0,
            _as_written(c_generator.CGenerator().visit(node)),
        )
        return self._numbers.setdefault(site, len(self._numbers))

    @property
    def all(self) -> tuple[Site, ...]:
        return tuple(self._numbers)


def _as_written(text: str) -> str:
    """Cilk's words in place of what the headers make of them."""
    text = re.sub(r"__cilk_spawn_at\((.*?)\) \+", r"cilk_spawn_at(\1)", text)
    text = text.replace("__cilk_spawn +", "cilk_spawn").replace("__cilk_sync()", "cilk_sync")
    return " ".join(text.split())
