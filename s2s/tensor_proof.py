"""Proof that a lowered pipeline computes what its definitions say, within a budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from s2s.frontends.halide.pipeline import Func
    from s2s.scop.nest import Nest, Store
    from s2s.scop.tensors import TensorScop


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

    from s2s.analyses.tensor_flow import check
    from s2s.analyses.tensor_races import races
    from s2s.budget import budget, is_over
    from s2s.frontends.halide.definitions import stages
    from s2s.scop.tensors import lift

    scalars = [a.name for a in nest.arguments if a.tensor is None and a.type.is_integer]
    scop: TensorScop | None = None
    try:
        with budget():
            scop = lift(nest)
            problems = list(check(scop, stages(funcs, scalars)))
            wrong = [(p.text, p.store) for p in problems if p.sure]
            unsure = [p.text for p in problems if not p.sure]
            for race in races(scop):
                loop = race.loop.var or race.loop.name
                text = f"iterations of the {race.loop.kind} loop {loop} meet in {race.tensor}"
                if race.sure:
                    wrong.append((text, race.store))
                else:
                    unsure.append(text)
    except ValueError as error:
        return Proof(scop, unknown=str(error))
    except isl.Error as error:
        if not is_over(error):
            raise
        return Proof(scop, unknown="it needs more work than the budget allows")
    return Proof(scop, tuple(wrong), f"as far as it is affine, {unsure[0]}" if unsure else "")
