"""Data selection: the parameters with which lanes and columns take wanted elements of a register.

The shuffle network is free at 32 bits. Below, two lanes (16 bits) or four (8 bits) share two words
of 32 bits, of which one pattern for all lanes, the square, picks; what no parameters can select is
the paper's incompatible data selection (section III.D). Semantics: facts 1.2.

Wanted elements are given as ``wanted[lane][column]``, an index in the register, or None where any
defined element will do because the other factor is zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

from s2s.scop.vector_kernel import Datapath, Selection

Wanted = tuple[tuple[int | None, ...], ...]
Chosen = tuple[int, Selection]
_STEPS = 64
"""Steps from column to column have six bits."""
_SEVERAL = -1
"""Where the selection starts, and the rest of it."""


@lru_cache(maxsize=1 << 16)
def select_x(datapath: Datapath, wanted: Wanted, size: int) -> Chosen | None:
    """How operand X with ``size`` elements gives the wanted ones; None if it cannot."""
    if datapath.x_bits == 32:
        return _stepped(wanted, size)
    if datapath.x_bits == 16:
        return _pairs(wanted, size)
    return _quads(wanted, size)


@lru_cache(maxsize=1 << 16)
def select_z(datapath: Datapath, wanted: Wanted, size: int) -> Chosen | None:
    """How operand Z with ``size`` elements gives the wanted ones; None if it cannot."""
    if datapath.z_bits >= 16:
        return _stepped(wanted, size)
    if datapath.x_bits == 16:
        return _pairs_of_units(wanted, size)
    return _units(wanted, size)


def _whole(lanes: Sequence[int | None], size: int) -> Chosen | None:
    """32 bits: each lane takes any of the 16 elements from the start."""
    known = [index for index in lanes if index is not None]
    for start in dict.fromkeys(known):
        digits = [0 if index is None else (index - start) % size for index in lanes]
        if max(digits) < 16:
            return start, Selection(_digits(digits))
    return None


def _stepped(wanted: Wanted, size: int) -> Chosen | None:
    """Each lane anywhere within 16 elements, columns one distance apart (of 16 or 32 bits)."""
    for step in range(min(size, _STEPS) if len(wanted[0]) > 1 else 1):
        lanes = [_common((i - c * step) % size for c, i in _given(row)) for row in wanted]
        if _SEVERAL not in lanes:
            found = _whole(lanes, size)
            if found is not None:
                return found[0], Selection(found[1].offsets, step)
    return None


def _pairs(wanted: Wanted, size: int) -> Chosen | None:
    """16-bit X: lanes 2p and 2p+1 pick from two words, each pair of columns a step further."""
    step = _column_step(wanted, len(wanted[0]), size, 2)
    if step is None:
        return None
    folded = [_folded(row, len(wanted[0]), step, size) for row in wanted]
    known = [row for row in folded if row is not None]
    if len(known) < len(folded):
        return None
    found = _squares([known[p] + known[p + 1] for p in range(0, len(known), 2)], size)
    if found is None:
        return None
    start, selection = found
    return start, Selection(selection.offsets, step, selection.square)


def _quads(wanted: Wanted, size: int) -> Chosen | None:
    """8-bit X: lanes 4p to 4p+3 pick units of two bytes from two words, by pairs of columns.

    Lanes 4p and 4p+1 take the bytes of one unit, so do 4p+2 and 4p+3.
    """
    units = [_unit(wanted, p, size) for p in range(0, len(wanted), 2)]
    if any(unit is None for unit in units):
        return None
    lanes = [unit for unit in units if unit is not None]
    columns = len(wanted[0])
    step = _column_step(lanes, columns, size, 4)
    if step is None:
        return None
    folded = [_folded(row, columns, step, size) for row in lanes]
    if any(row is None for row in folded):
        return None
    known = [_halved(row) for row in folded if row is not None]
    rows = [known[p] + known[p + 1] for p in range(0, len(known), 2)]
    found = _squares(rows, size // 2)
    if found is None:
        return None
    start, selection = found
    return 2 * start, Selection(selection.offsets, step, selection.square)


def _unit(wanted: Wanted, lane: int, size: int) -> tuple[int | None, ...] | None:
    """The units that two lanes take, per column, in bytes; None where bytes are of no unit."""
    found: list[int | None] = []
    for low, high in zip(wanted[lane], wanted[lane + 1], strict=True):
        if low is None and high is None:
            found.append(None)
            continue
        place = low if low is not None else (int(high or 0) - 1) % size
        if place % 2 or (high is not None and high != (place + 1) % size):
            return None
        found.append(place)
    return tuple(found)


def _column_step(
    lanes: Sequence[tuple[int | None, ...]], columns: int, size: int, unit: int
) -> int | None:
    """The distance from a pair of columns to the next, from the first that tells.

    In elements, a multiple of ``unit``; None where there is none.
    """
    for row in lanes:
        for column in range(2, columns):
            before, here = row[column % 2], row[column]
            if before is None or here is None:
                continue
            for step in range(0, _STEPS, unit):
                if (before + column // 2 * step - here) % size == 0:
                    return step
            return None
    return 0


def _folded(
    row: tuple[int | None, ...], columns: int, step: int, size: int
) -> tuple[int | None, ...] | None:
    """Both columns of the first pair, if the other pairs agree."""
    found: list[int | None] = []
    for parity in (0, 1):
        places = {
            (place - column // 2 * step) % size
            for column in range(parity, columns, 2)
            if (place := row[column]) is not None
        }
        if len(places) > 1:
            return None
        found.append(places.pop() if places else None)
    return tuple(found)


def _halved(row: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Places in bytes as places in units of two."""
    return tuple(None if place is None else place // 2 for place in row)


def _squares(rows: Sequence[tuple[int | None, ...]], size: int) -> Chosen | None:
    """Words and the square for rows of four wanted halves of words, ``size`` halves in all.

    Each row is what one group of lanes takes: first lanes' columns 0 and 1, then the others'.
    A row picks from two words, ``even`` and ``odd``, the latter 1 to 16 words behind.
    """
    words = size // 2
    halves = [_common(i % 2 for row in rows if (i := row[k]) is not None) for k in range(4)]
    if _SEVERAL in halves:
        return None
    for which in product((0, 1), repeat=4):
        chosen = [_words(row, which, words) for row in rows]
        if any(pair is None for pair in chosen):
            continue
        found = _offsets([pair for pair in chosen if pair is not None], words)
        if found is not None:
            start, digits = found
            square = _square(which, halves, rows)
            return 2 * start, Selection(_digits(digits), 0, square)
    return None


def _words(
    row: tuple[int | None, ...], which: Sequence[int], words: int
) -> tuple[int | None, int | None] | None:
    """The even and the odd word of a row if the square takes its elements as ``which`` says."""
    found: list[int | None] = [None, None]
    for index, side in zip(row, which, strict=True):
        if index is None:
            continue
        word = index // 2 % words
        if found[side] not in (None, word):
            return None
        found[side] = word
    return found[0], found[1]


def _offsets(
    pairs: Sequence[tuple[int | None, int | None]], words: int
) -> tuple[int, list[int]] | None:
    """The start in words and the digits of all pairs of lanes."""
    filled = []
    for even, odd in pairs:
        if even is None and odd is not None:
            even = (odd - 1) % words
        even = 0 if even is None else even
        gap = 0 if odd is None else (odd - even - 1) % words
        if gap > 15:
            return None
        filled.append((even, gap))
    for start in dict.fromkeys(even for even, _ in filled):
        if all((even - start) % words < 16 for even, _ in filled):
            return start, [d for even, gap in filled for d in ((even - start) % words, gap)]
    return None


def _square(
    which: Sequence[int],
    halves: Sequence[int | None],
    rows: Sequence[tuple[int | None, ...]],
) -> int:
    """Four digits; a place that no row wants repeats the other column's of the same lanes."""
    digits = [2 * side + int(h or 0) for side, h in zip(which, halves, strict=True)]
    for place in range(4):
        if all(row[place] is None for row in rows):
            digits[place] = digits[place ^ 1]
    return _digits(digits)


def _units(wanted: Wanted, size: int) -> Chosen | None:
    """8-bit Z: lanes 4p and 4p+1 pick from two units of two bytes, 4p+2 and 4p+3 repeat them."""
    for row, other in ((0, 2), (1, 3)):
        for p in range(0, len(wanted), 4):
            if wanted[p + row] != wanted[p + other]:
                return None
    lanes = [wanted[p + row] for p in range(0, len(wanted), 4) for row in (0, 1)]
    return _two_units(lanes, size)


def _pairs_of_units(wanted: Wanted, size: int) -> Chosen | None:
    """8-bit Z beside 16-bit X: lanes 2p and 2p+1 pick from two units of two bytes."""
    return _two_units(wanted, size)


def _two_units(lanes: Sequence[tuple[int | None, ...]], size: int) -> Chosen | None:
    """Pairs of lanes that pick from two units each, pairs of columns a step apart."""
    columns = len(lanes[0])
    for step in range(0, min(size, _STEPS), 2):
        folded = [_folded_z(row, columns, step, size) for row in lanes]
        if any(row is None for row in folded):
            continue
        known = [row for row in folded if row is not None]
        rows = [known[p] + known[p + 1] for p in range(0, len(known), 2)]
        found = _free_squares(rows, size)
        if found is not None:
            return found[0], Selection(found[1].offsets, step, found[1].square)
    return None


def _folded_z(
    row: tuple[int | None, ...], columns: int, step: int, size: int
) -> tuple[int | None, ...] | None:
    found: list[int | None] = []
    for parity in (0, 1):
        place = _common(
            (place - column // 2 * step) % size
            for column in range(parity, columns, 2)
            if (place := row[column]) is not None
        )
        if place == _SEVERAL:
            return None
        found.append(place)
    return tuple(found)


def _free_squares(rows: Sequence[tuple[int | None, ...]], size: int) -> Chosen | None:
    """As ``_squares``, with both words (here units of two bytes) given by themselves."""
    words = size // 2
    halves = [_common(i % 2 for row in rows if (i := row[k]) is not None) for k in range(4)]
    if _SEVERAL in halves:
        return None
    for which in product((0, 1), repeat=4):
        chosen = [_words(row, which, words) for row in rows]
        if any(pair is None for pair in chosen):
            continue
        flat = [word for pair in chosen if pair is not None for word in pair]
        found = _whole(flat, words)
        if found is not None:
            return 2 * found[0], Selection(found[1].offsets, 0, _square(which, halves, rows))
    return None


def _given(row: Sequence[int | None]) -> list[tuple[int, int]]:
    return [(column, index) for column, index in enumerate(row) if index is not None]


def _common(values: Iterable[int]) -> int | None:
    """The one value, none of them negative; None of none, ``_SEVERAL`` of several."""
    found = set(values)
    if len(found) > 1:
        return _SEVERAL
    return found.pop() if found else None


def _digits(values: Sequence[int]) -> int:
    """Digits of four bits, the first lowest."""
    return sum(value << (4 * place) for place, value in enumerate(values))
