"""Bytes of program memory: instructions are as long as the slots that they fill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.modulo import Schedule


def straight_bytes(schedule: Schedule, machine: Machine) -> int:
    """One iteration, instruction by instruction, empty cycles included."""
    return _bytes(_words(schedule, range(schedule.length), None), machine)


def pipelined_bytes(schedule: Schedule, machine: Machine) -> int:
    """The filling of the pipeline, one interval of it full, and its emptying."""
    interval, length = schedule.interval, schedule.length
    full = (schedule.stages - 1) * interval
    filling = _words(schedule, range(full), lambda time, cycle: time <= cycle)
    kernel = _words(schedule, range(interval), lambda time, cycle: True)
    emptying = _words(
        schedule, range(length - interval), lambda time, cycle: time >= cycle + interval
    )
    return sum(_bytes(words, machine) for words in (filling, kernel, emptying))


def _words(schedule: Schedule, cycles: Iterable[int], issues: object) -> Iterator[list[str]]:
    """The slots that each cycle fills."""
    rows: dict[int, list[tuple[int, str]]] = {}
    for time, slot in zip(schedule.times, schedule.slots, strict=True):
        key = time if issues is None else time % schedule.interval
        rows.setdefault(key, []).append((time, slot))
    for cycle in cycles:
        row = rows.get(cycle if issues is None else cycle % schedule.interval, [])
        yield [slot for time, slot in row if issues is None or issues(time, cycle)]  # type: ignore[operator]


def _bytes(words: Iterable[list[str]], machine: Machine) -> int:
    widths = machine["slot_bits"]
    return sum(_format(sum(widths[slot] for slot in word), machine) for word in words)


def _format(bits: int, machine: Machine) -> int:
    for size, usable in machine.formats:
        if bits <= usable:
            return size
    return machine.formats[-1][0]
