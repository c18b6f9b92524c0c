"""Parts to tiles: a global placement by quadratic wire length, then simulated annealing.

The same two steps as in section 6.1 of Setter's dissertation ("CGRA Placement and Routing"). The
global one solves for the places at which squared wire lengths are least, with streams fixed along
the edge, and spreads the parts over a region of the array in that order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from s2s.scop.fabric import Array, Fabric, Tile
from s2s.transforms.clockwork.anneal import anneal, nets_of
from s2s.transforms.clockwork.errors import DoesNotFit

NAMES = {"pe": "PEs", "memory": "memory tiles", "io": "streams"}
ROOM = 1.15
"""How much larger than its parts a region is, where the array has room."""


def place(
    fabric: Fabric, array: Array, *, seed: int = 0, start: Mapping[str, Tile] | None = None
) -> dict[str, Tile]:
    """A tile for each part. ``start``: a placement of most parts, to be changed little.

    Deterministic for a seed. Raises DoesNotFit with what the design has too much of.
    """
    check_capacity(fabric, array)
    if start is None:
        return anneal(fabric, array, _spread(fabric, array), seed=seed)
    return anneal(fabric, array, _completed(fabric, array, start), seed=seed, hot=False)


def check_capacity(fabric: Fabric, array: Array) -> None:
    """Raise DoesNotFit where there are more parts of a kind than tiles."""
    over = []
    for kind, name in NAMES.items():
        needed, there = fabric.count(kind), len(array.tiles(kind))
        if needed > there:
            over.append(f"it needs {needed} {name}, {needed - there} more than the {there} there")
    if over:
        raise DoesNotFit(f"'{fabric.name}' does not fit on the array: {'; '.join(over)}")


def _region(fabric: Fabric, array: Array) -> tuple[int, int]:
    """Columns and rows, from the top left, that have room for the parts: about a square."""
    every = array["memory_column_every"]
    for columns in range(every, array["columns"] + every, every):
        columns = min(columns, array["columns"])
        if columns < fabric.count("io"):
            continue
        memories = columns // every
        tiles = {"pe": columns - memories, "memory": memories}
        rows = max(ceil(fabric.count(kind) * ROOM / count) for kind, count in tiles.items())
        if rows <= min(columns, array["rows"]):
            return columns, max(1, rows)
    return array["columns"], array["rows"]


def _spread(fabric: Fabric, array: Array) -> dict[str, Tile]:
    """The global placement: parts of each kind in the order of their best places."""
    columns, rows = _region(fabric, array)
    best = _quadratic(fabric, columns, rows)
    found: dict[str, Tile] = {}
    for kind in NAMES:
        names = [name for name, part in fabric.parts.items() if part.kind == kind]
        sites = [t for t in array.tiles(kind) if t[0] < columns and t[1] < rows]
        sites.sort()
        names.sort(key=lambda name: best[name])
        step = len(sites) / max(1, len(names))
        used = [sites[int(k * step)] for k in range(len(names))]
        at = 0
        while at < len(used):
            column = [site for site in used[at:] if site[0] == used[at][0]]
            own = sorted(names[at : at + len(column)], key=lambda name: best[name][::-1])
            found |= dict(zip(own, column, strict=True))
            at += len(column)
    return found


def _quadratic(fabric: Fabric, columns: int, rows: int) -> dict[str, tuple[float, float]]:
    """Places with the least sum of squared lengths; streams are spread along the edge."""
    import numpy as np

    names = list(fabric.parts)
    streams = [name for name in names if fabric.parts[name].kind == "io"]
    step = columns / max(1, len(streams))
    fixed = {name: (int(k * step), -1.0) for k, name in enumerate(streams)}
    place = {name: k for k, name in enumerate(names)}
    matrix = np.zeros((len(names), len(names)))
    right = np.zeros((len(names), 2))
    for net in nets_of(fabric):
        weight = 1 / (len(net) - 1)
        for a in range(len(net)):
            for b in range(a):
                i, j = place[net[a]], place[net[b]]
                matrix[i, i] += weight
                matrix[j, j] += weight
                matrix[i, j] -= weight
                matrix[j, i] -= weight
    centre = columns / 2, rows / 2
    for name, k in place.items():
        pull = 1e6 if name in fixed else 1e-3
        at = fixed.get(name, centre)
        matrix[k, k] += pull
        right[k] += pull * at[0], pull * at[1]
    solved = np.linalg.solve(matrix, right).round(6)
    return {name: (float(solved[k, 0]), float(solved[k, 1])) for name, k in place.items()}


def _completed(fabric: Fabric, array: Array, start: Mapping[str, Tile]) -> dict[str, Tile]:
    """A placement with the parts that it lacks on free tiles near those that they are joined to."""
    found = {name: tile for name, tile in start.items() if name in fabric.parts}
    nets = nets_of(fabric)
    for name, part in fabric.parts.items():
        if name in found:
            continue
        near = [found[other] for net in nets if name in net for other in net if other in found]
        taken = set(found.values())
        free = [tile for tile in array.tiles(part.kind) if tile not in taken]
        found[name] = min(free, key=lambda tile: _distance(tile, near))
    return found


def _distance(tile: Tile, others: Sequence[Tile]) -> int:
    return sum(abs(tile[0] - x) + abs(tile[1] - y) for x, y in others)
