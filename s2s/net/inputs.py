"""The inputs with which changed code is executed: sizes around those that occur in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from zlib import crc32

from s2s.frontends.c.syntax import Node
from s2s.net.memory import Contents, World
from s2s.net.shapes import Shape
from s2s.source.records import dataclass

# Two tiles of rows and of lanes and an edge, in as many iterations as one input may have.
_TILES = 17
_MOST = 300


@dataclass(frozen=True)
class Input:
    """Integers are ``size``; with ``lopsided`` every other one is about a third of it.

    Pointers that may overlap do so by ``distance`` elements, None for not.
    """

    size: int
    contents: Contents
    lopsided: int = 0
    distance: int | None = None

    @property
    def least(self) -> int:
        """The smallest of the integers."""
        return self.size // 3 + 1 if self.lopsided else self.size

    def value(self, world: World, name: str, shape: Shape, alone: bool) -> int | float:
        """The value of a variable that comes from outside."""
        if shape.kind == "pointer":
            return world.target(name, shape.target, alone=alone)
        drawn = crc32(name.encode()) >> 4
        if shape.kind == "float":
            return self.contents.number(drawn + self.contents.seed, shape)
        size = self.size
        if self.lopsided and drawn % 2 == self.lopsided % 2:
            size = self.least
        if shape.boolean:
            return drawn % 2
        return max(shape.least, min(shape.most, size))


def sizes_in(text: str) -> list[int]:
    """Integers that a text compares or steps with, the widths of strips among them."""
    found = {int(word) for word in re.findall(r"(?<![\w.])\d+(?=[uUlL]*\b(?!\.))", text)}
    return sorted(n for n in found if 2 <= n <= _MOST)


def inputs(
    widths: Sequence[int], pool: Sequence[int], *, exact: bool, vectors: bool = False
) -> Iterator[Input]:
    """Inputs in the order in which they are tried until there are no steps left.

    Code with ``vectors`` of its own has tiles of several of them, which want larger sizes.
    """
    plain = Contents(exact=exact, pool=tuple(pool))
    signed = Contents(seed=2, signed=True, exact=exact, pool=tuple(pool), special=not exact)
    if vectors:
        yield Input(_TILES, plain)
    yield Input(11, plain)
    strips = [w for w in widths if 8 <= w <= 128 and w & (w - 1) == 0][-1:]
    for width in strips:
        for seed in range(4):
            rare = Contents(seed, every=width + 1, falling=seed % 2 == 1, exact=exact)
            yield Input(width * 2 + 2, rare)
            yield Input(width * 4 + 9, rare)
    yield Input(0, plain)
    yield Input(1, signed)
    for falling in (False, True):
        ordered = Contents(every=1, falling=falling, exact=exact)
        yield Input(2, ordered)
        yield Input(7, ordered)
    yield Input(18, signed, lopsided=1)
    for distance in (1, -8, 8, 9):
        yield Input(9, plain, distance=distance)
    yield Input(3, plain, lopsided=2)
    for width in list(reversed(widths))[:12]:
        for more in (2, 1, 3, 4):
            yield Input(width + more, plain)
        yield Input(width, signed, distance=0)
        yield Input(width - 1, plain)
        yield Input(width + 1, signed, lopsided=1)
        yield Input(width * 2 + 1, plain, distance=-3)
        yield Input(width * 2, signed, distance=width * 2 - 1)
        yield Input(width * 2, plain, distance=1 - width * 2)
    yield Input(2, plain)
    yield Input(70, signed, lopsided=2)
    yield Input(140, signed)


def roles_of(nodes: Sequence[Node]) -> dict[str, str]:
    """Arrays of integers that are subscripts (``index``) or bounds of loops (``ends``).

    Records of which a member bounds a loop have ``sizes``.
    """
    found: dict[str, str] = {}
    for root in nodes:
        for node in root.walk():
            if node.kind == "ARRAY_SUBSCRIPT_EXPR":
                for name in _loaded(node.children[1]):
                    found.setdefault(name, "index")
            elif node.kind == "FOR_STMT" and len(node.children) == 4:
                for part in node.children[:2]:
                    found |= dict.fromkeys(_loaded(part), "ends")
                    for name in _records(part):
                        found.setdefault(name, "sizes")
    return found | {f"&{name}": role for name, role in found.items()}


def _loaded(node: Node) -> list[str]:
    """The arrays of integers of which elements are read in an expression."""
    found = []
    for inner in node.walk():
        if inner.kind == "ARRAY_SUBSCRIPT_EXPR" and inner.type.kind == "int":
            root = inner
            while root.children:
                root = root.children[0]
            if root.name:
                found.append(root.name)
    return found


def _records(node: Node) -> list[str]:
    """The variables of which members that are integers, or of what they lead to, are read."""
    return [
        inner.children[0].bare.name
        for inner in node.walk()
        if inner.kind == "MEMBER_REF_EXPR" and inner.type.kind == "int" and inner.children
        and inner.children[0].bare.kind == "DECL_REF_EXPR"
    ]  # fmt: skip
