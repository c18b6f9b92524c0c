"""Proof that a program with renamed variables computes what the original one does.

Both are SCoPs in their sequential order. Some statements of the new one are copies between elements
and temporaries; each other one evaluates what a statement of the original does, and has accesses in
the same places, perhaps to a temporary instead. The new program is the same if each of its reads
sees, through copies, the very write that the original read sees, and if the last values of all
memory are the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

import islpy as isl

from s2s.analyses.value_flow import Sources, ValueFlow
from s2s.scop.nodes import Access, Scop, Statement
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Provenance:
    """What the statements of a renamed program are.

    ``origins`` leads from those that compute to the statements whose instances they are; all others
    copy one access to another. ``temporaries`` are the arrays that the original does not have.
    """

    origins: Mapping[str, str]
    temporaries: frozenset[str]


@dataclass(frozen=True)
class Agreement:
    """Two programs, and whether the second one computes what the first one does."""

    before: ValueFlow
    after: ValueFlow
    provenance: Provenance

    @cached_property
    def holds(self) -> bool:
        """Whether each value is computed from the same operands."""
        return same_values(self.before, self.after, self.provenance)

    def between(self, before: Scop, after: Scop) -> Agreement:
        """That of two other programs: this one where values flow in them as in those here."""
        first, second = _flow(before, self.before), _flow(after, self.after)
        if first is self.before and second is self.after:
            return self
        return Agreement(first, second, self.provenance)


def _flow(scop: Scop, known: ValueFlow) -> ValueFlow:
    """The flow of a program: the known one where it differs in schedules, texts and storage."""
    same = scop is known.scop or _what_flows(scop) == _what_flows(known.scop)
    return known if same else known.of(scop)


def _what_flows(scop: Scop) -> object:
    """All of a program that says where its values come from; the same objects are equal."""
    statements = tuple((s.name, s.domain, s.schedule, s.accesses) for s in scop.statements)
    return statements, scop.arrays, scop.may_alias, scop.context


def same_values(before: ValueFlow, after: ValueFlow, provenance: Provenance) -> bool:
    """Whether ``after`` computes what ``before`` does, each value from the same operands."""
    if _may_overlap(before.scop) or not _same_instances(before.scop, after.scop, provenance):
        return False
    try:
        values = _Values(before.scop, after.scop, before, after, provenance)
        return values.reads_agree() and values.results_agree()
    except _Unknown:
        return False


class _Unknown(Exception):
    """A value comes from nowhere, or from copies of itself."""


def _may_overlap(scop: Scop) -> bool:
    """Whether what is written may be memory that has another name, too."""
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    rows = any(scop.arrays[name].row_rank for name in written)
    return rows or any(pair & written for pair in scop.may_alias)


def _same_instances(before: Scop, after: Scop, provenance: Provenance) -> bool:
    """Whether the computing statements have no instance of the original more than once.

    Those that are left out did nothing that is read, nor what is there in the end: that is seen
    where reads and results are compared.
    """
    domains: dict[str, isl.Set] = {}
    for statement in after.statements:
        origin = provenance.origins.get(statement.name)
        if origin is None:
            continue
        part = statement.domain.set_tuple_name(origin)
        known = domains.get(origin)
        if known is not None and not known.is_disjoint(part):
            return False
        domains[origin] = part if known is None else known.union(part)
    all_of = {s.name: s.domain for s in before.statements}
    return all(domain.is_subset(all_of[name]) for name, domain in domains.items())


@dataclass
class _Values:
    """Compares the origins of values in both programs. Raises _Unknown.

    An origin is ``[writer -> element]`` in terms of the original program, and for a value that is
    older than the region the element alone.
    """

    before: Scop
    after: Scop
    flow_before: ValueFlow
    flow_after: ValueFlow
    provenance: Provenance
    _copied: dict[str, isl.UnionMap | None] = field(default_factory=dict)

    def reads_agree(self) -> bool:
        """Whether all that is read has the same origins."""
        return all(
            self._statement_agrees(statement, self.before.statement(origin))
            for statement in self.after.statements
            if (origin := self.provenance.origins.get(statement.name)) is not None
        )

    def results_agree(self) -> bool:
        """Whether the last values of all memory that anything may look at are the same ones."""
        arrays = {a.array for s in self.before.statements for a in s.accesses if a.write}
        for array in arrays:
            if self.before.arrays[array].dead:
                continue
            wanted = self._own_origins(self.flow_before.last_writes(array), array)
            found = self._origins(self.flow_after.last_writes(array), array)
            if not found.is_equal(wanted):
                return False
        return True

    def _statement_agrees(self, statement: Statement, old: Statement) -> bool:
        if len(old.accesses) != len(statement.accesses):
            return False
        for was, now in zip(old.accesses, statement.accesses, strict=True):
            if now.write != was.write or now.exact != was.exact:
                return False
            if not (now.exact or self._is_kept(statement, was, now)):
                return False
            # What may not be written keeps the value from before: it is read.
            if (not now.write or not now.exact) and not self._agrees(statement, old, was, now):
                return False
        return True

    def _is_kept(self, statement: Statement, was: Access, now: Access) -> bool:
        relation = was.relation.set_tuple_name(isl.dim_type.in_, statement.name)
        relation = relation.intersect_domain(statement.domain)
        return now.array == was.array and bool(now.relation.is_equal(relation))

    def _agrees(self, statement: Statement, old: Statement, was: Access, now: Access) -> bool:
        """Whether an access sees the same values in both programs."""
        domain = isl.UnionSet.from_set(statement.domain.set_tuple_name(old.name))
        wanted = self._sources_before(was)
        wanted = wanted.intersect_domain(_readers(wanted.domain(), domain))
        to_old = self._to_old(statement, old, was, now)
        return bool(self._sources_after(now).apply_domain(to_old).is_equal(wanted))

    def _sources_before(self, access: Access) -> isl.UnionMap:
        found = self.flow_before.sources(access)
        return self._own_origins(found.writes, access.array).union(_elements(found))

    def _sources_after(self, access: Access) -> isl.UnionMap:
        found = self.flow_after.sources(access)
        result = self._origins(found.writes, access.array)
        if found.before.is_empty():
            return result
        if access.array in self.provenance.temporaries:
            raise _Unknown
        return result.union(_elements(found))

    def _to_old(
        self, statement: Statement, old: Statement, was: Access, now: Access
    ) -> isl.UnionMap:
        """From ``[instance -> element]`` to the same in the original program."""
        rename = isl.Map.identity(statement.domain.get_space().map_from_set())
        rename = rename.set_tuple_name(isl.dim_type.out, old.name)
        if self._is_kept(statement, was, now):
            elements = isl.Map.identity(now.relation.get_space().range().map_from_set())
            return isl.UnionMap.from_map(rename.product(elements))
        # Which element the original names, follows from the instance.
        instances = now.relation.domain_map().apply_range(rename)
        return isl.UnionMap.from_map(instances.range_product(instances.apply_range(was.relation)))

    def _own_origins(self, found: isl.UnionMap, array: str) -> isl.UnionMap:
        """Origins of what the original program reads from an array."""
        written = isl.UnionMap.empty(found.get_space())
        for statement in self.before.statements:
            for access in statement.accesses:
                if access.write and access.array == array:
                    written = written.union(isl.UnionMap.from_map(access.relation))
        return _with_elements(found, written)

    def _origins(self, found: isl.UnionMap, array: str) -> isl.UnionMap:
        """Origins of what the new program reads from an array; ``found`` leads to the writers."""
        result = isl.UnionMap.empty(found.get_space())
        for statement in self.after.statements:
            part = found.intersect_range(isl.UnionSet.from_set(statement.domain))
            if part.is_empty():
                continue
            if statement.name in self.provenance.origins:
                result = result.union(self._computed(part, statement, array))
            else:
                result = result.union(part.apply_range(self._copy(statement)))
        return result

    def _computed(self, found: isl.UnionMap, statement: Statement, array: str) -> isl.UnionMap:
        """Origins of values that a statement computes and writes to an array."""
        old = self.before.statement(self.provenance.origins[statement.name])
        rename = isl.Map.identity(statement.domain.get_space().map_from_set())
        rename = rename.set_tuple_name(isl.dim_type.out, old.name)
        written = isl.UnionMap.empty(found.get_space())
        kept = []
        for was, now in zip(old.accesses, statement.accesses, strict=True):
            if now.write and now.array == array:
                written = written.union(isl.UnionMap.from_map(was.relation))
                kept.append(self._is_kept(statement, was, now))
        if len(kept) > 1 and not all(kept):
            raise _Unknown  # which of several values?
        return _with_elements(found.apply_range(isl.UnionMap.from_map(rename)), written)

    def _copy(self, statement: Statement) -> isl.UnionMap:
        """From the instances of a copy to the origins of what it copies."""
        if statement.name not in self._copied:
            self._copied[statement.name] = None  # being asked for
            (read,) = (a for a in statement.accesses if not a.write)
            if not self._is_plain(read.array):
                raise _Unknown  # which of the elements that a statement writes?
            found = self._sources_after(read).domain_factor_domain()
            self._copied[statement.name] = found
        known = self._copied[statement.name]
        if known is None:
            raise _Unknown
        return known

    def _is_plain(self, array: str) -> bool:
        """Whether each instance writes at most one element of an array."""
        return all(
            a.relation.is_single_valued()
            for s in self.after.statements for a in s.accesses
            if a.write and a.array == array
        )  # fmt: skip


def _readers(pairs: isl.UnionSet, domain: isl.UnionSet) -> isl.UnionSet:
    return pairs.unwrap().intersect_domain(domain).wrap()


def _elements(found: Sources) -> isl.UnionMap:
    """From readers whose value is older than the region to the element that they read."""
    return found.before.range_map()


def _with_elements(found: isl.UnionMap, written: isl.UnionMap) -> isl.UnionMap:
    """``[reader -> element] -> writer``, each writer with the element that it writes for this one.

    Where a statement writes one element that is the one; where it may write several, the element
    that is read is.
    """
    return found.range_product(found.apply_range(written))
