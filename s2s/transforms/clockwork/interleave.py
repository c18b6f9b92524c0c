"""Cycles for operations that share a kernel by turns of a pixel.

All stages run at once, as those of a stencil pipeline, and a step of the innermost loop takes as
many cycles as turns are needed. Where stages run at lower rates than the input (pyramids) their
turns fall into the gaps of the others, and a step is one cycle.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from s2s.analyses.cycles import Dependence, cycles
from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import CycleSchedule, Start, Term
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.levels import align
from s2s.transforms.clockwork.offsets import Wait, delay_initializations, earliest, waits
from s2s.transforms.clockwork.stencil import stage_steps, stage_strides
from s2s.transforms.clockwork.terms import offset_terms, product, total_terms


def schedule_pixels(
    accelerator: Accelerator, dependences: tuple[Dependence, ...]
) -> tuple[CycleSchedule, dict[str, int]]:
    """The schedule, and how long each operation waits for its turn.

    Raises MappingError where this is no pipeline of stencils.
    """
    turns = max(_turns(accelerator).values(), default=1)
    for base in range(1, turns + 1):
        found = _interleave(accelerator, dependences, base)
        if found is not None:
            return found
    raise MappingError(f"{turns} operations of one kernel find no turns")


def _turns(accelerator: Accelerator) -> dict[str, int]:
    functions = [o.function for o in accelerator.operations]
    return {function: functions.count(function) for function in functions}


def _interleave(
    accelerator: Accelerator, dependences: tuple[Dependence, ...], base: int
) -> tuple[CycleSchedule, dict[str, int]] | None:
    """As ``schedule_pixels``, with ``base`` cycles to a step; None where turns collide."""
    levels = align(accelerator)
    steps = stage_steps(accelerator, dependences, levels, "trip", base)
    strides = stage_strides(accelerator, levels, steps)
    known = waits(accelerator, dependences, strides)
    names = [o.name for o in accelerator.operations]
    plain = earliest(names, known)
    widest = max(max(each) for each in levels.intervals.values())
    held: dict[str, int] = {}
    for operation in accelerator.operations:
        most = plain[operation.name] + 4 * base * widest
        if not _place(accelerator, strides, known, held, operation.name, most):
            return None
    starts = _late_first_values(accelerator, strides, known, earliest(names, known, held))
    plain = delay_initializations(accelerator, plain, known)
    terms: dict[str, tuple[Term, ...]] = {}
    for name, start in starts.items():
        turn = product("wait for its turn", start.offset - plain[name], 1)
        known_terms = offset_terms(plain[name], steps, levels.names, 0)
        terms[name] = (*known_terms, *((turn,) if turn.cycles else ()))
    total = total_terms(accelerator, starts, terms)
    turns = {name: start.offset - plain[name] for name, start in starts.items()}
    return CycleSchedule(starts, terms, "shared kernels by pixel", total), turns


def _late_first_values(
    accelerator: Accelerator,
    strides: Mapping[str, tuple[int, ...]],
    known: list[Wait],
    offsets: Mapping[str, int],
) -> dict[str, Start]:
    """Starts with first values as late as they may be, where their kernels have turns then."""
    early = _starts(accelerator, strides, offsets)
    late = _starts(accelerator, strides, delay_initializations(accelerator, offsets, known))
    functions = {o.name: o.function for o in accelerator.operations}
    busy = {
        functions[a]
        for a, b in combinations(late, 2)
        if functions[a] == functions[b] and not cycles(late[a]).is_disjoint(cycles(late[b]))
    }
    return {name: (early if functions[name] in busy else late)[name] for name in late}


def _starts(
    accelerator: Accelerator,
    strides: Mapping[str, tuple[int, ...]],
    offsets: Mapping[str, int],
) -> dict[str, Start]:
    return {
        o.name: Start(
            offsets[o.name], strides[o.name], o.extents, accelerator.latencies.get(o.name, 0)
        )
        for o in accelerator.operations
    }


def _place(
    accelerator: Accelerator,
    strides: Mapping[str, tuple[int, ...]],
    known: list[Wait],
    held: dict[str, int],
    name: str,
    most: int,
) -> bool:
    """Hold an operation back until its kernel is free; whether that succeeds in time."""
    names = [o.name for o in accelerator.operations]
    functions = {o.name: o.function for o in accelerator.operations}
    others = [o for o in held if functions[o] == functions[name]]
    offset = earliest(names, known, held)[name]
    while offset <= most:
        held[name] = offset
        starts = _starts(accelerator, strides, earliest(names, known, held))
        own = cycles(starts[name])
        if all(own.is_disjoint(cycles(starts[other])) for other in others):
            return True
        offset += 1
    return False
