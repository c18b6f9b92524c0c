"""The order of a region whose loops over blocks have no iterator in the SCoP.

The block of an iteration ``i`` is a monotone function of ``i``, and no more is known of it. So two
instances may run one after the other if, at the outermost loop or sequence where they can differ,
the first one's value may be smaller: of a loop over blocks, if it covers a smaller iteration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

import islpy as isl

from s2s.frontends.c.raw import Raw, RawBranch, RawLeaf, RawLoop, RawSequence
from s2s.scop.nodes import Statement
from s2s.source.records import dataclass


@dataclass(frozen=True)
class _Place:
    """A leaf's position: for each node above an entry, (block number, text of the value)."""

    entries: tuple[tuple[str, str], ...] = ()

    def at(self, text: str, block: str = "") -> _Place:
        return replace(self, entries=(*self.entries, (block, text)))

    def covering(self, block: str, iterator: str) -> _Place:
        """With the iterator that runs over a block as the block's value."""
        entries = tuple((b, iterator if b == block else t) for b, t in self.entries)
        return replace(self, entries=entries).at(iterator)


def possible_order(tree: Raw, statements: Sequence[Statement], header: str) -> isl.UnionMap | None:
    """Pairs of instances that may run in this order; None where the schedule says it exactly.

    ``statements`` are some of those of the tree's leaves, which count from S1; ``header`` declares
    the parameters in isl's notation.
    """
    if not any(isinstance(n, RawLoop) and n.blocks for n in _nodes(tree)):
        return None
    places = {f"S{i + 1}": p for i, p in enumerate(_places(tree, _Place()))}
    result: isl.UnionMap | None = None
    for first in statements:
        for second in statements:
            pair = isl.UnionMap.from_map(
                _before(first, second, places[first.name], places[second.name], header)
            )
            result = pair if result is None else result.union(pair)
    return result


def _nodes(tree: Raw) -> Iterator[Raw]:
    yield tree
    if isinstance(tree, RawSequence):
        for child in tree.children:
            yield from _nodes(child)
    elif isinstance(tree, RawBranch):
        yield from _nodes(tree.then)
        if tree.otherwise is not None:
            yield from _nodes(tree.otherwise)
    elif not isinstance(tree, RawLeaf):
        yield from _nodes(tree.body)


def _places(tree: Raw, place: _Place) -> Iterator[_Place]:
    if isinstance(tree, RawLeaf):
        yield place
    elif isinstance(tree, RawSequence):
        for position, child in enumerate(tree.children):
            yield from _places(child, place.at(str(position)))
    elif isinstance(tree, RawBranch):
        yield from _places(tree.then, place.at("0"))
        if tree.otherwise is not None:
            yield from _places(tree.otherwise, place.at("1"))
    elif isinstance(tree, RawLoop) and tree.blocks:
        yield from _places(tree.body, place.at("0", tree.blocks))
    elif isinstance(tree, RawLoop):
        name = tree.variable.name
        inner = place.covering(tree.covers, name) if tree.covers else None
        yield from _places(tree.body, inner or place.at(name if tree.step > 0 else f"-{name}"))
    else:
        yield from _places(tree.body, place.at("0"))


def _before(
    first: Statement, second: Statement, a: _Place, b: _Place, header: str
) -> isl.Map:  # fmt: skip
    """Pairs of instances (first, second) that may run in this order."""
    pairs = list(zip(a.entries, b.entries, strict=False))
    # Entries are of the same nodes until the paths part, which a differing number shows.
    shared = len(list(takewhile(lambda p: not _parts(p), pairs)))
    length = min(len(pairs), shared + 1)
    ways = []
    for level in range(length):
        equal = [f"x{i} = y{i}" for i in range(level) if not pairs[i][0][0]]
        ways.append(" and ".join([*equal, f"x{level} < y{level}"]))
    left, right = (", ".join(f"{n}{i}" for i in range(length)) for n in "xy")
    relation = isl.Map(f"{{ [{left}] -> [{right}] : {' or '.join(f'({w})' for w in ways)} }}")
    times = [
        _time(statement, place, length, header) for statement, place in ((first, a), (second, b))
    ]
    return times[0].apply_range(relation).apply_range(times[1].reverse())


def _parts(pair: tuple[tuple[str, str], tuple[str, str]]) -> bool:
    (_, left), (_, right) = pair
    return left != right and left.isdigit() and right.isdigit()


def _time(statement: Statement, place: _Place, length: int, header: str) -> isl.Map:
    names = ", ".join(v.name for v in statement.iterators)
    values = ", ".join(text for _, text in place.entries[:length])
    relation = isl.Map(f"{header}{{ {statement.name}[{names}] -> [{values}] }}")
    return relation.intersect_domain(statement.domain)
