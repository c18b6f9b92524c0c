"""Scalar replacement across the iterations of innermost loops.

::

    for j: a[i][j] = f(a[i][j - 1])      t = a[i][0]; for j: a[i][j] = t = f(t)

S. Carr and K. Kennedy, "Scalar replacement in the presence of conditional control flow", 1994. What
an iteration writes, the next one has in a register: it does not wait for the store to reach memory.
"""

from __future__ import annotations

from dataclasses import replace

from s2s.analyses.recurrences import recurrences
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism, Role


def rotate(scop: Scop) -> Scop:
    """Let locals carry elements along the innermost loop of the target schedule.

    Which ones is proved by ``s2s.analyses.recurrences``. Vector and parallel loops stay, and so do
    loops that carry no written element to a read: they wait for nothing.
    """
    assert scop.target is not None
    bands = [i for i, d in enumerate(scop.target.dimensions) if d.role is Role.BAND]
    if not bands or scop.target.dimensions[bands[-1]].parallelism is not Parallelism.NONE:
        return scop
    found = recurrences(scop, bands[-1])
    if not any(scop.statement(r.statement).accesses[r.access].write for r in found):
        return scop
    return replace(scop, target=replace(scop.target, rotated=found))
