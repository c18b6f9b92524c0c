"""The words that multiplications select their operands with, and the registers that hold them.

A multiplication reads 32 bits of offsets for each half of its lanes and operand, and a word of
steps and squares. A word stays in a register as long as there are enough; in code that needs more
of them, those that are used least are moved in again before each use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from s2s.simulators.aie.instructions import Multiply, Selection

_SHORT = 1 << 19  # immediates of up to 20 bits fit moves
_WORD = (1 << 32) - 1


def words(one: Multiply) -> tuple[int, ...]:
    """The configuration words of a multiplication, each once."""
    found = [*_offsets(one.x_selection), *_offsets(one.z_selection)]
    found.append(_control(one.x_selection) | _control(one.z_selection) << 22)
    return tuple(dict.fromkeys(found))


def _offsets(selection: Selection) -> tuple[int, ...]:
    low, high = selection.offsets & _WORD, selection.offsets >> 32
    return (low, high) if high else (low,)


def _control(selection: Selection) -> int:
    return (selection.step & 63) | (selection.square or 0) << 6


def is_short(word: int) -> bool:
    """Whether a move has room for the word."""
    return word < _SHORT


def reloaded(uses: Sequence[tuple[int, tuple[int, ...]]], registers: int) -> list[tuple[int, int]]:
    """The words that are moved in again, each with the place in the code that needs it.

    ``uses`` has the words of each multiplication and its place, in order.
    """
    counted = Counter(word for _, needed in uses for word in needed)
    if len(counted) <= registers:
        return []
    most = max(len(needed) for _, needed in uses)
    kept = {word for word, _ in counted.most_common(max(0, registers - most))}
    held: set[int] = set()
    found = []
    for at, needed in uses:
        missing = [word for word in needed if word not in kept and word not in held]
        found += [(at, word) for word in missing]
        held = (held if len(held) + len(missing) <= most else set()) | (set(needed) - kept)
    return found
