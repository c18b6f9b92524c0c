"""An accelerator scheduled, mapped and printed: each of its files by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s.scop.accelerator import Accelerator
    from s2s.scop.compute_unit import ComputeUnit
    from s2s.scop.netlist import Netlist
    from s2s.scop.unified_buffers import UnifiedBuffer
    from s2s.targets.forms import AcceleratorProgram
    from s2s.transforms.clockwork.schedule import Scheduled


@dataclass(frozen=True)
class Compiled:
    """A design on its way to its files."""

    scheduled: Scheduled
    netlist: Netlist
    units: tuple[ComputeUnit, ...]
    buffers: tuple[UnifiedBuffer, ...]

    @property
    def accelerator(self) -> Accelerator:
        """That of the schedule, whose loops may have been split."""
        return self.scheduled.accelerator


def compile_design(program: AcceleratorProgram) -> Compiled:
    """The design of a program. Raises MappingError."""
    from s2s.transforms.clockwork.compute_units import compute_units
    from s2s.transforms.clockwork.mapping import map_design
    from s2s.transforms.clockwork.schedule import schedule
    from s2s.transforms.clockwork.unified_buffers import unified_buffers

    found = schedule(program.accelerator)
    units = compute_units(found.accelerator)
    netlist = map_design(found.accelerator, found.schedule)
    buffers = unified_buffers(found.accelerator, found.schedule, found.turns)
    return Compiled(found, netlist, units, buffers)


def print_files(compiled: Compiled, program: AcceleratorProgram) -> dict[str, str]:
    """The text of each file by name, the memory file first. Raises Inexpressible."""
    from s2s.emitters.clockwork.buffers import print_buffers
    from s2s.emitters.clockwork.compute import print_compute
    from s2s.emitters.clockwork.design import print_design
    from s2s.emitters.clockwork.memory import print_memory

    accelerator, name = compiled.accelerator, compiled.accelerator.name
    schedule = compiled.scheduled.schedule
    return {
        f"{name}_memory.cpp": print_memory(accelerator),
        f"{name}_compute.h": print_compute(compiled.units),
        f"{name}.ub.json": print_buffers(accelerator, schedule, compiled.buffers),
        f"{name}_design.json": print_design(compiled.netlist),
    }
