"""A design measured: compiled, printed, and its files executed cycle by cycle."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.driver.designs import Steps
from s2s.scop.errors import Illegal, Inexpressible
from s2s.scop.netlist import Memory, Mux
from s2s.simulators.amber.command import run_design
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.processing import count_elements

if TYPE_CHECKING:
    from s2s.scop.accelerator import Accelerator, Operation
    from s2s.scop.nest import For

FAILURES = (UserError, MappingError, Inexpressible, Illegal)


@dataclass(frozen=True)
class Measured:
    """What a design takes, or why there is none (``failure``); what is known until then stays.

    ``cycles`` are one run's, from the simulation if ``simulated``, else from the schedule;
    ``terms`` their sum in words; ``runs`` how often the host starts the array. ``operations`` and
    ``buffers`` are those of the memory file, ``windows`` kernels with several operands from a
    buffer. ``pes``, ``registers``, ``muxes``, ``memories`` (tiles) are instances; of multiplexers
    each choice of two takes a PE. ``words`` are the capacities of all buffers, ``largest`` the
    words of the largest tile. ``lanes`` are streams that go out, ``lane_words`` the words of one,
    ``elements`` of all in a run. ``ideal`` are the cycles in which the last kernels fire, where
    it was simulated. ``details``: JSON, capacities and first reads by buffer, lines by file, what
    all PEs do (``work``), words of all streams (``streamed``).
    Seconds are by step.
    """

    failure: str = ""
    cycles: int = 0
    simulated: bool = False
    rule: str = ""
    terms: str = ""
    runs: int = 0
    operations: int = 0
    windows: int = 0
    buffers: int = 0
    pes: int = 0
    registers: int = 0
    muxes: int = 0
    memories: int = 0
    words: int = 0
    largest: int = 0
    lanes: int = 0
    lane_words: int = 0
    elements: int = 0
    ideal: int = 0
    details: str = "{}"
    frontend_seconds: float = 0.0
    schedule_seconds: float = 0.0
    mapping_seconds: float = 0.0
    files_seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether there is a design."""
        return not self.failure

    @property
    def seconds(self) -> float:
        """From the source to the files."""
        return (
            self.frontend_seconds
            + self.schedule_seconds
            + self.mapping_seconds
            + self.files_seconds
        )

    @property
    def total(self) -> int:
        """Cycles of all runs."""
        return self.cycles * self.runs


def measure(steps: Steps, *, simulate: bool = True) -> Measured:
    """All steps, and a run of the files if ``simulate``."""
    found = Measured()
    try:
        found = _with_program(found, steps)
        found = _with_schedule(found, steps)
        found = _with_netlist(found, steps)
        found = _with_files(found, steps)
        if simulate:
            found = _with_run(found, steps)
    except FAILURES as error:
        found = replace(found, failure=reason(error))
    spent = steps.seconds
    return replace(
        found,
        frontend_seconds=spent.get("frontend", 0.0),
        schedule_seconds=spent.get("schedule", 0.0),
        mapping_seconds=spent.get("mapping", 0.0),
        files_seconds=spent.get("files", 0.0),
    )


def reason(error: Exception) -> str:
    """What went wrong, in a line."""
    if isinstance(error, UserError):
        return "; ".join(d.text for d in error.diagnostics)
    return str(error)


def _with_program(found: Measured, steps: Steps) -> Measured:
    program = steps.program
    accelerator = program.accelerator
    around = program.surroundings.around if program.surroundings else ()
    given = [o for o in accelerator.operations if o.store.tensor in accelerator.outputs]
    words = [prod(o.extents) for o in given]
    return replace(
        found,
        runs=count_runs(around),
        operations=len(accelerator.operations),
        windows=_windows(accelerator.operations),
        lanes=len(given),
        lane_words=max(words),
        elements=sum(words),
    )


def count_runs(around: Iterable[For]) -> int:
    """How often the loops around the accelerator start it; 0 where that is not known."""
    from s2s.scop.accelerator import constant
    from s2s.scop.expressions import Const

    extents = [loop.extent for loop in around]
    return prod(constant(e) for e in extents) if all(isinstance(e, Const) for e in extents) else 0


def _windows(operations: Iterable[Operation]) -> int:
    """Functions of which an operation takes several elements of a buffer."""
    several = set()
    for operation in operations:
        tensors = [load.tensor for load in operation.loads if load.tensor != operation.store.tensor]
        if len(tensors) > len(set(tensors)):
            several.add(operation.function)
    return len(several)


def _with_schedule(found: Measured, steps: Steps) -> Measured:
    schedule = steps.scheduled.schedule
    terms = " + ".join(f"{term.shown} ({term.name})" for term in schedule.total)
    return replace(found, cycles=schedule.cycles, rule=schedule.rule, terms=terms)


def _with_netlist(found: Measured, steps: Steps) -> Measured:
    netlist = steps.netlist
    tiles = [m for m in netlist.instances.values() if isinstance(m, Memory)]
    tiles = [m for m in tiles if m.mode not in ("register_file", "global_buffer")]
    muxes = [m for m in netlist.instances.values() if isinstance(m, Mux)]
    return replace(
        found,
        cycles=netlist.cycles,
        pes=netlist.pes + sum(len(m.select) - 1 for m in muxes),
        registers=netlist.registers,
        muxes=len(muxes),
        memories=sum(m.tiles for m in tiles),
        largest=max((m.capacity for m in tiles), default=0),
    )


def _with_files(found: Measured, steps: Steps) -> Measured:
    buffers, accelerator = steps.compiled.buffers, steps.compiled.accelerator
    details: dict[str, Any] = {
        "capacities": {each.name: each.capacity for each in buffers},
        "first_reads": _first_reads(accelerator, steps),
        "lines": {name: text.count("\n") for name, text in steps.files.items()},
        "work": sum(count_elements(o.value) * prod(o.extents) for o in accelerator.operations),
        "streamed": sum(
            prod(o.extents) for o in accelerator.operations if is_stream(accelerator, o)
        ),
    }
    return replace(
        found,
        buffers=len(buffers),
        words=sum(each.capacity for each in buffers),
        details=json.dumps(details),
    )


def is_stream(accelerator: Accelerator, operation: Operation) -> bool:
    """Whether an operation takes a word of an input or gives one of an output."""
    loads = {load.tensor for load in operation.loads}
    return operation.store.tensor in accelerator.outputs or bool(loads & set(accelerator.inputs))


def _first_reads(accelerator: Accelerator, steps: Steps) -> dict[str, tuple[int, int]]:
    """For each buffer when it is read first, and the cycles from one row to the next then."""
    found: dict[str, tuple[int, int]] = {}
    for operation in accelerator.operations:
        start = steps.scheduled.schedule.starts[operation.name]
        rows = [s for s, e in zip(start.strides, start.extents, strict=True) if e > 1]
        for load in operation.loads:
            offset = start.offset, rows[-2] if len(rows) > 1 else 0
            found[load.tensor] = min(found.get(load.tensor, offset), offset)
    return found


def _with_run(found: Measured, steps: Steps) -> Measured:
    with tempfile.TemporaryDirectory(prefix="s2s-design-") as folder:
        for name, text in steps.files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        name = next(name for name in steps.files if name.endswith("_design.json"))
        counted = run_design(f"{folder}/{name}").record
    ideal = round((counted["compute_occupancy"] or 0) * counted["cycles"])
    return replace(
        found,
        cycles=counted["cycles"],
        simulated=True,
        pes=counted["pes"],
        memories=counted["memory_tiles"],
        registers=counted["registers"],
        ideal=ideal,
    )
