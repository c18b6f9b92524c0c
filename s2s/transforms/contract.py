"""Contraction of a private scalar to the array element that it is stored to.

::

    sum = a[i][j];                                  (dropped)
    for k: sum -= a[i][k] * a[k][j];      ->        for k: a[i][j] -= a[i][k] * a[k][j];
    a[i][j] = sum;                                  (dropped)

The scalar's dependences, which tie a statement to the loops around it, become those of the element:
the loops can then be distributed and interchanged. The inverse is scalar replacement (Callahan,
Carr and Kennedy, "Improving register allocation for subscripted variables", 1990).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from s2s.analyses.dependences import other_rows
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.remembered import composition, inverse, remembered, union
from s2s.scop.texts import Carried, Copy, still_declares
from s2s.scop.trees import drop_statements
from s2s.source import Edit, Span
from s2s.transforms.errors import NotApplicable


def contract(scop: Scop, array: str) -> Scop:
    """Keep the values of a carried scalar in the elements that it is stored to.

    Legal if each lifetime begins with a plain assignment to the scalar and ends with a store to an
    element that, in between, nothing else touches. Raises NotApplicable.
    """
    carried = scop.carried[array]
    if scop.order is not None:
        raise NotApplicable(_first_place(carried), "the order of the source's blocks is not known")
    reason = f"'{carried.spelling}' is not stored to an element"
    for copy in carried.copies:
        if not copy.stores:
            continue
        problem = _problem(scop, carried, copy)
        if problem is None:
            return _replaced(scop, carried, copy)
        reason = problem
    raise NotApplicable(_first_place(carried), reason)


def contract_all(scop: Scop) -> Scop:
    """Contract every carried scalar for which that is legal."""
    for array in tuple(scop.carried):
        try:
            scop = contract(scop, array)
        except NotApplicable:
            continue
    return scop


def _first_place(carried: Carried) -> Span:
    return min(span for spans in carried.places.values() for span in spans)


# -- legality -------------------------------------------------------------------------------


def _problem(scop: Scop, carried: Carried, copy: Copy) -> str | None:
    """Why the scalar cannot live in the element of a store, None where it can."""
    elements = _elements(scop, carried, copy)
    if elements is None:
        return f"the element that '{carried.spelling}' is stored to is not known"
    lives = _Lifetimes(scop, carried.array)
    if not lives.used.subtract(elements.domain()).is_empty():
        return f"'{carried.spelling}' is not always stored"
    if lives.unset(carried):
        return f"'{carried.spelling}' is not set before it is read"
    if not lives.ends_with(copy.statement):
        return f"'{carried.spelling}' is used after it is stored"
    for statement in scop.statements:
        for access in statement.accesses:
            if _is_own(statement, access, carried, copy):
                continue
            touching = _touching(scop, access, elements)
            if not lives.apart(statement, access, touching, carried):
                name = scop.arrays[elements.get_tuple_name(isl.dim_type.out)].spelling
                return f"'{name}' may be accessed while '{carried.spelling}' is live"
    return None


def _is_own(statement: Statement, access: Access, carried: Carried, copy: Copy) -> bool:
    """Whether an access is the scalar's own or the store that ends its lifetime."""
    if access.array == carried.array:
        return True
    return statement.name == copy.statement and access.write and access.span == copy.place


def _elements(scop: Scop, carried: Carried, copy: Copy) -> isl.Map | None:
    """From the scalar's lifetimes to the elements that a statement stores them to."""
    statement = scop.statement(copy.statement)
    stores = [a for a in statement.accesses if a.write and a.span == copy.place and a.exact]
    reads = [a for a in statement.accesses if a.array == carried.array and a.exact]
    if len(stores) != 1 or not reads or scop.arrays[stores[0].array].external:
        return None
    elements = reads[0].relation.reverse().apply_range(stores[0].relation)
    return elements if elements.is_single_valued() else None


@remembered
def _first(times: isl.Map) -> isl.Map:
    return times.lexmin()


@remembered
def _last(times: isl.Map) -> isl.Map:
    return times.lexmax()


@remembered
def _until(times: isl.Map, first: isl.Map) -> isl.Map:
    """From instances to what begins with them or later."""
    return times.lex_le_map(first)


