"""Regions of a graph: which operations go to which device, and in which order the block then runs.

Sections 3.1.2 and 3.1.3 of *Bring Your Own Codegen*: composites are annotated for devices in the
order of their priority, neighbours are merged, and what a cost rule does not find worth it goes
back to the host. A region runs at one place, so it is convex: no path leads out of it and back.
Where a region would be too large it is cut where the fewest bytes cross (a minimum cut).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from s2s.source.records import dataclass
from s2s.transforms.outline import cost
from s2s.transforms.outline.graph import Graph, Node
from s2s.transforms.outline.matching import Composite, Rejected, annotate
from s2s.transforms.outline.table import merging

_MORE_THAN_ANY = 10**15


@dataclass(frozen=True, eq=False)
class Region:
    """Composites that one device runs with one call; ``nodes`` in the order of the program."""

    device: str
    composites: tuple[Composite, ...]

    @property
    def nodes(self) -> tuple[Node, ...]:
        nodes = (node for one in self.composites for node in one.nodes)
        return tuple(sorted(nodes, key=lambda node: node.number))

    @property
    def pieces(self) -> frozenset[int]:
        return frozenset(piece for one in self.composites for piece in one.pieces)

    @property
    def name(self) -> str:
        """What it is, for people: the names of its patterns."""
        return " and ".join(one.name.partition(".")[2] for one in self.composites)


@dataclass(frozen=True)
class Choice:
    """How to choose: the rule of ``cost``, operations of a region at most (0: any number).

    ``merging`` are devices that take several composites at once.
    """

    rule: str = "none"
    most: int = 0
    merging: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Partition:
    """``sequence`` has the block's pieces (as numbers) and regions in the order to run in."""

    sequence: tuple[int | Region, ...]
    rejected: tuple[Rejected, ...] = ()
    annotated: tuple[Composite, ...] = ()

    @property
    def regions(self) -> tuple[Region, ...]:
        return tuple(item for item in self.sequence if isinstance(item, Region))


def partition(graph: Graph, devices: Sequence[str], choice: Choice) -> Partition:
    """Regions for devices, the first ones having priority."""
    work = _Work(graph, choice, [*dict.fromkeys(node.piece for node in graph.nodes)])
    for device in devices:
        work.offer(device)
    sequence = tuple(item for item in work.sequence if not isinstance(item, _Part))
    return Partition(sequence, tuple(work.rejected), tuple(work.annotated))


def partition_for(device: str, graph: Graph, rule: str = "none", most: int = 0) -> Partition:
    """The regions of a graph for one device, as it was registered."""
    return partition(graph, [device], Choice(rule, most, merging()))


def split(region: Region) -> tuple[Region | None, Region | None]:
    """Two regions that run one after the other as one did; None where it has no such halves."""
    every = sorted(region.composites, key=lambda one: min(one.pieces))
    for place in sorted(range(1, len(every)), key=lambda k: abs(2 * k - len(every))):
        halves = [Region(region.device, tuple(part)) for part in (every[:place], every[place:])]
        if max(halves[0].pieces) < min(halves[1].pieces):
            return halves[0], halves[1]
    return None, None


def others(region: Region, found: Partition, devices: Sequence[str]) -> Iterator[Region]:
    """What others of some devices, in their order, could take of the same pieces."""
    for device in devices:
        for one in found.annotated:
            if one.device == device and one.pieces == region.pieces:
                yield Region(device, (one,))


def crossing(graph: Graph, nodes: Iterable[Node]) -> int:
    """Bytes that go into some nodes and out of them, each array once in each direction."""
    inside = {node.number for node in nodes}
    into: dict[str, int] = {}
    out: dict[str, int] = {}
    for number in inside:
        node = graph.by_number[number]
        for tensor in node.inputs:
            producers = {p.number for p in graph.producers(node, tensor)}
            if not tensor.constant and not (producers and producers <= inside):
                into[tensor.name] = tensor.bytes
        users = {user.number for user in graph.users(node)}
        for tensor in node.outputs:
            if not users or users - inside:
                out[tensor.name] = tensor.bytes
    return sum(into.values()) + sum(out.values())


@dataclass(frozen=True, eq=False)
class _Part:
    """Of a region that is being put together, the pieces that are at one place."""

    region: Region
    pieces: tuple[int, ...]


_Item = int | Region | _Part


