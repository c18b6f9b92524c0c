"""How often a loop runs, where the text alone says so."""

from __future__ import annotations

from s2s.simulators.aie.floats import is_needed
from s2s.simulators.aie.instructions import Scalar
from s2s.simulators.aie.integers import divide
from s2s.simulators.aie.program import Block, Carried
from s2s.simulators.aie.reading.builder import Builder
from s2s.simulators.aie.values import Affine, Constant, Operand


def trips(
    builder: Builder,
    carried: tuple[Carried, ...],
    test: Block,
    condition: Operand,
    at_bottom: bool,
) -> int | None:
    """The number of iterations of a loop whose counter steps by a constant; None if unknown."""
    compare = next((i for i in test if isinstance(i, Scalar) and i.value == condition), None)
    if compare is None or len(compare.inputs) != 2:
        return None
    if is_needed([one.type for one in compare.inputs]):
        return None
    left, right = (builder.form(one) for one in compare.inputs)
    difference = left.plus(right.times(-1))
    if len(difference.terms) != 1:
        return None
    (counter, factor), constant = difference.terms[0], difference.constant
    found = next((one for one in carried if one.inside == counter), None)
    if found is None or not isinstance(found.initial, Constant):
        return None
    step = _step(builder, found)
    if step is None:
        return None
    start = factor * found.initial.value + constant
    count = _count(compare.operation, start, factor * step)
    # The test at the bottom comes after an iteration; its form has the counter's step in it.
    return None if count is None else count + at_bottom


def _step(builder: Builder, one: Carried) -> int | None:
    """How much a counter grows in an iteration."""
    change = builder.form(one.next).plus(Affine(((one.inside, -1),)))
    return None if change.terms or change.constant == 0 else change.constant


def _count(operation: str, start: int, step: int) -> int | None:
    """Smallest n from 0 with ``not (start + n * step) operation 0``; None if there is none."""
    if operation == "!=":
        return -start // step if start % step == 0 and start * step <= 0 else None
    if operation in (">", ">="):
        start, step = -start, -step
        operation = {">": "<", ">=": "<="}[operation]
    if operation not in ("<", "<="):
        return None
    limit = start if operation == "<" else start - 1
    if limit >= 0:
        return 0
    return None if step < 0 else -divide(limit, step) + (limit % step != 0)
