"""A mapping as a drawing of the levels: what each buffer holds, what goes on in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from s2s.simulators.spatial.costs.figures import Figures
from s2s.tuning.spatial.bound import roofline
from s2s.tuning.spatial.candidate import Candidate, Problem, footprints


def draw(problem: Problem, one: Candidate) -> Iterator[str]:
    """The levels from DRAM down to one element."""
    sizes, dims, machine = problem.sizes, problem.dims, problem.machine
    shared, array = one.shared(problem), one.array(problem)
    tile = [min(a, b) for a, b in zip(sizes, one.tile, strict=True)]
    yield f"DRAM   {_held(problem, sizes)}; {', '.join(_layouts(problem, one))}"
    deep = one.in_l3(problem)
    if machine.l3:
        yield from _loops(dims, one.top, sizes, deep)
        yield f"L3     {_held(problem, deep)}{_used(problem, deep, machine.l3)}"
    yield from _loops(dims, one.outer, deep, shared)
    yield f"L2     {_held(problem, shared)}{_used(problem, shared, machine.l2)}"
    yield from _loops(dims, one.inner, shared, array)
    spread = [f"{u} along {d}" for d, u in zip(dims, one.units, strict=True) if u > 1]
    used = prod(one.units)
    yield f"array  {' x '.join(spread) or '1'}: {used} of {machine.elements} elements"
    yield f"L1     {_held(problem, tile)}{_used(problem, tile, machine.l1)}"
    whole = ", ".join(f"{d} {t}" for d, t in zip(dims, tile, strict=True) if t > 1) or "one point"
    yield f"       one step: {whole} ({prod(tile)} multiplications)"


def _layouts(problem: Problem, one: Candidate) -> Iterator[str]:
    """Along which axis tensors lie in DRAM, where that was chosen."""
    plan = one.plan(problem)
    for tensor, axis in zip(plan.computation.tensors, plan.layouts, strict=True):
        yield f"{tensor.name} along {tensor.axes[axis]}"


def _loops(
    dims: Sequence[str], order: Sequence[int], whole: Sequence[int], tile: Sequence[int]
) -> Iterator[str]:
    for d in order:
        steps = -(-whole[d] // tile[d])
        if steps > 1:
            rest = whole[d] - (steps - 1) * tile[d]
            last = "" if rest == tile[d] else f", the last of {rest}"
            yield f"  for {dims[d]:2} {steps} tiles of {tile[d]}{last}"


def _held(problem: Problem, tile: Sequence[int]) -> str:
    names = [tensor.name for tensor in problem.layer.computation.tensors]
    return ", ".join(
        f"{name} {elements}"
        for name, elements in zip(names, footprints(problem, tile), strict=True)
    )


def _used(problem: Problem, tile: Sequence[int], room: int) -> str:
    needs = 2 * sum(footprints(problem, tile))
    size = problem.machine.element_bytes
    return f"  (twice: {needs * size} of {room * size} bytes)"


def explain_cycles(problem: Problem, figures: Figures) -> Iterator[str]:
    """Where the cycles go."""
    peak = roofline(problem.layer, problem.machine)
    cycles = figures.cycles
    yield f"cycles {cycles}: {cycles / peak:.4f} of the roofline ({peak:.0f} cycles)"
    for name, value in (
        ("computing", figures.compute),
        ("filling before the first step", figures.fill),
        ("waiting for the network", figures.noc_stalls),
        ("waiting for L3", figures.l3_stalls),
        ("waiting for DRAM", figures.dram_stalls),
    ):
        if name.endswith("L3") and not problem.machine.l3:
            continue
        yield f"  {name:30} {value:12} cycles  {100 * value / cycles:5.1f} %"
    machine = problem.machine
    yield f"energy {figures.energy(machine):.6g} multiply-accumulates ({machine.multipliers})"
    yield f"utilization {100 * figures.utilization(machine):.1f} % of {machine.elements} elements"
