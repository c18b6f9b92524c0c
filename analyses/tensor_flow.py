"""Proof that a loop nest computes what the definitions of its tensors say.

The reference is the algorithm: an element of a tensor is set by the pure definition and then
changed by the updates, stage by stage, each in the order of its reduction variables. The nest may
compute elements many times, in any order, in memory that is used again. It is right when at each
read of an element, looking back to the pure definition that last wrote that memory,

1. there is one, and it is this element's;
2. since then every update of the element that the algorithm puts before the read has run,
   once, and no other has;
3. those ran in the algorithm's order, or belong to one reduction that commutes.

By induction over time every value read is then the algorithm's. Nothing here looks at how the nest
was made: all is computed from the statements' accesses. Where accesses are not affine, both sides
are taken for all that they may touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING

import islpy as isl

from s2s.analyses.tensor_readings import IN, OUT, SET, Problem, Sense, keyed, last_writers, value_of
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.unions import union_of_maps, union_of_sets
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.scop.definitions import Stage


def check(scop: Scop, definitions: Mapping[str, Sequence[Stage]]) -> Iterator[Problem]:
    """All problems of a nest; ``definitions`` are those of the tensors that it computes."""
    sense = Sense(scop)
    for tensor in producers_first(scop, definitions):
        yield from check_one(scop, tensor, definitions[tensor], sense)


def check_one(scop: Scop, tensor: str, stages: Sequence[Stage], sense: Sense) -> Iterator[Problem]:
    """The problems of one tensor, after those that its statements read (``producers_first``)."""
    writers = [s for s in scop.statements if s.write.array == tensor]
    if writers:
        yield from _Values(scop, tensor, stages, writers, sense).problems()


def producers_first(scop: Scop, names: Iterable[str]) -> list[str]:
    """Tensors in an order in which each stands after those that its statements read."""
    wanted = list(names)
    reads: dict[str, set[str]] = {name: set() for name in wanted}
    for statement in scop.statements:
        own = statement.write.array
        if own in reads:
            reads[own] |= {a.array for a in statement.reads} - {own}
    ordered: list[str] = []
    while wanted:
        ready = [n for n in wanted if not reads[n] & set(wanted)] or wanted[:1]
        ordered += ready
        wanted = [n for n in wanted if n not in ready]
    return ordered


@dataclass(frozen=True)
class _Values:
    """The history of one tensor's memory."""

    scop: Scop
    tensor: str
    stages: Sequence[Stage]
    writers: list[Statement]
    sense: Sense

    def problems(self) -> Iterator[Problem]:
        if any(s.instance is None for s in self.writers):
            yield self._problem("the loops do not tell which instance runs")
            return
        sinks = self._reads()
        if not sinks:
            return
        self._settle_own_reads([(s, a) for s, a in sinks if s is not None and self._own(s)])
        for statement, access in sinks:
            problem = self._read(statement, access)
            if problem is not None:
                yield problem
                return

    def _problem(self, text: str, statement: Statement | None = None) -> Problem:
        involved = [*self.writers, *([statement] if statement is not None else [])]
        sure = all(s.exact and s.write.exact and s.instance is not None for s in involved)
        sure = sure and all(stage.exact for stage in self.stages)
        return Problem(text, (statement or self.writers[0]).store, sure)

    def _reads(self) -> list[tuple[Statement | None, Access]]:
        found: list[tuple[Statement | None, Access]] = [
            (s, access)
            for s in self.scop.statements
            for access in _together([a for a in s.reads if a.array == self.tensor])
        ]
        elements = self.scop.arrays[self.tensor].seen
        if elements is not None:
            found.append((None, self._at_the_end(elements)))
        return found

    def _at_the_end(self, elements: isl.Set) -> Access:
        """The caller reads all of an output after the nest."""
        end = isl.Set.universe(elements.get_space().params().set_from_params())
        end = end.set_tuple_name("END")
        relation = isl.Map.from_domain_and_range(end, elements)
        exact, fold = bool(elements.is_bounded()), self.scop.arrays[self.tensor].fold
        if fold is None:
            return Access(self.tensor, relation, False, exact, self.scop.span)
        memory = relation.apply_range(fold).set_tuple_name(OUT, self.tensor)
        return Access(self.tensor, memory, False, exact, self.scop.span, element=relation)

    @cached_property
    def _order(self) -> isl.UnionMap:
        """Pairs of writers' instances, the first before the second."""
        times = union_of_maps([s.schedule for s in self.writers])
        return times.lex_lt_union_map(times)

    @cached_property
    def _times(self) -> isl.UnionMap:
        return union_of_maps([s.schedule.intersect_domain(s.domain) for s in self.writers])

    def _before(self, statement: Statement | None, keys: isl.UnionMap) -> isl.UnionMap:
        """Writers' instances to the readings (with their cell) behind them."""
        if statement is None:
            instances = union_of_sets([s.domain for s in self.writers])
            return isl.UnionMap.from_domain_and_range(instances, keys.wrap())
        reader = isl.UnionMap.from_map(statement.schedule)
        times = union_of_maps([s.schedule for s in self.writers])
        return times.lex_lt_union_map(reader).apply_range(keys.domain_map().reverse())

    def _written(self, pure: bool) -> isl.UnionMap | None:
        """Instances of the pure definition, or of the updates, to cells."""
        found = [s.write.relation for s in self.writers if (s.store.stage == 0) == pure]
        return union_of_maps(found) if found else None

    @cached_property
    def _logical(self) -> isl.UnionMap:
        """Instances of the nest to instances of the definitions."""
        return union_of_maps(
            [
                s.instance.set_tuple_name(OUT, f"L{s.store.stage}")
                for s in self.writers
                if s.instance is not None
            ]
        )

    @cached_property
    def _updates(self) -> isl.UnionMap | None:
        """Instances of the definitions' updates to elements."""
        found = [
            stage.writes.set_tuple_name(IN, f"L{k}").set_tuple_name(OUT, self.tensor)
            for k, stage in enumerate(self.stages)
            if k
        ]
        return union_of_maps(found) if found else None

    def _read(self, statement: Statement | None, access: Access) -> Problem | None:
        """What is wrong with the values that one access reads."""
        keys = isl.UnionMap.from_map(access.relation)
        elements = keyed(access, self.scop.arrays[self.tensor].fold)
        pure = self._written(pure=True)
        if pure is None:
            return self._problem("nothing sets it before it is updated", statement)
        if statement is not None:
            keys = self.sense.of(statement, keys)
        # Pairs (writer, [reader -> cell]) of which the writer comes first.
        reached = pure.apply_range(keys.range_map().reverse()).intersect(
            self._before(statement, keys)
        )
        alike = self._all_mean(reached)
        last = reached if alike else last_writers(reached, self._times)
        last, keys, problem = self._with_sense(statement, access, keys, last)
        if problem is not None:
            return problem
        elements = elements.intersect_domain(last.range())
        if not alike and not last.reverse().apply_range(self._elements()).is_equal(elements):
            return self._problem(
                f"the memory of {self.tensor} holds another element when it is read", statement
            )
        return self._window(statement, keys, elements, last)

    @cached_property
    def _memory_tells(self) -> bool:
        """Whether each cell of memory belongs to one element, which is only ever set.

        Then it does not matter which of the writers before a reading was the last, and
        finding that out is what takes most work.
        """
        writes = [s.write.elements for s in self.writers]
        return (
            self._written(pure=False) is None
            and self.scop.arrays[self.tensor].fold is None
            and all(relation.is_single_valued() for relation in writes)
        )

    def _all_mean(self, reached: isl.UnionMap) -> bool:
        """Whether all writers before readings set the element that these mean."""
        if not self._memory_tells:
            return False
        lost = self.sense.lost(self.writers)
        return lost is None or bool(reached.intersect_domain(lost).is_empty())

    def _settle_own_reads(self, reads: list[tuple[Statement, Access]]) -> None:
        """Updates that read an element without sense have none, nor have those that read theirs."""
        for _ in range(_ROUNDS):
            settled = True
            for statement, access in reads:
                lost = self.sense.lost(self.writers)
                if lost is None:
                    return
                missing = self._without_sense(statement, access, lost)
                if not missing.is_empty():
                    problem = self._problem(f"{self.tensor} is read too early", statement)
                    self.sense.lose(statement, missing.unwrap().domain(), problem)
                    settled = False
            if settled:
                return

    def _without_sense(
        self, statement: Statement, access: Access, lost: isl.UnionSet
    ) -> isl.UnionSet:
        """The readings, among those with sense, of what instances without it have written."""
        keys = isl.UnionMap.from_map(access.relation)
        keys = self.sense.of(statement, keys)
        missing = self._updated_by(lost, keys)
        pure = self._written(pure=True)
        if pure is None:
            return missing
        reached = pure.apply_range(keys.range_map().reverse())
        last = last_writers(reached.intersect(self._before(statement, keys)), self._times)
        return missing.union(last.intersect_domain(lost).range())

    def _with_sense(
        self,
        statement: Statement | None,
        access: Access,
        keys: isl.UnionMap,
        last: isl.UnionMap,
    ) -> tuple[isl.UnionMap, isl.UnionMap, Problem | None]:
        """What is left of the last writers and of the readings without those that have no sense."""
        lost = self.sense.lost(self.writers)
        missing = self._updated_by(lost, keys)
        if lost is not None:
            missing = missing.union(last.intersect_domain(lost).range())
        if access.exact:
            missing = missing.union(keys.wrap().subtract(last.range()))
        if missing.is_empty():
            return last, keys, None
        problem = self._problem(f"{self.tensor} is read where nothing has computed it", statement)
        if statement is None or self._own(statement) is not None:
            return last, keys, self.sense.reasons[0] if self.sense.reasons else problem
        self.sense.lose(statement, missing.unwrap().domain(), problem)
        keys = self.sense.of(statement, keys)
        return last.intersect_range(keys.wrap()), keys, None

    def _updated_by(self, lost: isl.UnionSet | None, keys: isl.UnionMap) -> isl.UnionSet:
        """Readings of cells that an update without sense has changed at some time."""
        updated = self._written(pure=False)
        if lost is None or updated is None:
            return keys.wrap().subtract(keys.wrap())
        return updated.intersect_domain(lost).apply_range(keys.range_map().reverse()).range()

    def _elements(self) -> isl.UnionMap:
        """Instances of the pure definition to the elements that they set."""
        return union_of_maps([s.write.elements for s in self.writers if s.store.stage == 0])

    def _window(
        self,
        statement: Statement | None,
        keys: isl.UnionMap,
        elements: isl.UnionMap,
        last: isl.UnionMap,
    ) -> Problem | None:
        """Whether the updates between the last pure definition and a read are the right ones."""
        updated = self._written(pure=False)
        if updated is None or self._updates is None:
            return None
        between = updated.apply_range(keys.range_map().reverse()).intersect(
            self._before(statement, keys)
        )
        between = between.intersect_range(last.range())
        between = between.subtract(self._order.apply_range(last))
        expected = elements.apply_range(self._updates.reverse())
        found = between.reverse().apply_range(self._logical)
        own = self._own(statement)
        if own is not None:
            expected, found = self._until(expected, found, own, keys)
        if not found.is_equal(expected):
            missing = "have not all run" if not expected.is_subset(found) else "run too early"
            return self._problem(
                f"the updates of {self.tensor} {missing} when it is read", statement
            )
        if not between.range_product(self._logical).is_injective():
            return self._problem(f"an update of {self.tensor} runs twice", statement)
        return self._ordered(statement, between)

    def _own(self, statement: Statement | None) -> Statement | None:
        """The statement itself if it belongs to a definition of this tensor."""
        if statement is None or statement.write.array != self.tensor:
            return None
        return statement

    def _until(
        self,
        expected: isl.UnionMap,
        found: isl.UnionMap,
        own: Statement,
        keys: isl.UnionMap,
    ) -> tuple[isl.UnionMap, isl.UnionMap]:
        """What an update reads is the element after those before it.

        Of its own stage, if that commutes, any part may have run: the last reader sees all of it.
        """
        times, stage = self._algorithm(), own.store.stage
        assert own.instance is not None
        logical = isl.UnionMap.from_map(own.instance.set_tuple_name(OUT, f"L{stage}"))
        # Readings to the definitions' instances before theirs.
        reader = keys.domain_map().apply_range(logical)
        earlier = reader.apply_range(times).lex_gt_union_map(times)
        expected = expected.intersect(earlier)
        if self.stages[stage].commutes:
            others = union_of_sets(
                [
                    isl.Set.universe(s.writes.get_space().domain()).set_tuple_name(f"L{k}")
                    for k, s in enumerate(self.stages)
                    if k != stage
                ]
            )
            return expected.intersect_range(others), found.intersect_range(others)
        return expected, found

    def _algorithm(self) -> isl.UnionMap:
        """Instances of the definitions to their place in the algorithm's order."""
        length = max(s.writes.dim(IN) - s.pure for s in self.stages)
        return union_of_maps([_place(stage, k, length) for k, stage in enumerate(self.stages)])

    def _ordered(self, statement: Statement | None, between: isl.UnionMap) -> Problem | None:
        """Whether updates of one element run in the algorithm's order."""
        together = between.apply_range(between.reverse()).intersect(self._order)
        times = self._logical.apply_range(self._algorithm())
        swapped = together.intersect(times.lex_gt_union_map(times))
        for stage, definition in enumerate(self.stages):
            if definition.commutes:
                own = [s.domain for s in self.writers if s.store.stage == stage]
                if own:
                    inside = union_of_sets(own)
                    swapped = swapped.subtract(isl.UnionMap.from_domain_and_range(inside, inside))
        if swapped.is_empty():
            return None
        return self._problem(
            f"updates of {self.tensor} run in another order than defined", statement
        )


