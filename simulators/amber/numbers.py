"""A design's row of numbers (``netlist.py``) read again, as the engine loads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from s2s.source.records import dataclass


@dataclass(frozen=True)
class Count:
    """What a controller counts: ``base`` and a step for each of its loops."""

    controller: int
    row: tuple[int, ...]
    base: int


@dataclass(frozen=True)
class Port:
    """A port of a memory: the net that it reads, whether words are added to its addresses, and an
    address, in wide memories a second one, for each controller.
    """

    net: int
    is_addressed: bool
    accesses: tuple[tuple[Count, ...], ...]

    @property
    def controllers(self) -> tuple[int, ...]:
        return tuple(counts[0].controller for counts in self.accesses)


@dataclass(frozen=True)
class Memory:
    """As ``Memory`` of ``include/machine.h``."""

    mode: int
    size: int
    cut: bool
    wide: int
    fetches: int
    into: tuple[Port, ...]
    out: tuple[Port, ...]
    to_sram: tuple[Port, ...]
    from_sram: tuple[Port, ...]

    @property
    def ports(self) -> tuple[Port, ...]:
        return (*self.into, *self.out, *self.to_sram, *self.from_sram)


@dataclass(frozen=True)
class Action:
    """As ``Action`` there. ``counts`` are a stream's, ``pairs`` controllers and operations (of a
    multiplexer: and inputs), ``memory`` and ``port`` a read's.
    """

    kind: str
    out: int
    nets: tuple[int, ...]
    counts: tuple[Count, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    memory: int = -1
    port: int = -1
    words: int = 0


@dataclass(frozen=True)
class Numbers:
    """A whole design: ``constants`` are nets, ``moves`` pairs of nets of registers and delays."""

    constants: tuple[int, ...]
    memories: tuple[Memory, ...]
    actions: tuple[Action, ...]
    moves: tuple[tuple[int, int], ...]

    @cached_property
    def constant_or_other(self) -> frozenset[int]:
        """Nets that may carry a word which is of any element: constants, and what they reach."""
        found = {*self.constants, *(a.out for a in self.actions if a.kind == "rom")}
        edges = [*self.moves]
        for action in self.actions:
            if action.kind in ("mux", "read"):
                edges += [(net, action.out) for net in action.nets]
            if action.kind == "read":
                into = self.memories[action.memory].into
                edges += [(port.net, action.out) for port in into]
        after: dict[int, list[int]] = {}
        for source, target in edges:
            after.setdefault(source, []).append(target)
        new = list(found)
        while new:
            for net in after.get(new.pop(), ()):
                if net not in found:
                    found.add(net)
                    new.append(net)
        return frozenset(found)


def read_numbers(numbers: Sequence[int], kinds: Sequence[str]) -> Numbers:
    """The design of a row of numbers; ``kinds`` are the names of actions' kinds."""
    row = _Row(iter(numbers[1:]))
    for _ in range(row.next()):
        depth, _ = row.next(), row.next()
        row.skip(2 * depth)
    row.next()
    constants = [row.skip(2)[0] for _ in range(row.next())]
    memories = [_memory(row) for _ in range(row.next())]
    actions = [_action(row, kinds) for _ in range(row.next())]
    moves = [(row.next(), row.next()) for _ in range(row.next())]
    for _ in range(row.next()):
        source, target, _ = row.skip(3)
        moves.append((source, target))
    return Numbers(tuple(constants), tuple(memories), tuple(actions), tuple(moves))


@dataclass
class _Row:
    left: Iterator[int]

    def next(self) -> int:
        return next(self.left)

    def skip(self, count: int) -> list[int]:
        return [next(self.left) for _ in range(count)]

    def list(self) -> list[int]:
        return self.skip(self.next())

    def pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple((self.next(), self.next()) for _ in range(self.next()))

    def count(self, controller: int) -> Count:
        loops = self.next() - 1
        base = self.next()
        return Count(controller, tuple(self.skip(loops)), base)


def _memory(row: _Row) -> Memory:
    _, mode, _, size, cut, wide, fetches = row.skip(7)
    into, out, to_sram, from_sram = (_ports(row, second) for second in (0, 0, 1, 1))
    return Memory(mode, size, bool(cut), wide, fetches, into, out, to_sram, from_sram)


def _ports(row: _Row, second: int) -> tuple[Port, ...]:
    found = []
    for _ in range(row.next()):
        net, words, accesses = row.next(), row.pairs(), []
        for _ in range(row.next()):
            controller = row.next()
            accesses.append(tuple(row.count(controller) for _ in range(1 + second)))
        found.append(Port(net, bool(words), tuple(accesses)))
    return tuple(found)


def _action(row: _Row, kinds: Sequence[str]) -> Action:
    kind, _, out = kinds[row.next()], row.next(), row.next()
    nets = tuple(row.list())
    if kind in ("input", "output"):
        counts = tuple(row.count(row.next()) for _ in range(row.next()))
        return Action(kind, out, nets, counts=counts)
    if kind == "read":
        return Action(kind, out, nets, memory=row.next(), port=row.next())
    if kind == "rom":
        return Action(kind, out, nets, words=len(row.list()))
    return Action(kind, out, nets, pairs=row.pairs())
