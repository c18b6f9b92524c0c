"""Mappings that were evaluated, and what they cost."""

from __future__ import annotations

from typing import Any

from s2s.simulators.spatial.costs.figures import Figures
from s2s.simulators.spatial.machine import Machine
from s2s.source.records import dataclass
from s2s.tuning.spatial.candidate import Candidate


@dataclass(frozen=True)
class Found:
    """A candidate with its figures."""

    candidate: Candidate
    figures: Figures
    cost: float


def cost_of(figures: Figures, objective: str, machine: Machine) -> float:
    """What an objective counts."""
    if objective == "runtime":
        return float(figures.cycles)
    energy = figures.energy(machine)
    return energy if objective == "energy" else figures.cycles * energy


def rank_of(found: Found) -> tuple[Any, ...]:
    """What orders candidates: their cost, then cycles, then how they are made."""
    one = found.candidate
    tiles = one.units, one.tile, one.holds, one.deep
    return found.cost, found.figures.cycles, *tiles, one.outer, one.inner, one.top
