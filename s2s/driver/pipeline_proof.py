"""Proof that a lowered pipeline computes what its definitions say, within a budget."""

from __future__ import annotations

from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from s2s.source.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from s2s.analyses.tensor_readings import Problem, Sense
    from s2s.scop.definitions import Stage
    from s2s.scop.expressions import Expr
    from s2s.scop.nest import Nest, Store
    from s2s.scop.nodes import Scop
    from s2s.scop.pipeline import Func

_T = TypeVar("_T")

# Of isl, for a whole pipeline; each tensor may use a quarter of what those before it have left.
_OPERATIONS = 6_000_000


@dataclass(frozen=True)
class Proof:
    """What is known of a nest.

    ``wrong``: what it does wrong, with the store that shows it. ``unknown``: why no proof was made,
    empty if there is one. ``scop`` is what was looked at, without the reads of inputs.
    """

    scop: Scop | None
    wrong: tuple[tuple[str, Store], ...] = field(default=())
    unknown: str = ""


def prove(nest: Nest, funcs: Mapping[str, Func], known: Mapping[str, Expr] | None = None) -> Proof:
    """Values and races of a nest; ``funcs`` are the Funcs as lowering left them.

    ``known``: bounds of images and outputs by name, as they were when the nest was made.
    """
    from s2s.scop.definitions import stages
    from s2s.scop.lift_nest import lift_nest

    scalars = [a.name for a in nest.arguments if a.tensor is None and a.type.is_integer]
    work = _Work()
    try:
        lifted = work.within(lambda: (lift_nest(nest, inputs=False), stages(funcs, scalars, known)))
    except ValueError as error:
        return Proof(None, unknown=str(error))
    if lifted is None:
        return Proof(None, unknown="the loops' bounds need more work than the budget allows")
    scop, definitions = lifted
    work.values(scop, definitions)
    work.races(scop)
    return Proof(scop, tuple(work.wrong), work.unknown)


class _Work:
    """The parts of a proof, each within what is left of the budget."""

    def __init__(self) -> None:
        from s2s.scop.allowance import Allowance

        self._allowance = Allowance(_OPERATIONS)
        self.wrong: list[tuple[str, Store]] = []
        self._unsure: list[str] = []
        self._heavy: list[str] = []

    @property
    def unknown(self) -> str:
        """What is not proved, and why."""
        reasons = [f"as far as it is affine, {text}" for text in self._unsure[:1]]
        if self._heavy:
            heavy = ", ".join(self._heavy)
            reasons.append(f"{heavy} would need more work than the budget allows")
        return "; ".join(reasons)

    def within(self, part: Callable[[], _T]) -> _T | None:
        """What a part gives, None where the budget ends."""
        import islpy as isl

        from s2s.scop.budget import budget, is_over

        with budget(self._allowance):
            try:
                return part()
            except isl.Error as error:
                if not is_over(error):
                    raise
                return None

    def values(self, scop: Scop, definitions: Mapping[str, Sequence[Stage]]) -> None:
        """Whether each value read is the one that the definitions give."""
        from s2s.analyses.tensor_flow import producers_first
        from s2s.analyses.tensor_readings import Sense

        sense = Sense(scop)
        for tensor in producers_first(scop, definitions):
            stages = definitions[tensor]
            found = self.within(partial(_checked, scop, tensor, stages, sense))
            if found is None:
                self._heavy.append(tensor)
            for problem in found or ():
                self._say(problem.text, problem.store, problem.sure)

    def races(self, scop: Scop) -> None:
        """Whether iterations that may run at once stay apart."""
        from s2s.analyses.tensor_races import races

        found = self.within(lambda: list(races(scop)))
        if found is None:
            self._heavy.append("memory that concurrent loops share")
        for race in found or ():
            loop = race.loop.spelling
            text = f"iterations of the {race.kind} loop {loop} meet in {race.tensor}"
            self._say(text, race.store, race.sure)

    def _say(self, text: str, store: Store, sure: bool) -> None:
        if sure:
            self.wrong.append((text, store))
        else:
            self._unsure.append(text)


def _checked(scop: Scop, tensor: str, stages: Sequence[Stage], sense: Sense) -> list[Problem]:
    from s2s.analyses.tensor_flow import check_one

    return list(check_one(scop, tensor, stages, sense))
