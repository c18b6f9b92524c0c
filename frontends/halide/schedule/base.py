"""What all directives share: the program's Funcs, loop variables by name, refusals."""

from __future__ import annotations

import re
from dataclasses import field
from typing import NoReturn

from s2s.scop.errors import Illegal
from s2s.scop.expressions import INT32, Const, Expr
from s2s.scop.pipeline import OUTERMOST, Definition, Dim, Func, StageSchedule, matches, shown
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class LoopVar:
    """A ``Var`` or (``reduction``) an ``RVar`` as a directive names it."""

    name: str
    reduction: bool = False

    @property
    def kind(self) -> str:
        return "RVar" if self.reduction else "Var"


@dataclass
class Hierarchy:
    """Copies of a Func by name of their level, and their elements per cycle (0: not given)."""

    levels: dict[str, Func] = field(default_factory=dict)
    rate: int = 0


@dataclass
class Program:
    """The Funcs that exist while the metaprogram runs, with names that are never given twice.

    ``rfactor``, ``in`` and ``clone_in`` add to ``funcs``. ``warnings`` are text and place.
    ``estimates`` are those of ``set_estimate``, as in ``Pipeline``.
    """

    funcs: dict[str, Func] = field(default_factory=dict)
    warnings: list[tuple[str, Span | None]] = field(default_factory=list)
    estimates: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)
    """Levels of memory by name of a Func; its copies share them."""
    _given: dict[str, int] = field(default_factory=dict)

    def unique(self, name: str) -> str:
        """A name for what its user calls ``name``: that, or ``name$1``, ``name$2`` where it, or
        something that looks like a name of ``fresh``, was given before.
        """
        plain = name.replace("$", "_")
        count = self._count(plain)
        looks_made = re.fullmatch(r".[0-9]+|[^$]+\$[0-9]*", name) is not None
        return name if count == 0 and not looks_made else f"{plain}${count}"

    def fresh(self, letter: str) -> str:
        """A name for what has none: ``v0``, ``v1``..."""
        return f"{letter}{self._count('$' + letter)}"

    def _count(self, key: str) -> int:
        count = self._given.get(key, 0)
        self._given[key] = count + 1
        return count


def int32(value: Expr | int) -> Expr:
    """A number that a directive takes."""
    return Const(INT32, value) if isinstance(value, int) else value


def loop_list(dims: list[Dim]) -> str:
    """The loops of a stage for a message, innermost first."""
    names = [shown(d.name) for d in dims if d.name != OUTERMOST]
    return ", ".join(names) if names else "none"


@dataclass
class StageBase:
    """A definition of a Func under the directives: ``index`` 0 is the pure one.

    ``definition`` may be a specialization's.
    """

    program: Program
    func: Func
    definition: Definition
    index: int

    @property
    def name(self) -> str:
        """``f`` or ``f.update(0)``."""
        return self.func.name if self.index == 0 else f"{self.func.name}.update({self.index - 1})"

    @property
    def schedule(self) -> StageSchedule:
        """The schedule that the directives change; asking for it marks it as scheduled."""
        self.definition.schedule.touched = True
        return self.definition.schedule

    @property
    def dims(self) -> list[Dim]:
        return self.definition.schedule.dims

    def refuse(self, text: str, at: Span | None, *notes: tuple[str, Span | None]) -> NoReturn:
        """Raise Illegal for a directive on this stage, with the stage's loops as a note."""
        loops = f"loops of {self.name}, innermost first: {loop_list(self.dims)}"
        raise Illegal(f"schedule of {self.name}: {text}", at, (*notes, (loops, None)))

    def place(self, var: LoopVar, at: Span | None, purpose: str) -> int:
        """The index among ``dims`` of the loop that a directive names."""
        self.definition.schedule.touched = True
        index = self.find(var, at)
        if index is None:
            self.refuse(f"no loop '{shown(var.name)}' to {purpose}", at)
        return index

    def find(self, var: LoopVar, at: Span | None) -> int | None:
        """The index of a loop, None where there is none; refuses a Var for an RVar's loop."""
        for index, dim in enumerate(self.dims):
            if matches(dim.name, var.name):
                if dim.reduction != var.reduction:
                    other = "RVar" if dim.reduction else "Var"
                    self.refuse(
                        f"{var.kind} '{shown(var.name)}' has the name of the {other} of loop "
                        f"'{shown(dim.name)}'",
                        at,
                    )
                return index
        return None
