"""Loops with renamed variables, distributed as their graphs allow, compute what they did before."""

from __future__ import annotations

from collections.abc import Collection, Set
from functools import cache
from itertools import islice

import pytest

from s2s.analyses.cover import Cover, cover, covers
from s2s.analyses.elementary import components
from s2s.analyses.renaming import Renaming
from s2s.analyses.split_graph import VALUE, WRITE, Part, split_graph
from tests.analyses.random_loops import (
    FIRST,
    LAST,
    Assignment,
    Element,
    Program,
    Reference,
    initial,
    random_program,
    run,
)
from tests.analyses.vector_loops import loops

SEEDS = 100


class Renamed:
    """Runs a program piece by piece, each for all iterations before the next one.

    Of the scalars ``private`` every iteration has its own.
    """

    def __init__(
        self, program: Program, found: Cover, chosen: Collection[Renaming], private: Set[str]
    ) -> None:
        self.program, self.found, self.chosen = program, found, chosen
        self.private = private
        self.memory = initial()
        self.copies: dict[tuple[Part, int], int] = {}
        self.temporaries: dict[tuple[str, int], int] = {}
        self.sinks = {r.statement for r in chosen if r.kind == "sink"}
        self.source_of = self._sources()

    def _sources(self) -> dict[tuple[str, int, Reference], tuple[str, int] | None]:
        """The instance whose value each read sees in the source's order."""
        last: dict[Element, tuple[str, int]] = {}
        found = {}
        for i, number in self.program.instances():
            statement = self.program.statements[number]
            for r in statement.reads:
                found[f"S{number + 1}", i, r] = last.get(r.element(i))
            last[statement.target.element(i)] = (f"S{number + 1}", i)
        return found

    def run(self) -> dict[Element, int]:
        names = self.found.graph.statements
        order = components(split_graph(self.found.graph, names, self.chosen))
        for component in order:
            for i in range(FIRST, LAST + 1):
                for part in sorted(component, key=lambda p: int(p[0][1:])):
                    self._execute(part, i)
        return self.memory

    def _statement(self, name: str) -> Assignment:
        return self.program.statements[int(name[1:]) - 1]

    def _execute(self, part: Part, i: int) -> None:
        name, piece = part
        statement = self._statement(name)
        if piece >= 0:
            self.copies[part, i] = self._read(name, self._reference(name, piece), i)
        elif piece == VALUE:
            self.temporaries[name, i] = self._value(name, i)
        else:
            assert piece == WRITE
            renamed = name in self.sinks
            value = self.temporaries[name, i] if renamed else self._value(name, i)
            self.memory[self._element(statement.target, i)] = value

    def _value(self, name: str, i: int) -> int:
        statement = self._statement(name)
        return statement.value([self._operand(name, r, i) for r in statement.reads])

    def _operand(self, name: str, reference: Reference, i: int) -> int:
        for renaming in self.chosen:
            mine = renaming.kind == "source" and renaming.statement == name
            if mine and self._reference(name, renaming.access) == reference:
                return self.copies[(name, renaming.access), i]
        return self._read(name, reference, i)

    def _read(self, name: str, reference: Reference, i: int) -> int:
        source = self.source_of[name, i, reference]
        if source is not None and source[0] in self.sinks:
            return self.temporaries[source]
        return self.memory[self._element(reference, i)]

    def _element(self, reference: Reference, i: int) -> Element:
        return (reference.name, i) if reference.name in self.private else reference.element(i)

    def _reference(self, name: str, index: int) -> Reference:
        """The read of the program that an access of the SCoP is."""
        access = self.found.graph.access(name, index)
        text = self.program.text()[access.span.start : access.span.end]
        return next(r for r in self._statement(name).reads if r.text() == text)


@cache
def covered(seed: int, privatize: bool) -> Cover:
    return cover(*loops(random_program(seed).text())["kernel"], privatize=privatize)


@pytest.mark.parametrize("privatize", [False, True])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_cover_keeps_the_results(seed: int, privatize: bool) -> None:
    program = random_program(seed)
    found = covered(seed, privatize)
    arrays = found.graph.scop.arrays
    private = {arrays[name].spelling for name in found.graph.private if privatize}
    expected = program.result(run(program))
    every = list(islice(covers(found), 20))
    weights = [sum(found.weights[r] for r in chosen) for chosen in (found.chosen, *every)]
    assert weights[0] == min(weights)
    for chosen in (found.chosen, *every):
        result = program.result(Renamed(program, found, chosen, private).run())
        assert result == expected, (program.text(), chosen)


def test_the_random_loops_have_something_to_break() -> None:
    broken = kept = several = 0
    for seed in range(SEEDS):
        found = covered(seed, False)
        broken += bool(found.chosen)
        several += len(found.chosen) > 1
        kept += any(c.obstacle for c in found.components)
    assert broken >= 15
    assert several >= 6
    assert kept >= 30
