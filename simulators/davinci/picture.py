"""A run of a kernel to look at: pipes over time, cycles of lines, what is moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from s2s.simulators.davinci.kinds import PIPES
from s2s.source.pictures import Bars, Listing, Picture, Slice, Table, Timeline

if TYPE_CHECKING:
    from s2s.simulators.davinci.core.execute import Execution

LIMIT = 100_000
"""Instructions whose times are kept, at most."""
_NAME = 40


def draw(execution: Execution, found: Mapping[str, Any], text: str) -> Picture:
    """The picture of a run; ``found`` is its record."""
    lines = {
        int(line): (sum(busy for _, busy in pipes.values()), sum(c for c, _ in pipes.values()))
        for line, pipes in found["lines"].items()
    }
    cycles = float(found["cycles"])
    lanes = found["lanes"]
    numbers = (
        (f"{cycles:,.0f}", "core cycles"),
        (f"{found['ticks']:,.0f}", "ticks of the counter"),
        (str(found["blocks"]), "blocks"),
        *(((f"{100 * lanes:.1f} %", "of the vector lanes"),) if lanes is not None else ()),
    )
    pipes = tuple(
        (name, (100 * one["cycles"] / cycles if cycles else 0.0,))
        for name, one in found["pipes"].items()
    )
    listing = Listing(
        "Cycles by line, of the slowest block", text, ("cycles", "instructions"), lines
    )
    moved = tuple(found["bytes"].items())
    return Picture(
        f"{found['kernel']} on {found['machine']}", found["machine"], numbers,
        (
            ("Time", (
                _timeline(execution, text.splitlines()),
                Bars("Pipes busy", "% of the cycles", ("busy",), pipes),
            )),
            ("Lines", (listing,)),
            ("Memory", (Table("Bytes by path", ("path", "bytes"), moved),)),
            ("Numbers", (_parameters(found["parameters"]),)),
        ),
    )  # fmt: skip


def _timeline(execution: Execution, source: Sequence[str]) -> Timeline:
    """The first block's instructions, a track for each pipe."""
    clock = execution.cores[0].clock
    slices = []
    for pipe, start, end, line in clock.log:
        text = source[line - 1].strip() if line <= len(source) else ""
        name = text.split("(")[0][:_NAME]
        slices.append(Slice(PIPES.index(pipe), start, end - start, name, line))
    is_cut = len(clock.log) >= LIMIT
    note = f"Only the first {LIMIT:,} instructions." if is_cut else ""
    end = clock.log[-1][2] if is_cut else clock.cycles
    return Timeline(
        "Pipes over time, first block", tuple(f"pipe {p}" for p in PIPES), tuple(slices), end, note
    )


def _parameters(found: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = tuple((n, one["value"], one["status"], one["source"]) for n, one in found.items())
    return Table("Numbers of the machine", ("name", "value", "status", "source"), rows)
