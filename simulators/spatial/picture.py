"""Runs of mappings to look at: where cycles go, what moves between levels, who is busy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from s2s.source.pictures import Bars, Grid, Part, Picture, Slice, Table, Timeline
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.spatial.costs.figures import Figures
    from s2s.simulators.spatial.cuts import Plan
    from s2s.simulators.spatial.execution import Execution
    from s2s.simulators.spatial.machine import Machine

_PHASES = (
    ("filling", "fill"),
    ("computing", "compute"),
    ("waiting for the network", "noc_stalls"),
    ("waiting for DRAM", "dram_stalls"),
)
_WIDE = 32


@dataclass(frozen=True)
class Simulated:
    """A layer that ran, with the figures of several models, those of the run first."""

    name: str
    plan: Plan
    figures: Sequence[Figures]
    execution: Execution


def draw(layers: Sequence[Simulated], machine: Machine) -> Picture:
    """The picture of all layers of a file; a view for each."""
    cycles = sum(one.figures[0].cycles for one in layers)
    macs = sum(one.figures[0].macs for one in layers)
    used = macs / (cycles * machine.elements) if cycles else 0.0
    numbers = (
        (f"{cycles:,}", "cycles"),
        (f"{macs:,}", "multiplications"),
        (f"{100 * used:.1f} %", "of the elements' cycles used"),
    )
    views: list[tuple[str, tuple[Part, ...]]] = [
        (one.name, tuple(_layer(one, machine))) for one in layers
    ]
    rows = tuple((n, p.value, p.unit, p.status, p.source) for n, p in machine.parameters.items())
    columns = ("name", "value", "unit", "status", "source")
    views.append(("Numbers", (Table("Numbers of the machine", columns, rows),)))
    names = ", ".join(one.name for one in layers)
    return Picture(f"{names} on {machine.name}", machine.name, numbers, tuple(views))


def _layer(one: Simulated, machine: Machine) -> Iterator[Part]:
    done = one.figures[0]
    yield _phases(one.name, done)
    names = tuple(title for title, _ in _PHASES)
    rows = tuple(
        (f.model, tuple(float(getattr(f, key)) for _, key in _PHASES)) for f in one.figures
    )
    yield Bars("Where cycles go", "cycles", names, rows)
    size = machine.element_bytes
    levels = ("DRAM and L2", "L2 and L1", "L1 and units")
    moved = tuple(
        (t.name, tuple(float(size * v) for v in
                       (t.dram_in + t.dram_out, t.noc_in + t.noc_out, t.l1_in + t.l1_out)))
        for t in done.traffic
    )  # fmt: skip
    note = "Between L2 and L1 a multicast counts once, at the elements once for each that gets it."
    yield Bars("Bytes that move between levels", "bytes", levels, moved, note)
    buffers = tuple((f.model, (float(size * f.l1), float(size * f.l2))) for f in one.figures)
    yield Bars("Room in buffers that is needed", "bytes", ("L1", "L2"), buffers)
    yield _mapping(one)
    yield _elements(one)


def _phases(name: str, done: Figures) -> Timeline:
    slices, at = [], 0.0
    for place, (title, key) in enumerate(_PHASES):
        length = float(getattr(done, key))
        if length:
            slices.append(Slice(place, at, length, title))
        at += length
    note = "Sums over the whole run, one after another: steps are many and alternate."
    return Timeline(f"Cycles of {name}", tuple(t for t, _ in _PHASES), tuple(slices), at, note)


def _mapping(one: Simulated) -> Table:
    rows = tuple((c.dim, c.tile, c.units, "DRAM" if c.outer else "L2") for c in one.plan.cuts)
    return Table(
        "Cuts of the mapping, outermost first",
        ("dimension", "tile", "units", "tiles come from"),
        rows,
    )


def _elements(one: Simulated) -> Grid:
    """The part of the time in which each processing element multiplies."""
    busy, cycles = one.execution.busy, max(1, one.figures[0].cycles)
    width = min(_WIDE, len(busy)) or 1
    shares = [100 * value / cycles for value in busy]
    rows = [tuple(shares[k : k + width]) for k in range(0, len(shares), width)]
    rows[-1] = rows[-1] + (0.0,) * (width - len(rows[-1]))
    return Grid(
        "Processing elements, % of the time in which they multiply",
        tuple(str(k * width) for k in range(len(rows))), tuple(map(str, range(width))),
        tuple(rows),
    )  # fmt: skip
