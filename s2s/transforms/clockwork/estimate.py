"""What a design is likely to take, from its schedule alone: nothing is mapped.

Lanes of a buffer that a kernel fills are told apart by the subscripts of the loads. A memory has
the words of one iteration of the loops around its buffer, as often as iterations are under way;
few words are in Ponds where there are some, and short waits are registers. What the mapping finds
by looking at each word (tiles that two loads or two kernels share, words that are dead early) it is
not told, so there may be fewer tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import prod

from s2s.analyses.cycles import Dependence, longest_wait, origin, steps_of
from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import CycleSchedule
from s2s.source.records import dataclass
from s2s.transforms.clockwork.accesses import Access, Memory, memories
from s2s.transforms.clockwork.fit_memories import GLOBAL, KINDS, OUTPUTS, MemoryKind
from s2s.transforms.clockwork.processing import count_elements
from s2s.transforms.clockwork.schedule import Scheduled
from s2s.transforms.clockwork.streams import REGISTERS

_MEMORY = "memory"
_CHAINED = 4
"""Of so many choices between memories one is left where they pass words on (fitted to layers)."""


def likely_size(found: Scheduled, memory: str) -> tuple[int, int]:
    """PEs and memory tiles that a design is likely to take; none where loops were split."""
    if found.dependences is None:
        return 0, 0
    design = _Design(found.accelerator, found.schedule, KINDS[memory])
    flows = [d for d in found.dependences if d.kind == "RAW" and design.is_flow(d)]
    return design.pes(flows), design.tiles(flows)


def count_pes(operations: Sequence[Operation]) -> int:
    """Those of the kernels."""
    most: dict[str, int] = {}
    for operation in operations:
        elements = count_elements(operation.value)
        most[operation.function] = max(most.get(operation.function, 0), elements)
    return sum(most.values())


@dataclass(frozen=True)
class _Design:
    accelerator: Accelerator
    schedule: CycleSchedule
    kind: MemoryKind

    @cached_property
    def homes(self) -> dict[str, Memory]:
        return memories(self.accelerator)

    def is_flow(self, each: Dependence) -> bool:
        """Whether the target may get values of the source: of sums only updates get first ones."""
        source, target = map(self.accelerator.operation, (each.source, each.target))
        is_first = each.buffer in self._summed and each.buffer not in _loaded(source)
        return each.buffer not in self.accelerator.scattered and not (
            is_first and target.store.tensor != each.buffer
        )

    @cached_property
    def _summed(self) -> frozenset[str]:
        operations = self.accelerator.operations
        return frozenset(o.store.tensor for o in operations if o.store.tensor in _loaded(o))

    # ---------------------------------------------------------------------------------- PEs

    def pes(self, flows: Sequence[Dependence]) -> int:
        """Those of the kernels, and of multiplexers one for each choice of two."""
        sources: dict[tuple[str, int], set[object]] = {}
        stored: dict[tuple[str, int], set[str]] = {}
        for each in flows:
            port = self.accelerator.operation(each.target).function, each.read
            own = set(self._sources(each))
            sources.setdefault(port, set()).update(own)
            if _MEMORY in own:
                stored.setdefault(port, set()).add(each.source)
        choices = sum(len(each) - 1 for each in sources.values())
        chained = sum(len(each) - 1 for each in stored.values())
        return count_pes(self.accelerator.operations) + choices + chained // _CHAINED

    def _sources(self, each: Dependence) -> Iterator[object]:
        if not self._is_kept(each):
            yield each.source
            return
        least, most = self._waits(each)
        if least == most <= REGISTERS:
            yield each.source, least
            return
        yield _MEMORY
        if each.source == each.target and least <= REGISTERS:
            yield each.source, least

    # -------------------------------------------------------------------------------- tiles

    def tiles(self, flows: Sequence[Dependence]) -> int:
        """Of delays two rows are in a tile, and so are two rows that are read by addresses."""
        delays: dict[str, set[int]] = {}
        rows: dict[object, dict[object, int]] = {}
        for each in flows:
            if GLOBAL in each.buffer or (words := self._words(each)) <= self.kind.small:
                continue
            least, most = self._waits(each)
            if least == most:
                delays.setdefault(each.source, {0}).add(least)
            elif self._is_kept(each):
                stream, row = self._read(each)
                rows.setdefault((each.source, stream), {})[row] = words
        short = [sorted(each) for each in delays.values()]
        long = [sum(b - a > REGISTERS for a, b in pairwise(each)) for each in short]
        ports = OUTPUTS if self.kind.wide else 1
        tiles = [
            -(-max(own.values()) // self.kind.words) * -(-len(own) // ports)
            for own in rows.values()
        ]
        return sum(-(-count // ports) for count in long) + sum(tiles)

    def _is_kept(self, each: Dependence) -> bool:
        """First values are made in the cycle in which an update takes them."""
        loaded = _loaded(self.accelerator.operation(each.source))
        return each.buffer not in self._summed or each.buffer in loaded

    def _waits(self, each: Dependence) -> tuple[int, int]:
        """The fewest and the most cycles from a value to a load."""
        first, second = self.schedule.starts[each.source], self.schedule.starts[each.target]
        source, target = map(self.accelerator.operation, (each.source, each.target))
        base = origin(second, target) - origin(first, source) - first.latency
        backwards = [tuple(-s for s in start.strides) for start in (first, second)]
        return (
            base - longest_wait(each, first.strides, second.strides),
            base + longest_wait(each, backwards[0], backwards[1]),
        )

    def _words(self, each: Dependence) -> int:
        """Words of an iteration of the loops around the buffer, for all that are under way."""
        home = self.homes[each.buffer]
        depth = len(home.outer)
        source, target = map(self.accelerator.operation, (each.source, each.target))
        first, second = self.schedule.starts[each.source], self.schedule.starts[each.target]
        written = _inner(Access(source, -1, first, home), depth)
        read = _inner(Access(target, each.read, second, home), depth)
        around = [
            s for s, e in zip(first.strides[:depth], first.extents[:depth], strict=True) if e > 1
        ]
        if not around:
            return min(written, read)
        inside = zip(second.strides[depth:], second.extents[depth:], strict=True)
        span = second.offset - first.offset + sum(s * (e - 1) for s, e in inside)
        under_way = min(prod(first.extents[:depth]), max(0, span) // around[-1] + 1)
        return min(written, read) * under_way

    def _read(self, each: Dependence) -> tuple[object, object]:
        """Which of the words that a source writes are read: the lane, and the row of a window."""
        target = self.accelerator.operation(each.target)
        start = self.schedule.starts[each.target]
        steps = [steps_of(s) for s in target.loads[each.read].subscripts]
        lane = tuple((step, value % step) for step, value in steps if step > 1)
        moving = next((k for k, (step, _) in enumerate(steps) if step == 1), -1)
        row = tuple(v for k, (step, v) in enumerate(steps) if step <= 1 and k != moving)
        return (lane, start.strides), (row, start.offset)


def _loaded(operation: Operation) -> frozenset[str]:
    return frozenset(load.tensor for load in operation.loads)


def _inner(access: Access, depth: int) -> int:
    """How many elements an access touches in an iteration of the loops around the buffer."""
    return prod(access.operation.extents[k] for k in access.relevant if k >= depth)
