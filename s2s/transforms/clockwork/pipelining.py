"""Registers on long paths, and the cycles computed again with the latencies that they are.

Section 6.1 of Setter's dissertation ("Pipelining"): an element takes a cycle, so that its inputs
have registers; longer wires have more. Where branches meet, the shorter one gets as many registers
as the longer one. What that comes to is a latency of each kernel, with which the schedule is
computed (and proved) again, and the netlist with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from s2s.analyses.cycles import dependences
from s2s.scop.accelerator import Accelerator
from s2s.scop.fabric import Array, Fabric, Link, Port, Tile
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.route import Limit


@dataclass(frozen=True)
class Plan:
    """``stages`` of elements, ``limits`` of links by their targets, and how much longer than they
    are latencies of kernels have to be (nothing, if the plan can be carried out).
    """

    stages: Mapping[str, int]
    limits: Mapping[Port, Limit]
    lacking: Mapping[str, int]


def recurrent(accelerator: Accelerator) -> frozenset[str]:
    """Functions of operations that need what they computed before: their latency cannot grow."""
    after: dict[str, set[str]] = {}
    for each in dependences(accelerator):
        if each.kind == "RAW":
            after.setdefault(each.source, set()).add(each.target)
    found = set()
    for operation in accelerator.operations:
        seen: set[str] = set()
        stack = [operation.name]
        while stack:
            more = after.get(stack.pop(), set()) - seen
            seen |= more
            stack += more
        if operation.name in seen:
            found.add(operation.function)
    return frozenset(found)


def make_plan(
    fabric: Fabric,
    array: Array,
    places: Mapping[str, Tile],
    loose: frozenset[str],
    more: Mapping[Port, int],
) -> Plan:
    """The least stages with which each link has room for its registers.

    ``loose`` are functions that stay as they are, ``more`` further registers for the way to a
    target. Raises MappingError where no element fits into a cycle.
    """
    planner = _Planner(fabric, array, places, loose, more)
    stages = planner.stages()
    staged = replace(fabric, stages=stages)
    lacking: dict[str, int] = {}
    for link in planner.timed:
        deficit = planner.need(link) - staged.delay(link)
        if deficit > 0 and link.after:
            lacking[link.after] = max(lacking.get(link.after, 0), deficit)
    limits = {
        link.target: planner.limit(link)
        for link in planner.timed
        if planner.need(link) <= staged.delay(link)
    }
    return Plan(stages, limits, lacking)


@dataclass
class _Planner:
    fabric: Fabric
    array: Array
    places: Mapping[str, Tile]
    loose: frozenset[str]
    more: Mapping[Port, int]
    timed: list[Link] = field(default_factory=list)
    """Links whose ways have to be short."""

    def __post_init__(self) -> None:
        loose = {name for name, part in self.fabric.parts.items() if part.instance in self.loose}
        for link in self.fabric.links:
            if link.target[0] in loose and self.fabric.parts[link.source[0]].element:
                loose |= self.choices(link.source[0])
        self.timed = [
            link
            for link in self.fabric.links
            if link.target[0] not in loose and link.after not in self.loose
        ]
        for kind in ("pe", "memory", "io"):
            if self.first(kind) < 1:
                raise MappingError(
                    f"a clock of {self.array['clock_ps']} ps has no room for a {kind} tile"
                    f" ({self.array[f'{kind}_ps']} ps), a track and a register"
                )

    def choices(self, part: str) -> set[str]:
        """A multiplexer's elements, if the part is one of them."""
        element = self.fabric.parts[part].element
        if element is None or element.op != "mux":
            return set()
        own = self.fabric.parts[part].instance
        return {name for name, other in self.fabric.parts.items() if other.instance == own}

    def first(self, kind: str) -> int:
        """Tracks that a word can take in the cycle in which it leaves a tile."""
        left = self.array["clock_ps"] - self.array["setup_ps"] - self.array[f"{kind}_ps"]
        return left // self.array["hop_ps"]

    def limit(self, link: Link) -> Limit:
        later = (self.array["clock_ps"] - self.array["setup_ps"]) // self.array["hop_ps"]
        return Limit(self.first(self.fabric.parts[link.source[0]].kind), later)

    def need(self, link: Link) -> int:
        """Registers that a link's way needs."""
        (x, y), (u, v) = (self.places[link.source[0]], self.places[link.target[0]])
        tracks = abs(x - u) + abs(y - v) or 4
        limit = self.limit(link)
        own = -(-max(0, tracks - limit.first) // limit.later)
        at_input = int(self.fabric.parts[link.target[0]].registered)
        return own + at_input + self.more.get(link.target, 0)

    def stages(self) -> dict[str, int]:
        """Longest paths from the operands on."""
        found: dict[str, int] = {}
        inner = [link for link in self.timed if not link.after]
        inner = [link for link in inner if self.fabric.parts[link.target[0]].element]
        for _ in range(len(self.fabric.parts) + 1):
            changed = False
            for link in inner:
                before = found.get(link.source[0], 0)
                least = before + self.need(link) - link.cycles
                if found.get(link.target[0], 0) < least:
                    found[link.target[0]], changed = least, True
            if not changed:
                return found
        raise MappingError(f"'{self.fabric.name}': elements of a kernel are in a circle")


def latencies(accelerator: Accelerator, known: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Latencies by operation, from those by function."""
    for operation in accelerator.operations:
        own = accelerator.latencies.get(operation.name, 0)
        yield operation.name, own + known.get(operation.function, 0)
