"""The cycles of a mapped design stripped away: nodes that wait for words and for room instead.

In the design each word is taken in a cycle that the schedule knows. From these cycles follows which
of its source's words a port takes in each of its turns, and nothing else of them is kept. Queues
are as long as they get when each turn comes in the cycle of the schedule: turns that come as soon
as words and room allow are never later than that, so that nothing waits for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from s2s.analyses.memory_tiles import count_firings
from s2s.scop.handshakes import Handshakes, Node, Queue, Turns
from s2s.scop.netlist import Controller, Delay, Kernel, Memory, Mux, Netlist, Stream
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.netlist_edits import drivers
from s2s.transforms.clockwork.regular import regular_pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

TURNS = 20_000_000
"""Turns of all ports of a design, at most: each is followed."""
_NONE = -1
_NEVER = 1 << 60


@dataclass(frozen=True)
class _Events:
    """A node's firings: ``cycles`` of each of its controllers, and of all in order."""

    kind: str
    buffer: str
    controllers: tuple[Controller, ...]
    cycles: tuple[Numbers, ...]
    order: Numbers
    latency: int = 0
    operations: tuple[str, ...] = ()
    elements: tuple[tuple[int, tuple[int, ...]], ...] = ()

    def turns(self, cycles: Numbers) -> Numbers:
        """The turn of a firing in each of these cycles, ``_NONE`` where there is none."""
        import numpy as np

        found = np.searchsorted(self.order, cycles)
        there = np.minimum(found, self.order.size - 1)
        return np.where(self.order[there] == cycles, there, _NONE)


@dataclass(frozen=True)
class _Origin:
    """Where words of some cycles come from: numbers of nodes (or ``_NONE``), turns, and whether
    no register or memory is on the way.
    """

    node: Numbers
    turn: Numbers
    wired: Flags

    def where(self, which: Flags, other: _Origin) -> _Origin:
        """What this one says in the cycles of ``which``, and another one in the rest."""
        import numpy as np

        return _Origin(
            np.where(which, self.node, other.node),
            np.where(which, self.turn, other.turn),
            np.where(which, self.wired, other.wired),
        )


def _nowhere(cycles: Numbers) -> _Origin:
    import numpy as np

    zeros = np.zeros(cycles.shape, np.int64)
    return _Origin(zeros + _NONE, zeros, zeros > 0)


def strip_cycles(netlist: Netlist, words: int) -> Handshakes | None:
    """The design on queues; memory tiles have so many ``words``. None for one with more turns than
    can be followed. Raises MappingError for addresses from data, and orders that no loops have.
    """
    for each in netlist.instances.values():
        if isinstance(each, Memory) and each.addressed:
            text = "its addresses depend on data, so it is not known which word a turn takes"
            raise MappingError(f"buffer {each.buffer}: {text}")
    if sum(_uses(netlist)) > TURNS:
        return None
    return _Stripped(netlist, words).handshakes()


def _uses(netlist: Netlist) -> Iterator[int]:
    """How often each port is used."""
    from collections import Counter
    from math import prod

    ports = Counter(target.rpartition(".")[0] for _, target in netlist.connections)
    for name, each in netlist.instances.items():
        if isinstance(each, Stream):
            yield prod(each.controller.extent)
        elif isinstance(each, Kernel):
            yield ports[name] * sum(prod(use.controller.extent) for use in each.uses)
        elif isinstance(each, Memory):
            yield sum(prod(c.extent) for port in (*each.writes, *each.reads) for c in port)


