"""Contents of an array after a store to one of its elements."""

from __future__ import annotations

from dataclasses import replace

from s2s.frontends.c.syntax import Node
from s2s.rewriters.graphs.edge_lists.contents import Content, Flat, Keyed, Offsets, Unknown, Zeros
from s2s.rewriters.graphs.edge_lists.terms import Lin, Op, number, of


def store_element(content: Content, index: Lin, value: Lin, node: Node) -> Content:
    """What an array holds when ``value`` was stored at ``index``."""
    zero = value == number(0)
    if isinstance(content, Zeros) and zero:
        return Zeros(index + 1) if index == content.last else content
    if isinstance(content, Offsets):
        if zero and index == number(0) and content.first in (number(0), number(1)):
            return replace(content, first=number(0))  # no key is below 0
        if index == content.last and is_total(value, content.keyed, index):
            return replace(content, last=index + 1)
    elif zero and index == number(0):
        return Zeros(number(1))
    return Unknown((node, "is written by something else than what builds lists"))


def total(keyed: Keyed, last: Lin) -> Lin:
    """The number of edges with a key below ``last``."""
    return of(Op("below", (keyed.space, frozenset(keyed.entries), last)))


def is_total(value: Lin, keyed: Keyed, last: Lin) -> bool:
    """Whether a value is known to be the number of edges with a key below ``last``."""
    atom = value.atom
    if isinstance(atom, Op) and atom.name == "below":
        space, entries, bound = atom.args
        shift = (last - bound).number
        same = shift is not None and {e.moved(shift) for e in entries} == set(keyed.entries)
        return bool(space == keyed.space and same and _distinct(keyed))
    if not isinstance(keyed.space, Flat) or any(e.guards for e in keyed.entries):
        return False
    edges = (keyed.space.last - keyed.space.first).scaled(len(keyed.entries))
    return value == edges and keyed.below(last)


def _distinct(keyed: Keyed) -> bool:
    return len(set(keyed.entries)) == len(keyed.entries)
