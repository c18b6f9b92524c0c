"""A mapped design that grows: instances and connections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import CycleSchedule, Start
from s2s.scop.netlist import Controller, Delay, Instance, Mux
from s2s.source.records import dataclass
from s2s.transforms.clockwork.accesses import Access, Memory, memories
from s2s.transforms.clockwork.controllers import controller, fit_loops, whole
from s2s.transforms.clockwork.fit_design import MappingOptions


@dataclass
class NetlistBuilder:
    """A netlist that grows."""

    accelerator: Accelerator
    schedule: CycleSchedule
    options: MappingOptions
    instances: dict[str, Instance] = field(default_factory=dict)
    connections: list[tuple[str, str]] = field(default_factory=list)
    memories: dict[tuple[str, tuple[Controller, ...], tuple[Controller, ...]], str] = field(
        default_factory=dict
    )
    """What gives the words of a source again: loads of the same words share it."""
    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, instance: Instance) -> str:
        """The instance's name, with a number where it is taken."""
        number = self._numbers.get(name, 0)
        new = f"{name}_{number}" if number else name
        while new in self.instances:
            number += 1
            new = f"{name}_{number}"
        self._numbers[name] = number
        self.instances[new] = instance
        return new

    def kernel(self, operation: str) -> str:
        """The name of the kernel that runs an operation."""
        return self.accelerator.operation(operation).function

    def start(self, operation: str) -> Start:
        return self.schedule.starts[operation]

    def access(self, operation: Operation, number: int) -> Access:
        tensor = operation.store.tensor if number < 0 else operation.loads[number].tensor
        start = self.start(operation.name)
        return Access(operation, number, start, self._places[tensor])

    @cached_property
    def _places(self) -> dict[str, Memory]:
        return memories(self.accelerator)

    def ports(self, operation: Operation) -> list[int]:
        """Places of the loads that come in through ports; tables are inside the kernel."""
        tensors = self.accelerator.tensors
        return [k for k, load in enumerate(operation.loads) if load.tensor in tensors]

    def every(self, operation: Operation) -> tuple[Controller, ...]:
        """All cycles in which an operation runs."""
        start = self.start(operation.name)
        return fit_loops(controller(start, whole(start)))

    def delayed(self, source: str, cycles: int, buffer: str, name: str) -> str:
        """What is at a port so many cycles later, by registers."""
        for _ in range(cycles):
            register = self.add(name, Delay(buffer))
            self.connections.append((source, f"{register}.in"))
            source = f"{register}.out"
        return source

    def choose(self, user: str, wanted: Mapping[str, tuple[Controller, ...]]) -> str:
        """What gives the words of several sources, each in its cycles: a multiplexer, or the only
        one.
        """
        if len(wanted) == 1:
            return next(iter(wanted))
        name = self.add(f"{user}_mux", Mux(tuple(wanted.values())))
        self.connections += [(each, f"{name}.in{k}") for k, each in enumerate(wanted)]
        return f"{name}.out"
