"""Cycles for operations that share a kernel by turns of a line or of a block.

Loops down to the coarse-grained one are fused. Inside an iteration of it each operation of a
shared kernel has a slot of its own, one after the other; what else there is runs in the slot of
what it depends on. The interval of the coarse-grained loop is the least in which no kernel, with
its stencil registers, is used twice (section 5.2 of Setter's dissertation).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from math import prod

import islpy as isl

from s2s.analyses.cycles import Dependence, dependences
from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import CycleSchedule, Start, Term
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.levels import Levels, align
from s2s.transforms.clockwork.offsets import delay_initializations, earliest, waits
from s2s.transforms.clockwork.split_loops import split_loops
from s2s.transforms.clockwork.terms import product, total_terms
from s2s.transforms.clockwork.windows import fill


def split_coarse(accelerator: Accelerator) -> tuple[Accelerator, Levels, int]:
    """The accelerator with its coarse-grained loops brought to one length.

    Also the levels of the loops before that, and how many of them are fused: 0 where the turns
    are blocks. Raises MappingError where the coarse-grained loops are at different levels.
    """
    levels = align(accelerator)
    places = {
        level
        for operation in accelerator.operations
        for level, place in enumerate(levels.loops[operation.name])
        if place is not None and operation.loops[place].name in accelerator.coarse
    }
    if len(places) > 1:
        names = ", ".join(sorted(accelerator.coarse))
        raise MappingError(f"coarse-grained loops at different levels: {names}")
    if not places:
        return accelerator, levels, 0
    (coarse,) = places
    slowest = max(levels.intervals[o.name][coarse] for o in accelerator.operations)
    factors = {}
    for operation in accelerator.operations:
        place = levels.loops[operation.name][coarse]
        if place is not None:
            factors[operation.loops[place].name] = (
                slowest // levels.intervals[operation.name][coarse]
            )
    return split_loops(accelerator, factors), levels, coarse + 1


@dataclass(frozen=True)
class _Slots:
    """``fused``: how many levels are common; the coarse-grained loop is the last of them."""

    accelerator: Accelerator
    levels: Levels
    fused: int
    dependences: tuple[Dependence, ...]

    @cached_property
    def groups(self) -> dict[str, int]:
        """The slot of each operation: shared kernels take turns, others follow their producers."""
        turns: dict[str, int] = {}
        found: dict[str, int] = {}
        shared = _shared(self.accelerator)
        for operation in self.accelerator.operations:
            name, function = operation.name, operation.function
            before = [
                found[d.source]
                for d in self.dependences
                if d.target == name and d.kind == "RAW" and d.source in found
            ]
            slot = max(before, default=0)
            if function in shared:
                slot = max(slot, turns.get(function, 0))
                turns[function] = slot + 1
            found[name] = slot
        return found

    def split(self, operation: Operation) -> bool:
        """Whether the coarse-grained loop of an operation has become two."""
        places = self.levels.loops[operation.name]
        return len(operation.loops) > sum(place is not None for place in places)

    def depth(self, operation: Operation) -> int:
        """How many of an operation's loops are fused."""
        return sum(p is not None for p in self.levels.loops[operation.name][: self.fused])

    def inner(self, operation: Operation) -> list[int | None]:
        """Intervals of the loops inside the coarse-grained one by level; None: no such loop."""
        places = self.levels.loops[operation.name]
        intervals = self.levels.intervals[operation.name]
        first = [intervals[self.fused - 1] if self.split(operation) else None]
        rest = [
            q if place is not None else None
            for place, q in zip(places[self.fused :], intervals[self.fused :], strict=True)
        ]
        return [*(first if self.fused else []), *rest]

    def members(self, slot: int) -> list[Operation]:
        return [o for o in self.accelerator.operations if self.groups[o.name] == slot]

    def fills(self, operation: Operation) -> int:
        """Cycles in which a shared kernel's registers are filled, at the start of a row."""
        if operation.function not in _shared(self.accelerator):
            return 0
        return self.filling[operation.name]

    @cached_property
    def filling(self) -> dict[str, int]:
        return {
            o.name: fill(self.accelerator, o, self._split_levels)
            for o in self.accelerator.operations
        }

    @property
    def _split_levels(self) -> Levels:
        """Levels whose innermost places are those of the split loops."""
        loops = {}
        for operation in self.accelerator.operations:
            places = list(self.levels.loops[operation.name])
            if self.split(operation) and places[-1] is not None and self.fused < self.levels.count:
                places[-1] += 1
            loops[operation.name] = tuple(places)
        return Levels(loops, self.levels.intervals, self.levels.names)


@dataclass(frozen=True)
class _Slot:
    """A slot's operations: strides of the loops inside, offsets, and how long it takes."""

    strides: dict[str, tuple[int, ...]]
    offsets: dict[str, int]
    cycles: int
    shown: str


