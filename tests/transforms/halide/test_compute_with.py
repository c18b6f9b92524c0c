"""compute_with, against the real Halide: the same refusals and the same nests."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.frontends.halide.oracle import needs_wheel
from tests.frontends.halide.twin import Tree, Twin
from tests.transforms.halide.test_against_halide_schedules import halide, same_nest

X, Y = ("var", "x"), ("var", "y")
ALIGNMENTS = ("Auto", "AlignStart", "AlignEnd", "NoAlign")


class SharedLoops:
    """Two or three Funcs over the same variables, whose stages share loops at random."""

    def __init__(self, seed: int, real: Any) -> None:
        self.random = random.Random(seed)
        self.twin = Twin(real)
        self.twin.image("in", 2)
        self.names = ["f", "g", "h"][: self.random.randint(2, 3)]
        self.stages = {name: self._func(name) for name in self.names}
        value: Tree = ("const", 1)
        for name in self.names:
            value = ("add", value, self._window(name, [X, Y]))
        self.twin.define("out", ["x", "y"], value)

    def _window(self, source: str, at: list[Tree]) -> Tree:
        step = ("const", self.random.choice((1, 2)))
        return ("add", ("load", source, *at), ("load", source, *(("add", a, step) for a in at)))

    def _func(self, name: str) -> int:
        self.twin.define(name, ["x", "y"], self._window("in", [X, Y]))
        updates = self.random.choice((0, 0, 1, 2))
        for _ in range(updates):
            rdom = f"r{len(self.twin.rvars)}"
            self.twin.rdom(rdom, (0, 5))
            source = self._window("in", [("var", f"{rdom}.x"), Y])
            self.twin.update(name, [X, Y], ("add", ("load", name, X, Y), source), rdom)
        return updates + 1

    def directives(self) -> list[tuple[Any, ...]]:
        every = [(n, s) for n in self.names for s in range(self.stages[n])]
        root = self.random.random() < 0.7
        place = ("compute_root",) if root else ("compute_at", "out", "y")
        found: list[tuple[Any, ...]] = [(n, 0, *place) for n in self.names]
        split = self.random.random() < 0.5
        if split:
            chosen = [at for at in every if self.random.random() < 0.9]
            found += [(*at, "split", "y", "yo", "yi", 4) for at in chosen]
        if self.random.random() < 0.3:
            found += [(*at, "parallel", "yo" if split else "y") for at in every]
        variables = ("x", "y", "yo", "yi") if split else ("x", "y")
        return found + [self._shared(variables) for _ in range(self.random.randint(1, 4))]

    def _shared(self, variables: tuple[str, ...]) -> tuple[Any, ...]:
        child, parent = self.random.sample(self.names, 2)
        if self.random.random() < 0.7:
            child, parent = sorted((child, parent))
        stage = self.random.randrange(self.stages[child])
        level = parent, self.random.randrange(self.stages[parent]), self.random.choice(variables)
        align = [self.random.choice(ALIGNMENTS)] if self.random.random() < 0.4 else []
        return (child, stage, "compute_with", *level, *align)


@needs_wheel
@pytest.mark.parametrize("start", [0, 25])
def test_same_as_halide(start: int) -> None:
    accepted = 0
    for seed in range(start, start + 25):
        program = SharedLoops(seed, halide())
        log = [f"seed {seed}"]
        for directive in program.directives():
            log.append(str(directive))
            ours, theirs = program.twin.directive(*directive)
            assert (ours is None) == (theirs is None), f"{ours}\n{theirs}\n" + "\n".join(log)
            if ours is not None:
                break
        else:
            accepted += same_nest(program.twin, "out", "\n".join(log))
    assert accepted > 5
