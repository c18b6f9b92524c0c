"""Tensors to run a printed function with."""

from __future__ import annotations

import re
from typing import Any
from zlib import crc32


class Memory(dict[tuple[int, ...], int]):
    """Elements appear when they are first read, small ones; ``stores`` counts writing.

    What is in an element depends on the seed, the tensor's name and the subscripts only.
    """

    def __init__(self, name: str, type_: str, seed: int) -> None:
        super().__init__()
        self.type, self.stores = type_, 0
        self.first: dict[tuple[int, ...], int] = {}
        self._key = f"{seed} {name}"

    def __missing__(self, at: tuple[int, ...]) -> int:
        self.first[at] = self.initial(at)
        super().__setitem__(at, self.first[at])
        return self.first[at]

    def initial(self, at: tuple[int, ...]) -> int:
        """What is in an element at first."""
        value = crc32(f"{self._key} {at}".encode()) % 101
        return value if self.type.startswith("uint") else value - 50

    def __setitem__(self, at: tuple[int, ...], value: int) -> None:
        self.stores += 1
        super().__setitem__(at, value)


def run(text: str, seed: int) -> dict[str, Memory]:
    """Run what was printed; the tensors by name."""
    names: dict[str, Any] = {}
    exec(compile(text, "printed", "exec"), names)
    memory = {name: Memory(name, type_, seed) for name, type_, _ in names["TENSORS"]}
    names["ENTRY"](*memory.values())
    return memory


def c_type(type_: str) -> str:
    """The type's name in <stdint.h>."""
    return re.sub(r"(\d+)", r"\1_t", type_)
