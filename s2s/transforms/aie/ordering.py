"""Step 5: the order of instructions, and loads interleaved just before their first use (III.E).

Outputs are computed a window at a time; inside one the instructions go block by block, so that
what is loaded once serves all outputs of the window, and few registers live at a time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from s2s.source.records import dataclass
from s2s.transforms.aie.fusion import Fused, Fusion
from s2s.transforms.aie.reuse import Block
from s2s.transforms.aie.triplets import Vector


@dataclass(frozen=True)
class Visit:
    """One loading of a block, before instruction ``at``, into ``slot`` of a register's halves.

    ``is_fresh``: the register starts anew, nothing in its other slot is needed any more.
    """

    at: int
    block: Block
    register: Block
    slot: int
    is_fresh: bool


def in_order(fusion: Fusion, homes: dict[Vector, Block], window: int) -> tuple[Fused, ...]:
    """The instructions, ``window`` outputs at a time, block by block in each window."""
    outputs = list(dict.fromkeys(one.output for one in fusion.instructions))
    turn = {output: number for number, output in enumerate(outputs)}
    ranked = sorted(set(homes.values()), key=lambda b: (b.array, b.start))
    rank = {block: number for number, block in enumerate(ranked)}

    def key(one: Fused) -> tuple[int, int, int]:
        last = max(rank[homes[term.vector]] for term in one.products)
        return turn[one.output] // max(window, 1), last, turn[one.output]

    return tuple(sorted(fusion.instructions, key=key))


def in_turns(fusion: Fusion, window: int) -> tuple[Fused, ...]:
    """The instructions, each output's in their order, ``window`` outputs in turns."""
    outputs = list(dict.fromkeys(one.output for one in fusion.instructions))
    turn = {output: number for number, output in enumerate(outputs)}
    seen: dict[Vector, int] = {}
    keys = []
    for number, one in enumerate(fusion.instructions):
        seen[one.output] = seen.get(one.output, -1) + 1
        keys.append(
            (turn[one.output] // max(window, 1), seen[one.output], turn[one.output], number)
        )
    return tuple(fusion.instructions[number] for *_, number in sorted(keys))


def blocks_of(one: Fused, homes: dict[Vector, Block]) -> tuple[Block, ...]:
    """The blocks that an instruction selects from, first column's first."""
    return tuple(dict.fromkeys(one.home(term, homes) for term in one.products))


def visits(
    ordered: Sequence[Fused], fusion: Fusion, homes: dict[Vector, Block], capacity: int
) -> tuple[Visit, ...]:
    """When which block is loaded; ``capacity`` parts of blocks may stay for later instructions."""
    needs = _Needs([blocks_of(one, homes) for one in ordered], fusion)
    found: list[Visit] = []
    held: dict[Block, list[Block | None]] = {}
    for number, blocks in enumerate(needs.blocks):
        for block in blocks:
            register, slot = fusion.slots.find(block)
            contents = held.pop(register, [None, None])
            if contents[slot] != block:
                contents[slot] = block
                other = contents[1 - slot]
                fresh = other is None or not needs.keeps(other, number)
                if fresh:
                    contents[1 - slot] = None
                found.append(Visit(number, block, register, slot, fresh))
            held[register] = contents
        _evict(held, blocks, capacity, needs, number + 1)
    return tuple(found)


class _Needs:
    """The blocks that each instruction needs, and when each is needed next."""

    def __init__(self, blocks: Sequence[tuple[Block, ...]], fusion: Fusion) -> None:
        self.blocks = blocks
        self._homes: dict[Block, tuple[Block, int]] = {}
        self._uses: dict[Block, list[int]] = {}
        self._home_uses: dict[tuple[Block, int], list[int]] = {}
        for number, some in enumerate(blocks):
            for block in some:
                home = self._homes.setdefault(block, fusion.slots.find(block))
                self._uses.setdefault(block, []).append(number)
                self._home_uses.setdefault(home, []).append(number)

    def keeps(self, block: Block, start: int) -> bool:
        """Whether a block is needed from ``start`` on before its slot is wanted for another."""
        use = self._next(self._uses[block], start)
        return use < len(self.blocks) and use == self._next(
            self._home_uses[self._homes[block]], start
        )

    def next_use(self, contents: Sequence[Block | None], start: int) -> int:
        """The first instruction from ``start`` on that needs one of these; else their number."""
        return min(self._next(self._uses[b], start) for b in contents if b is not None)

    def _next(self, places: Sequence[int], start: int) -> int:
        at = bisect_left(places, start)
        return places[at] if at < len(places) else len(self.blocks)


def _evict(
    held: dict[Block, list[Block | None]],
    current: Sequence[Block],
    capacity: int,
    needs: _Needs,
    start: int,
) -> None:
    """Forgets the registers that are needed last until the others fit."""

    def parts(contents: Sequence[Block | None]) -> int:
        return sum(block.parts for block in contents if block is not None)

    while len(held) > 1 and sum(map(parts, held.values())) > capacity:
        candidates = [
            (needs.next_use(contents, start), register)
            for register, contents in held.items()
            if not any(block in current for block in contents)
        ]
        if not candidates:
            return
        held.pop(max(candidates, key=lambda c: c[0])[1])


def window_visits(windows: Sequence[Block], capacity: int) -> Iterator[tuple[int, Block]]:
    """(instruction, window) of every load of a broadcast window, with ``capacity`` registers."""
    uses: dict[Block, list[int]] = {}
    for number, window in enumerate(windows):
        uses.setdefault(window, []).append(number)

    def next_use(window: Block, start: int) -> int:
        places = uses[window]
        at = bisect_left(places, start)
        return places[at] if at < len(places) else len(windows)

    held: list[Block] = []
    for number, window in enumerate(windows):
        if window in held:
            continue
        if len(held) == capacity:
            held.remove(max(held, key=lambda w: next_use(w, number)))
        held.append(window)
        yield number, window
