"""A run of a program to look at: migrations by line and nodelet, traffic, regions in time."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from s2s.source.pictures import Bars, Grid, Listing, Part, Picture, Slice, Table, Timeline

if TYPE_CHECKING:
    from s2s.simulators.emu.machine import Machine
    from s2s.simulators.emu.program import Run

_COUNTS = ("outbound", "created", "died", "loads", "stores", "atomics", "remotes")


def draw(run: Run, machine: Machine, path: str, text: str) -> Picture:
    """The picture of a run of the program of a file."""
    numbers = (
        (f"{run.cycles:,}", "cycles, estimated"),
        (f"{run.migrations:,}", "migrations"),
        (f"{sum(run.remotes):,}", "remote packets"),
        (f"{run.threads:,}", "threads"),
    )
    names = tuple(f"nodelet {k}" for k in range(len(run.outbound)))
    by_nodelet = tuple(
        (name, tuple(float(getattr(run, what)[k]) for what in ("outbound", "remotes", "loads")))
        for k, name in enumerate(names)
    )
    rows = tuple(
        (name, *(getattr(run, what)[k] for what in _COUNTS)) for k, name in enumerate(names)
    )
    traffic = tuple(tuple(float(v) for v in row) for row in run.traffic)
    short = tuple(str(k) for k in range(len(names)))
    nodelets: tuple[Part, ...] = (
        Grid("Migrations from nodelet (row) to nodelet (column)", short, short, traffic),
        Bars("What nodelets do", "count", ("migrations", "remote packets", "loads"), by_nodelet),
        Table("Counts of nodelets", ("nodelet", *_COUNTS), rows),
    )
    parameters = tuple((n, p.value, p.status, p.source) for n, p in machine.parameters.items())
    return Picture(
        f"{path} on {machine.name}", machine.name, numbers,
        (
            ("Lines", (_listing(run, text), _sites(run))),
            ("Nodelets", nodelets),
            ("Time", (_regions(run), _bounds(run))),
            ("Numbers", (
                Table("Numbers of the machine", ("name", "value", "status", "source"), parameters),
            )),
        ),
    )  # fmt: skip


def _listing(run: Run, text: str) -> Listing:
    counts: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for place, sites in enumerate((run.migrations_by_site, run.remotes_by_site)):
        for site, count in sites:
            counts[site.line][place] += count
    shown = {line: (two[0], two[1]) for line, two in counts.items() if line}
    return Listing("Migrations by line", text, ("migrations", "remote packets"), shown)


def _sites(run: Run) -> Table:
    rows = tuple((count, site.line, site.text) for site, count in run.migrations_by_site)
    return Table("Migrations by expression", ("migrations", "line", "expression"), rows)


def _regions(run: Run) -> Timeline:
    """The named parts of the run, one after another; the rest of the time is no part of one."""
    slices, at = [], 0.0
    for region in run.regions:
        slices.append(Slice(0, at, region.cycles, region.name))
        at += region.cycles
    if run.cycles > at:
        slices.append(Slice(0, at, run.cycles - at, "outside of regions"))
    note = "Estimated lengths, in the order of the program; what is outside of regions stands last."
    return Timeline("Regions", ("program",), tuple(slices), max(at, run.cycles), note)


def _bounds(run: Run) -> Bars:
    bounds = (
        ("chains of threads that wait", run.chain),
        ("the busiest nodelet", run.nodelet),
        ("thread contexts", run.contexts),
    )
    rows = tuple((name, (float(value),)) for name, value in bounds)
    return Bars("What bounds the time", "cycles", ("at least",), rows)
