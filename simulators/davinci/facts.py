"""What a program's comments say about its arguments.

``// davinci: blocks 4`` is how many cores run the kernel, ``// davinci: in x 4 147 147 16`` and
``// davinci: out y 4 73 73 16`` the extents of its arrays, outermost first. s2s writes them; a
person can.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod

from s2s.simulators.davinci.problems import line_of, problem
from s2s.source.records import dataclass

_FACT = re.compile(r"^[ \t]*//[ \t]*davinci:[ \t]*(.*?)[ \t]*$", re.M)


@dataclass(frozen=True)
class Facts:
    """``shapes`` of arrays by name; ``outputs`` are those that the kernel only writes."""

    blocks: int
    shapes: Mapping[str, tuple[int, ...]]
    outputs: tuple[str, ...]

    def count(self, name: str) -> int | None:
        """Elements of an array, where the program says so."""
        return prod(self.shapes[name]) if name in self.shapes else None


def read_facts(text: str, path: str) -> Facts:
    """Raises UserError with the line of a comment that says something else."""
    blocks, shapes, outputs = 1, {}, []
    for match in _FACT.finditer(text):
        words = match[1].split()
        numbers = words[2:] if words and words[0] in ("in", "out") else words[1:]
        if not numbers or not all(n.isascii() and n.isdigit() and int(n) > 0 for n in numbers):
            line = text.count("\n", 0, match.start()) + 1
            raise problem(
                f"'{match[1]}': 'blocks COUNT', 'in NAME EXTENT...' or 'out NAME EXTENT...'",
                line_of(path, line),
            )
        if words[0] == "blocks" and len(numbers) == 1:
            blocks = int(numbers[0])
        elif words[0] in ("in", "out"):
            shapes[words[1]] = tuple(int(n) for n in numbers)
            outputs += [words[1]] if words[0] == "out" else []
        else:
            line = text.count("\n", 0, match.start()) + 1
            raise problem(f"'{words[0]}' is not known here", line_of(path, line))
    return Facts(blocks, shapes, tuple(outputs))
