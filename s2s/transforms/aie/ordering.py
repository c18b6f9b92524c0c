"""Step 5: the order of instructions, and loads interleaved just before their first use (III.E).

Outputs are computed a window at a time; inside one the instructions go block by block, so that
what is loaded once serves all outputs of the window, and few registers live at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


def blocks_of(one: Fused, homes: dict[Vector, Block]) -> tuple[Block, ...]:
    """The blocks that an instruction selects from, first column's first."""
    return tuple(dict.fromkeys(one.home(term, homes) for term in one.products))


def visits(
    ordered: Sequence[Fused], fusion: Fusion, homes: dict[Vector, Block], capacity: int
) -> tuple[Visit, ...]:
    """When which block is loaded; ``capacity`` parts of blocks may stay for later instructions."""
    needs = [blocks_of(one, homes) for one in ordered]
    found: list[Visit] = []
    held: dict[Block, list[Block | None]] = {}
    for number, blocks in enumerate(needs):
        for block in blocks:
            register, slot = fusion.slots.find(block)
            contents = held.pop(register, [None, None])
            if contents[slot] != block:
                contents[slot] = block
                other = contents[1 - slot]
                fresh = other is None or not _is_used(other, number, needs, fusion)
                if fresh:
                    contents[1 - slot] = None
                found.append(Visit(number, block, register, slot, fresh))
            held[register] = contents
        _evict(held, blocks, capacity, needs[number + 1 :])
    return tuple(found)


def _is_used(block: Block, start: int, needs: Sequence[tuple[Block, ...]], fusion: Fusion) -> bool:
    """Whether a block is needed from ``start`` on before its slot is wanted for another."""
    home = fusion.slots.find(block)
    for blocks in needs[start:]:
        if block in blocks:
            return True
        if any(fusion.slots.find(other) == home for other in blocks):
            return False
    return False


def _evict(
    held: dict[Block, list[Block | None]],
    current: Sequence[Block],
    capacity: int,
    later: Sequence[tuple[Block, ...]],
) -> None:
    """Forgets the registers that are needed last until the others fit."""

    def parts(contents: Sequence[Block | None]) -> int:
        return sum(block.parts for block in contents if block is not None)

    while len(held) > 1 and sum(map(parts, held.values())) > capacity:
        candidates = [
            (_next_use(contents, later), register)
            for register, contents in held.items()
            if not any(block in current for block in contents)
        ]
        if not candidates:
            return
        held.pop(max(candidates, key=lambda c: c[0])[1])


def _next_use(contents: Sequence[Block | None], later: Sequence[tuple[Block, ...]]) -> int:
    wanted = {block for block in contents if block is not None}
    for distance, blocks in enumerate(later):
        if wanted & set(blocks):
            return distance
    return len(later)


def window_visits(windows: Sequence[Block], capacity: int) -> Iterator[tuple[int, Block]]:
    """(instruction, window) of every load of a broadcast window, with ``capacity`` registers."""
    held: list[Block] = []
    for number, window in enumerate(windows):
        if window in held:
            continue
        if len(held) == capacity:
            later = windows[number:]
            held.remove(max(held, key=lambda w: later.index(w) if w in later else len(later)))
        held.append(window)
        yield number, window
