"""Loops of all operations brought to common levels, and the rates at which they run.

In a stencil pipeline each loop of a consumer walks over what one loop of its producer makes. Loops
that are linked in this way stand at one level; operations that lack it run there once (section
5.2 of Setter's dissertation; the stencil test of Clockwork). The interval ``q`` of an operation
at a level is how many steps of the level an iteration takes: 2 after downsampling by 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import gcd, lcm

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.expressions import Binary, Const, Expr, Variable
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError

Loop = tuple[str, int]
"""An operation's name and the place of a loop among its loops, outermost first."""


@dataclass(frozen=True)
class Levels:
    """``loops``: for each operation the place of its loop at each level (None: it has none).

    Levels are counted from the outermost. ``intervals``: q for each operation and level.
    ``names``: a loop's name for each level.
    """

    loops: Mapping[str, tuple[int | None, ...]]
    intervals: Mapping[str, tuple[int, ...]]
    names: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.names)

    def trips(self, operation: Operation, level: int) -> int:
        """Iterations at a level."""
        place = self.loops[operation.name][level]
        return 1 if place is None else operation.extents[place]


def align(accelerator: Accelerator) -> Levels:
    """Levels for all loops. Raises MappingError where this is no stencil pipeline."""
    links = list(_links(accelerator))
    classes = _classes(accelerator, links)
    heights = _heights(accelerator, classes)
    count = max(heights.values(), default=-1) + 1
    loops: dict[str, tuple[int | None, ...]] = {}
    names = ["" for _ in range(count)]
    for operation in accelerator.operations:
        places: list[int | None] = [None] * count
        for place, loop in enumerate(operation.loops):
            level = count - 1 - heights[classes[operation.name, place]]
            places[level] = place
            names[level] = names[level] or loop.name
        loops[operation.name] = tuple(places)
    rates = _rates(accelerator, links)
    intervals = {
        name: tuple(1 if p is None else rates[name, p] for p in places)
        for name, places in loops.items()
    }
    return Levels(loops, intervals, tuple(names))


def slopes(subscript: Expr, loops: frozenset[str]) -> dict[str, Fraction]:
    """By how much a subscript grows with each loop's variable, rounding apart.

    Raises MappingError where it is not a sum of multiples and quotients of them.
    """
    match subscript:
        case Variable(_, name):
            return {name: Fraction(1)} if name in loops else {}
        case Const():
            return {}
        case Binary(_, "add" | "sub" as op, left, right):
            sign = 1 if op == "add" else -1
            found = slopes(left, loops)
            for name, slope in slopes(right, loops).items():
                found[name] = found.get(name, Fraction(0)) + sign * slope
            return {name: slope for name, slope in found.items() if slope}
        case Binary(_, "mul", inner, Const(_, int() as by)) | Binary(
            _, "mul", Const(_, int() as by), inner
        ):
            return {name: slope * by for name, slope in slopes(inner, loops).items() if by}
        case Binary(_, "div", inner, Const(_, int() as by)) if by > 0:
            return {name: slope / by for name, slope in slopes(inner, loops).items()}
    if not subscript.variables & loops:
        return {}
    raise MappingError(f"a subscript is neither a multiple nor a quotient: {subscript}")


def _links(accelerator: Accelerator) -> Iterator[tuple[Loop, Loop, Fraction]]:
    """Loops of producers and consumers that walk over one dimension of a buffer.

    The fraction is how many iterations of the producer one of the consumer needs.
    """
    writers: dict[str, dict[str, _Walk]] = {}
    for operation in accelerator.operations:
        walk = _walk(operation, operation.store.subscripts)
        writers.setdefault(operation.store.tensor, {})[operation.name] = walk
    for consumer in accelerator.operations:
        tensors = {load.tensor for load in consumer.loads} & writers.keys()
        walks = {(consumer.store.tensor, writers[consumer.store.tensor][consumer.name])}
        walks |= {
            (load.tensor, _walk(consumer, load.subscripts))
            for load in consumer.loads
            if load.tensor in tensors
        }
        for tensor, read in walks:
            for producer, written in writers[tensor].items():
                for first, second in zip(written, read, strict=True):
                    if first is not None and second is not None:
                        loops = (producer, first[0]), (consumer.name, second[0])
                        yield (*loops, second[1] / first[1])


