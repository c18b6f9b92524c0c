"""Simulated annealing of a placement on the sum of half-perimeter wire lengths.

The schedule of temperatures is that of VPR (Betz and Rose, FPL 1997): the range of moves and the
temperature follow the share of moves that are accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from random import Random

from s2s.scop.fabric import Array, Fabric, Tile

EFFORT = 0.5
"""Moves at a temperature, times the number of parts to the power of 4/3."""
MOST_MOVES = 400_000
_RIGID = 8
"""How much more than others the length of a way without registers counts."""
HOT, COLD, END = 0.7, 0.1, 0.03
"""Temperatures by the mean cost of a net. The start is not random, so the first one is moderate."""


def anneal(
    fabric: Fabric,
    array: Array,
    start: Mapping[str, Tile],
    *,
    seed: int = 0,
    hot: bool = True,
) -> dict[str, Tile]:
    """A placement with shorter wires. ``hot`` False: from a low temperature, so little changes."""
    state = _State(fabric, array, start)
    if len(start) < 2 or not state.nets:
        return dict(start)
    random = Random(seed)
    moves = max(20, int(EFFORT * len(start) ** (4 / 3)))
    temperature = (HOT if hot else COLD) * state.cost / len(state.nets)
    reach, left = float(max(array["columns"], array["rows"])), MOST_MOVES
    while temperature > END * state.cost / len(state.nets) and left > 0:
        before = state.accepted
        for _ in range(moves):
            state.try_move(random, max(1, int(reach)), temperature)
        left -= moves
        share = (state.accepted - before) / moves
        temperature *= _cooling(share)
        reach = min(max(reach * (0.56 + share), 1.0), float(array["columns"]))
    for _ in range(2 * moves):
        state.try_move(random, max(1, int(reach)), 0.0)
    return state.placed()


def _cooling(share: float) -> float:
    """By how much the temperature falls after so large a share of moves was accepted."""
    if share > 0.96:
        return 0.5
    if share > 0.8:
        return 0.9
    return 0.95 if share > 0.15 else 0.8


def nets_of(fabric: Fabric) -> list[list[str]]:
    """The parts of each net, each once."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for link in fabric.links:
        net = found.setdefault(link.source, {link.source[0]: None})
        net[link.target[0]] = None
    return [list(net) for net in found.values() if len(net) > 1]


def unregistered(fabric: Fabric) -> list[list[str]]:
    """Both ends of links from a memory to a memory: no kernel's latency gives them a register, so
    that their ways are what the clock has to be longer than.
    """
    kinds = {name: part.kind for name, part in fabric.parts.items()}
    ends = ((link.source[0], link.target[0]) for link in fabric.links if not link.cycles)
    return [[a, b] for a, b in ends if a != b and kinds[a] == kinds[b] == "memory"]


class _State:
    """Places of parts and what stands on tiles, by numbers; costs of nets."""

    def __init__(self, fabric: Fabric, array: Array, start: Mapping[str, Tile]) -> None:
        self.names = list(start)
        number = {name: k for k, name in enumerate(self.names)}
        self.xs = [start[name][0] for name in self.names]
        self.ys = [start[name][1] for name in self.names]
        nets = [*nets_of(fabric), *_RIGID * unregistered(fabric)]
        self.nets = [[number[name] for name in net] for net in nets]
        self.nets_at: list[list[int]] = [[] for _ in self.names]
        for k, net in enumerate(self.nets):
            for part in net:
                self.nets_at[part].append(k)
        self.kinds = [fabric.parts[name].kind for name in self.names]
        self.sites = {kind: set(array.tiles(kind)) for kind in set(self.kinds)}
        self.columns = {kind: sorted({x for x, _ in sites}) for kind, sites in self.sites.items()}
        self.rows = array["rows"]
        self.on = {tile: number[name] for name, tile in start.items()}
        self.costs = [self._length(net) for net in self.nets]
        self.cost = sum(self.costs)
        self.accepted = 0

    def placed(self) -> dict[str, Tile]:
        return dict(zip(self.names, zip(self.xs, self.ys, strict=True), strict=True))

    def _length(self, net: list[int]) -> int:
        xs, ys = [self.xs[k] for k in net], [self.ys[k] for k in net]
        return max(xs) - min(xs) + max(ys) - min(ys)

    def _target(self, random: Random, part: int, reach: int) -> Tile:
        """A tile of the part's kind within reach."""
        columns = self.columns[self.kinds[part]]
        x = self.xs[part]
        if len(columns) < self.rows or reach >= columns[-1]:
            near = [c for c in columns if abs(c - x) <= max(reach, 4)]
        else:
            near = [c for c in range(x - reach, x + reach + 1)]
        x = near[int(random.random() * len(near))]
        if self.kinds[part] == "io":
            return x, -1
        low = max(0, self.ys[part] - reach)
        high = min(self.rows - 1, self.ys[part] + reach)
        return x, low + int(random.random() * (high - low + 1))

    def try_move(self, random: Random, reach: int, temperature: float) -> int:
        """Move a part, or let two change their places; the change of the cost if it was done."""
        part = int(random.random() * len(self.names))
        tile = self._target(random, part, reach)
        before = self.xs[part], self.ys[part]
        if tile == before or tile not in self.sites[self.kinds[part]]:
            return 0
        other = self.on.get(tile)
        touched = self.nets_at[part]
        if other is not None:
            touched = list({*touched, *self.nets_at[other]})
        self._move(part, other, tile, before)
        costs = [self._length(self.nets[k]) for k in touched]
        change = sum(costs) - sum(self.costs[k] for k in touched)
        if change > 0 and (temperature <= 0 or random.random() >= exp(-change / temperature)):
            self._move(part, other, before, tile)
            return 0
        for k, cost in zip(touched, costs, strict=True):
            self.costs[k] = cost
        self.cost += change
        self.accepted += 1
        self.on[tile] = part
        if other is None:
            del self.on[before]
        else:
            self.on[before] = other
        return change

    def _move(self, part: int, other: int | None, to: Tile, back: Tile) -> None:
        self.xs[part], self.ys[part] = to
        if other is not None:
            self.xs[other], self.ys[other] = back
