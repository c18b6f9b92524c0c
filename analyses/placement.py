"""Whether a design that is placed and routed is what it was, and how long its paths are.

Nothing here looks at how places and tracks were found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from s2s.scop.fabric import (
    Array,
    Fabric,
    Link,
    Net,
    Port,
    Tile,
    Track,
    turn,
)
from s2s.source.records import dataclass


def check_places(fabric: Fabric, array: Array, places: Mapping[str, Tile]) -> str | None:
    """The first thing that is wrong with a placement; None where it is legal."""
    sites = {kind: set(array.tiles(kind)) for kind in ("pe", "memory", "io")}
    for name, part in fabric.parts.items():
        if name not in places:
            return f"{name} has no place"
        if places[name] not in sites[part.kind]:
            return f"{name} is at {places[name]}, where there is no {part.kind} tile"
    twice = [t for t, n in Counter(places[name] for name in fabric.parts).items() if n > 1]
    return f"{twice[0]} has two parts" if twice else None


def check_nets(
    fabric: Fabric, array: Array, places: Mapping[str, Tile], nets: tuple[Net, ...]
) -> str | None:
    """The first thing that is wrong with routed nets; None where they are the links.

    Each is a tree of tracks that switch boxes can join, from its source to its targets with the
    registers that their links have, and no track is used twice.
    """
    wanted: dict[tuple[Port, str], dict[Port, Link]] = {}
    for link in fabric.links:
        wanted.setdefault((link.source, link.layer), {})[link.target] = link
    found = Counter((net.source, net.layer) for net in nets)
    if set(found) != set(wanted) or max(found.values(), default=0) > 1:
        return "the nets are not those of the design"
    uses = Counter(track for net in nets for track in net.branches)
    for track, count in uses.items():
        if count > 1:
            return f"{track} is used {count} times"
    for net in nets:
        wrong = next(_wrong(fabric, array, places, net, wanted[net.source, net.layer]), None)
        if wrong is not None:
            return f"net of {net.source[0]}: {wrong}"
    return None


def _wrong(
    fabric: Fabric,
    array: Array,
    places: Mapping[str, Tile],
    net: Net,
    links: Mapping[Port, Link],
) -> Iterator[str]:
    for track, branch in net.branches.items():
        if not _exists(array, track) or track.layer != net.layer:
            yield f"there is no {track}"
        if branch.driver is None and track.tile != places[net.source[0]]:
            yield f"{track} is not at the source"
        if branch.driver is not None and not _joined(array, branch.driver, track):
            yield f"{branch.driver} cannot drive {track}"
    if set(net.targets) != set(links):
        yield "its targets are not those of the links"
    for port, (track, registered) in net.targets.items():
        if track.end != places[port[0]]:
            yield f"{track} does not lead to {port[0]}"
        if registered and fabric.parts[port[0]].element is None:
            yield f"{port[0]} has no register at its input"
        registers = _registers(net, track)
        if registers is None:
            yield f"{track} is not connected to the source"
        elif registers + registered != fabric.delay(links[port]):
            yield (
                f"{registers + registered} registers to {'.'.join(port)}, not"
                f" {fabric.delay(links[port])}"
            )


def _exists(array: Array, track: Track) -> bool:
    inside = [
        x >= 0 and (x < array["io_tiles"] if y == -1 else x < array["columns"])
        and -1 <= y < array["rows"]
        for x, y in (track.tile, track.end)
    ]  # fmt: skip
    upwards = track.tile[1] >= 0 or track.side == 2
    return all(inside) and upwards and 0 <= track.number < array.tracks(track.layer)


def _joined(array: Array, driver: Track, track: Track) -> bool:
    """Whether the switch box at the end of a track can drive another one by it."""
    if driver.end != track.tile or array.kind(track.tile) == "io":
        return False
    arrived = (driver.side + 2) % 4
    if track.side == arrived or driver.layer != track.layer:
        return False
    return turn(arrived, track.side, driver.number, array.tracks(track.layer)) == track.number


def _registers(net: Net, track: Track) -> int | None:
    """Registers from the source to the end of a track; None where it is not connected."""
    count = 0
    for _ in range(len(net.branches)):
        if track not in net.branches:
            return None
        branch = net.branches[track]
        count += branch.registered
        if branch.driver is None:
            return count
        track = branch.driver
    return None


@dataclass(frozen=True)
class Path:
    """A combinational path from the clock to a register: its time, and the parts on it."""

    picoseconds: int
    parts: tuple[str, ...] = ()

    def longer(self, picoseconds: int, part: str = "") -> Path:
        return Path(self.picoseconds + picoseconds, (*self.parts, part) if part else self.parts)


def longest_path(fabric: Fabric, array: Array, nets: tuple[Net, ...]) -> Path:
    """The longest combinational path. Raises ValueError where paths go round in a circle."""
    timing = _Timing(fabric, array, nets)
    return max(timing.ends(), key=lambda path: path.picoseconds, default=Path(0))


class _Timing:
    def __init__(self, fabric: Fabric, array: Array, nets: tuple[Net, ...]) -> None:
        self.fabric, self.array, self.nets = fabric, array, nets
        self.net_at = {net_port: net for net in nets for net_port in net.targets}
        self.known: dict[str, Path] = {}
        self.active: set[str] = set()
        self.inputs: dict[str, list[Port]] = {}
        for link in fabric.links:
            self.inputs.setdefault(link.target[0], []).append(link.target)

    def ends(self) -> Iterator[Path]:
        """The paths into registers, memories and streams."""
        setup = self.array["setup_ps"]
        for name in self.fabric.parts:
            self.settle(name)
        for net in self.nets:
            for track, branch in net.branches.items():
                if branch.registered:
                    before = self.source(net) if branch.driver is None else None
                    yield (before or self.at(net, branch.driver or track)).longer(setup)
            for port, (track, registered) in net.targets.items():
                if registered or self.fabric.parts[port[0]].element is None:
                    yield self.at(net, track).longer(setup, port[0])

    def settle(self, top: str) -> None:
        """Find when a part's word is there, those before it first."""
        stack = [top]
        while stack:
            name = stack[-1]
            if name in self.known:
                stack.pop()
                self.active.discard(name)
                continue
            missing = [other for other in self.before(name) if other not in self.known]
            if missing:
                if name in self.active or not self.active.isdisjoint(missing):
                    raise ValueError(f"a combinational circle through {name}")
                self.active.add(name)
                stack += missing
                continue
            self.known[name] = self.arrive(name)

    def combinational(self, name: str) -> bool:
        element = self.fabric.parts[name].element
        return element is not None and element.op != "counter"

    def before(self, name: str) -> list[str]:
        """Parts whose words reach a part's inputs in the cycle in which they come out."""
        if not self.combinational(name):
            return []
        return [
            self.net_at[port].source[0] for port in self.inputs.get(name, ()) if not self.cut(port)
        ]

    def cut(self, port: Port) -> bool:
        """Whether there is a register on the way to an input."""
        net = self.net_at[port]
        track, registered = net.targets[port]
        return registered or bool(_registers(net, track))

    def arrive(self, name: str) -> Path:
        """When a part's word is there."""
        part = self.fabric.parts[name]
        own = self.array[f"{part.kind}_ps"]
        best = Path(0)
        for port in self.inputs.get(name, ()) if self.combinational(name) else ():
            net = self.net_at[port]
            track, registered = net.targets[port]
            path = Path(0) if registered else self.at(net, track)
            best = max(best, path, key=lambda each: each.picoseconds)
        return best.longer(own, name)

    def source(self, net: Net) -> Path:
        return self.known[net.source[0]]

    def at(self, net: Net, track: Track) -> Path:
        """When a net's word is at the end of a track, from the last register on."""
        hops = 0
        while True:
            branch = net.branches[track]
            hops += 1
            if branch.registered:
                return Path(hops * self.array["hop_ps"])
            if branch.driver is None:
                return self.source(net).longer(hops * self.array["hop_ps"])
            track = branch.driver
