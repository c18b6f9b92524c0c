"""How many words of a row an operation needs before its first result: the fill of registers."""

from __future__ import annotations

from s2s.scop.accelerator import Accelerator, Operation
from s2s.transforms.clockwork.accesses import evaluate
from s2s.transforms.clockwork.levels import Levels, slopes


def fill(accelerator: Accelerator, operation: Operation, levels: Levels) -> int:
    """Iterations of the innermost loop in which the window comes in, before the first result.

    A window of 3 that moves by 1 needs 2; one of 2 that moves by 2 is read as a whole from
    different banks and needs none.
    """
    place = levels.loops[operation.name][-1]
    if place is None:
        return 0
    name = operation.loops[place].name
    most = 0
    for tensor in {load.tensor for load in operation.loads} & set(accelerator.tensors):
        loads = [load for load in operation.loads if load.tensor == tensor]
        for dimension in range(len(loads[0].subscripts)):
            steps = slopes(loads[0].subscripts[dimension], frozenset({name}))
            step = steps.get(name)
            if step:
                values = {loop.name: 0 for loop in operation.loops}
                places = [int(evaluate(load.subscripts[dimension], values)) for load in loads]
                window = max(places) - min(places) + 1
                most = max(most, -int((step - window) // step))
    return most
