"""A design of a Halide-like file step by step, so that each can be timed and looked at alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from s2s.source import SourceBuffer
from s2s.source.records import dataclass
from s2s.targets.source_options import SourceOptions

if TYPE_CHECKING:
    from s2s.scop.netlist import Netlist
    from s2s.scop.pipeline import Func, Pipeline
    from s2s.targets.clockwork.design import Compiled
    from s2s.targets.forms import AcceleratorProgram
    from s2s.targets.request import Request
    from s2s.transforms.clockwork.schedule import Scheduled

T = TypeVar("T")


@dataclass
class Steps:
    """A design on its way; a step runs when it is asked for, and once.

    ``sharing``: what operations of one kernel have in common, ``memory``: the kind of memories
    (``MappingOptions``), empty for the defaults. ``seconds``, of CPU time, by step that has run:
    "frontend", "schedule", "mapping", "files".
    Steps raise UserError (the source), and MappingError and Inexpressible (the array).
    """

    buffer: SourceBuffer
    given: SourceOptions
    flags: Sequence[str] = ()
    sharing: str = ""
    memory: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    @cached_property
    def pipeline(self) -> Pipeline:
        """What the source says: with its schedule for an array, or as it is without one."""
        from s2s.driver.accelerators import accelerated
        from s2s.frontends.halide.evaluate import evaluate

        given = self.given
        found = accelerated(self._request)
        if found is not None:
            return found
        return evaluate(
            self.buffer.path,
            self.buffer.data,
            self.flags,
            generator=given.generator or None,
            parameters=dict(given.parameters),
        )

    @property
    def _request(self) -> Request:
        from s2s.targets.request import Request

        return Request(self.buffer, self.flags, self.given)

    @cached_property
    def program(self) -> AcceleratorProgram:
        """The accelerator with what is around it."""
        from s2s.driver.accelerators import accelerator_of

        return self._timed("frontend", lambda: accelerator_of(self._request))

    @cached_property
    def scheduled(self) -> Scheduled:
        """With cycles, proved."""
        from s2s.transforms.clockwork.schedule import schedule

        accelerator = self.program.accelerator
        return self._timed("schedule", lambda: schedule(accelerator))

    @cached_property
    def netlist(self) -> Netlist:
        """Mapped to the array."""
        from s2s.transforms.clockwork.fit_design import DEFAULTS, MappingOptions
        from s2s.transforms.clockwork.mapping import map_design

        found = self.scheduled
        options = MappingOptions(
            memory=self.memory or DEFAULTS.memory, sharing=self.sharing or DEFAULTS.sharing
        )
        return self._timed(
            "mapping",
            lambda: map_design(found.accelerator, found.schedule, options, found.dependences),
        )

    @cached_property
    def compiled(self) -> Compiled:
        """With unified buffers and compute units: all that the files have."""
        from s2s.targets.clockwork.design import Compiled, waits_for_words
        from s2s.transforms.clockwork.compute_units import compute_units
        from s2s.transforms.clockwork.unified_buffers import unified_buffers

        found, netlist = self.scheduled, self.netlist

        def complete() -> Compiled:
            units = compute_units(found.accelerator)
            buffers = unified_buffers(found.accelerator, found.schedule, found.turns)
            waiting = waits_for_words(netlist, self.memory) if self.memory else None
            return Compiled(found, netlist, units, buffers, handshakes=waiting)

        return self._timed("files", complete)

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The text of each file by name."""
        from s2s.targets.clockwork.design import print_files

        compiled = self.compiled
        return self._timed("files", lambda: print_files(compiled, self.program.host))

    def _timed(self, step: str, work: Callable[[], T]) -> T:
        begin = time.process_time()
        try:
            return work()
        finally:
            spent = time.process_time() - begin
            self.seconds[step] = self.seconds.get(step, 0.0) + spent


def steps(
    path: str,
    data: bytes,
    parameters: Mapping[str, str],
    *,
    generator: str = "",
    sizes: Sequence[tuple[str, tuple[int, ...]]] = (),
    flags: Sequence[str] = (),
    sharing: str = "",
    memory: str = "",
) -> Steps:
    """The steps for a source with these values of its generator's parameters."""
    given = SourceOptions(tuple(sizes), tuple(parameters.items()), generator)
    return Steps(SourceBuffer(path, data), given, flags, sharing, memory)


def algorithm_of(pipeline: Pipeline) -> dict[str, Func]:
    """The definitions alone, without schedules, bounds, and copies that a schedule makes."""
    from s2s.frontends.halide.algorithm import drop_schedule

    funcs = drop_schedule(pipeline).funcs
    copies = {w for f in pipeline.funcs.values() for w in f.schedule.wrappers.values()}
    kept = {name: func for name, func in funcs.items() if name not in copies}
    for func in kept.values():
        func.schedule.bounds = []
    return kept
