"""What is printed of a mapping: the machine's counts and the models' figures beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from s2s.simulators.spatial.costs.figures import Figures
from s2s.simulators.spatial.cuts import Plan
from s2s.simulators.spatial.execution import Execution
from s2s.simulators.spatial.machine import Machine

_ROWS = (
    ("cycles", "cycles"),
    ("  computing", "compute"),
    ("  filling, before the first step", "fill"),
    ("  waiting for the network", "noc_stalls"),
    ("  waiting for L3", "l3_stalls"),
    ("  waiting for DRAM", "dram_stalls"),
    ("steps", "steps"),
    ("L1 needed, bytes", "l1"),
    ("L2 needed, bytes", "l2"),
    ("L3 needed, bytes", "l3"),
)
_MOVED = (
    ("network to L1", "noc_in"),
    ("network from L1", "noc_out"),
    ("received by L1s", "l1_in"),
    ("sent by L1s", "l1_out"),
    ("DRAM to L2, whole blocks", "dram_in"),
    ("L2 to DRAM, whole blocks", "dram_out"),
    ("L3 to L2", "l2_in"),
    ("L2 to L3", "l2_out"),
    ("sums that L2 adds to", "rereads"),
)


def table(figures: Sequence[Figures], machine: Machine) -> list[str]:
    """The figures of several models in columns; all with units."""
    rows = [["", *(one.model for one in figures)]]
    for title, key in _ROWS:
        if key.startswith("l3") and not machine.l3:
            continue
        scale = machine.element_bytes if key in ("l1", "l2", "l3") else 1
        rows.append([title, *(str(getattr(one, key) * scale) for one in figures)])
    for title, key in _MOVED:
        if key.startswith("l2") and not machine.l3:
            continue
        title = title.replace("L2", "L3") if key.startswith("dram") and machine.l3 else title
        for place, tensor in enumerate(figures[0].traffic):
            values = [getattr(one.traffic[place], key) for one in figures]
            if any(values):
                size = machine.element_bytes
                rows.append([f"{tensor.name} {title}, bytes", *(str(v * size) for v in values)])
    rows.append(
        ["energy, multiply-accumulates", *(f"{one.energy(machine):.6g}" for one in figures)]
    )
    rows.append(
        ["utilization, percent", *(f"{100 * one.utilization(machine):.1f}" for one in figures)]
    )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(_aligned(row, widths)) for row in rows]


def _aligned(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    yield row[0].ljust(widths[0])
    yield from (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))


def activity(plan: Plan, done: Execution) -> Iterator[str]:
    """For each cluster of the outermost level the part of the time in which it multiplies."""
    top = next((cut for cut in plan.cuts if cut.units > 1), None)
    clusters = top.units if top else 1
    inside = _inside(plan)
    busy = [0] * clusters
    for element, cycles in enumerate(done.busy):
        busy[_cluster(plan, element, inside)] += cycles
    whole = done.figures.cycles * max(1, len(done.busy) // clusters)
    parts = [(index, 100 * cycles / whole) for index, cycles in enumerate(busy)]
    along = f" along {top.dim}" if top else ""
    yield f"activity of {clusters} clusters of {len(done.busy) // clusters} elements{along}:"
    start = 0
    for end in range(1, clusters + 1):
        if end == clusters or parts[end][1] != parts[start][1]:
            name = f"{start}" if end == start + 1 else f"{start} to {end - 1}"
            part = parts[start][1]
            yield f"  {name:>12}  {part:5.1f} %  {'#' * round(part / 2.5)}"
            start = end


def _inside(plan: Plan) -> dict[str, int]:
    """Units of each dimension."""
    return {dim: prod(cut.units for cut in plan.cuts if cut.dim == dim) for dim in plan.extents}


def _cluster(plan: Plan, element: int, units: dict[str, int]) -> int:
    top = next((cut for cut in plan.cuts if cut.units > 1), None)
    if top is None:
        return 0
    for dim in reversed(list(plan.extents)):
        element, unit = divmod(element, units[dim])
        if dim == top.dim:
            return unit // (units[dim] // top.units)
    return 0


def numbers(machine: Machine) -> list[str]:
    """The machine's numbers with what they rest on."""
    return [
        f"  {name} = {one.value} {one.unit} ({one.status}: {one.source})"
        for name, one in machine.parameters.items()
    ]
