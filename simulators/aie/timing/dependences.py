"""Which operation waits for which, in one iteration and over the back edge of a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.simulators.aie.timing.operation import Access, Body, Edge, Operation

# Further apart than this many iterations no two accesses of a pipelined loop are in flight at once.
_FAR = 16


def dependences(body: Body) -> list[Edge]:
    """All edges of a body: through registers and through memory.

    Anti-dependences of registers are not among them: two values in one register are the matter of
    the register allocator (``bundles.anti_dependences``).
    """
    return [*_through_registers(body), *_through_memory(body.operations)]


def _through_registers(body: Body) -> Iterator[Edge]:
    writers = {op.result: op for op in body.operations if op.result is not None}
    for reader in body.operations:
        for part, stage in reader.reads():
            writer = writers.get(part.register)
            if writer is not None:
                yield Edge(writer.number, reader.number, writer.latency - stage, part.distance)


def _through_memory(operations: Sequence[Operation]) -> Iterator[Edge]:
    """Accesses in the order of the text stay in order where they may meet and one is a store."""
    touching = [(op, op.access) for op in operations if op.access is not None]
    stores = [pair for pair in touching if pair[1].is_store]
    near = _Near(touching)
    for store, store_access in stores:
        for other, access in near.to(store_access):
            if other is store or (access.is_store and other.number < store.number):
                continue
            first, second = (store, other) if store.number < other.number else (other, store)
            if meets(store_access, access, 0):
                yield Edge(first.number, second.number, 1)
            if meets(store_access, access, 1):
                yield Edge(second.number, first.number, 1, 1)
                if not access.is_store:
                    yield Edge(first.number, second.number, 1, 1)


class _Near:
    """The accesses that one may meet: those of its arrays, on the stack those of its place."""

    def __init__(self, touching: Sequence[tuple[Operation, Access]]) -> None:
        self._touching = touching
        self._by_place: dict[object, list[tuple[Operation, Access]]] = {}
        for pair in touching:
            self._by_place.setdefault(_place(pair[1]), []).append(pair)

    def to(self, access: Access) -> Sequence[tuple[Operation, Access]]:
        """The accesses, this one included, in the order of the text."""
        place = _place(access)
        if place is None:
            return self._touching
        found = [*self._by_place[place], *self._by_place.get(None, ())]
        found.sort(key=lambda pair: pair[0].number)
        return found


def _place(access: Access) -> object:
    """What accesses have to share to meet; None for those that may meet any."""
    if len(access.arrays) != 1 or not access.alone:
        return None
    if isinstance(access.root, str) and access.step == 0:
        return access.arrays, access.root, access.offset  # places on the stack do not overlap
    return access.arrays


def meets(one: Access, other: Access, iterations: int) -> bool:
    """Whether accesses of one iteration (0) or of different ones (1) may touch the same bytes."""
    apart = bool(one.arrays and other.arrays) and not one.arrays & other.arrays
    if apart and (one.alone or other.alone):
        return False
    if one.root != other.root or one.offset is None or other.offset is None:
        return True
    if iterations == 0:
        return _overlap(one.offset - other.offset, one.size, other.size)
    if one.step is None or one.step != other.step:
        return True
    if one.step == 0:
        return _overlap(one.offset - other.offset, one.size, other.size)
    ahead, step = one.offset - other.offset, abs(one.step)
    first = max((-one.size - ahead) // step + 1, 1 - _FAR)
    last = min(-((ahead - other.size) // step) - 1, _FAR - 1)
    return first <= last and (first, last) != (0, 0)


def _overlap(ahead: int, size: int, other: int) -> bool:
    return -size < ahead < other
