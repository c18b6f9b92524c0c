"""What a loop stores in arrays: one iteration's, in terms of the loop's variable."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.graphs.edge_lists.contents import Guards
from s2s.rewriters.graphs.edge_lists.memory import State
from s2s.rewriters.graphs.edge_lists.terms import Array, Elem, Lin, Sym, atoms
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Store:
    """An element that an iteration sets if the guards hold.

    ``depth`` is 1 in a loop over a row's edges; ``exact`` is False for stores that are made in
    other ways, or to an element that is not known.
    """

    array: Array
    index: Lin
    value: Lin
    guards: Guards
    depth: int
    exact: bool
    node: Node


@dataclass
class Trace:
    """The stores of an iteration in their order.

    ``rows`` are the offsets of the rows that an inner loop goes through, with their version.
    ``ends`` are the values of variables after the iteration.
    ``odd``: something was done that only effects are known of.
    """

    stores: list[Store] = field(default_factory=list)
    rows: list[tuple[Array, Any]] = field(default_factory=list)
    depth: int = 0
    exact: bool = True
    odd: bool = False
    serial: int = 0
    frame: Any = None
    ends: dict[Array, Any] = field(default_factory=dict)

    def last(self, array: Array, index: Lin, guards: Guards) -> Lin | bool | None:
        """What an element was set to before; False if it may have been, None if it was not."""
        for store in reversed(self.stores):
            if store.array != array:
                continue
            if not store.exact:
                return False
            if store.index == index:
                return store.value if store.guards <= guards else False
            if (store.index - index).number is None:
                return False
        return None


@dataclass(frozen=True)
class Range:
    """What a loop counts: from ``first`` to before ``last``, up or down by one."""

    variable: Decl
    first: Lin
    last: Lin
    step: int
    bound: Lin


@dataclass(frozen=True)
class Loop:
    """A loop's stores with the memory before it and the arrays' versions after it."""

    trace: Trace
    range: Range
    before: State
    after: State

    @property
    def written(self) -> dict[Array, list[Store]]:
        found: dict[Array, list[Store]] = {}
        for store in self.trace.stores:
            found.setdefault(store.array, []).append(store)
        return found


def is_clean(loop: Loop, *terms: Lin) -> bool:
    """Whether terms say the same in any other loop over the same edges."""
    for term in terms:
        for atom in atoms(term):
            if isinstance(atom, Elem):
                current = atom.version == loop.before.version(atom.array)
                within = isinstance(atom.version, tuple) and atom.version[0] == "after"
                if within or (current and atom.array in loop.written):
                    return False
            if isinstance(atom, Sym) and (
                (isinstance(atom.key, int) and atom.key > loop.trace.serial)
                or (isinstance(atom.key, tuple) and atom.key[0] == "carried")
            ):
                return False
    return True


def limits_of(state: State, array: Array) -> frozenset[Lin]:
    """The number of elements that an array has, where it is known: no subscript is above."""
    owner, path = array
    count = owner.size.divided(owner.stride) if owner.size is not None and not path else None
    return frozenset() if count is None else frozenset({count})
