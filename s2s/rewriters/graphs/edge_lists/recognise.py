"""What a loop builds: counts of edges, their sums, lists, copies of sums.

Each form is proved from the stores of one iteration and from what the arrays held before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from s2s.rewriters.graphs.edge_lists.contents import (
    Content,
    Counts,
    Entry,
    Flat,
    Keyed,
    Offsets,
    Rows,
    Space,
    Zeros,
    at_most,
)
from s2s.rewriters.graphs.edge_lists.fills import recognise_fills
from s2s.rewriters.graphs.edge_lists.memory import State, may_share
from s2s.rewriters.graphs.edge_lists.poke import total
from s2s.rewriters.graphs.edge_lists.rows import expanded
from s2s.rewriters.graphs.edge_lists.terms import (
    Array,
    Counter,
    Elem,
    Lin,
    Sym,
    atoms,
    number,
    of,
    replaced,
)
from s2s.rewriters.graphs.edge_lists.trace import Loop, Range, Store, Trace, is_clean, limits_of


def recognise_contents(
    trace: Trace, found: Range, before: State, after: State
) -> dict[Array, Content]:
    """New contents of the arrays that a loop builds."""
    loop = Loop(trace, found, before, after)
    written = loop.written
    if not all(map(_is_apart(loop), written)):
        return {}
    result: dict[Array, Content] = {}
    for array, stores in written.items():
        if len(stores) == 1 and stores[0].exact and not stores[0].guards and not trace.rows:
            content = _summed(loop, stores[0])
            if content is not None:
                result[array] = content
    for array, stores in written.items():
        if array not in result and len(stores) == 1 and not trace.rows:
            content = _copied(loop, stores[0], result)
            if content is not None:
                result[array] = content
    result |= _edges(loop, {a: s for a, s in written.items() if a not in result})
    return result


def _is_apart(loop: Loop) -> Any:
    """Whether an array that is written is no other one that the loop touches."""
    touched = {*loop.written, *_read(loop)}

    def check(array: Array) -> bool:
        mine = array[0]
        visible = mine.outer or mine in loop.before.escaped
        return not visible or not any(
            (o.outer or o in loop.before.escaped) and o is not mine and not (o.alone or mine.alone)
            and may_share(o.kind, mine.kind)
            for o, _ in touched
        )  # fmt: skip

    return check


def _read(loop: Loop) -> Iterable[Array]:
    for store in loop.trace.stores:
        for term in (store.index, store.value, *(g for g, _ in store.guards)):
            yield from (a.array for a in atoms(term) if isinstance(a, Elem))


# -- sums ---------------------------------------------------------------------------------------


def _summed(loop: Loop, store: Store) -> Content | None:
    """Zeros, or sums of counts, that a loop over the keys sets."""
    shift = (store.index - of(Counter(0))).number
    if shift is None or not store.exact:
        return None
    first, last = loop.range.first + shift, loop.range.last + shift
    if store.value == number(0) and first == number(0):
        return Zeros(last)
    if loop.range.step != 1:
        return _shifted(loop, store, first, last)
    return _in_place(loop, store, first, last) or _onto(loop, store, first, last) or (
        _carried(loop, store, first, last))  # fmt: skip


def _in_place(loop: Loop, store: Store, first: Lin, last: Lin) -> Content | None:
    """``a[i] += a[i - 1]``."""
    held = loop.before.content(store.array)
    own = loop.before.element
    wanted = own(store.array, store.index) + own(store.array, store.index - 1)
    if not isinstance(held, Counts) or store.value != wanted or first != number(1):
        return None
    reaches = _reaches(loop, store.array, last, held.last)
    return Offsets(held.keyed.moved(-1), number(0), last) if reaches else None


def _onto(loop: Loop, store: Store, first: Lin, last: Lin) -> Content | None:
    """``a[i] = a[i - 1] + count[i - 1]``, and with ``count[i]``."""
    before = loop.before
    rest = store.value - before.element(store.array, store.index - 1)
    source = _counts(loop, rest.atom)
    held = before.content(store.array)
    if source is None or first != number(1) or not isinstance(held, Zeros):
        return None
    counts, index = source
    by = (index - store.index).number
    source_of = rest.atom.array if isinstance(rest.atom, Elem) else store.array
    zero = at_most(number(1), held.last) or at_most(loop.range.last, held.last)
    if by not in (-1, 0) or not zero or not _reaches(loop, source_of, last + by, counts.last):
        return None
    return Offsets(counts.keyed.moved(-1 - by), number(0), last)


def _carried(loop: Loop, store: Store, first: Lin, last: Lin) -> Content | None:
    """``a[i] = sum; sum += count[i]``, the sum before or after the new count."""
    for cell, begun in loop.before.cells.items():
        sum_ = of(Sym(("carried", loop.trace.serial, 0, cell)))
        added = store.value - sum_
        if begun != number(0) or any(a == sum_.atom for a in atoms(added)):
            continue
        step = _step_of(loop, cell)
        source = _counts(loop, step.atom, store.array) if step is not None else None
        if source is None or step is None:
            continue
        counts, index = source
        by = (index - of(Counter(0))).number
        if by is None or loop.range.first + by != number(0):
            continue
        array = step.atom.array if isinstance(step.atom, Elem) else store.array
        reaches = _reaches(loop, array, loop.range.last + by, counts.last)
        if added not in (number(0), step) or not reaches:
            continue
        shift = (store.index - index).number
        if shift is None:
            continue
        shift -= 0 if added == number(0) else 1
        return Offsets(counts.keyed.moved(shift), first, last)
    return None


def _reaches(loop: Loop, array: Array, wanted: Lin, known: Lin) -> bool:
    """Whether what is known of an array's elements goes as far, or to the array's end."""
    return at_most(wanted, known) or known in limits_of(loop.before, array)


def _step_of(loop: Loop, cell: Array) -> Lin | None:
    """What an iteration adds to a variable."""
    value = loop.trace.ends.get(cell)
    carried = of(Sym(("carried", loop.trace.serial, 0, cell)))
    return value - carried if isinstance(value, Lin) else None


def _counts(loop: Loop, atom: Any, own: Array | None = None) -> tuple[Counts, Lin] | None:
    """The counts that an element is one of, and its subscript; ``own`` may be written."""
    if not isinstance(atom, Elem) or (atom.array in loop.written and atom.array != own):
        return None
    held = loop.before.content(atom.array)
    same = atom.version == loop.before.version(atom.array)
    if atom.array == own:
        (store,) = loop.written[own]
        by = (atom.index - store.index).number
        same = same and by is not None and by >= 0
    return (held, atom.index) if isinstance(held, Counts) and same else None


def _shifted(loop: Loop, store: Store, first: Lin, last: Lin) -> Content | None:
    """``a[i] = a[i - 1]``, down."""
    held = loop.before.content(store.array)
    if store.value != loop.before.element(store.array, store.index - 1):
        return None
    if not isinstance(held, Offsets):
        return None
    within = at_most(held.first, first - 1) and at_most(last - 1, held.last)
    return Offsets(held.keyed.moved(1), first, last) if within else None


def _copied(loop: Loop, store: Store, new: dict[Array, Content]) -> Content | None:
    """Offsets that a loop copies, or sets as it sets others."""
    shift = (store.index - of(Counter(0))).number
    if shift is None or not store.exact or store.guards or loop.range.step != 1:
        return None
    first, last = loop.range.first + shift, loop.range.last + shift
    for other, (its, *more) in loop.written.items():
        if other != store.array and not more and its.value == store.value and other in new:
            return _at(new[other], (store.index - its.index).number, first, last)
    atom = store.value.atom
    if not isinstance(atom, Elem) or atom.version != loop.before.version(atom.array):
        return None
    by = (store.index - atom.index).number
    if atom.array not in loop.written:
        return _at(loop.before.content(atom.array), by, first, last)
    (its, *more) = loop.written[atom.array]
    behind = (its.index - atom.index).number
    if more or behind is None or behind <= 0 or atom.array not in new:
        return None
    return _at(new[atom.array], by, first, last)


def _at(content: Content, by: int | None, first: Lin, last: Lin) -> Content | None:
    """Offsets ``by`` elements further on, from ``first`` to ``last`` there."""
    if not isinstance(content, Offsets) or by is None:
        return None
    within = at_most(content.first + by, first) and at_most(last, content.last + by)
    return Offsets(content.keyed.moved(by), first, last) if within else None


def scalars_behind(
    trace: Trace, found: Range, before: State, cells: Iterable[Array]
) -> dict[Array, Lin]:
    """Sums of counts that variables hold after a loop."""
    loop, result = Loop(trace, found, before, before), {}
    for cell in cells:
        step = _step_of(loop, cell) if before.cells.get(cell) == number(0) else None
        atom = step.atom if step is not None else None
        if not isinstance(atom, Elem) or found.step != 1:
            continue
        stores = loop.written.get(atom.array, [])
        single = len(stores) == 1
        source = _counts(loop, atom, atom.array if single else None) if len(stores) < 2 else None
        if source is None:
            continue
        by = (source[1] - of(Counter(0))).number
        if by is None or found.first + by != number(0):
            continue
        if _reaches(loop, atom.array, found.last + by, source[0].last):
            result[cell] = total(source[0].keyed, found.last + by)
    return result


# -- edges --------------------------------------------------------------------------------------


def _edges(loop: Loop, written: dict[Array, list[Store]]) -> dict[Array, Content]:
    """Counts and lists that a loop over edges makes."""
    space = _space(loop)
    depth = 1 if loop.trace.rows else 0
    if space is None:
        return {}
    chosen = {
        array: _named(loop, stores) for array, stores in written.items()
        if all(s.exact and s.depth == depth for s in stores)
    }  # fmt: skip
    if isinstance(space, Rows):
        known = {array: expanded(loop, stores) for array, stores in chosen.items()}
        held = loop.before.content(space.offsets)
        if None not in known.values() and isinstance(held, Offsets):
            chosen = {array: stores or [] for array, stores in known.items()}
            space = held.keyed.space
    result: dict[Array, Content] = {}
    for array, stores in chosen.items():
        content = _counted(loop, space, array, stores)
        if content is not None:
            result[array] = content
    return result | recognise_fills(loop, space, chosen)


def _space(loop: Loop) -> Space | None:
    if not loop.trace.rows:
        return Flat(loop.range.first, loop.range.last)
    ((array, version),) = loop.trace.rows
    up = loop.range.first == number(0) and loop.range.step == 1
    current = array not in loop.written and version == loop.before.version(array)
    return Rows(loop.range.last, array, version) if up and current else None


def _named(loop: Loop, stores: Sequence[Store]) -> list[Store]:
    """Stores with values that are kept in other arrays as elements of those."""
    names: dict[Any, Lin] = {}
    for array, others in loop.written.items():
        (store, *more) = others
        atom = store.value.atom
        made = isinstance(atom, Sym) and isinstance(atom.key, int) and atom.key > loop.trace.serial
        whole = store.exact and not store.guards and store.index == of(Counter(store.depth))
        if made and whole and not more and not store.depth and not loop.trace.rows:
            names[atom] = of(Elem(array, loop.after.version(array), store.index))

    def change(term: Lin) -> Lin:
        return replaced(term, names.get)

    return [
        replace(s, index=change(s.index), value=change(s.value),
                guards=frozenset((change(g), holds) for g, holds in s.guards))
        for s in stores
    ]  # fmt: skip


def _counted(loop: Loop, space: Space, array: Array, stores: Sequence[Store]) -> Content | None:
    """``count[key]++`` for each edge, from zeros."""
    held = loop.before.content(array)
    if not isinstance(held, Zeros):
        return None
    for store in stores:
        atom = (store.value - 1).atom
        own = isinstance(atom, Elem) and atom.array == array and atom.index == store.index
        narrow = store.node.type.kind != "int" or store.node.type.size < 4  # it may wrap around
        if narrow or not own or not is_clean(loop, store.index, *(g for g, _ in store.guards)):
            return None
    entries = tuple(Entry(s.guards, s.index) for s in stores)
    limits = tuple(limits_of(loop.before, array) for _ in stores)
    return Counts(Keyed(space, entries, limits), held.last)
