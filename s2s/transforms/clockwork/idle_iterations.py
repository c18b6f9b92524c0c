"""Last iterations of reductions that a condition leaves out whatever the other loops do.

A reduction under a condition keeps its sum where it does not hold::

    for y in 0..2 { for x in 0..3 { f = x <= y ? f + g(x) : f } }       x = 2 adds nothing

Halide asks producers for what the condition lets through, so such iterations load what nobody
computes. They change nothing, and are not run.
"""

from __future__ import annotations

from math import prod

from s2s.scop.accelerator import Operation, constant
from s2s.scop.expressions import Binary, Const, Expr, Load, Select, Unary, Variable, walk
from s2s.scop.nest import For
from s2s.transforms.clockwork.accesses import evaluate
from s2s.transforms.clockwork.errors import MappingError

_MOST = 1 << 16
"""Values of the condition that are looked at."""


def needed_iterations(operation: Operation) -> dict[str, int]:
    """The loops of a reduction that get fewer iterations, with how many are left of each."""
    import numpy as np

    condition = _condition(operation)
    if condition is None:
        return {}
    used = {node.name for node in walk(condition) if isinstance(node, Variable)}
    loops = [loop for loop in operation.loops if loop.name in used]
    extents = [constant(loop.extent) for loop in loops]
    if prod(extents) > _MOST:
        return {}
    values = np.ix_(*(_values(loop) for loop in loops))
    try:
        found = evaluate(condition, dict(zip((o.name for o in loops), values, strict=True)))
    except MappingError:
        return {}
    holds = np.broadcast_to(np.asarray(found, bool), extents)
    kept = {}
    placed = {name for each in operation.store.subscripts for name in each.variables}
    for axis, loop in enumerate(loops):
        others = tuple(k for k in range(len(loops)) if k != axis)
        last = np.flatnonzero(holds.any(axis=others))
        if loop.name not in placed and last.size and last[-1] + 1 < extents[axis]:
            kept[loop.name] = int(last[-1]) + 1
    return kept


def _values(loop: For) -> range:
    return range(constant(loop.minimum), constant(loop.minimum) + constant(loop.extent))


def _condition(operation: Operation) -> Expr | None:
    """Under which the element changes; None where that is not known from loops' variables."""
    value, store = operation.value, operation.store
    if not isinstance(value, Select) or not isinstance(value.otherwise, Load):
        return None
    old = value.otherwise
    if (old.tensor, old.subscripts) != (store.tensor, store.subscripts):
        return None
    return value.condition if all(map(_is_plain, walk(value.condition))) else None


def _is_plain(node: Expr) -> bool:
    """Whether it is computed as in whole numbers: nothing wraps around."""
    kinds = isinstance(node, Variable | Const | Binary | Unary)
    return kinds and (node.type.bits == 1 or (node.type.code == "int" and node.type.bits >= 32))
