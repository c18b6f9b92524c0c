"""Where an operation's values are needed: as a stream with a constant delay, or by addresses."""

from __future__ import annotations

from dataclasses import dataclass, replace

import islpy as isl

from s2s.analyses.cycles import Dependence, longest_wait, origin
from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import CycleSchedule
from s2s.transforms.clockwork.controllers import Box, boxes
from s2s.transforms.clockwork.value_flow import Flow


@dataclass(frozen=True)
class Piece:
    """Iterations of a load (``where``) that get their values from one operation.

    ``delay``: cycles from the value to the load, None where they differ.
    """

    producer: str
    consumer: str
    load: int
    delay: int | None
    where: tuple[Box, ...]
    relation: isl.Map


def pieces(
    accelerator: Accelerator, schedule: CycleSchedule, flows: tuple[Flow, ...]
) -> dict[tuple[str, int], list[Piece]]:
    """For each load of a buffer (operation, place) the operations that it gets values from.

    Raises MappingError where the iterations with one producer are no boxes.
    """
    found: dict[tuple[str, int], list[Piece]] = {}
    for flow in flows:
        found.setdefault((flow.consumer, flow.load), []).append(_piece(accelerator, schedule, flow))
    for (consumer, _), several in found.items():
        minima = accelerator.operation(consumer).minima
        if len(several) > 1:
            several[:] = [
                replace(piece, where=boxes(piece.relation.range(), minima)) for piece in several
            ]
    return found


def _piece(accelerator: Accelerator, schedule: CycleSchedule, flow: Flow) -> Piece:
    source, target = accelerator.operation(flow.producer), accelerator.operation(flow.consumer)
    first, second = schedule.starts[flow.producer], schedule.starts[flow.consumer]
    base = origin(second, target) - origin(first, source) - first.latency
    pairs = Dependence("RAW", flow.producer, flow.consumer, "", flow.relation)
    least = base - longest_wait(pairs, first.strides, second.strides)
    backwards = [tuple(-s for s in start.strides) for start in (first, second)]
    most = base + longest_wait(pairs, backwards[0], backwards[1])
    delay = least if least == most else None
    return Piece(flow.producer, flow.consumer, flow.load, delay, (), flow.relation)
