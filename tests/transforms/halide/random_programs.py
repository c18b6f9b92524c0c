"""Random pipelines with random schedules, for comparing s2s with the real Halide."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

from s2s.frontends.halide.schedule import OUTERMOST
from s2s.scop.pipeline import TailStrategy
from tests.frontends.halide.twin import Tree, Twin

VARS = ("x", "y", "z")
FACTORS = (1, 2, 3, 4, 8)
LOOP_KINDS = (
    *("split", "split", "split", "reorder", "reorder", "fuse", "tile", "unroll", "vectorize"),
    *("parallel", "serial", "rename", "special"),
)
KINDS = (
    *LOOP_KINDS,
    *("place", "place", "place", "bound", "factor", "wrap"),
    *("permit", "share", "special"),
)
PLACES = (
    *("compute_root", "compute_at", "compute_at", "compute_at", "store_at", "store_root"),
    *("hoist_storage", "hoist_storage_root"),
)


@dataclass
class RandomProgram:
    """Makes one program, then directives until one is refused or enough are given."""

    seed: int
    real: Any = None
    log: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.twin = Twin(self.real)
        self.ranks: dict[str, int] = {}
        self.sources: dict[str, list[str]] = {}
        self.rdom_of: dict[str, list[str | None]] = {}
        self.names = 0

    def build(self) -> str:
        """Define the Funcs; the name of the output."""
        rank = self.random.choice((1, 2, 2, 3))
        self.twin.image("in", rank)
        self.ranks["in"] = rank
        for number in range(self.random.randint(1, 4)):
            self._func("fghk"[number], rank)
        return list(self.rdom_of)[-1]

    def _func(self, name: str, rank: int) -> None:
        variables = list(VARS[:rank])
        sources = self.random.sample(list(self.ranks), min(len(self.ranks), self._few()))
        if self.random.random() < 0.8:
            sources = list({*sources, list(self.ranks)[-1]})
        self.sources[name] = sources
        value: Tree = ("const", 1)
        for source in sorted(sources):
            value = ("add", value, self._window(source, [("var", v) for v in variables]))
        self.twin.define(name, variables, value)
        self.log.append(f"define {name}({', '.join(variables)}) = {value}")
        self.rdom_of[name] = [None]
        for _ in range(self.random.choice((0, 0, 0, 1, 1, 2))):
            self._update(name, variables, sorted(sources))
        self.ranks[name] = rank

    def _few(self) -> int:
        return self.random.choice((1, 1, 2))

    def _window(self, source: str, at: list[Tree]) -> Tree:
        """Two elements, apart in all dimensions, so that no loop has one iteration."""
        step = self.random.choice((1, 2))
        moved = [("add", a, ("const", step)) for a in at]
        return ("add", ("load", source, *at), ("load", source, *moved))

    def _update(self, name: str, variables: list[str], sources: list[str]) -> None:
        rdom = f"r{len(self.twin.rvars)}"
        size = self.random.randint(1, 2)
        form = self.random.choice(("sum", "rows", "scan", "const", "doubled"))
        start = 1 if form == "scan" else self.random.choice((0, 1))
        self.twin.rdom(rdom, *((start, self.random.choice((5, 8))),) * size)
        own: list[Tree] = [("var", v) for v in variables]
        rvars: list[Tree] = [("var", f"{rdom}.{v}") for v in "xy"[:size]]
        source = self.random.choice(sources)
        at = (rvars * 3)[: len(variables)]
        loaded = self._window(source, at)
        args = list(own)
        if form == "rows":
            args[0] = rvars[0]
            value: Tree = ("add", ("load", name, *args), self._window(source, args))
        elif form == "scan":
            args[-1] = rvars[0]
            before = [*args[:-1], ("sub", rvars[0], ("const", 1))]
            value = ("add", ("load", name, *before), loaded)
        elif form == "const":
            args[0] = rvars[-1]
            value = ("const", 7)
        elif form == "doubled":
            value = ("add", ("mul", ("load", name, *own), ("const", 2)), loaded)
        else:
            value = (self.random.choice(("add", "max")), ("load", name, *own), loaded)
        self.twin.update(name, args, value, rdom)
        self.log.append(f"update {name}{args} = {value} over {rdom}")
        self.rdom_of[name].append(rdom)

    def schedule(self, count: int) -> list[str | None]:
        """Give directives; the verdicts on the last one."""
        verdicts: list[str | None] = [None, None]
        for func in list(self.rdom_of)[:-1]:
            if self.random.random() < 0.6:
                self.log.append(f"{func}.0: compute_root")
                self.twin.directive(func, 0, "compute_root")
        for _ in range(self.random.randint(1, count)):
            func, stage = self._target()
            directive = self._directive(func, stage)
            if directive is None:
                continue
            self.log.append(f"{func}.{stage}: {directive}")
            verdicts = self.twin.directive(func, stage, *directive)
            if any(v is not None for v in verdicts):
                break
            if directive[0] in ("in_", "clone_in", "rfactor"):
                self._enter_made()
        return verdicts

    def _target(self) -> tuple[str, int]:
        """A stage to give a directive to, or a specialization."""
        if self.twin.stages and self.random.random() < 0.5:
            return self.random.choice(list(self.twin.stages)), 0
        func = self.random.choice(list(self.rdom_of))
        return func, self.random.randrange(len(self.rdom_of[func]))

    def _enter_made(self) -> None:
        """A Func that a directive made may be scheduled too."""
        alias, source, stages = self.made
        self.ranks[alias] = self.ranks[source]
        self.rdom_of[alias] = [None] * stages

    def loops(self, func: str, stage: int) -> list[str]:
        """The loops of a stage by the names that directives take, innermost first."""
        special = self.twin.stages.get(func)
        definition = special.definition if special else self.twin.our(func).stages[stage]
        dims = definition.schedule.dims
        names = [d.name.rsplit(".", 1)[-1] for d in dims if d.name != OUTERMOST]
        return [n.replace("$", ".") for n in names]

    def _new(self, like: str) -> str:
        self.names += 1
        return f"{'r' if like.startswith('r') else 'v'}n{self.names}"

    def _loop(self, func: str, stage: int) -> str:
        loops = [n for n in self.loops(func, stage) if not re.fullmatch(r"[vr]\d+", n)]
        if self.random.random() < 0.02:
            return "q"
        return self.random.choice(loops) if loops else "q"

    def _directive(self, func: str, stage: int) -> tuple[Any, ...] | None:
        loop = self._loop(func, stage)
        kind = self.random.choice(LOOP_KINDS if func in self.twin.stages else KINDS)
        made = getattr(self, f"_{kind}")(func, stage, loop)
        return made if made is None else tuple(made)

    def _tail(self) -> list[TailStrategy]:
        if self.random.random() < 0.6:
            return []
        names = (
            *("RoundUp", "GuardWithIf", "ShiftInwards", "Predicate", "PredicateStores"),
            *("PredicateLoads", "RoundUpAndBlend", "ShiftInwardsAndBlend"),
        )
        return [TailStrategy(self.random.choice(names))]

    def _split(self, func: str, stage: int, loop: str) -> list[Any]:
        outer = loop if self.random.random() < 0.4 and "." not in loop else self._new(loop)
        return ["split", loop, outer, self._new(loop), self._number(), *self._tail()]

    def _number(self) -> int:
        return self.random.choice(FACTORS)

    def _tile(self, func: str, stage: int, loop: str) -> list[Any]:
        other = self._loop(func, stage)
        names = [self._new(loop), self._new(other), self._new(loop), self._new(other)]
        return ["tile", loop, other, *names, self._number(), self._number(), *self._tail()]

    def _reorder(self, func: str, stage: int, loop: str) -> list[Any] | None:
        loops = [n for n in self.loops(func, stage) if not re.fullmatch(r"[vr]\d+", n)]
        if len(loops) < 2:
            return None
        return ["reorder", *self.random.sample(loops, self.random.randint(2, len(loops)))]

    def _fuse(self, func: str, stage: int, loop: str) -> list[Any] | None:
        other = self._loop(func, stage)
        if other == loop:
            return None
        like = "r" if "r" in (loop[0], other[0]) else "v"
        return ["fuse", loop, other, self._new(like)]

    def _unroll(self, func: str, stage: int, loop: str) -> list[Any]:
        return self._marked("unroll", loop)

    def _vectorize(self, func: str, stage: int, loop: str) -> list[Any]:
        return self._marked("vectorize", loop)

    def _parallel(self, func: str, stage: int, loop: str) -> list[Any]:
        return self._marked("parallel", loop)

    def _serial(self, func: str, stage: int, loop: str) -> list[Any]:
        return ["serial", loop]

    def _marked(self, mark: str, loop: str) -> list[Any]:
        factor = [self._number(), *self._tail()] if self.random.random() < 0.6 else []
        return [mark, loop, *factor]

    def _rename(self, func: str, stage: int, loop: str) -> list[Any]:
        return ["rename", loop, self._new(loop)]

    def _place(self, func: str, stage: int, loop: str) -> list[Any] | None:
        others = [n for n in self.rdom_of if n != func]
        method = self.random.choice(PLACES)
        if method.endswith("_root"):
            return [method]
        if not others:
            return None
        other = self.random.choice(self._users(func))
        at = self._loop(other, self.random.randrange(len(self.rdom_of[other])))
        if self.random.random() < 0.1:
            at = OUTERMOST
        return [method, other, at]

    def _users(self, func: str) -> list[str]:
        """Funcs that call one; sometimes those that do not."""
        others = [n for n in self.rdom_of if n != func]
        users = [n for n in others if func in self.sources.get(n, ())]
        return users if users and self.random.random() < 0.9 else others

    def _bound(self, func: str, stage: int, loop: str) -> list[Any] | None:
        var = self.random.choice(VARS[: self.ranks[func]])
        if self.random.random() < 0.5:
            return ["align_bounds", var, self.random.choice((2, 4)), 0]
        return ["bound", var, 0, self.random.choice((16, 24))] if func == "f" else None

    def _wrap(self, func: str, stage: int, loop: str) -> list[Any] | None:
        """``in`` or ``clone_in`` for a consumer (that may not be one) or all."""
        others = self._users(func)
        if not others:
            return None
        self.names += 1
        alias = f"w{self.names}"
        method = self.random.choice(("in_", "clone_in"))
        self.made = alias, func, 1 if method == "in_" else len(self.rdom_of[func])
        return [method, self.random.choice(others), alias]

    def _factor(self, func: str, stage: int, loop: str) -> list[Any] | None:
        """``rfactor`` of a reduction loop."""
        if stage == 0:
            return None
        self.names += 1
        alias = f"w{self.names}"
        self.made = alias, func, 2
        return ["rfactor", loop, self._new("v"), alias]

    def _permit(self, func: str, stage: int, loop: str) -> list[Any]:
        return [self.random.choice(("atomic", "allow_race_conditions"))]

    def _special(self, func: str, stage: int, loop: str) -> list[Any]:
        if self.random.random() < 0.1:
            return ["specialize_fail", "no"]
        self.names += 1
        self.twin.param(f"p{self.names}")
        condition = (self.random.choice(("gt", "eq")), ("var", f"p{self.names}"), ("const", 2))
        return ["specialize", condition, f"s{self.names}"]

    def _share(self, func: str, stage: int, loop: str) -> list[Any] | None:
        others = [n for n in self.rdom_of if n != func]
        if self.random.random() < 0.7:
            return None
        if not others:
            return None
        other = self.random.choice(others)
        index = self.random.randrange(len(self.rdom_of[other]))
        return ["compute_with", other, index, self._loop(other, index)]
