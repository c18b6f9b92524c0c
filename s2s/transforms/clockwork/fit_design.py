"""What becomes of a mapped design's memories and multiplexers: the options of the mapping."""

from __future__ import annotations

from s2s.scop.netlist import Netlist
from s2s.source.records import dataclass
from s2s.transforms.clockwork.fit_memories import KINDS, fit_memories
from s2s.transforms.clockwork.pack_tiles import pack_tiles
from s2s.transforms.clockwork.share_windows import share_windows
from s2s.transforms.clockwork.sharing_hardware import chain_memories, share_registers

SHARING = ("muxes", "registers", "chaining", "memories")
"""What operations of one kernel have in common, each with what is before it: nothing, stencil
registers, the memories' chains in place of multiplexers, tiles."""


@dataclass(frozen=True)
class MappingOptions:
    """``memory``: one of ``KINDS``; ``sharing``: one of ``SHARING``; ``pack``: put buffers of
    kernels of their own into one tile, too, where there is room.
    """

    memory: str = "wide-fetch"
    sharing: str = "memories"
    pack: bool = False


DEFAULTS = MappingOptions()


def fit_design(netlist: Netlist, options: MappingOptions) -> Netlist:
    """The design on memories that there are. Raises MappingError where a buffer is too large."""
    kind = KINDS[options.memory]
    steps = SHARING.index(options.sharing)
    netlist = fit_memories(share_windows(netlist), kind)
    if steps >= 1:
        netlist = share_registers(netlist)
    if steps >= 2:
        netlist = chain_memories(netlist)
    if kind.wide and (steps == 3 or options.pack):
        netlist = pack_tiles(netlist, kind.words, all_tiles=options.pack)
    return netlist
