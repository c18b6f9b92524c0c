"""What both cost models say of a mapping."""

from __future__ import annotations

from dataclasses import field

from s2s.simulators.spatial.machine import Machine
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Traffic:
    """What is moved of one tensor, in elements; DRAM in elements of whole blocks.

    ``noc_in``, ``noc_out``: over the network, to processing elements and from them, multicasts and
    sums counted once; ``l1_in``, ``l1_out``: as each of them receives and sends it. ``l2_in``,
    ``l2_out``: elements that L2 gets from the buffer outside of it, and gives it; ``l3_in``,
    ``l3_out``: the same of L3, where there is one. ``rereads``: partial sums that L2 adds to.
    """

    name: str
    noc_in: int = 0
    noc_out: int = 0
    l1_in: int = 0
    l1_out: int = 0
    dram_in: int = 0
    dram_out: int = 0
    l2_in: int = 0
    l2_out: int = 0
    rereads: int = 0
    l3_in: int = 0
    l3_out: int = 0

    @property
    def l2_accesses(self) -> int:
        """Reads and writes of L2."""
        return self.noc_in + self.noc_out + self.rereads + self.l2_in + self.l2_out

    @property
    def l3_accesses(self) -> int:
        """Reads and writes of L3: what DRAM brings and takes, and what L2 gets and gives."""
        return self.l3_in + self.l3_out + self.l2_in + self.l2_out


@dataclass(frozen=True)
class Figures:
    """Cycles, where they go, and what is moved.

    ``cycles`` = ``fill`` + ``compute`` + ``noc_stalls`` + ``l3_stalls`` + ``dram_stalls``. ``l1``,
    ``l2``, ``l3`` (0: there is none): elements that the buffers need, both halves. ``operands``:
    reads of L1 for one multiply-accumulate.
    """

    model: str
    cycles: int
    compute: int
    fill: int
    noc_stalls: int
    dram_stalls: int
    steps: int
    macs: int
    l1: int
    l2: int
    operands: int
    traffic: tuple[Traffic, ...] = field(default=())
    l3: int = 0
    l3_stalls: int = 0

    @property
    def dram(self) -> int:
        """Elements from and to DRAM, whole blocks."""
        return sum(one.dram_in + one.dram_out for one in self.traffic)

    @property
    def l1_accesses(self) -> int:
        """Operands and a sum read, a sum written; what is received and sent."""
        moved = sum(one.l1_in + one.l1_out for one in self.traffic)
        return (self.operands + 2) * self.macs + moved

    @property
    def l2_accesses(self) -> int:
        """Reads and writes of L2."""
        return sum(one.l2_accesses for one in self.traffic)

    def energy(self, machine: Machine) -> float:
        """In multiply-accumulates, by the machine's multipliers."""
        return (
            machine.energy_mac * self.macs
            + machine.energy_l1 * self.l1_accesses
            + machine.energy_l2 * self.l2_accesses
            + machine.energy_l3 * (sum(o.l3_accesses for o in self.traffic) if machine.l3 else 0)
            + machine.energy_dram * machine.element_bytes * self.dram
        )

    def utilization(self, machine: Machine) -> float:
        """The part of all processing elements' cycles in which they multiply."""
        return self.macs / (self.cycles * machine.elements) if self.cycles else 0.0
