"""Proof that a lowered pipeline computes what its definitions say, within a budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import islpy as isl

    from s2s.analyses.tensor_races import Race
    from s2s.frontends.halide.pipeline import Func
    from s2s.scop.nest import Nest, Store
    from s2s.scop.tensors import TensorScop

# Of isl, for a whole pipeline; each tensor may use a quarter of what those before it have left.
_OPERATIONS = 6_000_000


@dataclass(frozen=True)
class Proof:
    """``wrong``: what the nest does wrong, with the store that shows it. ``unknown``: why no
    proof was made, empty if there is one. ``scop`` is what was looked at.
    """

    scop: TensorScop | None
    wrong: tuple[tuple[str, Store], ...] = field(default=())
    unknown: str = ""


def prove(nest: Nest, funcs: Mapping[str, Func]) -> Proof:
    """Values and races of a nest; ``funcs`` are the Funcs as lowering left them."""
    import islpy as isl

    from s2s.analyses.tensor_flow import Sense, check_one, producers_first
    from s2s.analyses.tensor_races import races
    from s2s.budget import Allowance, budget
    from s2s.frontends.halide.definitions import stages
    from s2s.scop.tensors import lift

    scalars = [a.name for a in nest.arguments if a.tensor is None and a.type.is_integer]
    allowance = Allowance(_OPERATIONS)
    wrong: list[tuple[str, Store]] = []
    unsure: list[str] = []
    heavy: list[str] = []
    try:
        with budget(allowance):
            scop = lift(nest, inputs=False)
            definitions = stages(funcs, scalars)
    except ValueError as error:
        return Proof(None, unknown=str(error))
    except isl.Error as error:
        _only_over(error)
        return Proof(None, unknown="the loops' bounds need more work than the budget allows")
    sense = Sense(scop)
    for tensor in producers_first(scop, definitions):
        try:
            with budget(allowance):
                for problem in check_one(scop, tensor, definitions[tensor], sense):
                    if problem.sure:
                        wrong.append((problem.text, problem.store))
                    else:
                        unsure.append(f"as far as it is affine, {problem.text}")
        except isl.Error as error:
            _only_over(error)
            heavy.append(tensor)
    try:
        with budget(allowance):
            for race in races(scop):
                text = _met(race)
                if race.sure:
                    wrong.append((text, race.store))
                else:
                    unsure.append(f"as far as it is affine, {text}")
    except isl.Error as error:
        _only_over(error)
        heavy.append("memory that concurrent loops share")
    if heavy:
        unsure.append(f"{', '.join(heavy)} would need more work than the budget allows")
    return Proof(scop, tuple(wrong), "; ".join(unsure[:2]))


def _met(race: Race) -> str:
    loop = race.loop.var or race.loop.name
    return f"iterations of the {race.loop.kind} loop {loop} meet in {race.tensor}"


def _only_over(error: isl.Error) -> None:
    """Let through what is no end of the budget."""
    from s2s.budget import is_over

    if not is_over(error):
        raise error
