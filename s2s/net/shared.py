"""Orders in which the threads that share emitted loops may run them.

The loops are executed one iteration after the other. A directive allows other orders: iterations
of an ``omp for`` may run the last one first, those of an ``ordered`` nest in any order in which
each comes after the ones that it waits for.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping, Sequence

from s2s.frontends.c.text import DirectiveLine, directives
from s2s.net import Mismatch
from s2s.source import Span
from s2s.source.records import dataclass

Vector = tuple[int, ...]

_FOR = re.compile(r"pragma omp (parallel )?for\b")
_ORDERED = re.compile(r"\bordered\((\d+)\)")
_SINK = re.compile(r"depend\(sink: ([^()]*)\)")
_ENTRY = re.compile(r"(\w+)(?: ([+-]) (\d+))?")


@dataclass(frozen=True)
class Shared:
    """A loop that threads share: how many ``loops`` its iterations are of, and the ``sinks``.

    Each sink is the distance of an iteration that has to come first.
    """

    loops: int = 1
    sinks: tuple[Vector, ...] = ()


def shared_loops(data: bytes, within: Span) -> dict[int, Shared]:
    """The loops of a piece of text that threads share, by where they begin."""
    lines = [line for line in directives(data[: within.end]) if line.span.start >= within.start]
    found = {}
    for number, line in enumerate(lines):
        if _FOR.match(line.text):
            begins = re.compile(rb"\s*").match(data, line.span.end)
            assert begins is not None
            found[begins.end()] = _shared(line, lines[number + 1 :])
    return found


def _shared(line: DirectiveLine, behind: Sequence[DirectiveLine]) -> Shared:
    ordered = _ORDERED.search(line.text)
    if ordered is None:
        return Shared()
    waits = next((b.text for b in behind if b.text.startswith("pragma omp ordered")), "")
    loops = int(ordered[1])
    return Shared(loops, tuple(_sink(sink, loops) for sink in _SINK.findall(waits)))


def _sink(text: str, loops: int) -> Vector:
    entries = [_ENTRY.fullmatch(entry.strip()) for entry in text.split(",")]
    if len(entries) != loops or None in entries:
        raise Mismatch(f"'{text}' is not what an emitted tile waits for")
    return tuple(int(f"{e[2] or '-'}{e[3] or 0}") for e in entries if e is not None)


def last_first(iterations: Mapping[Vector, object], sinks: Sequence[Vector]) -> list[Vector]:
    """The order of iterations in which the last that waits for nothing comes next, always."""
    waits = {v: {_plus(v, s) for s in sinks} & iterations.keys() for v in iterations}
    behind: dict[Vector, list[Vector]] = {v: [] for v in iterations}
    for vector, first in waits.items():
        for other in first:
            behind[other].append(vector)
    ready = [_turned(v) for v, first in waits.items() if not first]
    heapq.heapify(ready)
    order: list[Vector] = []
    while ready:
        order.append(_turned(heapq.heappop(ready)))
        for vector in behind[order[-1]]:
            waits[vector].discard(order[-1])
            if not waits[vector]:
                heapq.heappush(ready, _turned(vector))
    if len(order) < len(iterations):
        raise Mismatch("emitted tiles wait for each other")
    return order


def _plus(vector: Vector, distance: Vector) -> Vector:
    return tuple(a + b for a, b in zip(vector, distance, strict=True))


def _turned(vector: Vector) -> Vector:
    return tuple(-entry for entry in vector)
