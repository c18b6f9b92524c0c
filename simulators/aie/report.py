"""What a simulation found, for people and as JSON."""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.instructions import Multiply
from s2s.simulators.aie.program import Array, Program, instructions, loops
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.aie.counts import Counts
    from s2s.simulators.aie.execute import Execution
    from s2s.simulators.aie.timing.cycles import Cycles
    from s2s.simulators.aie.timing.machine import Machine

_MACS = re.compile(r"\b(\d+) multiplications\b")


@dataclass(frozen=True)
class Report:
    """A kernel that ran: its text, what it left, what it took; ``compared`` says with what."""

    text: str
    program: Program
    execution: Execution
    cycles: Cycles
    compared: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    """Inputs about whose extents nothing is said: they have what the kernel reads."""

    @property
    def multiplications(self) -> int:
        """Those of the machine, the padded ones too."""
        return self.execution.counts.multiplications

    @property
    def useful(self) -> int:
        """Multiplications that the kernel is for, as a comment in it says; else all of them."""
        said = _MACS.search(self.text)
        return int(said[1]) if said else self.multiplications

    @property
    def rate(self) -> float:
        """Useful multiplications in a cycle."""
        return self.useful / max(self.cycles.total, 1)

    @property
    def peak(self) -> int:
        """Multiplications in a cycle if every one had the kernel's widest instruction."""
        found = [one for one in instructions(self.program.body) if isinstance(one, Multiply)]
        return max((one.shape.multiplications for one in found), default=0)

    @property
    def arrays(self) -> list[Array]:
        """Those that others than the kernel can see."""
        parts = (*self.program.parameters, *self.program.arrays)
        arrays = [one for one in parts if isinstance(one, Array)]
        return [array for array in arrays if array.is_parameter or array.is_static]


def average_trips(program: Program, counts: Counts) -> dict[int, float]:
    """Iterations per entry of the loops that ran, by their number."""
    found = {}
    for loop in loops(program.body):
        counted = counts.loops.get(loop.number, Counter())
        entries = sum(counted.values())
        if entries:
            found[loop.number] = sum(t * n for t, n in counted.items()) / entries
        else:
            found[loop.number] = 0.0
    return found


# -------------------------------------------------------------------------------------- for people


def as_text(report: Report, *, profile: bool, parameters: bool) -> str:
    """Arrays with a checksum, multiplications, cycles; with ``profile`` a line for each loop."""
    lines = [f"kernel {report.program.name} on {report.cycles.machine.name}"]
    lines += _array_lines(report)
    share = f", {report.useful} of them useful" if report.useful != report.multiplications else ""
    lines.append(f"multiplications {report.multiplications}{share}")
    if report.execution.result is not None:
        lines.append(f"result {report.execution.result}")
    lines += report.compared
    lines += _cycle_lines(report)
    if profile:
        lines += _loop_lines(report.cycles)
        lines.append(_basis(report.cycles.machine))
    if parameters:
        lines += _parameter_lines(report.cycles.machine)
    return "\n".join(lines) + "\n"


def _array_lines(report: Report) -> Iterator[str]:
    for array in report.arrays:
        said = _array(array, report.execution)
        extents = "".join(f"[{extent}]" for extent in said["extents"])
        line = f"  {said['direction']:5} {said['type']} {array.name}{extents} crc32 {said['crc32']}"
        yield f"{line} (as far as the kernel goes)" if array.name in report.ends else line


def _cycle_lines(report: Report) -> Iterator[str]:
    cycles = report.cycles
    if report.peak:
        share = f"{report.rate:.2f} multiplications per cycle, {report.rate / report.peak:.0%}"
        yield f"cycles {cycles.total}: {share} of {report.peak}"
    else:
        yield f"cycles {cycles.total}"
    most = cycles.machine["program_memory"]
    fits = "" if cycles.code_bytes <= most else ": the kernel does not fit"
    yield f"program memory {cycles.code_bytes} of {most} bytes{fits}"


_HEADS = (
    "line", "entries", "trips", "II", "stages", "prologue", "epilogue", "operations", "reloads",
    "spills", "copies", "bytes", "cycles", "bound by",
)  # fmt: skip


def _loop_lines(cycles: Cycles) -> list[str]:
    rows: list[Sequence[str]] = [_HEADS]
    for loop in cycles.loops:
        numbers = (
            loop.line, loop.entries, loop.trips, loop.interval, loop.stages, loop.prologue,
            loop.epilogue, loop.operations, loop.reloads, loop.spills, loop.copies,
            loop.code_bytes, loop.cycles,
        )  # fmt: skip
        why = loop.why if loop.pipelined else f"not pipelined: {loop.why}"
        rows.append([*(f"{number:g}" for number in numbers), why])
    if len(rows) == 1:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS) - 1)]
    return [
        "  ".join([*(cell.rjust(w) for cell, w in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    ]


def _basis(machine: Machine) -> str:
    counts = Counter(number.status for number in machine.numbers.values())
    said = ", ".join(f"{counts[status]} {status}" for status in sorted(counts))
    return f"numbers of the machine: {said} ('--parameters' lists them)"


def _parameter_lines(machine: Machine) -> Iterator[str]:
    for number in machine.numbers.values():
        yield f"  {number.name} = {number.value} [{number.status}] {number.source}"


# ---------------------------------------------------------------------------------------- as JSON


def as_json(report: Report) -> str:
    cycles = report.cycles
    numbers = cycles.machine.numbers.values()
    record = {
        "kernel": report.program.name,
        "machine": cycles.machine.name,
        "multiplications": report.multiplications,
        "useful_multiplications": report.useful,
        "cycles": cycles.total,
        "macs_per_cycle": report.rate,
        "peak_macs_per_cycle": report.peak,
        "code_bytes": cycles.code_bytes,
        "result": report.execution.result,
        "compared": list(report.compared),
        "arrays": [_array(one, report.execution) for one in report.arrays],
        "loops": [asdict(loop) for loop in cycles.loops],
        "parameters": {
            one.name: {"value": one.value, "status": one.status, "source": one.source}
            for one in numbers
        },
    }
    return json.dumps(record, indent=2) + "\n"


def _array(array: Array, execution: Execution) -> Mapping[str, Any]:
    values = execution.arrays[array.name]
    return {
        "name": array.name,
        "direction": array.direction.value,
        "type": str(array.element),
        "extents": list(values.shape),
        "crc32": f"{zlib.crc32(values.tobytes()):08x}",
    }
