"""Lists that a loop over edges fills: ``nbr[pos[key]++] = value`` and its likes."""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Mapping, Sequence

from s2s.rewriters.graphs.edge_lists.contents import (
    Content,
    Entry,
    Filled,
    Keyed,
    Offsets,
    Space,
    Zeros,
)
from s2s.rewriters.graphs.edge_lists.terms import Array, Elem, Lin
from s2s.rewriters.graphs.edge_lists.trace import Loop, Store, is_clean, limits_of
from s2s.source.records import dataclass


@dataclass(frozen=True)
class _Cursor:
    """An array whose element of a key is where the key's next edge goes.

    ``slots`` are the elements as they are read, in the order of the entries; ``behind`` is what the
    array holds in the end. ``base`` are the offsets if the cursor starts at 0.
    """

    keyed: Keyed
    slots: tuple[Lin, ...]
    behind: Content | None
    base: Array | None = None


def recognise_fills(
    loop: Loop, space: Space, written: Mapping[Array, Sequence[Store]]
) -> dict[Array, Content]:
    """The lists, and the arrays that say where the next edge goes."""
    result: dict[Array, Content] = {}
    for array, stores in written.items():
        for cursor in _cursors(loop, space, array, stores):
            lists = {
                other: content for other, theirs in written.items() if other != array
                for content in [_list(loop, cursor, theirs)] if content is not None
            }  # fmt: skip
            if cursor.behind is not None:
                result[array] = cursor.behind
            result |= lists
    return result


def _cursors(loop: Loop, space: Space, array: Array, stores: Sequence[Store]) -> list[_Cursor]:
    steps = {_step(array, s) for s in stores}
    clean = all(is_clean(loop, s.index, *(g for g, _ in s.guards)) for s in stores)
    if len(steps) != 1 or not clean:
        return []
    (step,) = steps
    held = loop.before.content(array)
    entries = [Entry(s.guards, s.index) for s in stores]
    slots = tuple(s.value - 1 if step == 1 else s.value for s in stores)
    if step is None:
        return []
    if isinstance(held, Offsets):
        shift = 0 if step == 1 else -1
        keyed = _matched(space, entries, shift, held, array, loop)
        if keyed is None:
            return []
        behind = Offsets(keyed.moved(-1 if step == 1 else 0), held.first, held.last)
        return [_Cursor(keyed, slots, behind)]
    if not isinstance(held, Zeros) or step != 1:
        return []
    return list(_based(loop, space, array, entries, slots))


def _step(array: Array, store: Store) -> int | None:
    """By how much a store moves an element that it has just read."""
    for step in (1, -1):
        atom = (store.value - step).atom
        if isinstance(atom, Elem) and atom.array == array and atom.index == store.index:
            return step
    return None


def _matched(
    space: Space, entries: Sequence[Entry], shift: int, held: Offsets, array: Array, loop: Loop
) -> Keyed | None:
    """The edges with their keys, if the offsets are those of the same edges."""
    known = held.keyed
    moved = [e.moved(shift) for e in entries]
    if known.space != space or Bag(moved) != Bag(known.entries) or held.first.number != 0:
        return None
    limits = []
    for entry in moved:
        before = known.limits[known.entries.index(entry)]
        limits.append(frozenset(x - shift for x in before) | limits_of(loop.before, array))
    keyed = Keyed(space, tuple(entries), tuple(limits))
    return keyed if keyed.below(held.last - shift) else None


def _based(
    loop: Loop, space: Space, array: Array, entries: Sequence[Entry], slots: Sequence[Lin]
) -> list[_Cursor]:
    """``off[key] + count[key]++``: cursors that start at 0."""
    found = []
    for other, held in loop.before.contents.items():
        if not isinstance(held, Offsets) or other in loop.written:
            continue
        keyed = _matched(space, entries, 0, held, other, loop)
        if keyed is None:
            continue
        own = limits_of(loop.before, array)
        keyed = Keyed(space, keyed.entries, tuple(known | own for known in keyed.limits))
        places = (slot + loop.before.element(other, entry.key)
                  for slot, entry in zip(slots, keyed.entries, strict=True))  # fmt: skip
        found.append(_Cursor(keyed, tuple(places), None, other))
    return found


def _list(loop: Loop, cursor: _Cursor, stores: Sequence[Store]) -> Content | None:
    """The list that stores at a cursor's places make."""
    if len(stores) != len(cursor.slots):
        return None
    values: list[Lin] = []
    for slot, entry in zip(cursor.slots, cursor.keyed.entries, strict=True):
        found = [s for s in stores if s.index == slot and s.guards == entry.guards]
        if len(found) != 1 or not is_clean(loop, found[0].value):
            return None
        values.append(found[0].value)
    return Filled(cursor.keyed, tuple(values), loop.trace.serial)