def schedule_slots(accelerator: Accelerator) -> tuple[Accelerator, CycleSchedule]:
    """The accelerator with split loops, and its schedule.

    Raises MappingError where it is no pipeline of stencils, or the loops do not fit.
    """
    new, levels, fused = split_coarse(accelerator)
    slots = _Slots(new, levels, fused, dependences(new))
    parts = [_slot(slots, k) for k in range(max(slots.groups.values()) + 1)]
    phases = [sum(part.cycles for part in parts[:k]) for k in range(len(parts))]
    interval = _interval(slots, parts, phases)
    cycles = [interval * prod(_trips(slots)[k + 1 :]) for k in range(fused)]
    starts, terms = {}, {}
    delays = _delays(slots, cycles)
    for operation in new.operations:
        name, slot = operation.name, slots.groups[operation.name]
        strides = (*_fused_strides(slots, operation, cycles), *parts[slot].strides[name])
        own = (
            *_wait_terms(delays[name], cycles, levels.names),
            *(product(f"slot {k + 1}", part.cycles, 1) for k, part in enumerate(parts[:slot])),
            product("wait in slot", parts[slot].offsets[name], 1),
        )
        terms[name] = tuple(_shown(term, parts) for term in own if term.cycles)
        offset = delays[name] + phases[slot] + parts[slot].offsets[name]
        latency = new.latencies.get(name, 0)
        starts[name] = Start(offset, strides, operation.extents, latency)
    _delay_first_values(slots, starts, terms)
    rule = f"shared kernels by {'line' if fused else 'block'}"
    return new, CycleSchedule(starts, terms, rule, total_terms(new, starts, terms))


def _delay_first_values(
    slots: _Slots, starts: dict[str, Start], terms: dict[str, tuple[Term, ...]]
) -> None:
    """Operations that load nothing run as late as those that need them allow."""
    strides = {name: start.strides for name, start in starts.items()}
    offsets = {name: start.offset for name, start in starts.items()}
    known = waits(slots.accelerator, slots.dependences, strides)
    for name, offset in delay_initializations(slots.accelerator, offsets, known).items():
        wait = product("wait to be needed", offset - offsets[name], 1)
        if wait.cycles:
            starts[name] = replace(starts[name], offset=offset)
            terms[name] = (*terms[name], wait)


def _shown(term: Term, parts: list[_Slot]) -> Term:
    if term.name.startswith("slot "):
        return Term(term.name, term.cycles, parts[int(term.name.removeprefix("slot ")) - 1].shown)
    return term


def _wait_terms(delay: int, cycles: list[int], names: tuple[str, ...]) -> list[Term]:
    found = []
    for step, name in zip(cycles, names, strict=False):
        count, delay = divmod(delay, step)
        found.append(product(f"wait for {name}", count, step))
    return found


def _slot(slots: _Slots, number: int) -> _Slot:
    """A slot as a pipeline of its own, at the rate of its fastest operation."""
    members = slots.members(number)
    inner = {o.name: slots.inner(o) for o in members}
    count = len(next(iter(inner.values())))
    rates = [
        min((q for each in inner.values() if (q := each[k]) is not None), default=1)
        for k in range(count)
    ]
    lengths = []
    for k in range(count):
        trips = [1]
        for operation in members:
            q = inner[operation.name][k]
            if q is not None:
                extent = _inner_extents(slots, operation)[k]
                row = q // rates[k] * (extent - 1) + 1
                trips.append(row + (slots.fills(operation) if k == count - 1 else 0))
        lengths.append(max(trips))
    steps = [prod(lengths[k + 1 :]) for k in range(count)]
    strides = {
        o.name: tuple(
            steps[k] * q // rates[k] for k, q in enumerate(inner[o.name]) if q is not None
        )
        for o in members
    }
    offsets = _inner_offsets(slots, members, strides)
    last = [
        offsets[o.name]
        + sum(s * (e - 1) for s, e in zip(strides[o.name], _own_inner(slots, o), strict=True))
        + max(1, slots.accelerator.latencies.get(o.name, 0))
        for o in members
    ]
    cycles = max(*last, prod(lengths))
    shown = "*".join(str(n) for n in lengths if n > 1) or "1"
    return _Slot(strides, offsets, cycles, shown if cycles == prod(lengths) else str(cycles))


def _own_inner(slots: _Slots, operation: Operation) -> tuple[int, ...]:
    return operation.extents[slots.depth(operation) :]


def _inner_extents(slots: _Slots, operation: Operation) -> list[int]:
    """Extents of the loops inside the coarse-grained one by level, 1 where there is none."""
    own = iter(_own_inner(slots, operation))
    return [1 if q is None else next(own) for q in slots.inner(operation)]


