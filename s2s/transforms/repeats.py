"""Statements that each iteration of an outer loop repeats with the same result run once.

::

    for i: for j: {                          for i: for j: {
        a[j] = 1 - a[j - 1];        ->           if (i is the first) a[j] = 1 - a[j - 1];
        b[j][i] = a[j] + c[j]; }                 b[j][i] = a[j] + c[j]; }

The new statement instances no longer tie the others to the outer loop, so that loops can be
distributed and interchanged. It is loop-invariant code motion for a sweep over an array. Why it is
right, by induction over a sweep (the instances of one iteration of the outer loop): nothing but the
statement writes its array; an element that it reads is never written in the region, or is written
earlier in the same sweep and not again; so every sweep writes the same values.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Access, Scop, Statement
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.units import direction


def drop_repeats(scop: Scop) -> Scop:
    """The SCoP in which statements that repeat themselves run for the first iteration only.

    Raises NotApplicable where there is none.
    """
    if scop.carried or scop.order is not None or scop.points or scop.starts or _calls(scop):
        raise NotApplicable(scop.span, "what repeats itself is not known")
    changed = tuple(_first_only(scop, s) for s in scop.statements)
    if all(a is b for a, b in zip(changed, scop.statements, strict=True)):
        raise NothingToGain(scop.span, "no statement repeats itself")
    return replace(scop, statements=changed)


def _calls(scop: Scop) -> bool:
    return any(scop.arrays[a.array].external for s in scop.statements for a in s.accesses)


def _first_only(scop: Scop, statement: Statement) -> Statement:
    """The statement without the instances that repeat others; itself where it has none."""
    for iterator in range(statement.depth - 1):
        if statement.iterators[iterator].spelling in statement.uses:
            continue
        store = _only_store(scop, statement)
        if store is None:
            return statement
        if _is_box(statement, iterator) and _is_idempotent(statement, store, iterator):
            return _within(statement, _first(statement, iterator))
    return statement


def _only_store(scop: Scop, statement: Statement) -> Access | None:
    """The one store of a plain statement to an array that nothing else writes.

    None also where a value that it reads might be written by others.
    """
    stores = [a for a in statement.accesses if a.write]
    if not statement.straight or len(stores) != 1 or not stores[0].exact:
        return None
    (store,) = stores
    array = scop.arrays[store.array]
    written = {a.array for s in scop.statements for a in s.accesses if a.write and a is not store}
    if array.external or array.row_rank or store.array in written or store.commutes is not None:
        return None
    touched = {a.array for a in statement.accesses}
    others = {store.array, *written}
    clash = any(frozenset((a, b)) in scop.may_alias for a in touched for b in others if a != b)
    if clash or touched & written or any(scop.arrays[name].external for name in touched):
        return None
    return store


def _is_box(statement: Statement, iterator: int) -> bool:
    """Whether all iterations of a loop have the same instances inside."""
    domain = statement.domain.reset_tuple_id()
    count = statement.depth
    loop = domain.project_out(isl.dim_type.set, iterator + 1, count - iterator - 1)
    loop = loop.insert_dims(isl.dim_type.set, iterator + 1, count - iterator - 1)
    sweep = domain.project_out(isl.dim_type.set, iterator, 1)
    sweep = sweep.insert_dims(isl.dim_type.set, iterator, 1)
    return bool(loop.intersect(sweep).is_subset(domain))


def _is_idempotent(statement: Statement, store: Access, iterator: int) -> bool:
    """Whether a sweep reads no element before or when it writes it, and writes none twice."""
    same = isl.Map.universe(statement.domain.get_space().map_from_set())
    for position in range(iterator + 1):
        same = same.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
    written = store.relation.reverse()
    later = statement.schedule.lex_le_map(statement.schedule).intersect(same)
    for access in statement.accesses:
        if access.array == store.array and not access.write:
            overwritten = access.relation.apply_range(written).intersect(later)
            if not overwritten.is_empty():
                return False
    twice = store.relation.apply_range(written).intersect(same)
    return bool(twice.is_subset(isl.Map.identity(twice.get_space())))


def _first(statement: Statement, iterator: int) -> isl.Set:
    """The instances of the first iteration of a loop."""
    count = statement.depth
    loop = statement.domain.reset_tuple_id()
    loop = loop.project_out(isl.dim_type.set, iterator + 1, count - iterator - 1)
    if direction(statement, iterator).startswith("-"):
        loop = _ends(loop, iterator, last=True)
    else:
        loop = _ends(loop, iterator, last=False)
    whole = loop.insert_dims(isl.dim_type.set, iterator + 1, count - iterator - 1)
    return statement.domain.intersect(whole.set_tuple_name(statement.name))


def _ends(loop: isl.Set, iterator: int, *, last: bool) -> isl.Set:
    """The first or last values of the last dimension for each value of those before it."""
    relation = isl.Map.from_range(loop)
    relation = relation.move_dims(isl.dim_type.in_, 0, isl.dim_type.out, 0, iterator)
    found = relation.lexmax() if last else relation.lexmin()
    found = found.move_dims(isl.dim_type.out, 0, isl.dim_type.in_, 0, iterator)
    return found.range()


def _within(statement: Statement, domain: isl.Set) -> Statement:
    accesses = tuple(
        replace(a, relation=a.relation.intersect_domain(domain)) for a in statement.accesses
    )
    return replace(statement, domain=domain.coalesce(), accesses=accesses)