@dataclass
class _Work:
    graph: Graph
    choice: Choice
    sequence: list[_Item]
    rejected: list[Rejected] = field(default_factory=list)
    annotated: list[Composite] = field(default_factory=list)

    def offer(self, device: str) -> None:
        """Let a device take what is left."""
        composites, rejected = annotate(self.graph, device)
        self.rejected += rejected
        free = {item for item in self.sequence if isinstance(item, int)}
        possible = [one for one in composites if one.pieces <= free]
        self.annotated += composites
        for one in self._worthwhile(possible, device):
            if not self._place(one):
                reason = "its operations cannot be brought together"
                self.rejected.append(Rejected(one.name, one.nodes[-1], reason))
        if device in self.choice.merging:
            self._merge(device)
            self._split(device)
        self._give_back(device)

    def _place(self, composite: Composite) -> bool:
        """Bring a composite's pieces together; whether that is possible."""
        before = list(self.sequence)
        first, *others = sorted(composite.pieces)
        at = self.sequence.index(first)
        region = Region(composite.device, (composite,))
        self.sequence[at] = _Part(region, (first,))
        for piece in others:
            if not self._join(self._index(region), self.sequence.index(piece), region):
                self.sequence = before
                return False
        self.sequence[self._index(region)] = region
        return True

    def _index(self, region: Region) -> int:
        for place, item in enumerate(self.sequence):
            if item is region or (isinstance(item, _Part) and item.region is region):
                return place
        raise ValueError(region)

    def _join(self, first: int, second: int, result: Region) -> bool:
        """Bring two items together, where what is between them allows it."""
        first, second = sorted((first, second))
        one, other = self.sequence[first], self.sequence[second]
        between = self.sequence[first + 1 : second]
        for stay in range(len(between) + 1):
            passed, later = between[:stay], between[stay:]
            down = any(self._ordered(one, item) for item in passed)
            up = any(self._ordered(item, other) for item in later)
            if not down and not up:
                pieces = (*_pieces(one), *_pieces(other))
                joined = _Part(result, pieces)
                self.sequence[first : second + 1] = [*passed, joined, *later]
                return True
        return False

    def _ordered(self, first: _Item, second: _Item) -> bool:
        """Whether something of the first has to stay before something of the second."""
        before = {n.number for n in self.graph.of_pieces(_pieces(first))}
        after = {n.number for n in self.graph.of_pieces(_pieces(second))}
        return any(a in before and b in after for a, b in self.graph.order)

    def _merge(self, device: str) -> None:
        """Merge regions of a device that have data in common, neighbours first."""
        while self._merge_one(device):
            pass

    def _merge_one(self, device: str) -> bool:
        places = [k for k, item in enumerate(self.sequence) if _is_of(item, device)]
        pairs = sorted(
            ((b - a, a, b) for a in places for b in places if a < b), key=lambda pair: pair
        )
        for _, a, b in pairs:
            first, second = self.sequence[a], self.sequence[b]
            assert isinstance(first, Region) and isinstance(second, Region)
            if not self._have_data(first, second):
                continue
            region = Region(device, (*first.composites, *second.composites))
            if self._join(a, b, region):
                self.sequence[self._index(region)] = region
                return True
        return False

    def _have_data(self, first: Region, second: Region) -> bool:
        before = {n.number for n in first.nodes}
        after = {n.number for n in second.nodes}
        return any(a in before and b in after for a, b in self.graph.flow)

    def _split(self, device: str) -> None:
        """Cut regions that are too large."""
        most = self.choice.most
        for place in reversed(range(len(self.sequence))):
            item = self.sequence[place]
            if isinstance(item, Region) and item.device == device and most:
                parts = list(_cut(self.graph, list(item.composites), most))
                self.sequence[place : place + 1] = [Region(device, tuple(p)) for p in parts]

    def _worthwhile(self, composites: Sequence[Composite], device: str) -> list[Composite]:
        """All, or with the rule ``time`` those on the device's side of the cheapest cut."""
        if self.choice.rule != "time" or not composites:
            return list(composites)
        chosen = choose_by_time(self.graph, composites, device)
        for one in composites:
            if one not in chosen:
                self._decline(one.name, one.nodes, device)
        return [one for one in composites if one in chosen]

    def _decline(self, name: str, nodes: Sequence[Node], device: str) -> None:
        reason = cost.refusal(self.choice.rule, nodes, crossing(self.graph, nodes), device)
        reason = reason or "the arrays that it shares with the host cost more than it saves"
        self.rejected.append(Rejected(name, nodes[-1], reason))

    def _give_back(self, device: str) -> None:
        """Regions that are not worth it become the host's."""
        found: list[_Item] = []
        for item in self.sequence:
            if isinstance(item, Region) and item.device == device:
                moved = crossing(self.graph, item.nodes)
                reason = cost.refusal(self.choice.rule, item.nodes, moved, device)
                if reason:
                    self.rejected += [
                        Rejected(one.name, one.nodes[-1], reason) for one in item.composites
                    ]
                    found += sorted(item.pieces)
                    continue
            found.append(item)
        self.sequence = found