def _inner_offsets(
    slots: _Slots, members: list[Operation], strides: Mapping[str, tuple[int, ...]]
) -> dict[str, int]:
    """The earliest starts of a slot's operations, as far as they depend on each other in one
    iteration of the coarse-grained loop; a shared kernel's registers are filled first.
    """
    names = {o.name for o in members}
    whole = {o.name: (*(0,) * slots.depth(o), *strides[o.name]) for o in members}
    steps = {o.name: o for o in slots.accelerator.operations}
    coarse = _coarse_delays(slots)
    inside = []
    for each in slots.dependences:
        if each.source in names and each.target in names:
            ahead = coarse[each.target] - coarse[each.source]
            pairs = _together(
                each.relation,
                slots.depth(steps[each.source]),
                slots.depth(steps[each.target]),
                ahead,
            )
            if not pairs.is_empty():
                inside.append(
                    Dependence(each.kind, each.source, each.target, each.buffer, pairs, each.read)
                )
    first = {o.name: slots.fills(o) * (strides[o.name] or (1,))[-1] for o in members}
    return earliest(names, waits(slots.accelerator, inside, whole), first)


def _together(relation: isl.Map, source: int, target: int, ahead: int) -> isl.Map:
    """Pairs of iterations that fall in one iteration of the coarse-grained loop."""
    if not source or source != target:
        return relation
    names = [f"i{k}" for k in range(relation.dim(isl.dim_type.in_))]
    others = [f"j{k}" for k in range(relation.dim(isl.dim_type.out))]
    space = relation.get_space()
    first = space.get_tuple_name(isl.dim_type.in_)
    second = space.get_tuple_name(isl.dim_type.out)
    where = f"{names[source - 1]} = {others[target - 1]} + {ahead}"
    return relation & isl.Map(
        f"{{ {first}[{', '.join(names)}] -> {second}[{', '.join(others)}] : {where} }}"
    )


def _coarse_delays(slots: _Slots) -> dict[str, int]:
    """Iterations of the coarse-grained loop that each operation waits for its producers."""
    if not slots.fused:
        return {o.name: 0 for o in slots.accelerator.operations}
    steps = [0] * slots.fused
    steps[-1] = 1
    return _delays(slots, steps)


def _delays(slots: _Slots, cycles: list[int]) -> dict[str, int]:
    """Cycles that operations wait for iterations of the fused loops: the least delays of each."""
    total = {o.name: 0 for o in slots.accelerator.operations}
    raw = [each for each in slots.dependences if each.source != each.target]
    for level, step in enumerate(cycles):
        unit = [int(k == level) for k in range(len(cycles))]
        strides = {
            o.name: (
                *_fused_strides(slots, o, unit),
                *(0,) * (len(o.loops) - slots.depth(o)),
            )
            for o in slots.accelerator.operations
        }
        known = waits(slots.accelerator, raw, strides, latencies=False)
        for name, delay in earliest(total, known).items():
            total[name] += delay * step
    return total


def _fused_strides(slots: _Slots, operation: Operation, cycles: list[int]) -> tuple[int, ...]:
    """Strides of the fused loops; the coarse-grained one has been split to a common rate."""
    places = slots.levels.loops[operation.name][: slots.fused]
    intervals = list(slots.levels.intervals[operation.name][: slots.fused])
    if intervals:
        intervals[-1] = 1
    return tuple(
        step * q
        for place, q, step in zip(places, intervals, cycles, strict=True)
        if place is not None
    )


def _trips(slots: _Slots) -> list[int]:
    """Iterations of the fused levels."""
    found = []
    for level in range(slots.fused):
        trips = [1]
        for operation in slots.accelerator.operations:
            place = slots.levels.loops[operation.name][level]
            if place is not None:
                q = 1 if level == slots.fused - 1 else slots.levels.intervals[operation.name][level]
                trips.append(q * (operation.extents[place] - 1) + 1)
        found.append(max(trips))
    return found


def _interval(slots: _Slots, parts: list[_Slot], phases: list[int]) -> int:
    """The least interval of the coarse-grained loop in which nothing is used twice."""
    import numpy as np

    busy: dict[str, list[np.typing.NDArray[np.int64]]] = {}
    for operation in slots.accelerator.operations:
        slot = slots.groups[operation.name]
        strides = parts[slot].strides[operation.name]
        extents = list(_own_inner(slots, operation))
        start = phases[slot] + parts[slot].offsets[operation.name]
        if extents and slots.fills(operation):
            extents[-1] += slots.fills(operation)
            start -= slots.fills(operation) * strides[-1]
        times = np.array([start])
        for stride, extent in zip(strides, extents, strict=True):
            times = (times[:, None] + stride * np.arange(extent)).ravel()
        busy.setdefault(operation.function, []).append(times)
    used = [np.concatenate(times) for times in busy.values()]
    whole = sum(part.cycles for part in parts)
    for interval in range(max(times.size for times in used), whole):
        if all(np.unique(times % interval).size == times.size for times in used):
            return interval
    return whole


def _shared(accelerator: Accelerator) -> frozenset[str]:
    """Functions that several operations use."""
    functions = [o.function for o in accelerator.operations]
    return frozenset(f for f in functions if functions.count(f) > 1)
