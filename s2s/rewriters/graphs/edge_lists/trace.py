"""What one iteration of a loop stores in arrays, in terms of the loop's variable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from s2s.frontends.c.syntax import Node
from s2s.rewriters.graphs.edge_lists.contents import Guards
from s2s.rewriters.graphs.edge_lists.terms import Array, Lin


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
    ``ends`` are the values of variables behind the iteration.
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
