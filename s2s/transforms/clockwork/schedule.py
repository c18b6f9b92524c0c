"""Cycles for the operations of an accelerator: the fastest schedule that is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from functools import partial

from s2s.analyses.cycles import Dependence, check, dependences
from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import CycleSchedule
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.interleave import schedule_pixels
from s2s.transforms.clockwork.levels import align
from s2s.transforms.clockwork.random_access import random_accesses
from s2s.transforms.clockwork.sequential import schedule_nests
from s2s.transforms.clockwork.slots import schedule_slots
from s2s.transforms.clockwork.stencil import RULES, schedule_stencil


@dataclass(frozen=True)
class Scheduled:
    """An accelerator, whose loops may have been split for it, and its schedule.

    ``turns``: cycles that operations wait for a kernel that they share pixel by pixel.
    ``declined`` are the other ways, with the reason of each; ``dependences`` those of the
    accelerator, where they are known.
    """

    accelerator: Accelerator
    schedule: CycleSchedule
    turns: Mapping[str, int] = field(default_factory=dict)
    declined: tuple[str, ...] = ()
    dependences: tuple[Dependence, ...] | None = None


Way = Callable[[], Scheduled]


def schedule(accelerator: Accelerator) -> Scheduled:
    """The schedule with the fewest cycles among the ways that apply and are proved.

    Kernels are shared with the granularity that the accelerator asks for, where that is proved.
    Raises MappingError with the reason of each way where none is left.
    """
    known = dependences(accelerator)
    reasons: list[str] = []
    for ways in (_shared_ways(accelerator, known), _ways(accelerator, known)):
        found: list[Scheduled] = []
        for name, way in ways:
            try:
                found.append(way())
            except MappingError as reason:
                reasons.append(f"{name}: {reason}")
        for candidate in sorted(found, key=lambda each: each.schedule.cycles):
            own = known if candidate.accelerator is accelerator else None
            conflict = check(candidate.accelerator, candidate.schedule, own)
            wrong = str(conflict) if conflict else _unstored(candidate)
            if not wrong:
                return replace(candidate, declined=tuple(reasons), dependences=own)
            reasons.append(f"{candidate.schedule.rule}: {wrong}")
    raise MappingError("; ".join(reasons))


def _unstored(candidate: Scheduled) -> str:
    """Why memories with places that depend on data cannot be used in these cycles, if so."""
    try:
        random_accesses(candidate.accelerator, candidate.schedule)
    except MappingError as reason:
        return str(reason)
    return ""


def _shared_ways(
    accelerator: Accelerator, known: tuple[Dependence, ...]
) -> Iterator[tuple[str, Way]]:
    """Turns of a pixel where the innermost loops are coarse-grained, else of a line or block."""
    functions = [o.function for o in accelerator.operations]
    if len(set(functions)) == len(functions):
        return

    def pixels() -> Scheduled:
        return Scheduled(accelerator, *schedule_pixels(accelerator, known))

    yield "shared kernels", pixels if _by_pixel(accelerator) else _slots(accelerator)


def _slots(accelerator: Accelerator) -> Way:
    return lambda: Scheduled(*schedule_slots(accelerator))


def _by_pixel(accelerator: Accelerator) -> bool:
    """Whether the coarse-grained loops are the innermost ones."""
    try:
        levels = align(accelerator)
    except MappingError:
        return False
    return any(
        place is not None and operation.loops[place].name in accelerator.coarse
        for operation in accelerator.operations
        for place in levels.loops[operation.name][-1:]
    )


def _ways(accelerator: Accelerator, known: tuple[Dependence, ...]) -> Iterator[tuple[str, Way]]:
    def plain(way: Callable[[], CycleSchedule]) -> Way:
        return lambda: Scheduled(accelerator, way())

    for rule in RULES:
        way = partial(schedule_stencil, accelerator, known, rule)
        yield f"stencil ({rule})", plain(way)
    yield "nests", plain(partial(schedule_nests, accelerator, known))
