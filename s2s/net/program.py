"""What the functions of one file that is executed share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from s2s.frontends.c.syntax import Decl, Node
from s2s.net.shapes import Shape, Shapes
from s2s.source.records import dataclass


@dataclass
class Program:
    """What the functions of one file that is executed share.

    ``define`` makes text of a function that is called, and gives its name and result. ``places``
    are objects that are there for the whole program, by the names of variables with their
    addresses; ``literals`` are the file's strings.
    """

    shapes: Shapes
    define: Callable[[Node], tuple[str, list[Shape], Shape]]
    places: dict[str, tuple[str, Shape]] = field(default_factory=dict)
    literals: dict[str, str] = field(default_factory=dict)
    tables: list[list[tuple[int, Shape]]] = field(default_factory=list)
    library: dict[str, Callable[..., Any]] = field(default_factory=dict)
    threads: int = 1
    gains: int = 0
    strict: bool = False
    """Whether a subscript outside of its row ends the execution."""

    def place_of(self, decl: Decl) -> tuple[str, Shape]:
        key = decl.name if decl.is_global else f"{decl.name} {decl.cursor.semantic_parent.spelling}"
        known = self.places.get(key)
        if known is None:
            name = f"g_{len(self.places)}_{decl.name}"
            known = self.places[key] = (name, self.shapes.of(decl.type))
        return known
