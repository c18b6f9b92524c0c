"""Tracks for the links of placed parts, by negotiated congestion.

PathFinder (McMurchie and Ebeling, FPGA 1995): nets may first share tracks; those that are shared
become dearer, and nets on them are routed again, until none is. A net is a tree. A link needs a
number of registers: it takes at least so many tracks, as each has one (and the input that it leads
to may have one), and makes a detour where its ends are closer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from heapq import heappop, heappush

from s2s.scop.fabric import LAYERS, Array, Branch, Fabric, Link, Net, Port, Tile
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import NotRoutable
from s2s.transforms.clockwork.tracks import Tracks

ROUNDS = 80
HASTE = 1.2
"""What the estimate of the way that is left is multiplied with: a little over 1 is faster."""
WAYS = 256
"""More than the registers that a link can have."""


@dataclass(frozen=True)
class Limit:
    """Tracks up to the first register of a net, and from one register to the next."""

    first: int
    later: int


class Late(NotRoutable):
    """Ways of links are too long for their registers."""

    def __init__(self, links: Sequence[Link]) -> None:
        first = links[0]
        super().__init__(f"the way from {first.source[0]} to {first.target[0]} is too long")
        self.links = links


@dataclass
class _Tree:
    """A net on its way: for each track its driver, registers up to its end, tracks since the last
    register, and whether it has one; ``targets`` as in ``Net``, by numbers.
    """

    links: Sequence[Link]
    driver: dict[int, int] = field(default_factory=dict)
    delay: dict[int, int] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)
    registered: dict[int, bool] = field(default_factory=dict)
    targets: dict[Port, tuple[int, bool]] = field(default_factory=dict)
    late: list[Link] = field(default_factory=list)


SOURCE = -1
"""The driver of a track that a tile's output drives."""


def route(
    fabric: Fabric,
    array: Array,
    places: Mapping[str, Tile],
    limits: Mapping[Port, Limit] | None = None,
) -> tuple[Net, ...]:
    """A tree for each net. ``limits``: for targets on whose way no two registers are too far apart.

    Raises NotRoutable where tracks are shared to the end, and Late.
    """
    found: list[Net] = []
    for layer in LAYERS:
        nets: dict[Port, list[Link]] = {}
        for link in fabric.links:
            if link.layer == layer:
                nets.setdefault(link.source, []).append(link)
        if nets:
            found += _Router(fabric, Tracks(array, layer), places, limits or {}, nets).route()
    return tuple(found)


