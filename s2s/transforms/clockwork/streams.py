"""Where an operation's values are needed: as a stream with a constant delay, or by addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses.cycles import Dependence, longest_wait, origin
from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import CycleSchedule
from s2s.source.records import dataclass
from s2s.transforms.clockwork.controllers import Box, boxes
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.value_flow import Flow

REGISTERS = 10
"""Delays of so many cycles are registers: a wide-fetch memory cannot give words earlier."""


@dataclass(frozen=True)
class Piece:
    """Iterations of a load (``where``) that get their values from one operation.

    ``delay``: cycles from the value to the load, None where they are not counted but addressed.
    ``otherwise``: it is chosen where no other piece of the load is, and has no cycles of its own.
    """

    producer: str
    consumer: str
    load: int
    delay: int | None
    where: tuple[Box, ...]
    relation: isl.Map
    otherwise: bool = False


def pieces(
    accelerator: Accelerator, schedule: CycleSchedule, flows: tuple[Flow, ...]
) -> dict[tuple[str, int], list[Piece]]:
    """For each load of a buffer (operation, place) the operations that it gets values from.

    Raises MappingError where the iterations with one producer are no boxes.
    """
    found: dict[tuple[str, int], list[Piece]] = {}
    for flow in flows:
        own = found.setdefault((flow.consumer, flow.load), [])
        own += _pieces(accelerator, schedule, flow)
    for (consumer, _), several in found.items():
        if len(several) > 1:
            several[:] = _chosen(accelerator, accelerator.operation(consumer), several)
    return found


def _chosen(accelerator: Accelerator, consumer: Operation, several: Sequence[Piece]) -> list[Piece]:
    """The pieces of a load with their iterations.

    The one with the most boxes is what is there otherwise, if no other operation has the kernel.
    """
    found: list[Piece] = []
    left: list[Piece] = []
    for piece in several:
        try:
            found.append(replace(piece, where=boxes(piece.relation.range(), consumer.minima)))
        except MappingError:
            left.append(replace(piece, otherwise=True))
            if len(left) > 1 or _is_shared(accelerator, consumer):
                raise
    most = max(found, key=lambda piece: len(piece.where), default=None)
    alone = not left and not _is_shared(accelerator, consumer)
    if alone and most is not None and len(most.where) > 1:
        found[found.index(most)] = replace(most, otherwise=True)
    return [*found, *left]


def _is_shared(accelerator: Accelerator, operation: Operation) -> bool:
    return sum(o.function == operation.function for o in accelerator.operations) > 1


def _pieces(accelerator: Accelerator, schedule: CycleSchedule, flow: Flow) -> list[Piece]:
    """A flow with one delay is one piece; of another one what needs no memory is apart."""
    waits = _Waits(accelerator, schedule, flow)
    least, most = waits.ends(flow.relation)
    pieces = [(flow.relation, least if least == most else None)]
    if _is_in_place(accelerator, flow):
        pieces = waits.split()
    elif least == 0 < most:
        now = waits.equal(0)
        later = flow.relation.subtract(now).coalesce()
        ends = waits.ends(later)
        pieces = [(now, 0), (later, ends[0] if ends[0] == ends[1] else None)]
    return [
        Piece(flow.producer, flow.consumer, flow.load, delay, (), relation)
        for relation, delay in pieces
    ]


def _is_in_place(accelerator: Accelerator, flow: Flow) -> bool:
    """Whether the consumer updates the buffer that it loads from."""
    consumer = accelerator.operation(flow.consumer)
    return consumer.loads[flow.load].tensor == consumer.store.tensor


class _Waits:
    """Cycles from the values of a flow to the loads of them."""

    def __init__(self, accelerator: Accelerator, schedule: CycleSchedule, flow: Flow) -> None:
        source, target = accelerator.operation(flow.producer), accelerator.operation(flow.consumer)
        first, second = schedule.starts[flow.producer], schedule.starts[flow.consumer]
        self.base = origin(second, target) - origin(first, source) - first.latency
        self.strides = first.strides, second.strides
        self.flow = flow

    def ends(self, relation: isl.Map) -> tuple[int, int]:
        """The shortest and the longest."""
        pairs = Dependence("RAW", self.flow.producer, self.flow.consumer, "", relation)
        first, second = self.strides
        least = self.base - longest_wait(pairs, first, second)
        backwards = [tuple(-s for s in strides) for strides in self.strides]
        return least, self.base + longest_wait(pairs, backwards[0], backwards[1])

    def split(self) -> list[tuple[isl.Map, int | None]]:
        """The pairs by their cycles: some that registers have, and what memories do."""
        now = self.equal(0)
        short: dict[int, isl.Map] = {} if now.is_empty() else {0: now}
        rest = self.flow.relation.subtract(now)
        for basic in rest.get_basic_maps():
            pairs = isl.Map.from_basic_map(basic)
            least, most = self.ends(pairs)
            if least == most <= REGISTERS:
                short[least] = short[least].union(pairs) if least in short else pairs
        for pairs in short.values():
            rest = rest.subtract(pairs)
        found: list[tuple[isl.Map, int | None]] = [(r.coalesce(), d) for d, r in short.items()]
        return found if rest.is_empty() else [*found, (rest.coalesce(), None)]

    def equal(self, cycles: int) -> isl.Map:
        """The pairs that are so many cycles apart."""
        relation = self.flow.relation
        constraint = isl.Constraint.equality_alloc(isl.LocalSpace.from_space(relation.get_space()))
        constraint = constraint.set_constant_val(self.base - cycles)
        for kind, strides, sign in (
            (isl.dim_type.in_, self.strides[0], -1),
            (isl.dim_type.out, self.strides[1], 1),
        ):
            for place, stride in enumerate(strides):
                constraint = constraint.set_coefficient_val(kind, place, sign * stride)
        return relation.add_constraint(constraint).coalesce()
