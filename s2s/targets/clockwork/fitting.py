"""Whether the buffers of a design fit into memory tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s.scop.accelerator import Accelerator
    from s2s.scop.netlist import Netlist


def check_fits(accelerator: Accelerator, netlist: Netlist) -> None:
    """Raise MappingError for a buffer with more words than a memory tile, with the operation that
    stores to it and the one that loads from it last.
    """
    from s2s.scop.netlist import Memory
    from s2s.scop.notation import written
    from s2s.transforms.clockwork.errors import MappingError
    from s2s.transforms.clockwork.mapping import WORDS

    for one in netlist.instances.values():
        if not isinstance(one, Memory):
            continue
        words = one.capacity if one.modulo is None else max(one.capacity, one.modulo)
        if words <= WORDS:
            continue
        users = [(o, x) for o in accelerator.operations for x in o.loads if x.tensor == one.buffer]
        stores = [o for o in accelerator.operations if o.store.tensor == one.buffer]
        text = f"buffer '{one.buffer}' needs {words} words, a memory tile has {WORDS}"
        text += f"; {stores[0].name} stores to it" if stores else ""
        text += f", {users[-1][0].name} loads {written(users[-1][1])}" if users else ""
        raise MappingError(text)