class _Lifetimes:
    """When each lifetime of a carried scalar begins and ends, in the source's order."""

    def __init__(self, scop: Scop, array: str) -> None:
        self.accesses = [(s, a) for s in scop.statements for a in s.accesses if a.array == array]
        times: isl.Map | None = None
        for statement, access in self.accesses:
            item = composition(inverse(access.relation), statement.schedule)
            times = item if times is None else union(times, item)
        assert times is not None
        self.used = times.domain()
        self.first, self.last = _first(times), _last(times)

    def unset(self, carried: Carried) -> bool:
        """Whether a lifetime may begin with anything but a plain assignment to the scalar."""
        return any(
            not access.relation.intersect(_until(statement.schedule, self.first)).is_empty()
            for statement, access in self.accesses
            if statement.name not in carried.sets or not (access.write and access.exact)
        )

    def ends_with(self, name: str) -> bool:
        """Whether a statement is the last one of every lifetime that it is in."""
        return all(
            access.relation.is_subset(statement.schedule.lex_ge_map(self.last))
            for statement, access in self.accesses
            if statement.name == name
        )

    def apart(
        self, statement: Statement, access: Access, touching: isl.Map, carried: Carried
    ) -> bool:
        """Whether an access never touches a lifetime's element while the scalar is live.

        What the assignment that begins a lifetime reads, it reads before that.
        """
        if touching.is_empty():
            return True
        inside = statement.schedule.lex_ge_map(self.first)
        inside = inside.intersect(_until(statement.schedule, self.last))
        if statement.name in carried.sets and not access.write:
            begins = self._begun_by(statement)
            inside = inside.subtract(begins)
        return touching.intersect(inside).is_empty()

    def _begun_by(self, statement: Statement) -> isl.Map:
        """A statement's instances with the lifetimes that they begin."""
        own = [a.relation for s, a in self.accesses if s is statement and a.write]
        return own[0].intersect(_until(statement.schedule, self.first))


def _touching(scop: Scop, access: Access, elements: isl.Map) -> isl.Map:
    """Statement instances with the lifetimes whose elements an access may touch."""
    name = elements.get_tuple_name(isl.dim_type.out)
    if access.array == name:
        same = access.relation.apply_range(elements.reverse())
        row_rank = scop.arrays[name].row_rank
        if row_rank:
            same = same.union(other_rows(access.relation, elements, row_rank))
        return same
    everything = isl.Map.from_domain_and_range(access.relation.domain(), elements.domain())
    if frozenset((access.array, name)) in scop.may_alias:
        return everything
    return isl.Map.empty(everything.get_space())


# -- the new statements ---------------------------------------------------------------------


def _replaced(scop: Scop, carried: Carried, copy: Copy) -> Scop:
    """The SCoP with elements in place of the scalar, statements that copy one to itself dropped."""
    elements = _elements(scop, carried, copy)
    assert elements is not None
    dropped = set(_identities(scop, carried, elements))
    stores = scop.statement(copy.statement).accesses
    (element,) = [a for a in stores if a.write and a.span == copy.place and a.exact]
    statements = []
    for statement in scop.statements:
        if statement.name in dropped:
            continue
        places = carried.places.get(statement.name, ())
        if places:
            statement = _edited(statement, carried, element, elements, places, copy)
        statements.append(statement)
    changed = replace(
        scop, statements=tuple(statements),
        arrays={n: a for n, a in scop.arrays.items() if n != carried.array},
        carried={n: c for n, c in scop.carried.items() if n != carried.array},
    )  # fmt: skip
    return drop_statements(changed, dropped)


def _identities(scop: Scop, carried: Carried, elements: isl.Map) -> Iterator[str]:
    """Statements that copy between the scalar and its own element and do nothing else."""
    for copy in carried.copies:
        if not copy.plain:
            continue
        statement = scop.statement(copy.statement)
        others = [a for a in statement.accesses if a.array != carried.array]
        own = [a.relation for a in statement.accesses if a.array == carried.array]
        if len(others) == 1 and others[0].relation.is_equal(own[0].apply_range(elements)):
            yield copy.statement


def _edited(
    statement: Statement, carried: Carried, element: Access, elements: isl.Map,
    places: tuple[Span, ...], copy: Copy,
) -> Statement:  # fmt: skip
    """A statement with the element, which has the scalar's type, where it names the scalar."""
    accesses = tuple(
        replace(
            a, array=element.array, type=element.type, relation=a.relation.apply_range(elements)
        ) if a.array == carried.array else a
        for a in statement.accesses
    )  # fmt: skip
    text = copy.text.encode("utf-8", "surrogateescape")
    edits = (*statement.edits, *(Edit(p.start, p.end, text) for p in places))
    return replace(
        statement, accesses=accesses, edits=edits, uses=statement.uses | copy.names,
        declares=still_declares(statement, carried),
    )  # fmt: skip
