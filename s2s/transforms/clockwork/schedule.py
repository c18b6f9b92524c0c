"""Cycles for the operations of an accelerator: the fastest schedule that is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from s2s.analyses.cycles import Conflict, Dependence, check, dependences
from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import CycleSchedule
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.stencil import RULES, schedule_stencil

Way = Callable[[], CycleSchedule]


def schedule(accelerator: Accelerator) -> CycleSchedule:
    """The schedule with the fewest cycles among the ways that apply and are proved.

    Raises MappingError with the reason of each way where none is left.
    """
    known = dependences(accelerator)
    reasons: list[str] = []
    found: list[CycleSchedule] = []
    for name, way in _ways(accelerator, known):
        try:
            found.append(way())
        except MappingError as reason:
            reasons.append(f"{name}: {reason}")
    for candidate in sorted(found, key=lambda each: each.cycles):
        conflict: Conflict | None = check(accelerator, candidate, known)
        if conflict is None:
            return candidate
        reasons.append(f"{candidate.rule}: {conflict}")
    raise MappingError("; ".join(reasons))


def _ways(accelerator: Accelerator, known: tuple[Dependence, ...]) -> Iterator[tuple[str, Way]]:
    for rule in RULES:
        yield f"stencil ({rule})", partial(schedule_stencil, accelerator, known, rule)
