"""First values of reductions, made in the cycle in which the reduction takes them.

::

    sum(y, x) = 0                  sum(y, x) = 0 runs with the iteration (z, y, x) = (0, y, x)
    for z, y, x:                   of the update, in no cycles of its own and with no memory
      sum(y, x) += ...             from one to the other
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from s2s.analyses.cycles import Dependence, origin
from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import Start, Term
from s2s.source.records import dataclass
from s2s.transforms.clockwork.terms import product


@dataclass(frozen=True)
class FirstValue:
    """For an operation without operands: the one that takes its values, and when.

    Loop ``k`` of ``user`` has the value ``constants[k] + sum(slopes[k][n] * i_n)`` when it takes
    the value of iteration ``i``.
    """

    user: str
    constants: tuple[int, ...]
    slopes: tuple[tuple[int, ...], ...]


def first_values(
    accelerator: Accelerator, dependences: tuple[Dependence, ...]
) -> dict[str, FirstValue]:
    """Operations without operands, and kernels of their own, whose values one update takes."""
    functions = [o.function for o in accelerator.operations]
    found = {}
    for operation in accelerator.operations:
        if operation.store.tensor in accelerator.scattered:
            continue
        if operation.loads or functions.count(operation.function) > 1:
            continue
        users = [d for d in dependences if d.kind == "RAW" and d.source == operation.name]
        updates = [d for d in users if _updates(accelerator.operation(d.target), d)]
        if updates:
            first = _affine(updates[0])
            if first is not None:
                found[operation.name] = first
    return found


def _updates(user: Operation, dependence: Dependence) -> bool:
    return bool(user.loads) and user.store.tensor == dependence.buffer


def _affine(dependence: Dependence) -> FirstValue | None:
    """The first iteration that takes a value, if it is affine in the one that makes it."""
    first = dependence.relation.lexmin()
    constants, slopes = [], []
    depth = first.dim(isl.dim_type.in_)
    for k in range(first.dim(isl.dim_type.out)):
        pieces = first.dim_min(k).coalesce().get_pieces()
        value = pieces[0][1]
        if len(pieces) > 1 or value.dim(isl.dim_type.div):
            return None
        numbers = [value.get_coefficient_val(isl.dim_type.in_, n) for n in range(depth)]
        numbers.append(value.get_constant_val())
        if not all(number.is_int() for number in numbers):
            return None
        *steps, constant = (int(number.to_python()) for number in numbers)
        constants.append(constant)
        slopes.append(tuple(steps))
    return FirstValue(dependence.target, tuple(constants), tuple(slopes))


def with_first_values(
    accelerator: Accelerator,
    firsts: Mapping[str, FirstValue],
    starts: Mapping[str, Start],
    terms: Mapping[str, tuple[Term, ...]],
) -> tuple[dict[str, Start], dict[str, tuple[Term, ...]]]:
    """Starts, and their terms, together with those of the first values.

    All are later by as much as a first value would otherwise start before cycle 0.
    """
    found, names = dict(starts), dict(terms)
    for name, first in firsts.items():
        found[name] = _start(accelerator, name, first, starts[first.user])
        names[name] = (product(f"when {first.user} takes it", found[name].offset, 1),)
    early = max(0, -min(start.offset for start in found.values()))
    if early:
        wait = product("first value", early, 1)
        found = {n: replace(s, offset=s.offset + early) for n, s in found.items()}
        names = {n: (wait, *t) for n, t in names.items()}
    return found, names


def _start(accelerator: Accelerator, name: str, first: FirstValue, user: Start) -> Start:
    operation, updating = accelerator.operation(name), accelerator.operation(first.user)
    strides = tuple(
        sum(s * slope[n] for s, slope in zip(user.strides, first.slopes, strict=True))
        for n in range(len(operation.loops))
    )
    latency = accelerator.latencies.get(name, 0)
    offset = origin(user, updating) - latency
    offset += sum(s * c for s, c in zip(user.strides, first.constants, strict=True))
    offset += sum(s * m for s, m in zip(strides, operation.minima, strict=True))
    return Start(offset, strides, operation.extents, latency)
