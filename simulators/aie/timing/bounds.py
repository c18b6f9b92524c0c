"""Lower bounds of the initiation interval of a loop, and what each comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.operation import Edge, Operation, transfers
from s2s.source.records import dataclass

_NAMES = {
    ("vec",): "vector operations",
    ("lda", "ldb"): "loads",
    ("lda",): "loads of the first port",
    ("st",): "stores",
    ("alu",): "scalar operations",
    ("mv0", "mv1"): "moves",
}


@dataclass(frozen=True, order=True)
class Bound:
    """No iteration starts within ``cycles`` of the last one, because of ``cause``."""

    cycles: int
    cause: str


def bounds(operations: Sequence[Operation], edges: Sequence[Edge], machine: Machine) -> list[Bound]:
    """All lower bounds, the greatest first."""
    found = [*_slots(operations), Bound(recurrence(operations, edges), "recurrence")]
    if machine["addressing.same_pointer"]:
        found.extend(_pointers(operations))
    for name, cycles in transfers(operations).items():
        cause = "calls of the library" if name == "library" else f"words of the stream {name}"
        found.append(Bound(cycles, cause))
    return sorted(found, key=lambda bound: -bound.cycles)


def _slots(operations: Sequence[Operation]) -> Iterator[Bound]:
    """Operations that only these slots take, shared among the slots."""
    kinds = Counter(tuple(sorted(one.slots)) for one in operations)
    for slots in kinds:
        count = sum(number for other, number in kinds.items() if set(other) <= set(slots))
        cause = _NAMES.get(slots, " and ".join(slots))
        yield Bound(-(-count // len(slots)), cause)


def _pointers(operations: Sequence[Operation]) -> Iterator[Bound]:
    """Accesses through one pointer are never in one cycle."""
    through = Counter(one.access.pointer for one in operations if one.access is not None)
    for pointer, count in through.items():
        yield Bound(count, f"accesses through {pointer.split('.')[0]}")


def recurrence(operations: Sequence[Operation], edges: Sequence[Edge]) -> int:
    """The greatest latency per iteration around a cycle of dependences; at least 1."""
    if not any(edge.distance for edge in edges):
        return 1
    low, high = 1, max(1, sum(one.latency for one in operations))
    while low < high:
        middle = (low + high) // 2
        if _feasible(len(operations), edges, middle):
            high = middle
        else:
            low = middle + 1
    return low


def _feasible(count: int, edges: Sequence[Edge], interval: int) -> bool:
    """Whether no cycle of dependences takes longer than its iterations."""
    start = [0] * count
    ordered = sorted(edges, key=lambda edge: edge.source)
    carried = sum(1 for edge in edges if edge.distance)
    for _ in range(carried + 2):
        changed = False
        for edge in ordered:
            at = start[edge.source] + edge.latency - interval * edge.distance
            if at > start[edge.target]:
                start[edge.target] = at
                changed = True
        if not changed:
            return True
    return False