def _together(accesses: list[Access]) -> list[Access]:
    """The reads of a statement, those of neighbouring elements (a window's) as one."""
    exact = [a for a in accesses if a.exact]
    if len(exact) < 2:
        return accesses
    elements = reduce(isl.Map.union, [a.elements for a in exact]).coalesce()
    if 2 * elements.n_basic_map() > len(exact):
        return accesses
    joined = replace(exact[0], relation=elements)
    if exact[0].element is not None:
        relation = reduce(isl.Map.union, [a.relation for a in exact]).coalesce()
        joined = replace(exact[0], relation=relation, element=elements)
    return [joined, *(a for a in accesses if not a.exact)]


_ROUNDS = 4
"""How often updates are looked at for what they read from each other."""


def _place(stage: Stage, number: int, length: int) -> isl.Map:
    """The instances of one definition to (stage, reduction variables from the outermost, 0 ...)."""
    space = stage.writes.get_space().domain()
    result = isl.Map.from_domain(isl.Set.universe(space)).add_dims(OUT, 1 + length)
    result = result.fix_val(OUT, 0, value_of(number))
    reductions = space.dim(SET) - stage.pure
    for position in range(length):
        if position < reductions:
            result = result.equate(IN, space.dim(SET) - 1 - position, OUT, 1 + position)
        else:
            result = result.fix_val(OUT, 1 + position, value_of(0))
    return result.set_tuple_name(IN, f"L{number}")
