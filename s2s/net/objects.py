"""Objects that both versions of a text allocate, at addresses that need not be equal."""

from __future__ import annotations

from collections.abc import Callable

from s2s.net.memory import SHIFT, Cells

_OFFSET = (1 << SHIFT) - 1


class Objects:
    """Which object of one memory stands for which one of the other.

    The new text may allocate in another order, or have fewer local arrays before. Addresses are
    the same if they are so far from the beginning of objects of the same size that stand for each
    other, each for one; what is in these is compared in the end, by ``differ``.
    """

    def __init__(self, source: Cells, result: Cells) -> None:
        self._source, self._result = source, result
        self._forth: dict[int, int] = {}
        self._back: dict[int, int] = {}

    def are_same(self, wanted: object, found: object) -> bool:
        """Whether two values are addresses of objects that stand for each other from now on."""
        if not (isinstance(wanted, int) and isinstance(found, int)):
            return False
        one, other = wanted >> SHIFT, found >> SHIFT
        size = self._source.extents.get(one)
        if size is None or size != self._result.extents.get(other):
            return False
        if (wanted ^ found) & _OFFSET:
            return False
        forth, back = self._forth.setdefault(one, other), self._back.setdefault(other, one)
        return forth == other and back == one

    def differ(self, equal: Callable[[object, object], bool]) -> bool:
        """Whether an element of an object differs from that of the one that stands for it.

        Elements may be addresses of more objects, which are looked at, too.
        """
        written = _by_object(self._source), _by_object(self._result)
        looked_at: set[int] = set()
        while waiting := self._forth.keys() - looked_at:
            for one in waiting:
                other = self._forth[one]
                for offset in written[0].get(one, set()) | written[1].get(other, set()):
                    was = self._source.get(one << SHIFT | offset)
                    now = self._result.get(other << SHIFT | offset)
                    if not equal(was, now):
                        return True
            looked_at |= waiting
        return False


def _by_object(memory: Cells) -> dict[int, set[int]]:
    """The offsets of what was written, by the number of the object."""
    found: dict[int, set[int]] = {}
    for address in memory.stores() | memory.earlier:
        found.setdefault(address >> SHIFT, set()).add(address & _OFFSET)
    return found
