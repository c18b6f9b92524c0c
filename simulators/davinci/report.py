"""Where the cycles of a run are: by pipe, by line, by path; how full the lanes are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from s2s.simulators.davinci.kinds import PIPES
from s2s.simulators.davinci.machine import Chip

if TYPE_CHECKING:
    from s2s.simulators.davinci.core.execute import Execution

LINES = 12


def record(execution: Execution, chip: Chip) -> dict[str, Any]:
    """All that was counted. Cycles are the core's; ticks those of the chip's counters."""
    slowest = max(execution.cores, key=lambda core: core.clock.cycles)
    clock = slowest.clock
    lines: dict[int, dict[str, list[float]]] = defaultdict(dict)
    for (line, pipe), counted in sorted(clock.by_line.items()):
        lines[line][pipe] = [int(counted[0]), round(counted[1], 1)]
    cycles = execution.cycles
    return {
        "machine": chip.name,
        "kernel": execution.kernel.name,
        "blocks": len(execution.cores),
        "rounds": -(-len(execution.cores) // chip.size("cores")),
        "cycles": round(cycles, 1),
        "ticks": round(cycles * chip["counter_mhz"] / chip["clock_mhz"], 1),
        "pipes": {
            name: {
                "instructions": clock.pipes[name].count,
                "cycles": round(clock.pipes[name].busy, 1),
            }
            for name in PIPES
            if clock.pipes[name].count
        },
        "bytes": dict(slowest.moved),
        "lanes": round(slowest.lanes_used / slowest.lanes_all, 4) if slowest.lanes_all else None,
        "lines": {str(line): by_pipe for line, by_pipe in lines.items()},
        "parameters": {
            name: {"value": n.value, "status": n.status, "source": n.source}
            for name, n in chip.numbers.items()
        },
    }


def as_text(found: Mapping[str, Any], source: Sequence[str]) -> str:
    """The record for a person, the lines with the most cycles first."""
    cycles = found["cycles"]
    said = [
        f"{found['kernel']} on {found['machine']}: {cycles:,.0f} core cycles, "
        f"{found['ticks']:,.0f} ticks of the 100 MHz counter\n",
        f"blocks: {found['blocks']}, one on a core; the slowest one counts\n",
    ]
    for name, pipe in found["pipes"].items():
        share = 100 * pipe["cycles"] / cycles if cycles else 0.0
        said.append(
            f"  pipe {name:4} {pipe['instructions']:>8,} instructions {pipe['cycles']:>12,.0f} "
            f"cycles busy ({share:.1f} %)\n"
        )
    said += [f"  {path}: {count:,} bytes\n" for path, count in found["bytes"].items()]
    if found["lanes"] is not None:
        said.append(f"  lanes of the vector unit in use: {100 * found['lanes']:.1f} %\n")
    said.append("lines with the most cycles:\n")
    rows = [
        (busy, int(line), pipe, count)
        for line, by_pipe in found["lines"].items()
        for pipe, (count, busy) in by_pipe.items()
    ]
    for busy, line, pipe, count in sorted(rows, key=lambda row: (-row[0], row[1]))[:LINES]:
        text = source[line - 1].strip() if line <= len(source) else ""
        said.append(f"  {line:>5}  {pipe:4} {count:>8,} x {busy:>12,.0f}  {text[:60]}\n")
    unsure = [n for n, p in found["parameters"].items() if p["status"] != "documented"]
    said.append(
        f"{len(found['parameters']) - len(unsure)} numbers of the machine are documented; not so: "
        f"{', '.join(unsure)} (--parameters says more)\n"
    )
    return "".join(said)


def parameters(chip: Chip) -> str:
    """The machine's numbers, a line each."""
    width = max(map(len, chip.numbers))
    return "".join(
        f"  {name:{width}} {n.value:>10g}  {n.status:10} {n.source}\n"
        for name, n in chip.numbers.items()
    )
