"""What is printed, written and drawn of the mappings that were found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, log
from typing import TYPE_CHECKING

from s2s.source.spatial.writing import write_layer
from s2s.tuning.spatial.bound import roofline
from s2s.tuning.spatial.drawing import draw, explain_cycles
from s2s.tuning.spatial.networks import Result, Wanted
from s2s.tuning.spatial.spaces import spaces

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEAD = (
    "layers",
    "",
    "MACs",
    "cycles",
    "roofline",
    "gap %",
    "busy %",
    "energy, MACs",
    "DRAM bytes",
)


def layer(result: Result, wanted: Wanted) -> list[str]:
    """All that there is to say of one shape."""
    problem, outcome = result.problem, result.outcome
    found = spaces(problem, result.best.shared(problem))
    return [
        f"{', '.join(result.names)} ({problem.layer.kind.value}) on {wanted.machine.name}, "
        f"for {wanted.objective}",
        *explain_cycles(problem, result.figures),
        gap(result, wanted),
        "",
        *draw(problem, result.best),
        "",
        write_layer(result.best.mapped(problem)).rstrip(),
        "",
        f"space: {found.original:.2g} mappings with tiles that divide ({found.remainders:.2g} with "
        f"remainders); decoupled {found.off_chip:.2g} for DRAM and {found.on_chip:.2g} on chip",
        *_pruned(result),
        f"search: {outcome.branches} numbers of units, {outcome.considered} tiles and orders "
        f"estimated, {outcome.evaluated} mappings evaluated exactly",
        *_front(result, wanted),
    ]


def gap(result: Result, wanted: Wanted) -> str:
    """How far the mapping may be from the best one, by what was searched for."""
    least = result.outcome.cost_bound
    unit = {"runtime": "cycles", "energy": "multiply-accumulates"}.get(
        wanted.objective, "cycles x multiply-accumulates"
    )
    part = result.gap(wanted)
    said = f"at most {100 * part:.2f} % above the best mapping" if part else "no mapping is better"
    tiles = ", of those with tiles that divide" if wanted.divide or wanted.decoupled else ""
    kept = ", of those that keep what is fixed" if wanted.fixes or wanted.style else ""
    return f"gap: {said}{tiles}{kept} (lower bound {least:.12g} {unit})"


def _pruned(result: Result) -> Iterator[str]:
    if result.outcome.pruned:
        off_chip, on_chip = result.outcome.pruned
        yield (
            f"pruned: {off_chip:.2g} tiles for L2 that fit it, {on_chip:.2g} mappings on chip that "
            "fit L1 and use a tenth of the elements"
        )


def _front(result: Result, wanted: Wanted) -> Iterator[str]:
    yield "no other mapping that was found beats these in cycles and energy:"
    for _, figures in result.front[:8]:
        energy = figures.energy(wanted.machine)
        yield f"  {figures.cycles:14} cycles  {energy:12.6g} multiply-accumulates"


def rows(results: Sequence[Result], wanted: Wanted) -> list[tuple[str, ...]]:
    """A row for each shape, under ``HEAD``."""
    return [_row(one, wanted) for one in results]


def _row(one: Result, wanted: Wanted) -> tuple[str, ...]:
    names = one.names[0] if one.count == 1 else f"{one.names[0]} .. {one.names[-1]}"
    figures = one.figures
    peak = roofline(one.problem.layer, wanted.machine)
    return (
        names,
        f"x{one.count}",
        str(figures.macs),
        str(figures.cycles),
        f"{figures.cycles / peak:.4f}",
        f"{100 * one.gap(wanted):.2f}",
        f"{100 * figures.utilization(wanted.machine):.1f}",
        f"{figures.energy(wanted.machine):.4g}",
        str(figures.dram * wanted.machine.element_bytes),
    )


def sums(results: Sequence[Result], wanted: Wanted) -> Iterator[str]:
    """Cycles and energy of all layers."""
    machine = wanted.machine
    count = sum(one.count for one in results)
    cycles = sum(one.count * one.figures.cycles for one in results)
    energy = sum(one.count * one.figures.energy(machine) for one in results)
    peak = sum(one.count * roofline(one.problem.layer, machine) for one in results)
    yield (
        f"{count} layers, {len(results)} shapes on {machine.name} for {wanted.objective}: "
        f"{cycles} cycles ({cycles / (machine.clock * 10**3):.3f} ms at {machine.clock} MHz), "
        f"{energy:.6g} multiply-accumulates of energy ({machine.multipliers})"
    )
    if count:
        mean = f"{geometric_mean(results, wanted):.4f} (geometric mean)"
        yield f"cycles over the roofline: {mean}, {cycles / peak:.4f} (of sums)"


def geometric_mean(results: Sequence[Result], wanted: Wanted) -> float:
    """Of cycles over the roofline, each layer once."""
    total = sum(
        one.count * log(one.figures.cycles / roofline(one.problem.layer, wanted.machine))
        for one in results
    )
    return exp(total / sum(one.count for one in results))


def numbers(result: Result, wanted: Wanted) -> Iterator[tuple[str, float, str]]:
    """What is measured of a shape: its name, the value, the unit."""
    machine, figures = wanted.machine, result.figures
    yield "cycles", figures.cycles, "cycles"
    yield "over roofline", figures.cycles / roofline(result.problem.layer, machine), "times"
    yield "lower bound", result.outcome.bound, "cycles"
    yield "gap", 100 * result.gap(wanted), f"percent of the lower bound, for {wanted.objective}"
    yield "energy", figures.energy(machine), f"multiply-accumulates ({machine.multipliers})"
    yield "DRAM", figures.dram * machine.element_bytes, "bytes"


def network_front(results: Sequence[Result], wanted: Wanted) -> list[tuple[int, float]]:
    """Cycles and energy of the whole network, from the fastest mappings to the thriftiest ones.

    One layer after the other changes to the mapping that saves the most energy for a cycle.
    """
    machine = wanted.machine
    place = [0] * len(results)
    found = []
    while True:
        chosen = [one.front[p][1] for one, p in zip(results, place, strict=True)]
        counts = [one.count for one in results]
        cycles = sum(n * figures.cycles for n, figures in zip(counts, chosen, strict=True))
        energy = sum(n * figures.energy(machine) for n, figures in zip(counts, chosen, strict=True))
        found.append((cycles, energy))
        steps = []
        for index, one in enumerate(results):
            now = chosen[index]
            for other in range(place[index] + 1, len(one.front)):
                then = one.front[other][1]
                saved = now.energy(machine) - then.energy(machine)
                steps.append((saved / max(1, then.cycles - now.cycles), -index, -other))
        if not steps:
            return found
        _, index, other = max(steps)
        place[-index] = -other


def draw_front(results: Sequence[Result], wanted: Wanted) -> Figure:
    """The front of cycles and energy as a plot."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    front = network_front(results, wanted)
    cycles, energies = ([point[axis] for point in front] for axis in (0, 1))
    axes.plot(cycles, energies, "o-", markersize=3)
    for values, scale in ((cycles, axes.set_xscale), (energies, axes.set_yscale)):
        if values and 10 * min(values) < max(values):
            scale("log")
    axes.set_xlabel(f"cycles at {wanted.machine.clock} MHz")
    axes.set_ylabel("energy in multiply-accumulates")
    axes.set_title(f"{sum(one.count for one in results)} layers on {wanted.machine.name}")
    axes.grid(alpha=0.3)
    return figure
