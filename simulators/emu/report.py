"""A run's counts as text and as a record.

The table of migrations has the columns that Emu's own simulator writes to its ``.vsf`` file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from s2s.simulators.emu.machine import Machine
from s2s.simulators.emu.program import Run

_SITES = 20


def text(run: Run, machine: Machine, stats: Sequence[str]) -> str:
    """The wanted parts, one after another."""
    return "\n".join(_PARTS[name](run, machine) for name in stats if _PARTS[name](run, machine))


def record(run: Run, machine: Machine) -> dict[str, Any]:
    """All counts of a run, and the machine, for JSON."""
    lists = ("outbound", "created", "died", "loads", "stores", "atomics", "remotes", "traffic")
    return {
        "machine": machine.name,
        "parameters": {
            name: {"value": one.value, "status": one.status, "source": one.source}
            for name, one in machine.parameters.items()
        },
        "status": run.status,
        "migrations": run.migrations,
        "threads": run.threads,
        "remote_spawns": run.remote_spawns,
        "milliseconds": milliseconds(run.cycles, machine),
        **{name: getattr(run, name) for name in lists},
        "regions": [vars(region) for region in run.regions],
        "sites": [
            {"line": site.line, "text": site.text, "migrations": count}
            for site, count in run.migrations_by_site
        ],
    }


def milliseconds(cycles: float, machine: Machine) -> float:
    return 1000 * cycles / machine["clock_hz"]


def _migrations(run: Run, machine: Machine) -> str:
    head = ("Node ID", "Outbound Migrations", "Threads Created", "Threads Died", "Spawn Fails")
    rows = [
        (str(k), str(run.outbound[k]), str(run.created[k]), str(run.died[k]), "0")
        for k in range(len(run.outbound))
    ]
    sums = (run.migrations, run.threads, sum(run.died), 0)
    more = (
        f"remote packets {sum(run.remotes)}, atomics {sum(run.atomics)}, "
        f"loads {sum(run.loads)}, stores {sum(run.stores)}\n"
    )
    return _table([head, *rows, ("all", *map(str, sums))]) + more


def _time(run: Run, machine: Machine) -> str:
    parts = {
        "chains of threads that wait": run.chain,
        "the busiest nodelet": run.nodelet,
        "thread contexts": run.contexts,
    }
    shares = ", ".join(
        f"{name} {milliseconds(part, machine):.3f}" for name, part in parts.items() if part
    )
    estimate = f"estimated time {milliseconds(run.cycles, machine):.3f} ms"
    return f"{estimate} (bound by, in ms: {shares})\n" if shares else f"{estimate}\n"


def _regions(run: Run, machine: Machine) -> str:
    if not run.regions:
        return ""
    head = ("region", "migrations", "remote packets", "threads", "ms")
    rows = [
        (
            region.name,
            str(region.migrations),
            str(region.remotes),
            str(region.threads),
            f"{milliseconds(region.cycles, machine):.3f}",
        )
        for region in run.regions
    ]
    return _table([head, *rows])


def _sites(run: Run, machine: Machine) -> str:
    head = ("migrations", "line", "expression")
    rows = [
        (str(count), str(site.line or "-"), site.text) for site, count in run.migrations_by_site
    ]
    rest = f"and {len(rows) - _SITES} more places\n" if len(rows) > _SITES else ""
    return _table([head, *rows[:_SITES]], left=(2,)) + rest


def _traffic(run: Run, machine: Machine) -> str:
    numbers = [str(k) for k in range(len(run.traffic))]
    rows = [(k, *map(str, row)) for k, row in zip(numbers, run.traffic, strict=True)]
    return _table([("from \\ to", *numbers), *rows])


def _parameters(run: Run, machine: Machine) -> str:
    rows = [
        (name, str(one.value), one.status, one.source) for name, one in machine.parameters.items()
    ]
    head = ("parameter", "value", "status", "source")
    return _table([head, *rows], left=(0, 2, 3))


def _table(rows: Iterable[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    lines = list(rows)
    widths = [max(len(row[k]) for row in lines) for k in range(len(lines[0]))]
    padded = (
        "  ".join(
            cell.ljust(width) if k in left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in lines
    )
    return "".join(f"{line.rstrip()}\n" for line in padded)


_PARTS: dict[str, Callable[[Run, Machine], str]] = {
    "migrations": _migrations,
    "time": _time,
    "regions": _regions,
    "sites": _sites,
    "traffic": _traffic,
    "parameters": _parameters,
}
