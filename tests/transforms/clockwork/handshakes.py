"""A design with handshakes, turn by turn: which words each port takes, and in which cycle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from s2s.scop.handshakes import Affine, Handshakes, Queue, Turns

Word = tuple[str, int]
"""A node and its turn."""


class Played:
    """Each node goes in the first cycle in which its words and room for its own are there."""

    def __init__(self, found: Handshakes) -> None:
        self.found = found
        self.turns = {name: dict(_expanded(n.turns)) for name, n in found.nodes.items()}
        self.when: dict[str, list[int]] = {name: [] for name in found.nodes}
        self.into = {n: [q for q in found.queues if q.target == n] for n in found.nodes}
        self.from_ = {n: [q for q in found.queues if q.source == n] for n in found.nodes}
        self.kept = {q: self._oldest(q) for q in found.queues}
        self.cycle = 0
        while self._go():
            self.cycle += 1
        self.stuck = [n for n, each in self.turns.items() if len(self.when[n]) < len(each)]

    def taken(self, name: str, turn: int) -> dict[str, Word]:
        """The words at the ports of a node."""
        return self.turns[name][turn][1]

    def origin(self, word: Word) -> Word:
        """Who made a word: neither a memory's port."""
        while self.found.nodes[word[0]].kind in ("write", "read"):
            word = self.taken(*word)["in0"]
        return word

    def _oldest(self, queue: Queue) -> list[int]:
        """The oldest word that the reader takes after so many turns; beyond all at the end."""
        found = [10**9]
        for _, (_, words) in sorted(self.turns[queue.target].items(), reverse=True):
            source, number = words.get(queue.port, ("", 0))
            found.append(min(found[-1], number) if source == queue.source else found[-1])
        return found[::-1]

    def _go(self) -> bool:
        """A cycle: whether there is another one."""
        begun = {name: len(each) for name, each in self.when.items()}
        waiting, went = list(self.found.nodes), True
        while went:
            ready = [n for n in waiting if self._can_go(n, begun)]
            went = bool(ready)
            for name in ready:
                self.when[name].append(self.cycle)
                waiting.remove(name)
        last = max(each[-1] for each in self.when.values() if each) if any(begun.values()) else 0
        return self.cycle <= last + 8

    def _can_go(self, name: str, begun: dict[str, int]) -> bool:
        turn = len(self.when[name])
        if turn not in self.turns[name]:
            return False
        words = self.taken(name, turn)
        for queue in self.into[name]:
            source, number = words.get(queue.port, ("", 0))
            if source == queue.source and not self._is_there(queue, number):
                return False
        return all(self._has_room(queue, turn, begun) for queue in self.from_[name])

    def _is_there(self, queue: Queue, number: int) -> bool:
        given = self.when[queue.source]
        pause = self.found.nodes[queue.source].latency + (queue.kind != "wire")
        return number < len(given) and given[number] + pause <= self.cycle

    def _has_room(self, queue: Queue, number: int, begun: dict[str, int]) -> bool:
        """Whether less than its capacity waits: the oldest word that a later turn takes, and on."""
        return number - self.kept[queue][begun[queue.target]] < queue.capacity


def _expanded(pieces: tuple[Turns, ...]) -> Iterator[tuple[int, tuple[str, dict[str, Word]]]]:
    """Each turn with its operation, and the words that it takes."""
    for piece in pieces:
        for index in product(*map(range, piece.extent)):
            words = {port: (node, _value(n, index)) for port, (node, n) in piece.takes.items()}
            yield _value(piece.turn, index), (piece.operation, words)


def _value(affine: Affine, index: tuple[int, ...]) -> int:
    return affine[0] + sum(s * i for s, i in zip(affine[1], index, strict=True))
