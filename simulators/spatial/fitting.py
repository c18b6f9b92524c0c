"""Whether a mapping fits the buffers of a machine, and by how much it does not."""

from __future__ import annotations

from s2s.simulators.spatial.cuts import Plan, footprint
from s2s.simulators.spatial.machine import Machine


def overflows(plan: Plan, machine: Machine) -> list[str]:
    """For each buffer that is too small one sentence; empty where all fits.

    Tiles are there twice: one is used while the next one comes.
    """
    found = []
    buffers = [("L1", plan.tile(False), machine.l1), ("L2", plan.tile(True), machine.l2)]
    if machine.l3:
        buffers.append(("L3", plan.deep_tile(), machine.l3))
    for name, tile, room in buffers:
        parts = [(t.name, footprint(t, tile)) for t in plan.computation.tensors]
        needs = 2 * sum(elements for _, elements in parts)
        if needs > room:
            size = machine.element_bytes
            said = ", ".join(f"{name} {elements * size}" for name, elements in parts)
            found.append(
                f"{name} overflows by {(needs - room) * size} bytes: the tile needs "
                f"{needs * size} of {room * size} (twice {said})"
            )
    return found
