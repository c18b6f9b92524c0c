"""An accelerator scheduled, mapped and printed: each of its files by name."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.scop.accelerator import Accelerator
    from s2s.scop.compute_unit import ComputeUnit
    from s2s.scop.fabric import Array, Configuration
    from s2s.scop.handshakes import Handshakes
    from s2s.scop.nest import Nest
    from s2s.scop.netlist import Netlist
    from s2s.scop.unified_buffers import UnifiedBuffer
    from s2s.targets.clockwork.options import ClockworkOptions
    from s2s.targets.forms import AcceleratorProgram
    from s2s.transforms.clockwork.schedule import Scheduled


@dataclass(frozen=True)
class Compiled:
    """A design on its way to its files. ``configuration`` is None if it was not placed,
    ``handshakes`` if its memories keep the schedule's cycles.
    """

    scheduled: Scheduled
    netlist: Netlist
    units: tuple[ComputeUnit, ...]
    buffers: tuple[UnifiedBuffer, ...]
    configuration: Configuration | None = None
    handshakes: Handshakes | None = None

    @property
    def accelerator(self) -> Accelerator:
        """That of the schedule, whose loops may have been split."""
        return self.scheduled.accelerator


def compile_design(program: AcceleratorProgram, options: ClockworkOptions) -> Compiled:
    """The design of a program. Raises MappingError, and Inexpressible before much is done."""
    from s2s.emitters.clockwork.memory import print_memory
    from s2s.transforms.clockwork.compute_units import compute_units
    from s2s.transforms.clockwork.configure import configure, pipeline
    from s2s.transforms.clockwork.fit_design import MappingOptions
    from s2s.transforms.clockwork.mapping import map_design
    from s2s.transforms.clockwork.schedule import schedule
    from s2s.transforms.clockwork.unified_buffers import unified_buffers

    print_memory(program.accelerator)
    found, configuration = schedule(program.accelerator), None
    mapping = MappingOptions(options.memory, options.sharing, options.pack)
    netlist = map_design(found.accelerator, found.schedule, mapping, found.dependences)
    if options.pipeline or options.place:
        array = _array(options)
        if options.pipeline:
            placed = pipeline(program.accelerator, found, netlist, array, mapping)
        else:
            placed = configure(found, netlist, array)
        found, netlist, configuration = placed.scheduled, placed.netlist, placed.configuration
    units = compute_units(found.accelerator)
    buffers = unified_buffers(found.accelerator, found.schedule, found.turns)
    waiting = waits_for_words(netlist, options.memory)
    return Compiled(found, netlist, units, buffers, configuration, waiting)


def waits_for_words(netlist: Netlist, memory: str) -> Handshakes | None:
    """The design with handshakes in place of cycles, if its kind of ``memory`` has them. Raises
    MappingError.
    """
    from s2s.transforms.clockwork.fit_memories import KINDS
    from s2s.transforms.clockwork.handshakes import strip_cycles

    kind = KINDS[memory]
    return strip_cycles(netlist, kind.words) if kind.queues else None


def _array(options: ClockworkOptions) -> Array:
    """The array with the user's clock."""
    from s2s.scop.fabric import Number
    from s2s.transforms.clockwork.array import load_array

    array = load_array()
    if not options.clock:
        return array
    clock = Number(options.clock, "assumed", "the command line")
    return replace(array, numbers={**array.numbers, "clock_ps": clock})


def print_files(
    compiled: Compiled, host: Nest | None = None, updated: Collection[str] = frozenset()
) -> dict[str, str]:
    """The text of each file by name, the memory file first; with a ``host`` those about it, too.

    ``updated`` are arrays that the host's function reads and writes. Raises Inexpressible.
    """
    from s2s.emitters.clockwork.buffers import print_buffers
    from s2s.emitters.clockwork.compute import print_compute
    from s2s.emitters.clockwork.coreir import print_coreir
    from s2s.emitters.clockwork.design import print_design
    from s2s.emitters.clockwork.graph import print_graph
    from s2s.emitters.clockwork.handshakes import print_handshakes
    from s2s.emitters.clockwork.host import describe_host, print_host
    from s2s.emitters.clockwork.memory import print_memory
    from s2s.emitters.clockwork.placement import print_configuration
    from s2s.transforms.nest.prepare import prepare

    accelerator, name = compiled.accelerator, compiled.accelerator.name
    schedule = compiled.scheduled.schedule
    files = {
        f"{name}_memory.cpp": print_memory(accelerator),
        f"{name}_compute.h": print_compute(compiled.units),
        f"{name}_compute.json": print_coreir(compiled.units),
        f"{name}.ub.json": print_buffers(accelerator, schedule, compiled.buffers),
        f"{name}_design.json": print_design(compiled.netlist),
    }
    if compiled.handshakes is not None:
        files[f"{name}_handshakes.json"] = print_handshakes(compiled.handshakes)
    if compiled.configuration is not None:
        files[f"{name}.place.json"] = print_configuration(compiled.configuration)
        files[f"{name}.dot"] = print_graph(compiled.configuration)
    if host is not None:
        ready = prepare(host)
        files["host.c"] = print_host(ready, accelerator)
        files["host.json"] = describe_host(ready, accelerator, updated)
    return files
