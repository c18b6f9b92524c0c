"""What a graph asks of the array that the array does not have."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING

from s2s.simulators.aie.graph.cores import Core
from s2s.simulators.aie.graph.graph import Graph
from s2s.simulators.aie.graph.tokens import refusal
from s2s.simulators.aie.program import Direction
from s2s.simulators.aie.values import size_of

if TYPE_CHECKING:
    from s2s.simulators.aie.timing.machine import Machine


def check(graph: Graph, cores: Mapping[str, Core], machine: Machine, path: str) -> dict[str, int]:
    """Bytes of memory that each core's tile has in use. Raises UserError for what does not fit."""
    _ports(graph, cores, path)
    _cascades(graph, path)
    used = {name: _bytes(graph, core, machine) for name, core in cores.items()}
    tiles: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for name, kernel in graph.kernels.items():
        if kernel.at is not None:
            tiles[kernel.at].append(name)
    for at, names in tiles.items():
        if len(names) > 1:
            text = f"{' and '.join(names)} are on one tile, {at[0]}, {at[1]}: not simulated"
            raise refusal(text, path, graph.kernels[names[1]].line)
    for name, core in cores.items():
        line = graph.kernels[name].line
        memory = machine.number("array.memory")
        if used[name] > memory:
            text = f"{name} needs {used[name]} bytes of memory, its tile has {memory}"
            raise refusal(text, path, line)
        sides = Counter(a.port[1] for a in core.arguments if a.kind == "buffer")
        channels = machine.number("array.dma_channels")
        for side, count in sides.items():
            if count > channels:
                text = f"{name} has {count} buffers {side}, a tile's DMA has {channels} channels"
                raise refusal(text, path, line)
    return used


def _ports(graph: Graph, cores: Mapping[str, Core], path: str) -> None:
    """Every argument is connected, every buffer has its size, every parameter its values."""
    given = {port for port, _ in graph.updates}
    for name, core in cores.items():
        for argument in core.arguments:
            port = argument.port
            link = graph.feeding(port) if port[1] == "in" else None
            links = [link] if link is not None else graph.leaving(port)
            line = graph.kernels[name].line
            if not links:
                text = f"{port[0]}.{port[1]}[{port[2]}], '{argument.name}', is not connected"
                raise refusal(text, path, line)
            if argument.kind == "buffer" and port not in graph.elements:
                raise refusal(f"'{argument.name}' of {name} has no 'dimensions'", path, line)
            if argument.kind == "parameter" and links[0].source[0] not in given:
                text = f"the test bench updates no '{links[0].source[0]}'"
                raise refusal(text, path, line)


def _cascades(graph: Graph, path: str) -> None:
    """Cascades go to the next tile: eastward in even rows, westward in odd ones, then upward."""
    for link in graph.links:
        if link.kind != "cascade":
            continue
        ends = [graph.kernels[port[0]].at for port in (link.source, link.target)]
        if ends[0] is None or ends[1] is None:
            continue
        (column, row), to = ends[0], ends[1]
        beside = (column + 1, row) if row % 2 == 0 else (column - 1, row)
        if to not in (beside, (column, row + 1)):
            text = f"no cascade goes from tile {column}, {row} to {to[0]}, {to[1]}"
            raise refusal(text, path, link.line)


def _bytes(graph: Graph, core: Core, machine: Machine) -> int:
    total = machine.number("array.stack")
    for argument in core.arguments:
        copies = 1 if argument.port in graph.single else 2
        if argument.kind == "buffer":
            total += copies * core.bytes_of(argument.name, graph.elements[argument.port])
        elif argument.kind == "parameter":
            count = 1
            for extent in core.array(argument.name).extents:
                count *= extent
            total += copies * core.bytes_of(argument.name, count)
    return total + sum(_own_bytes(core).values())


def _own_bytes(core: Core) -> dict[str, int]:
    """Bytes of the arrays of its own that a kernel writes and that live on from call to call."""
    return {
        one.name: prod(one.extents) * size_of(one.element)
        for one in core.program.arrays
        if one.is_static and one.direction is not Direction.IN
    }
