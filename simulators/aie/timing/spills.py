"""What is done when the registers do not suffice: values are loaded again, or go over the stack.

    x = load(p); use(x); ...; use(x)  ->  x = load(p); use(x); ...; y = load(p); use(y)

A value that is in memory anyway costs a load; one that was computed costs a store and a load on the
stack, and an accumulator several of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from s2s.simulators.aie.timing.bundles import Bundle
from s2s.simulators.aie.timing.dependences import meets
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.modulo import Schedule
from s2s.simulators.aie.timing.operation import (
    Access,
    Body,
    File,
    Operand,
    Operation,
    Part,
    Register,
    renumber_operations,
)
from s2s.source.records import dataclass

STACK = "stack"
_BYTES = {File.VECTOR: 16, File.ACCUMULATOR: 64, File.SCALAR: 4}


@dataclass(frozen=True)
class Split:
    """Reads of a bundle that get registers of their own; ``gain`` is what that frees.

    ``readers`` are numbers of operations; none means that registers which the body only keeps for
    others are put away for its duration.
    """

    bundle: Bundle
    readers: frozenset[int]
    gain: int


def splits(body: Body, bundles: Sequence[Bundle], schedule: Schedule) -> list[Split]:
    """The ways to shorten the lives of bundles, the most useful first."""
    reads: dict[Register, list[tuple[int, int]]] = {}
    for one in body.operations:
        for part, _ in one.reads():
            time = schedule.times[one.number] + schedule.interval * part.distance
            reads.setdefault(part.register, []).append((time, one.number))
    found = [split for bundle in bundles for split in _splits(body, bundle, schedule, reads)]
    return sorted(found, key=lambda split: -split.gain)


def _splits(
    body: Body,
    bundle: Bundle,
    schedule: Schedule,
    reads: dict[Register, list[tuple[int, int]]],
) -> Iterator[Split]:
    members = set(bundle.members)
    width = sum(register.parts for register in members)
    if members & set(body.through):
        yield Split(bundle, frozenset(), width * schedule.interval)
        return
    times = sorted(read for register in members for read in reads.get(register, ()))
    if not times:
        return
    if members & set(body.live_in):
        around = schedule.interval - (times[-1][0] - times[0][0])
        yield Split(bundle, frozenset(number for _, number in times), width * max(around, 1))
        return
    gaps = [(after[0] - before[0], after[0]) for before, after in pairwise(times)]
    if not gaps:
        return
    gap, start = max(gaps)
    if gap > 1:
        later = frozenset(number for time, number in times if time >= start)
        yield Split(bundle, later, width * (gap - 1))


@dataclass(frozen=True)
class Relieved:
    """A body after splits; the loads and stores that they added.

    ``evicted`` of the loads are of values that the body itself had put into a register; the others
    are of values from outside, which are loaded where they are used instead.
    """

    body: Body
    loads: int = 0
    stores: int = 0
    evicted: int = 0


def apply(body: Body, chosen: Sequence[Split], machine: Machine) -> Relieved:
    """The body with splits of different bundles done."""
    away = {r for split in chosen if not split.readers for r in split.bundle.members}
    body = replace(body, through=tuple(r for r in body.through if r not in away))
    rewriting = _Rewriting(body, machine)
    for split in chosen:
        if split.readers:
            rewriting.split(split)
    return rewriting.done()


class _Rewriting:
    def __init__(self, body: Body, machine: Machine) -> None:
        self._body = body
        self._machine = machine
        self._writers = {one.result: one for one in body.operations if one.result is not None}
        self._reloads = dict(body.reloads)
        self._free = 1 + max(
            (r.number for r in (*self._writers, *body.live_in, *body.through)), default=0
        )
        self._operations = {one.number: one for one in body.operations}
        self._in_front: dict[int, list[Operation]] = {}
        self._behind: dict[int, list[Operation]] = {}
        self._stored: set[Register] = set()
        self._evicted = 0
        self._memory = [o.access for o in body.operations if o.access and o.access.is_store]

    def split(self, split: Split) -> None:
        """Gives the readers registers of their own, loaded before the first of them."""
        loads: list[Operation] = []
        new: dict[tuple[Register, int], Register] = {}
        for number in sorted(split.readers):
            one = self._operations[number]
            operands = tuple(self._operand(operand, split, new, loads) for operand in one.operands)
            self._operations[number] = replace(one, operands=operands)
        self._in_front.setdefault(min(split.readers), []).extend(loads)

    def done(self) -> Relieved:
        result: list[Operation] = []
        for number, one in self._operations.items():
            result.extend(self._in_front.get(number, ()))
            result.append(one)
            result.extend(self._behind.get(number, ()))
        body = replace(self._body, operations=tuple(result))
        loads = sum(len(some) for some in self._in_front.values())
        stores = sum(len(some) for some in self._behind.values())
        return Relieved(renumber_operations(_without_unread(body)), loads, stores, self._evicted)

    def _operand(
        self,
        operand: Operand,
        split: Split,
        new: dict[tuple[Register, int], Register],
        loads: list[Operation],
    ) -> Operand:
        parts: list[Part | None] = []
        for part in operand.parts:
            if part is None or not self._is_split(part.register, split):
                parts.append(part)
                continue
            old = part.register
            key = (old, part.distance)
            if key not in new:
                new[key] = Register(self._free, old.file, old.parts, old.name)
                self._evicted += old in self._writers
                self._free += 1
                loads.extend(self._reload(old, part.distance, new[key]))
            parts.append(Part(new[key], part.index))
        return replace(operand, parts=tuple(parts))

    def _is_split(self, register: Register, split: Split) -> bool:
        """Whether a read register was written before the gap, so that it has to come back."""
        if register not in split.bundle.members:
            return False
        writer = self._writers.get(register)
        return writer is None or writer.number not in split.readers

    def _reload(self, old: Register, distance: int, new: Register) -> Iterator[Operation]:
        source = self._reloads.get(old) or self._writers.get(old)
        if source is not None and self._in_memory(source):
            assert source.access is not None
            access = source.access
            if distance and access.offset is not None and access.step is not None:
                access = replace(access, offset=access.offset - distance * access.step)
            yield replace(source, result=new, access=access, number=-1)
            return
        self._store(old)
        count = 2 * old.parts if old.file is File.ACCUMULATOR else 1
        for number in range(count):
            result = new if number == count - 1 else None
            yield self._stack_operation("load", old, result)

    def _in_memory(self, source: Operation) -> bool:
        if source.mnemonic != "load" or source.access is None:
            return False
        access = source.access
        return not any(meets(access, store, 0) or meets(access, store, 1) for store in self._memory)

    def _store(self, old: Register) -> None:
        """Puts what an operation of the body made on the stack; from outside it is there."""
        writer = self._writers.get(old)
        if writer is None or old in self._stored:
            return
        self._stored.add(old)
        count = 2 * old.parts if old.file is File.ACCUMULATOR else 1
        parts = tuple(Part(old, index) for index in range(old.parts))
        self._behind.setdefault(writer.number, []).extend(
            replace(self._stack_operation("store", old, None), operands=(Operand(parts),))
            for _ in range(count)
        )

    def _stack_operation(self, kind: str, old: Register, result: Register | None) -> Operation:
        access = Access(
            pointer=STACK,
            arrays=frozenset({STACK}),
            root=STACK,
            offset=128 * old.number,
            step=0,
            size=min(_BYTES[old.file] * old.parts, 32),
            is_store=kind == "store",
        )
        return Operation(
            -1,
            f"spill_{kind}",
            self._machine.slots(kind),
            self._machine.latency(kind),
            result,
            access=access,
        )


def _without_unread(body: Body) -> Body:
    """The body without registers and loads that nobody reads any more."""
    read = {part.register for one in body.operations for part, _ in one.reads()}
    kept = read | set(body.live_out)
    operations = tuple(
        one
        for one in body.operations
        if one.result is None or one.result in kept or one.mnemonic != "load"
    )
    live_in = tuple(register for register in body.live_in if register in read)
    return replace(body, operations=operations, live_in=live_in)
