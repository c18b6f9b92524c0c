"""Which array elements registers can hold while an innermost loop runs, and what that saves.

Scalar replacement as in Callahan, Carr and Kennedy, "Improving register allocation for subscripted
variables" (1990): an element that does not move with the innermost loop is loaded before it;
one that several written-out iterations read or update is loaded and stored once for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from s2s.analyses.locality import coefficients
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.schedule import Held

# Cycles between two dependent additions, over loads or stores for each cycle (two, mostly).
CHAIN = 8.0


def held_elements(scop: Scop, statement: Statement, vector: int, iterator: int) -> tuple[Held, ...]:
    """Elements of a statement to hold in the loop over dimension ``vector`` of the target schedule.

    ``iterator`` is the statement's that runs along it. Only instances whose time is not zero behind
    ``vector - 1`` count: those of whole tiles. All claims are checked on the accesses themselves.
    """
    assert scop.target is not None
    inner = _together(scop, statement, vector, vector + 1)
    outer = _together(scop, statement, vector, vector)
    name = scop.target.dimensions[vector].name
    found = []
    for index, access in enumerate(statement.accesses):
        equal = [b for b in statement.accesses if _same(access, b)]
        if equal[0] is not access or not _is_plain(scop, access):
            continue
        moves = any(row[iterator] for row in coefficients(access))
        written = any(b.write for b in equal)
        together = inner if moves else outer
        if moves and not written and not _is_shared(access, together):
            continue
        if _is_apart(scop, statement, access, written, together):
            found.append(Held(statement.name, index, name, moves, written))
    return tuple(found)


def _together(scop: Scop, statement: Statement, vector: int, count: int) -> isl.Map:
    """Pairs of instances of whole tiles with the same first ``count`` times."""
    assert scop.target is not None
    times = scop.target.maps[statement.name].intersect_domain(statement.domain)
    length = times.dim(isl.dim_type.out)
    whole = times.intersect_range(
        isl.Set.universe(times.range().get_space()).lower_bound_val(
            isl.dim_type.set, vector - 1, isl.Val(1)
        )
    )
    prefix = whole.project_out(isl.dim_type.out, count, length - count)
    return prefix.apply_range(prefix.reverse())


def _is_shared(access: Access, together: isl.Map) -> bool:
    """Whether several of the instances that run together touch the same element."""
    again = _meeting(access, access).intersect(together)
    return not again.is_subset(isl.Map.identity(again.get_space()))


def _is_plain(scop: Scop, access: Access) -> bool:
    array = scop.arrays[access.array]
    plain = array.rank > 0 and not array.row_rank and not array.external
    return (
        plain and access.exact and access.commutes is None and (access.relation.is_single_valued())
    )


def _same(a: Access, b: Access) -> bool:
    return a is b or (
        a.array == b.array
        and coefficients(a) == coefficients(b)
        and bool(a.relation.is_equal(b.relation))
    )


def _is_apart(
    scop: Scop, statement: Statement, access: Access, written: bool, together: isl.Map
) -> bool:
    """Whether no other access of instances that run together can be to an element held."""
    for other in statement.accesses:
        if _same(access, other) or not (written or other.write):
            continue
        if other.array != access.array:
            if frozenset((access.array, other.array)) in scop.may_alias:
                return False
        elif not _meeting(access, other).intersect(together).is_empty():
            return False
    if not written:
        return True
    # Different iterators in the subscripts have to mean different elements.
    twice = _meeting(access, access).intersect(together)
    for position in range(statement.depth):
        if any(row[position] != 0 for row in coefficients(access)):
            equal = twice.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
            if not twice.is_subset(equal):
                return False
    return True


def _meeting(a: Access, b: Access) -> isl.Map:
    return a.relation.apply_range(b.relation.reverse())


def innermost_operations(
    scop: Scop, elements: Sequence[Element], vector: int, factors: Mapping[int, int], *,
    chained: bool,
) -> tuple[float, int]:  # fmt: skip
    """Loads and stores for each iteration of the innermost loop, and registers that hold elements.

    ``elements`` are those of a statement, ``vector`` is the iterator of the innermost loop,
    ``factors`` how often others are written out. ``chained``: the iterations of that loop form one
    chain of dependent operations for each element held, so that the chains' latency bounds the
    speed where they are few.
    """
    total = 1
    for factor in factors.values():
        total *= factor
    operations, registers, chains = 0.0, 0, total
    for access, stores, loads in elements:
        copies = 1
        for iterator, factor in factors.items():
            if _moves(access, iterator):
                copies *= factor
        if not _moves(access, vector):
            registers += copies if scop.arrays[access.array].rank else 0
            chains = min(chains, copies) if stores else chains
            continue
        operations += copies * (int(loads) + int(stores))
        registers += copies if stores else 1
    cost = operations / total
    return (max(cost, CHAIN / chains) if chained else cost), registers


Element = tuple[Access, bool, bool]
"""An element that a statement touches, whether it stores it, whether it loads it."""


def elements_of(statement: Statement) -> list[Element]:
    """The different elements that a statement touches."""
    found: list[Element] = []
    for access in statement.accesses:
        for place, (other, stores, loads) in enumerate(found):
            if _same(access, other):
                found[place] = other, stores or access.write, loads or not access.write
                break
        else:
            found.append((access, access.write, not access.write))
    return found


def _moves(access: Access, iterator: int) -> bool:
    return any(row[iterator] != 0 for row in coefficients(access))


def accumulators(scop: Scop, dimension: str) -> tuple[Held, ...]:
    """Elements that all iterations of the one loop of a region update, to hold in locals.

    ``dimension`` is that loop's in the target schedule. Nothing else in the loop can be what is
    held: all accesses of its array are to elements that stay, and other arrays are known to lie
    apart.
    """
    found: list[Held] = []
    for array in sorted({a.array for s in scop.statements for a in s.accesses if a.write}):
        touching = [(s, i) for s in scop.statements for i, a in enumerate(s.accesses)
                    if a.array == array]  # fmt: skip
        if _may_be_another(scop, array):
            continue
        for element in _elements(scop, touching):
            first: set[str] = set()
            written = any(s.accesses[i].write for s, i in element)
            for statement, index in element if written else ():
                if statement.name not in first:
                    first.add(statement.name)
                    found.append(Held(statement.name, index, dimension, False, True))
    return tuple(found)


def unmoved(scop: Scop, statements: Sequence[Statement], dimension: str) -> tuple[Held, ...]:
    """Elements that a loop reads in all iterations and does not set, of arrays that it writes.

    ``statements`` are the loop's, each around nothing but it; ``dimension`` is its own in the
    target schedule. A compiler that does not see where the loop ends loads them in each iteration.
    """
    written = {a.array for s in statements for a in s.accesses if a.write}
    found: list[Held] = []
    for statement in statements:
        distinct = [e[0] for e in elements_of(statement)]
        for index, access in enumerate(statement.accesses):
            if (
                access.write
                or access.array not in written
                or not any(access is one for one in distinct)
                or any(_moves(access, i) for i in range(statement.depth))
                or not (_is_plain(scop, access) and access.type)
                or _may_be_another(scop, access.array)
            ):
                continue
            element = access.relation.intersect_domain(statement.domain).range()
            if not any(_touches(other, element) for other in statements):
                found.append(Held(statement.name, index, dimension, False, False, needed=False))
    return tuple(found)


def _touches(statement: Statement, element: isl.Set) -> bool:
    """Whether a statement may write what is in a set."""
    reached = (
        a.relation.intersect_domain(statement.domain).range()
        for a in statement.accesses
        if a.write and a.relation.get_tuple_name(isl.dim_type.out) == element.get_tuple_name()
    )
    return any(not r.intersect(element).is_empty() for r in reached)


def _elements(
    scop: Scop, touching: Sequence[tuple[Statement, int]]
) -> list[list[tuple[Statement, int]]]:
    """What straight statements touch of an array, by elements; none where that is more.

    Each element is the same in every iteration, and all are different ones.
    """
    found: list[tuple[isl.Set, list[tuple[Statement, int]]]] = []
    for statement, index in touching:
        access = statement.accesses[index]
        fixed = not any(_moves(access, i) for i in range(statement.depth))
        if not (fixed and _is_plain(scop, access) and access.type and statement.straight):
            return []
        place = access.relation.intersect_domain(statement.domain).range()
        same = next((users for other, users in found if other.is_equal(place)), None)
        if same is not None:
            same.append((statement, index))
        elif place.is_singleton() and all(place.is_disjoint(other) for other, _ in found):
            found.append((place, [(statement, index)]))
        else:
            return []
    domains = {str(s.domain.set_tuple_name("S")) for s, _ in touching}
    return [users for _, users in found] if len(domains) == 1 else []


def _may_be_another(scop: Scop, array: str) -> bool:
    """Whether something else that the region touches may be memory of an array."""
    touched = {a.array for s in scop.statements for a in s.accesses}
    unknown = any(scop.arrays[name].external for name in touched)
    return unknown or any(array in pair and pair - {array} & touched for pair in scop.may_alias)


def stays_in_memory(scop: Scop, array: str) -> bool:
    """Whether a compiler has to store an element in each iteration that all iterations update.

    What the guard of the new code has to compare, it does not know to be apart.
    """
    for statement in scop.statements:
        if any(statement.accesses[i].array == array for i in held_in(scop, statement.name)):
            return False
    touched = {a.array for s in scop.statements for a in s.accesses}
    return scop.arrays[array].rank > 0 and any(
        array in pair and pair - {array} & touched for pair in scop.checked
    )


def held_in(scop: Scop, statement: str) -> set[int]:
    """The places of a statement's accesses whose elements locals stand for in the new code."""
    held = scop.target.held if scop.target is not None else ()
    return {h.access for h in held if h.statement == statement}


def are_members_held(scop: Scop, access: Access) -> bool:
    """Whether an access writes members of records, which a compiler may hold in registers.

    They lie apart, so that no vector of them is stored at once; where nothing else that the loops
    touch can be one, the compiler itself adds up in registers and takes records for lanes.
    """
    array = scop.arrays[access.array]
    return access.write and array.scattered and not stays_in_memory(scop, access.array)
