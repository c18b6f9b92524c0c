"""What a design costs at least, from its operations alone, without a schedule.

A kernel starts one iteration in a cycle, so a run takes the iterations of the busiest kernel
(those of all operations that share it), but for the last ones where a stream goes on after the last
output. For stencils that is what the schedule's rows come to: the input's ``(H + d)*(n + d)``
iterations are the longest.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from s2s.driver.designs import Steps
from s2s.scop.expressions import Const
from s2s.source.records import dataclass
from s2s.transforms.clockwork.estimate import count_pes
from s2s.tuning.clockwork.measured import FAILURES, count_runs, is_stream, reason

if TYPE_CHECKING:
    from s2s.scop.accelerator import Accelerator, Operation
    from s2s.scop.pipeline import Pipeline


@dataclass(frozen=True)
class Bound:
    """The least cycles of a run and what they are (``shown``), runs, PEs without multiplexers,
    lanes of all streams (``streams``), the words of the longest one (``words``), and how many
    operations there are. ``failure``: why there is no such design.
    """

    failure: str = ""
    cycles: int = 0
    shown: str = ""
    runs: int = 0
    pes: int = 0
    streams: int = 0
    words: int = 0
    operations: int = 0

    @property
    def total(self) -> int:
        """Of all runs."""
        return self.cycles * self.runs


Extents = tuple[tuple[int | None, ...], ...]


def extents_of(pipeline: Pipeline) -> Extents:
    """What the program sets its outputs' extents to, by output and dimension."""
    found = []
    for name in pipeline.outputs:
        func = pipeline.funcs[name]
        known = {
            b.var: int(b.extent.value) for b in func.schedule.bounds if isinstance(b.extent, Const)
        }
        found.append(tuple(known.get(var) for var in func.vars))
    return tuple(found)


def covers(extents: Extents, least: Extents) -> bool:
    """Whether outputs are at least as large in all dimensions."""
    pairs = zip(extents, least, strict=True)
    return all(
        small is None or (large is not None and large >= small)
        for one, other in pairs
        for large, small in zip(one, other, strict=True)
    )


def bound(steps: Steps, least: Extents = ()) -> Bound:
    """The bound of a design whose outputs have to cover those of ``least``."""
    try:
        program = steps.program
    except FAILURES as error:
        return Bound(failure=reason(error))
    around = program.surroundings
    if around is None:
        return Bound(failure="no pipeline")
    if least and not covers(extents_of(around.pipeline), least):
        return Bound(failure="its tiles do not cover the output")
    accelerator = program.accelerator
    cycles, shown = _busiest(accelerator)
    streams = [prod(o.extents) for o in accelerator.operations if is_stream(accelerator, o)]
    return Bound(
        cycles=cycles,
        shown=shown,
        runs=count_runs(around.around),
        pes=count_pes(accelerator.operations),
        streams=len(streams),
        words=max(streams),
        operations=len(accelerator.operations),
    )


def _busiest(accelerator: Accelerator) -> tuple[int, str]:
    """The most iterations of a kernel, and as a product with the kernel's name."""
    users: dict[str, list[Operation]] = {}
    for operation in accelerator.operations:
        users.setdefault(operation.function, []).append(operation)
    counts = {name: sum(prod(o.extents) for o in own) for name, own in users.items()}
    name = max(counts, key=lambda each: counts[each])
    products = ["*".join(str(e) for e in o.extents if e > 1) or "1" for o in users[name]]
    return counts[name], f"{' + '.join(products)} ({name.removeprefix('hcompute_')})"
