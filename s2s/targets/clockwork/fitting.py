"""Whether the buffers of a design fit into the memory tiles, and who uses one that does not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s.scop.accelerator import Accelerator
    from s2s.scop.netlist import Netlist


def with_users(accelerator: Accelerator, text: str) -> str:
    """A text about a buffer with the operation that stores to it first, and the last load."""
    from s2s.scop.notation import written

    found = re.search(r"buffer '?(\w+)'?: ", text)
    if found is None:
        return text
    stores = [o for o in accelerator.operations if o.store.tensor == found[1]]
    loads = [(o, x) for o in accelerator.operations for x in o.loads if x.tensor == found[1]]
    text += f"; {stores[0].name} stores to it" if stores else ""
    return text + (f", {loads[-1][0].name} loads {written(loads[-1][1])}" if loads else "")


def check_fits(accelerator: Accelerator, netlist: Netlist) -> None:
    """Raise MappingError for a buffer that takes more memory tiles than the array has."""
    from collections import Counter

    from s2s.scop.netlist import Memory
    from s2s.transforms.clockwork.array import load_array
    from s2s.transforms.clockwork.errors import MappingError

    modes = ("sram", "dual_port", "fifo")
    memories = [m for m in netlist.instances.values() if isinstance(m, Memory) and m.mode in modes]
    there = len(load_array().tiles("memory"))
    needed: Counter[str] = Counter()
    for memory in memories:
        needed[memory.buffer] += memory.tiles
    for buffer, tiles in needed.items():
        if tiles > there and buffer in accelerator.tensors:
            text = f"buffer {buffer}: it needs {tiles} memory tiles, the array has {there}"
            raise MappingError(text)