def _pieces(item: _Item) -> tuple[int, ...]:
    return (item,) if isinstance(item, int) else tuple(item.pieces)


def _is_of(item: _Item, device: str) -> bool:
    return isinstance(item, Region) and item.device == device


def choose_by_time(graph: Graph, composites: Sequence[Composite], device: str) -> list[Composite]:
    """The composites that are cheaper on a device, transfers between both sides counted.

    A minimum cut: what is on the host's side pays its time there, what is on the device's side its
    time there and the arrays that come from the host or go to it.
    """
    import networkx as nx

    own, host = cost.costs_of(device), cost.costs_of("host")
    network = nx.DiGraph()
    of_node = {node.number: k for k, one in enumerate(composites) for node in one.nodes}
    for k, one in enumerate(composites):
        outside = _outside(graph, one, of_node)
        network.add_edge("host", k, capacity=own.compute(one.nodes) + outside / own.transfer)
        network.add_edge(k, "device", capacity=host.compute(one.nodes))
    for (first, second), arrays in graph.flow.items():
        a, b = of_node.get(first), of_node.get(second)
        if a is not None and b is not None and a != b:
            tensors = graph.by_number[first].outputs
            seconds = sum(t.bytes for t in tensors if t.name in arrays) / own.transfer
            for pair in ((a, b), (b, a)):
                known = network.get_edge_data(*pair, {"capacity": 0.0})["capacity"]
                network.add_edge(*pair, capacity=known + seconds)
    _, (_, there) = nx.minimum_cut(network, "host", "device")
    return [one for k, one in enumerate(composites) if k in there]


def _outside(graph: Graph, one: Composite, known: dict[int, int]) -> int:
    """Bytes that a composite gets from the host and gives to it, whatever is chosen."""
    total = 0
    for node in one.nodes:
        for tensor in node.inputs:
            producers = [p.number for p in graph.producers(node, tensor)]
            if not tensor.constant and not (producers and all(p in known for p in producers)):
                total += tensor.bytes
        users = [user.number for user in graph.users(node)]
        if not users or any(user not in known for user in users):
            total += sum(tensor.bytes for tensor in node.outputs)
    return total


def _cut(graph: Graph, composites: list[Composite], most: int) -> Iterator[list[Composite]]:
    """Parts of at most so many operations, in order, where the fewest bytes cross.

    Arrows back have no end, so that what is before the cut needs nothing from after it.
    """
    if len(composites) < 2 or sum(len(one.nodes) for one in composites) <= most:
        yield composites
        return
    import networkx as nx

    ordered = sorted(composites, key=lambda one: one.nodes[0].number)
    of_node = {node.number: k for k, one in enumerate(ordered) for node in one.nodes}
    network = nx.DiGraph()
    network.add_nodes_from(range(len(ordered)))
    for first, second in graph.order:
        a, b = of_node.get(first), of_node.get(second)
        if a is None or b is None or a == b:
            continue
        arrays = graph.flow.get((first, second), frozenset())
        size = sum(t.bytes for t in graph.by_number[first].outputs if t.name in arrays)
        known = network.get_edge_data(a, b, {"capacity": 0})["capacity"]
        network.add_edge(a, b, capacity=known + size)
        network.add_edge(b, a, capacity=_MORE_THAN_ANY)
    _, (before, _) = nx.minimum_cut(network, 0, len(ordered) - 1)
    yield from _cut(graph, [one for k, one in enumerate(ordered) if k in before], most)
    yield from _cut(graph, [one for k, one in enumerate(ordered) if k not in before], most)
