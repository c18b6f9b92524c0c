"""Cycles for stencil pipelines: all stages run at once, each a few rows after its producers.

Every operation gets at each level an interval q and a delay d, the least with which no value is
needed before it is there. A level is as long as what all operations do in it, an iteration of a
level takes as many cycles as the levels inside are long together: iteration ``p`` starts in cycle
``sum(l_k * (q_k * p_k + d_k))`` (section 5.2 of Setter's dissertation).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from s2s.analyses.cycles import Dependence, longest_wait
from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import CycleSchedule, Start
from s2s.transforms.clockwork.levels import Levels, align
from s2s.transforms.clockwork.offsets import (
    Wait,
    delay_initializations,
    earliest,
    waits,
)
from s2s.transforms.clockwork.terms import offset_terms, total_terms

RULES = ("trip", "span")
"""How long a row is: as the longest stage's, or as all stages side by side, delays included."""


def schedule_stencil(
    accelerator: Accelerator,
    dependences: tuple[Dependence, ...],
    rule: str,
) -> CycleSchedule:
    """A schedule whose rows have the length of a rule.

    Raises MappingError where the pipeline is none of stencils.
    """
    levels = align(accelerator)
    cycles = stage_steps(accelerator, dependences, levels, rule)
    strides = stage_strides(accelerator, levels, cycles)
    plain = _offsets(accelerator, waits(accelerator, dependences, strides, latencies=False))
    found = waits(accelerator, dependences, strides) if accelerator.latencies else None
    offsets = plain if found is None else _offsets(accelerator, found)
    starts = {
        o.name: Start(
            offsets[o.name],
            strides[o.name],
            o.extents,
            accelerator.latencies.get(o.name, 0),
        )
        for o in accelerator.operations
    }
    terms = {
        name: offset_terms(plain[name], cycles, levels.names, start.offset - plain[name])
        for name, start in starts.items()
    }
    rule_name = f"stencil, {'longest stage' if rule == 'trip' else 'span of all stages'} per row"
    return CycleSchedule(starts, terms, rule_name, total_terms(accelerator, starts, terms))


def stage_steps(
    accelerator: Accelerator,
    dependences: tuple[Dependence, ...],
    levels: Levels,
    rule: str,
    base: int = 1,
) -> tuple[int, ...]:
    """Cycles of a step of each level; ``base`` are those of the innermost one."""
    lengths = (*_lengths(accelerator, dependences, levels, rule), base)
    return tuple(prod(lengths[level + 1 :]) for level in range(levels.count))


def stage_strides(
    accelerator: Accelerator, levels: Levels, cycles: tuple[int, ...]
) -> dict[str, tuple[int, ...]]:
    """Cycles between iterations of each operation's loops, if a level's step takes ``cycles``."""
    found = {}
    for operation in accelerator.operations:
        strides = [0] * len(operation.loops)
        for level, place in enumerate(levels.loops[operation.name]):
            if place is not None:
                strides[place] = cycles[level] * levels.intervals[operation.name][level]
        found[operation.name] = tuple(strides)
    return found


def _offsets(accelerator: Accelerator, known: list[Wait]) -> dict[str, int]:
    names = [o.name for o in accelerator.operations]
    return delay_initializations(accelerator, earliest(names, known), known)


def _lengths(
    accelerator: Accelerator,
    dependences: tuple[Dependence, ...],
    levels: Levels,
    rule: str,
) -> tuple[int, ...]:
    """Steps of each level, outermost first."""
    found = []
    for level in range(levels.count):
        trips = {
            o.name: levels.intervals[o.name][level] * (levels.trips(o, level) - 1) + 1
            for o in accelerator.operations
        }
        if rule == "span":
            delays = level_delays(accelerator, dependences, levels, level)
            trips = {name: trips[name] + delays[name] for name in trips}
        found.append(max(trips.values()))
    return tuple(found)


def level_delays(
    accelerator: Accelerator,
    dependences: tuple[Dependence, ...],
    levels: Levels,
    level: int,
) -> Mapping[str, int]:
    """D of each operation at a level: the steps that it waits for its producers."""
    steps = tuple(int(k == level) for k in range(levels.count))
    strides = stage_strides(accelerator, levels, steps)
    raw = [each for each in dependences if each.kind == "RAW" and each.source != each.target]
    known = {o.name: o for o in accelerator.operations}
    found = []
    for each in raw:
        shift = 0
        for name, sign in ((each.target, 1), (each.source, -1)):
            pairs = zip(strides[name], known[name].minima, strict=True)
            shift += sign * sum(s * m for s, m in pairs)
        most = longest_wait(each, strides[each.source], strides[each.target]) + shift
        found.append(Wait(each.source, each.target, most))
    return earliest(known, found)