_Walk = tuple[tuple[int, Fraction] | None, ...]
"""For each subscript the loop that it grows with, and by how much."""


def _walk(operation: Operation, subscripts: tuple[Expr, ...]) -> _Walk:
    return tuple(_single(operation, subscript) for subscript in subscripts)


def _single(operation: Operation, subscript: Expr) -> tuple[int, Fraction] | None:
    """The one loop that a subscript grows with, and by how much."""
    names = [loop.name for loop in operation.loops]
    found = slopes(subscript, frozenset(names))
    moving = {n: s for n, s in found.items() if operation.extents[names.index(n)] > 1}
    if moving or len(found) > 1:
        found = moving
    if not found:
        return None
    if len(found) > 1 or min(found.values()) < 0:
        loops = ", ".join(found)
        raise MappingError(f"{operation.name}: a subscript walks backwards or along {loops}")
    ((name, slope),) = found.items()
    return names.index(name), slope


def _classes(
    accelerator: Accelerator, links: list[tuple[Loop, Loop, Fraction]]
) -> dict[Loop, Loop]:
    """A representative for each loop: linked loops have the same."""
    from networkx.utils import UnionFind

    every = [(o.name, place) for o in accelerator.operations for place in range(len(o.loops))]
    union = UnionFind(every)
    for first, second, _ in links:
        union.union(first, second)
    found = {loop: union[loop] for loop in every}
    for operation in accelerator.operations:
        own = [found[operation.name, place] for place in range(len(operation.loops))]
        if len(set(own)) < len(own):
            raise MappingError(f"{operation.name}: two loops walk over one dimension")
    return found


def _heights(accelerator: Accelerator, classes: Mapping[Loop, Loop]) -> dict[Loop, int]:
    """How many levels are inside each class: loops that no operation nests share a level."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(dict.fromkeys(classes.values()))
    for operation in accelerator.operations:
        own = [classes[operation.name, place] for place in range(len(operation.loops))]
        graph.add_edges_from(pairwise(own))
    if not nx.is_directed_acyclic_graph(graph):
        raise MappingError("operations have their loops in different orders")
    heights: dict[Loop, int] = {}
    for node in reversed(list(nx.topological_sort(graph))):
        heights[node] = max((heights[below] + 1 for below in graph.successors(node)), default=0)
    return heights


def _rates(accelerator: Accelerator, links: list[tuple[Loop, Loop, Fraction]]) -> dict[Loop, int]:
    """Q for each loop: the least integers in which linked loops have their ratios.

    Raises MappingError where two ways through the pipeline ask for different rates.
    """
    around: dict[Loop, list[tuple[Loop, Fraction]]] = {}
    for first, second, ratio in links:
        around.setdefault(first, []).append((second, ratio))
        around.setdefault(second, []).append((first, 1 / ratio))
    rates: dict[Loop, int] = {}
    for operation in accelerator.operations:
        for place in range(len(operation.loops)):
            if (operation.name, place) not in rates:
                rates |= _whole(_reach((operation.name, place), around))
    return rates


def _reach(start: Loop, around: Mapping[Loop, list[tuple[Loop, Fraction]]]) -> dict[Loop, Fraction]:
    found, stack = {start: Fraction(1)}, [start]
    while stack:
        loop = stack.pop()
        for other, ratio in around.get(loop, []):
            rate = found[loop] * ratio
            if other not in found:
                found[other] = rate
                stack.append(other)
            elif found[other] != rate:
                raise MappingError(f"{other[0]}: its producers come at different rates")
    return found


def _whole(rates: Mapping[Loop, Fraction]) -> dict[Loop, int]:
    scale = reduce(lcm, (r.denominator for r in rates.values()), 1)
    counts = {loop: int(rate * scale) for loop, rate in rates.items()}
    common = reduce(gcd, counts.values(), 0)
    return {loop: count // common for loop, count in counts.items()}
