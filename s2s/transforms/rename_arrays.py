"""Statements whose references name other arrays: cut where some elements are meant and some not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import islpy as isl

from s2s.analyses.roles import Swap, sides
from s2s.scop.nodes import Access, Statement
from s2s.source import Edit
from s2s.transforms.errors import NotApplicable

_IN = isl.dim_type.in_
# Statements are split into at most so many parts: nine are those of a rectangle.
_MOST_PIECES = 12
# The text of all pieces of a statement: compilers look at each of them.
_MOST_TEXT = 8192


Rename = Callable[[Access], tuple[Access, str]]
"""The access to another array, and the text in place of the array's name."""


def split_by_names(
    statement: Statement,
    domain: isl.Set,
    swap_of: Callable[[str], Swap | None],
    rename: Rename,
) -> Iterator[Statement]:
    """The instances in ``domain``, split by which accesses are to elements of their array's swap.

    These are renamed. Raises NotApplicable.
    """
    parts: list[tuple[isl.Set, tuple[bool, ...]]] = [(domain, ())]
    for access in statement.accesses:
        swap = swap_of(access.array)
        divided = []
        for instances, chosen in parts:
            if swap is None:
                divided.append((instances, (*chosen, False)))
                continue
            inside, outside = sides(swap, access, instances)
            if not instances.is_subset(inside.union(outside)):
                raise NotApplicable(access.span, "which elements are exchanged is not known")
            divided += [(instances.intersect(inside).coalesce(), (*chosen, True)),
                        (instances.intersect(outside).coalesce(), (*chosen, False))]  # fmt: skip
        parts = [(instances, chosen) for instances, chosen in divided if not instances.is_empty()]
        if len(parts) > _MOST_PIECES:
            raise NotApplicable(statement.span, "the boundary has too many parts")
    if len(parts) * (statement.span.end - statement.span.start) > _MOST_TEXT:
        raise NotApplicable(statement.span, "the boundary's parts make too much code")
    for instances, chosen in parts:
        yield _renamed(part(statement, statement.name, instances), chosen, rename)


def _renamed(piece: Statement, chosen: tuple[bool, ...], rename: Rename) -> Statement:
    """A statement with the chosen accesses renamed, in its text, too."""
    accesses: list[Access] = []
    edits, names = set(piece.edits), set(piece.uses)
    for access, is_chosen in zip(piece.accesses, chosen, strict=True):
        if not is_chosen:
            accesses.append(access)
            continue
        if len(access.names) != len(access.spans):
            raise NotApplicable(access.span, "a reference is not spelled plainly")
        new, text = rename(access)
        accesses.append(new)
        edits |= {Edit(n.start, n.end, text.encode()) for n in access.names}
        names.add(text)
    places = sorted((e.start, e.end) for e in edits)
    if any(a[1] > b[0] for a, b in pairwise(places)):
        raise NotApplicable(piece.span, "a reference is not spelled plainly")
    return replace(
        piece, accesses=tuple(accesses), edits=tuple(sorted(edits)), uses=frozenset(names)
    )


def part(statement: Statement, name: str, domain: isl.Set) -> Statement:
    """A statement for a part of its instances, all of its accesses kept in their places."""
    accesses = tuple(
        replace(a, relation=a.relation.intersect_domain(domain)) for a in statement.accesses
    )
    return under(replace(statement, domain=domain, accesses=accesses), name)


def under(statement: Statement, name: str) -> Statement:
    """A statement under another name."""
    accesses = tuple(
        replace(a, relation=a.relation.set_tuple_name(_IN, name)) for a in statement.accesses
    )
    choices = tuple(
        replace(c, condition=c.condition.set_tuple_name(name)) for c in statement.choices
    )
    return replace(
        statement, name=name, domain=statement.domain.set_tuple_name(name), accesses=accesses,
        schedule=statement.schedule.set_tuple_name(_IN, name), choices=choices,
    )  # fmt: skip