@dataclass
class _Stripped:
    netlist: Netlist
    words: int
    events: dict[str, _Events] = field(default_factory=dict)
    takes: dict[tuple[str, str], list[_Origin]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sources = drivers(self.netlist)
        for name, each in self.netlist.instances.items():
            match each:
                case Stream(direction, buffer, controller, element):
                    self._add(name, direction, buffer, [controller], elements=element)
                case Kernel(_, uses, latency):
                    own = [use.controller for use in uses]
                    names = tuple(use.operation for use in uses)
                    self._add(name, "kernel", "", own, latency=latency, operations=names)
                case Memory():
                    for k, port in enumerate(each.writes):
                        self._add(f"{name}.in{k}", "write", each.buffer, port)
                    for k, port in enumerate(each.reads):
                        self._add(f"{name}.out{k}", "read", each.buffer, port)
        self.names = list(self.events)
        self.numbers = {name: k for k, name in enumerate(self.names)}

    def _add(
        self,
        name: str,
        kind: str,
        buffer: str,
        controllers: Sequence[Controller],
        *,
        latency: int = 0,
        operations: tuple[str, ...] = (),
        elements: tuple[tuple[int, tuple[int, ...]], ...] = (),
    ) -> None:
        import numpy as np

        cycles = tuple(count_firings(c.start, c.extent, c.stride) for c in controllers)
        order = np.sort(np.concatenate(cycles))
        self.events[name] = _Events(
            kind, buffer, tuple(controllers), cycles, order, latency, operations, elements
        )

    def handshakes(self) -> Handshakes:
        for name, events in self.events.items():
            for port, source in self._ports(name, events):
                origins = [self._origin(source, name, cycles) for cycles in events.cycles]
                self.takes[name, port] = origins
        nodes = {name: self._node(name, events) for name, events in self.events.items()}
        queues = [queue for pair in self.takes for queue in self._queues(*pair)]
        return Handshakes(self.netlist.name, nodes, tuple(queues))

    def _ports(self, name: str, events: _Events) -> Iterator[tuple[str, str]]:
        """The ports of a node through which words come in, with what drives them; a memory's word
        comes from the memory.
        """
        if events.kind == "read":
            yield "in0", ""
        elif events.kind == "write":
            yield "in0", self.sources[name]
        elif events.kind != "input":
            own = [t for t in self.sources if t.rpartition(".")[0] == name]
            for target in sorted(own, key=lambda t: (len(t), t)):
                yield target.rpartition(".")[2], self.sources[target]

    # ------------------------------------------------------------------------- where words are from

    def _origin(self, source: str, name: str, cycles: Numbers) -> _Origin:
        return self._followed(source, cycles) if source else self._stored(name, cycles)

    def _followed(self, source: str, cycles: Numbers) -> _Origin:
        """Where the words come from that a port gives in some cycles."""
        import numpy as np

        name, _, port = source.rpartition(".")
        match self.netlist.instances[name]:
            case Delay(_, count):
                found = self._followed(self.sources[f"{name}.in"], cycles - count)
                return replace(found, wired=np.zeros(cycles.shape, bool))
            case Mux(select):
                return self._chosen(name, select, cycles)
            case Memory():
                given = self._fired(source, cycles)
                chain = self.sources.get(f"{name}.chain{port.removeprefix('out')}")
                passed = self._followed(chain, cycles) if chain else _nowhere(cycles)
                return given.where(given.node != _NONE, passed)
        return self._fired(name, cycles - self.events[name].latency)

    def _fired(self, name: str, cycles: Numbers) -> _Origin:
        import numpy as np

        turn = self.events[name].turns(cycles)
        there = turn != _NONE
        return _Origin(np.where(there, self.numbers[name], _NONE), np.maximum(turn, 0), there)

    def _chosen(
        self, name: str, select: Sequence[Sequence[Controller]], cycles: Numbers
    ) -> _Origin:
        """What a multiplexer gives: the input whose controller fires, else the one without."""
        import numpy as np

        found, left = _nowhere(cycles), np.ones(cycles.shape, bool)
        for k, some in sorted(enumerate(select), key=lambda pair: not pair[1]):
            fired = left.copy()
            if some:
                each = [count_firings(c.start, c.extent, c.stride) for c in some]
                fired &= np.isin(cycles, np.concatenate(each))
            found = self._followed(self.sources[f"{name}.in{k}"], cycles).where(fired, found)
            left &= ~fired
        return found

    def _stored(self, name: str, cycles: Numbers) -> _Origin:
        """The write whose word a memory gives in each firing of a port: the last one before."""
        import numpy as np

        instance, _, port = name.rpartition(".")
        memory = self.netlist.instances[instance]
        assert isinstance(memory, Memory)
        writes = [f"{instance}.in{k}" for k in range(len(memory.writes))]
        found = _nowhere(cycles)
        if memory.mode == "fifo":
            turn = self.events[name].turns(cycles)
            return replace(found, node=np.full(cycles.shape, self.numbers[writes[0]]), turn=turn)
        which = next(k for k, c in enumerate(self.events[name].cycles) if c is cycles)
        size = memory.modulo or memory.capacity
        places = _addresses(memory.reads[int(port.removeprefix("out"))][which]) % size
        latest = np.full(cycles.shape, _NONE, np.int64)
        for k, write in enumerate(writes):
            cycle = self._last_written(write, memory.writes[k], size, places, cycles)
            newer = cycle > latest
            own = _Origin(
                np.full(cycles.shape, self.numbers[write]), self.events[write].turns(cycle), newer
            )
            found, latest = own.where(newer, found), np.maximum(latest, cycle)
        return replace(found, wired=latest < _NONE)

    def _last_written(
        self, write: str, port: Sequence[Controller], size: int, places: Numbers, cycles: Numbers
    ) -> Numbers:
        """When a place was written for the last time before some cycles; ``_NONE`` for never."""
        import numpy as np

        when = np.concatenate(self.events[write].cycles)
        where = np.concatenate([_addresses(each) for each in port]) % size
        span = int(self.events[write].order[-1]) + 2
        keys = np.sort(where * span + when)
        found = np.searchsorted(keys, places * span + np.minimum(cycles, span - 1)) - 1
        before = keys[np.maximum(found, 0)]
        return np.where((found >= 0) & (before // span == places), before % span, _NONE)

    # ---------------------------------------------------------------------------- nodes and queues

    def _node(self, name: str, events: _Events) -> Node:
        ports = [port for owner, port in self.takes if owner == name]
        turns: list[Turns] = []
        try:
            for k in range(len(events.controllers)):
                turns += self._turns(name, events, k, ports)
        except MappingError as error:
            raise MappingError(f"'{name}': {error}") from None
        return Node(events.kind, events.buffer, tuple(turns), events.latency)

    def _turns(self, name: str, events: _Events, k: int, ports: Sequence[str]) -> Iterator[Turns]:
        """What a controller counts, in pieces that are regular."""
        import numpy as np

        controller = events.controllers[k]
        shape = tuple(reversed(controller.extent))
        counts = list(reversed(np.indices(shape)))
        kept = [i for i, extent in zip(counts, controller.extent, strict=True) if extent > 1]
        element = [
            start + sum((s * i for s, i in zip(strides, counts, strict=True)), np.zeros(shape, int))
            for start, strides in events.elements
        ]
        columns = [events.turns(events.cycles[k]).reshape(shape), *kept, *element]
        fixed = [False] * len(columns)
        for port in ports:
            origin = self.takes[name, port][k]
            columns += [origin.node.reshape(shape), origin.turn.reshape(shape)]
            fixed += [True, False]
        first = 1 + len(kept) + len(element)
        operation = events.operations[k] if events.operations else ""
        for extent, forms in regular_pieces(columns, fixed):
            pairs = zip(ports, forms[first::2], forms[first + 1 :: 2], strict=True)
            takes = {p: (self.names[n[0]], turn) for p, n, turn in pairs if n[0] != _NONE}
            index, element_forms = forms[1 : 1 + len(kept)], forms[1 + len(kept) : first]
            yield Turns(extent, forms[0], takes, operation, tuple(index), tuple(element_forms))

    def _queues(self, name: str, port: str) -> Iterator[Queue]:
        """The queues to a port, one from each node whose words it takes."""
        import numpy as np

        events, origins = self.events[name], self.takes[name, port]
        when = np.concatenate(events.cycles)
        order = np.argsort(when)
        node = np.concatenate([origin.node for origin in origins])[order]
        turn = np.concatenate([origin.turn for origin in origins])[order]
        wired = np.concatenate([origin.wired for origin in origins])[order]
        for number in np.unique(node[node != _NONE]):
            source = self.names[number]
            needed = np.where(node == number, turn, _NEVER)
            size = _longest(self.events[source].order, when[order], needed)
            kind = "memory" if events.kind == "read" else "registers"
            if wired[node == number].any():
                kind = "wire"
            tiles = -(-size // self.words) if kind == "memory" else 0
            yield Queue(source, name, port, kind, size, tiles)


def _addresses(controller: Controller) -> Numbers:
    start, strides = controller.address or (0, (0,) * len(controller.extent))
    return count_firings(start, controller.extent, strides)


def _longest(given: Numbers, taken: Numbers, needed: Numbers) -> int:
    """The most words in a queue: given in some cycles, of which each turn in a cycle of ``taken``
    needs one, and none before; a word makes room in the cycle after its last turn.
    """
    import numpy as np

    oldest = np.append(np.minimum.accumulate(needed[::-1])[::-1], _NEVER)
    head = oldest[np.searchsorted(taken, given)]
    return int((np.arange(1, given.size + 1) - head).max(initial=1))
