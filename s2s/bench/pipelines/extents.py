"""How often loops run: ours, and those of Halide's lowered program, by the loop's name."""

from __future__ import annotations

import re
from collections import Counter

from s2s.scop.expressions import Const
from s2s.scop.nest import For, Nest, Node, children
from s2s.source.records import dataclass

_LOOP = re.compile(r"^\s*(?:for|parallel) \((\S+), [^,]+, (\d+)\)", re.MULTILINE)


@dataclass(frozen=True)
class Extents:
    """Loops that both have: name to (ours, Halide's)."""

    loops: dict[str, tuple[int, int]]

    @property
    def equal(self) -> int:
        return sum(ours == theirs for ours, theirs in self.loops.values())


def compare(nest: Nest, lowered: str) -> Extents:
    """Loops by name; copies of one loop count together."""
    theirs: Counter[str] = Counter()
    for name, extent in _LOOP.findall(lowered):
        theirs[_plain(name)] += int(extent)
    ours: Counter[str] = Counter()
    _count(nest.body, 1, ours)
    return Extents({name: (ours[name], theirs[name]) for name in ours if name in theirs})


def _count(node: Node, copies: int, found: Counter[str]) -> None:
    """The extents below a node, each as often as unrolling copies it."""
    if isinstance(node, For) and isinstance(node.extent, Const):
        if node.kind in ("serial", "parallel"):
            found[_plain(node.name)] += copies * int(node.extent.value)
        elif node.kind == "unrolled":
            copies *= int(node.extent.value)
    for child in children(node):
        _count(child, copies, found)


def _plain(name: str) -> str:
    """The name without the numbers that tell Funcs of one name apart."""
    return re.sub(r"\$\d+|\.rebased", "", name)