@dataclass
class _Router:
    fabric: Fabric
    tracks: Tracks
    places: Mapping[str, Tile]
    limits: Mapping[Port, Limit]
    nets: Mapping[Port, list[Link]]
    sharing: float = 0.5

    def __post_init__(self) -> None:
        self.used = [0] * self.tracks.count
        self.history = [1.0] * self.tracks.count
        self.cost = [1.0] * self.tracks.count
        self.trees: dict[Port, _Tree] = {}

    @cached_property
    def order(self) -> list[Port]:
        """Nets with many targets first."""
        return sorted(self.nets, key=lambda source: -len(self.nets[source]))

    def route(self) -> list[Net]:
        again = self.order
        for _ in range(ROUNDS):
            for source in again:
                self.remove(source)
                self.add(source)
            shared = {k for k, count in enumerate(self.used) if count > 1}
            if not shared:
                late = [link for tree in self.trees.values() for link in tree.late]
                if late:
                    raise Late(late)
                return [self.net(source) for source in self.order]
            self.sharing = min(self.sharing * 1.5, 1e4)
            for k in shared:
                self.history[k] += 0.5 * (self.used[k] - 1)
            for k, count in enumerate(self.used):
                self.cost[k] = self.history[k] * (1 + self.sharing * count)
            again = [s for s in self.order if not shared.isdisjoint(self.trees[s].driver)]
        first = self.tracks.track(min(shared))
        raise NotRoutable(
            f"'{self.fabric.name}' cannot be routed: {len(shared)} {self.tracks.layer} tracks are"
            f" needed twice, the first at tile {first.tile}"
        )

    def remove(self, source: Port) -> None:
        tree = self.trees.pop(source, None)
        for k in tree.driver if tree else ():
            self.count(k, -1)

    def count(self, track: int, by: int) -> None:
        self.used[track] += by
        self.cost[track] = self.history[track] * (1 + self.sharing * self.used[track])

    def add(self, source: Port) -> None:
        tree = self.trees[source] = _Tree(self.nets[source])
        at = self.places[source[0]]

        def far(link: Link) -> tuple[int, int]:
            x, y = self.places[link.target[0]]
            return self.fabric.delay(link), abs(x - at[0]) + abs(y - at[1])

        for link in sorted(tree.links, key=far):
            self.reach(tree, link)
        for k in tree.driver:
            self.count(k, 1)

    def reach(self, tree: _Tree, link: Link) -> None:
        """Lengthen the tree to a link's target."""
        delay = self.fabric.delay(link)
        at_input = int(self.fabric.parts[link.target[0]].registered)
        limit = self.limits.get(link.target)
        must = limit is not None and bool(at_input)
        for fresh in (False, True):
            start, path = self.search(tree, link, delay - at_input, must=must, fresh=fresh)
            before, since = tree.delay.get(start, 0), tree.since.get(start, 0)
            last = at_input and delay > before
            count = delay - before - last
            registers = _registers(len(path), count, since, before == 0, limit)
            if registers is not None:
                break
        else:
            tree.late.append(link)
            registers = _registers(len(path), count, since, before == 0, None)
        assert registers is not None, "a way has as many tracks as registers"
        driver = start
        for track, registered in zip(path, registers, strict=True):
            before, since = before + registered, 1 if registered else since + 1
            tree.driver[track], tree.registered[track] = driver, registered
            tree.delay[track], tree.since[track] = before, since
            driver = track
        tree.targets[link.target] = driver, bool(last)

    def search(
        self, tree: _Tree, link: Link, least: int, *, must: bool, fresh: bool
    ) -> tuple[int, list[int]]:
        """The cheapest way to a link's target: the track of the tree (or SOURCE) that it begins
        with, and the further ones. They are at least ``least`` less the registers so far; with
        ``must`` one of the link's registers is left for the target's input. ``fresh``: a way of
        its own from the source.
        """
        goal, width = self.tracks.tile(self.places[link.target[0]]), self.tracks.width
        ends, following, cost = self.tracks.ends, self.tracks.next, self.cost
        gx, gy = goal % width, goal // width
        own = tree.driver
        queue: list[tuple[float, float, int]] = []
        known: dict[int, float] = {}
        parent: dict[int, int] = {}
        delay = self.fabric.delay(link)

        def offer(track: int, paid: float, left: int, before: int) -> None:
            paid += cost[track]
            state = track * WAYS + left
            if known.get(state, 1e18) <= paid:
                return
            known[state], parent[state] = paid, before
            end = ends[track]
            far = abs(end % width - gx) + abs(end // width - gy)
            heappush(queue, (paid + HASTE * max(far, left), -paid, state))

        for track, registers in () if fresh else tree.delay.items():
            if registers + must <= delay:
                left = max(0, least - registers)
                if left == 0 and ends[track] == goal:
                    return track, []
                for after in following[track]:
                    if after not in own:
                        offer(after, 0.0, max(0, left - 1), -2 - track)
        for track in self.tracks.starts(self.places[link.source[0]]):
            if track not in own:
                offer(track, 0.0, max(0, least - 1), SOURCE)
        while queue:
            _, paid, state = heappop(queue)
            if known[state] < -paid:
                continue
            track, left = divmod(state, WAYS)
            if left == 0 and ends[track] == goal:
                return _way(state, parent)
            after_left = left - 1 if left else 0
            for after in following[track]:
                if after not in own and not (least > 1 and _visited(after, state, parent)):
                    offer(after, -paid, after_left, state)
        raise NotRoutable(f"there is no way from {link.source[0]} to {link.target[0]}")

    def net(self, source: Port) -> Net:
        """A tree as the result has it."""
        tree, number = self.trees[source], self.tracks.track
        branches = {
            number(track): Branch(
                None if driver == SOURCE else number(driver), tree.registered[track]
            )
            for track, driver in tree.driver.items()
        }
        targets = {port: (number(track), last) for port, (track, last) in tree.targets.items()}
        return Net(source, self.tracks.layer, branches, targets)


def _way(state: int, parent: Mapping[int, int]) -> tuple[int, list[int]]:
    """The tracks that lead to a state, from the tree on."""
    found = []
    while state >= 0:
        found.append(state // WAYS)
        state = parent[state]
    return (SOURCE if state == SOURCE else -2 - state), found[::-1]


def _visited(track: int, state: int, parent: Mapping[int, int]) -> bool:
    """Whether the way to a state has a track already."""
    while state >= 0:
        if state // WAYS == track:
            return True
        state = parent[state]
    return False


def _registers(
    length: int, count: int, since: int, early: bool, limit: Limit | None
) -> list[bool] | None:
    """Which tracks of a way have registers: the last ones, and earlier where it is too far
    otherwise. ``since``: tracks since the last register before, or (``early``) since the source.
    None where they are too few, or too many.
    """
    if count > length:
        return None
    found, left = [], count
    for place in range(length):
        most = length if limit is None else limit.first if early else limit.later
        far = limit is not None and since + 1 > most
        if left and (far or left >= length - place):
            left, since, early = left - 1, 1, False
            found.append(True)
        elif far:
            return None
        else:
            since += 1
            found.append(False)
    return found
