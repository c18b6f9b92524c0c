"""Random chains of stencils, most of them stored further out than they are computed."""

from __future__ import annotations

from random import Random

from s2s.scop.pipeline import TailStrategy
from tests.frontends.halide.twin import Tree, Twin

_TAILS = (None, TailStrategy.GUARD_WITH_IF, TailStrategy.SHIFT_INWARDS)


class Refused(Exception):
    """A directive that cannot be given."""


class SlidingProgram:
    """Makes a program from a seed: ``twin`` and ``output``. Raises Refused."""

    def __init__(self, seed: int) -> None:
        self.random, self.twin = Random(seed), Twin()
        self.twin.image("in", 2)
        self.funcs: list[str] = []
        for name in "fghk"[: self.random.randint(2, 4)]:
            self._define(name)
        self.output = self.funcs[-1]
        self.loops = {name: ["x", "y"] for name in self.funcs}
        for name in reversed(self.funcs):
            self._order(name)
        for name in self.funcs[:-1]:
            self._place(name)

    def _define(self, name: str) -> None:
        sources = {(self.funcs or ["in"])[-1]}
        if self.random.random() < 0.4:
            sources.add(self.random.choice(["in", *self.funcs]))
        total: Tree = ("const", 1)
        for source in sorted(sources):
            for _ in range(self.random.randint(1, 3)):
                at = [self._coordinate(v) for v in "xy"]
                total = ("add", total, ("load", source, *at))
        self.twin.define(name, ["x", "y"], total)
        self.funcs.append(name)

    def _coordinate(self, variable: str) -> Tree:
        tree: Tree = ("var", variable)
        op, by = self.random.choice(
            [("mul", 2), ("div", 2), ("min", self.random.randint(3, 9)), ("max", 4)]
        )
        if self.random.random() < 0.3:
            tree = (op, tree, ("const", by))
        by = self.random.randint(-2, 2)
        return ("add", tree, ("const", by)) if by >= 0 else ("sub", tree, ("const", -by))

    def _give(self, func: str, *directive: object) -> None:
        if any(v is not None for v in self.twin.directive(func, 0, *directive)):  # type: ignore[arg-type]
            raise Refused

    def _order(self, func: str) -> None:
        loops = self.loops[func]
        if self.random.random() < 0.5:
            variable = self.random.choice("xy")
            outer, inner = f"{variable}o", f"{variable}i"
            tail = self.random.choice(_TAILS)
            factor = self.random.choice([2, 3, 4])
            self._give(func, "split", variable, outer, inner, factor, *([tail] if tail else []))
            place = loops.index(variable)
            loops[place : place + 1] = [inner, outer]
        if self.random.random() < 0.3:
            self.random.shuffle(loops)
            self._give(func, "reorder", *loops)
        mark = self.random.choice(["unroll", "vectorize", "", "", ""])
        if mark and loops[0].endswith("i"):
            self._give(func, mark, loops[0])

    def _place(self, func: str) -> None:
        consumer = self.random.choice(self.funcs[self.funcs.index(func) + 1 :])
        loops = self.loops[consumer]
        place = self.random.randrange(len(loops))
        self._give(func, "compute_at", consumer, loops[place])
        store = self.random.randint(place, len(loops))
        if store < len(loops):
            self._give(func, "store_at", consumer, loops[store])
        else:
            self._give(func, "store_root")
